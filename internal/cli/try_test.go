package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/trial"
)

// playedTrial is a trial in which everything is as it should be.
func playedTrial(t *testing.T) *tryRun {
	t.Helper()
	run := &tryRun{data: t.TempDir(), secret: trial.Secret()}
	for _, agent := range tryAgents() {
		run.steps = append(run.steps, trial.Step{Agent: agent, Event: "Gate", Result: trial.Result{Stdout: `{"decision":"deny"}`}})
		run.records = append(run.records, aRecord(func(r *record.Record) { r.Agent, r.HostEvent = agent, "Gate" }))
	}
	return run
}

func TestTryFindsFaults(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(t *testing.T, r *tryRun)
		want  string
	}{
		{"none", func(*testing.T, *tryRun) {}, ""},
		{"nothing denied", func(_ *testing.T, r *tryRun) { r.steps[0].Result.Stdout = "{}" }, "gemini: one deletion was to be denied, 0 calls were"},
		{"exit code", func(_ *testing.T, r *tryRun) { r.steps[1].Result.Exit = 2 }, "antigravity Gate: exit code 2"},
		{"stderr", func(_ *testing.T, r *tryRun) { r.steps[1].Result.Stderr = "oops\n" }, "wrote to stderr: oops"},
		{"event lost", func(_ *testing.T, r *tryRun) { r.records = r.records[:1] }, "2 events were played, 1 are stored"},
		{"event mixed up", func(_ *testing.T, r *tryRun) { r.records[0].HostEvent = "Other" }, "stored as gemini Other"},
		{"guard silent", func(_ *testing.T, r *tryRun) {
			r.records[0].Guard = &record.Guard{Outcome: "timeout", Fail: "open"}
		}, "gave no verdict: timeout"},
		{"secret kept", func(t *testing.T, r *tryRun) {
			if err := os.WriteFile(filepath.Join(r.data, "leak"), []byte("x"+r.secret+"y"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "in clear"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run := playedTrial(t)
			tt.spoil(t, run)
			run.check()
			got := strings.Join(run.faults, "\n")
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("faults %q, want %q", got, tt.want)
			}
		})
	}
}
