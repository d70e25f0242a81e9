package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook"
	"github.com/boathook/boathook/internal/record"
)

func aRecord(change func(*record.Record)) record.Record {
	r := record.Record{
		V: record.Version,
		Event: hook.Event{
			Time: time.Date(2026, 3, 1, 9, 8, 7, 0, time.UTC), Agent: "gemini", Event: hook.ToolBefore, HostEvent: "BeforeTool",
			Tool: &hook.Tool{Name: "bash", HostName: "run_shell_command", Command: "npm test"},
		},
		Decision: record.Decision{Action: hook.Allow, Expressed: hook.Allow, Source: "default"},
		Hook:     record.Hook{LatencyMS: 3.24},
	}
	if change != nil {
		change(&r)
	}
	return r
}

func TestRow(t *testing.T) {
	tests := []struct {
		name   string
		change func(*record.Record)
		want   string
	}{
		{"plain allow", nil, "allow 3.2 npm test"},
		{"deny with a rule", func(r *record.Record) {
			r.Decision = record.Decision{Action: hook.Deny, Expressed: hook.Deny, Rule: "no-rm", Source: "remote_guard"}
		}, "deny no-rm 3.2 npm test"},
		{"deny by failure", func(r *record.Record) {
			r.Decision = record.Decision{Action: hook.Deny, Expressed: hook.Deny, Source: "guard_failed"}
			r.Guard = &record.Guard{Outcome: "timeout", Fail: "closed"}
		}, "deny guard_failed 3.2 npm test"},
		{"ask told as a deny", func(r *record.Record) {
			r.Decision = record.Decision{Action: hook.Ask, Expressed: hook.Deny, Source: "remote_guard", Mark: "review"}
		}, "ask→deny 3.2 npm test"},
		{"review", func(r *record.Record) {
			r.Decision.Mark, r.Decision.Source, r.Decision.Rule = "review", "remote_guard", "push"
		}, "review push 3.2 npm test"},
		{"guard silent", func(r *record.Record) {
			r.Decision.Source = "guard_failed"
			r.Guard = &record.Guard{Outcome: "timeout", Fail: "open"}
		}, "allow guard:timeout 3.2 npm test"},
		{"nothing to decide", func(r *record.Record) {
			r.Event.Event, r.Tool, r.Prompt = hook.PromptSubmit, nil, "hello\nyou"
		}, `- 3.2 hello\nyou`},
		{"failed tool", func(r *record.Record) {
			r.Event.Event, r.Tool.Error, r.Hook.LatencyMS = hook.ToolAfter, "exit 3", 12.6
		}, "- 13 failed: exit 3 · npm test"},
		{"notes", func(r *record.Record) { r.Notes = []string{"payload: truncated"} }, "allow 3.2 npm test (payload: truncated)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := (&table{out: &out, zone: time.UTC}).print(aRecord(tt.change)); err != nil {
				t.Fatal(err)
			}
			fields := strings.Fields(out.String())
			at := 4 // date, time, agent, event
			if !strings.HasPrefix(tt.want, "- 3.2 hello") {
				at++ // tool
			}
			if diff := cmp.Diff(tt.want, strings.Join(fields[at:], " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRowsFitTheTerminal(t *testing.T) {
	long := aRecord(func(r *record.Record) {
		r.Tool.Command = strings.Repeat("한국어 and English ", 40)
		r.Decision.Rule, r.Decision.Source = "a-rule-with-a-name-longer-than-its-column", "remote_guard"
	})
	for _, width := range []int{86, 100, 120, 200} {
		var out bytes.Buffer
		tab := &table{out: &out, zone: time.UTC, width: width}
		if err := tab.print(long); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if got := columns(strings.TrimSuffix(line, "\n")); got > width {
				t.Errorf("width %d: a line of %d columns: %s", width, got, line)
			}
		}
	}
}

func TestColourOnlyWhereAsked(t *testing.T) {
	tests := []struct {
		name     string
		terminal bool
		vars     map[string]string
		want     bool
	}{
		{"pipe", false, nil, false},
		{"terminal", true, nil, true},
		{"NO_COLOR", true, map[string]string{"NO_COLOR": "1"}, false},
		{"dumb terminal", true, map[string]string{"TERM": "dumb"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			env := testEnv(t.TempDir())
			env.Stdout, env.IsTerminal, env.Width = &out, tt.terminal, 120
			env.LookupEnv = func(name string) (string, bool) { v, ok := tt.vars[name]; return v, ok }
			if err := newTable(env).print(aRecord(nil)); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(out.String(), "\x1b["); got != tt.want {
				t.Errorf("escape sequences %t, want %t: %q", got, tt.want, out.String())
			}
		})
	}
}
