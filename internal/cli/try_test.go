package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/collector"
	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/trial"
)

// playedTrial is a trial in which everything is as it should be.
func playedTrial(t *testing.T) *tryRun {
	t.Helper()
	run := &tryRun{data: t.TempDir(), secret: trial.Secret(), spans: &trySpans{forest: collector.NewForest(100, 1<<20), now: time.Now}}
	for i, agent := range tryAgents() {
		id := fmt.Sprintf("%016x", i+1)
		run.spans.take(otlp.Traces{{Spans: []otlp.Span{
			{TraceID: [16]byte{1}, SpanID: [8]byte{7: byte(i + 1)}, Name: agent + ".gate", Attrs: []otlp.Attr{{Key: "boathook.decision.expressed", Value: "deny"}}},
			{TraceID: [16]byte{1}, SpanID: [8]byte{1, byte(i)}, Name: "invoke_agent", Attrs: []otlp.Attr{
				{Key: "gen_ai.operation.name", Value: "invoke_agent"}, {Key: "gen_ai.agent.name", Value: agent},
			}},
		}}})
		run.steps = append(run.steps, trial.Step{Agent: agent, Event: "Gate", Result: agentrun.Result{Stdout: `{"decision":"deny"}`}})
		run.records = append(run.records, aRecord(func(r *record.Record) {
			r.Agent, r.HostEvent, r.SpanID, r.Decision.Expressed = agent, "Gate", id, canon.Deny
		}))
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
		{"event lost", func(_ *testing.T, r *tryRun) { r.records = r.records[:1] }, "11 events were played, 1 are stored"},
		{"event mixed up", func(_ *testing.T, r *tryRun) { r.records[0].HostEvent = "Other" }, "stored as gemini Other"},
		{"guard silent", func(_ *testing.T, r *tryRun) {
			r.records[0].Guard = &record.Guard{Outcome: "timeout", Fail: "open"}
		}, "gave no verdict: timeout"},
		{"secret kept", func(t *testing.T, r *tryRun) {
			if err := os.WriteFile(filepath.Join(r.data, "leak"), []byte("x"+r.secret+"y"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "in clear"},
		{"span lost", func(_ *testing.T, r *tryRun) { r.records[1].SpanID = "00000000000000ff" }, "of 1 event no span did"},
		{"deny not marked", func(_ *testing.T, r *tryRun) {
			r.spans.all()["0000000000000001"].Attrs[0].Value = "allow"
		}, "gemini Gate: denied, and its span does not say so"},
		{"no turn", func(_ *testing.T, r *tryRun) {
			r.spans.all()["0101000000000000"].Attrs[0].Value = "chat"
		}, "antigravity: no span of a turn"},
		{"secret sent", func(_ *testing.T, r *tryRun) {
			s := r.spans.all()["0000000000000002"]
			s.Attrs = append(s.Attrs, otlp.Attr{Key: "k", Value: []string{"x" + r.secret}})
		}, "sent to the collector in clear, in antigravity.gate"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run := playedTrial(t)
			tt.spoil(t, run)
			run.check()
			run.checkSpans()
			got := strings.Join(run.faults, "\n")
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("faults %q, want %q", got, tt.want)
			}
		})
	}
}

// What try says fits the terminal, down to 40 columns; in a pipe the answers stay whole.
func TestTryFitsTheTerminal(t *testing.T) {
	for _, width := range []int{0, 40, 60, 80, 120} {
		run := playedTrial(t)
		var err error
		if run.guard, err = trial.StartGuard(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer run.guard.Close()
		answer := `{"decision":"deny","reason":"Deleting directories recursively is not allowed here; list what you would delete instead.","systemMessage":"blocked"}`
		var out bytes.Buffer
		run.env = testEnv(t.TempDir())
		run.env.LookupEnv = func(string) (string, bool) { return "dumb", true } // TERM: no colours
		run.env.Stdout, run.env.IsTerminal, run.env.Width = &out, width > 0, width
		for i := range run.steps {
			run.steps[i].Result.Stdout = answer
			line, err := json.Marshal(aRecord(func(r *record.Record) { r.ID, r.Agent = strings.Repeat("0", 26), "antigravity" }))
			if err != nil {
				t.Fatal(err)
			}
			run.lines = append(run.lines, line)
		}
		for _, faults := range [][]string{nil, {"gemini: " + strings.Repeat("something long is wrong ", 9)}} {
			run.faults = faults
			if err := run.print(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for line := range strings.Lines(out.String()) {
			if n := columns(strings.TrimSuffix(line, "\n")); width > 0 && n > width {
				t.Errorf("width %d: a line of %d columns: %s", width, n, line)
			}
		}
		if whole := strings.Contains(out.String(), answer+"\n"); whole != (width == 0) {
			t.Errorf("width %d: the answer on one line: %t\n%s", width, whole, out.String())
		}
	}
}

// A reader of stdout that has seen enough is no failure.
func TestClosedPipeIsNoFailure(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	_ = r.Close()
	_, elsewhere := w.Write([]byte("x"))
	var at *os.PathError
	if !errors.As(elsewhere, &at) || pipeClosed(elsewhere) {
		t.Errorf("a pipe that is not stdout: %v", elsewhere)
	}
	env := testEnv(t.TempDir())
	var errs bytes.Buffer
	env.Stdout, env.Stderr = failing{&os.PathError{Op: "write", Path: os.Stdout.Name(), Err: at.Err}}, &errs
	if code := Run(t.Context(), env, []string{"version"}); code != exitOK || errs.Len() > 0 {
		t.Errorf("exit %d: %s", code, errs.String())
	}
	env.Stdout = failing{elsewhere}
	if code := Run(t.Context(), env, []string{"version"}); code != exitFailed || errs.Len() == 0 {
		t.Errorf("another error: exit %d: %s", code, errs.String())
	}
}

// failing is an output that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
