package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

func aRecord(change func(*record.Record)) record.Record {
	r := record.Record{
		V: record.Version,
		Event: canon.Event{
			Time: time.Date(2026, 3, 1, 9, 8, 7, 0, time.UTC), Agent: "gemini", Event: canon.ToolBefore, HostEvent: "BeforeTool",
			Tool: &canon.Tool{Name: "bash", HostName: "run_shell_command", Command: "npm test"},
		},
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
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
		{"nobody was asked", nil, "- 3.2 npm test"},
		{"the guard allows", func(r *record.Record) {
			r.Decision.Source, r.Guard = "remote_guard", &record.Guard{Outcome: "allow"}
		}, "allow 3.2 npm test"},
		{"the guard allows by a rule", func(r *record.Record) {
			r.Decision.Source, r.Decision.Rule = "remote_guard", "tests"
		}, "allow tests 3.2 npm test"},
		{"deny with a rule", func(r *record.Record) {
			r.Decision = record.Decision{Action: canon.Deny, Expressed: canon.Deny, Rule: "no-rm", Source: "remote_guard"}
		}, "deny no-rm 3.2 npm test"},
		{"deny by failure", func(r *record.Record) {
			r.Decision = record.Decision{Action: canon.Deny, Expressed: canon.Deny, Source: "guard_failed"}
			r.Guard = &record.Guard{Outcome: "timeout", Fail: "closed"}
		}, "deny guard:timeout 3.2 npm test"},
		{"ask told as a deny", func(r *record.Record) {
			r.Decision = record.Decision{Action: canon.Ask, Expressed: canon.Deny, Source: "remote_guard", Mark: "review"}
		}, "ask→deny 3.2 npm test"},
		{"review", func(r *record.Record) {
			r.Decision.Mark, r.Decision.Source, r.Decision.Rule = "review", "remote_guard", "push"
		}, "review push 3.2 npm test"},
		{"guard silent", func(r *record.Record) {
			r.Decision.Source = "guard_failed"
			r.Guard = &record.Guard{Outcome: "timeout", Fail: "open"}
		}, "allow guard:timeout 3.2 npm test"},
		{"guard silent, its rule from an older record", func(r *record.Record) {
			r.Decision.Source, r.Decision.Rule = "guard_failed", "old"
			r.Guard = &record.Guard{Outcome: "bad_endpoint", Fail: "open"}
		}, "allow guard:bad_endpoint 3.2 npm test"},
		{"the hook broke while it asked", func(r *record.Record) {
			r.Decision = record.Decision{Action: canon.Deny, Expressed: canon.Deny, Source: "guard_failed"}
		}, "deny guard:error 3.2 npm test"},
		{"not decodable", func(r *record.Record) {
			r.Decision = record.Decision{Action: canon.Deny, Expressed: canon.Deny, Source: "on_error"}
		}, "deny on_error 3.2 npm test"},
		{"nothing to decide", func(r *record.Record) {
			r.Event.Event, r.Tool, r.Prompt = canon.PromptSubmit, nil, "hello\nyou"
		}, `- 3.2 hello\nyou`},
		{"failed tool", func(r *record.Record) {
			r.Event.Event, r.Tool.Error, r.Hook.LatencyMS = canon.ToolAfter, "exit 3", 12.6
		}, "- 13 failed: exit 3 · npm test"},
		{"a broken config", func(r *record.Record) {
			r.Notes = []string{"config: " + strings.Repeat("x", 600), "config: other", "payload: truncated", "redact: bad"}
		}, "- 3.2 npm test (config: 2 problems; payload: truncated; redact: 1 problem)"},
		{"many notes", func(r *record.Record) { r.Notes = []string{"a", "b", "c", "d", "e"} }, "- 3.2 npm test (a; b; c; 2 more notes)"},
		{"notes of a long call", func(r *record.Record) {
			r.Tool.Command, r.Notes = strings.Repeat("x", 2000), []string{"config: bad"}
		}, "- 3.2 " + strings.Repeat("x", 699) + "… (config: 1 problem)"},
		{"notes", func(r *record.Record) { r.Notes = []string{"payload: truncated"} }, "- 3.2 npm test (payload: truncated)"},
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
		r.Agent, r.Event.Event, r.Tool.Name = "antigravity", canon.PermissionRequest, "a-tool-with-a-long-name"
		r.Tool.Command = strings.Repeat("한국어 and English ", 40)
		r.Decision.Rule, r.Decision.Source = "a-rule-with-a-name-longer-than-its-column", "remote_guard"
	})
	for width := 40; width <= 200; width++ {
		var out bytes.Buffer
		tab := &table{out: &out, zone: time.UTC, width: width}
		if err := errors.Join(tab.header(), tab.print(long)); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if got := columns(strings.TrimSuffix(line, "\n")); got > width {
				t.Errorf("width %d: a line of %d columns: %s", width, got, line)
			}
		}
	}
}

// What became of the guard is said whole at every width, wherever it stands.
func TestOutcomeIsNeverCut(t *testing.T) {
	for _, action := range []canon.Action{canon.Allow, canon.Deny} {
		for _, outcome := range []string{"timeout", "refused", "status_503", "bad_body", "bad_endpoint", "error"} {
			r := aRecord(func(r *record.Record) {
				r.Agent = "antigravity"
				r.Decision = record.Decision{Action: action, Expressed: action, Source: "guard_failed"}
				r.Guard = &record.Guard{Outcome: outcome}
			})
			for width := range 201 {
				if width > 0 && width < 40 {
					continue
				}
				var out bytes.Buffer
				if err := (&table{out: &out, zone: time.UTC, width: width}).print(r); err != nil {
					t.Fatal(err)
				}
				whole := " guard:" + outcome + " "
				if width > 0 && width < 110 {
					whole = "[guard:" + outcome
				}
				if got := strings.ReplaceAll(out.String(), "\n", " "); !strings.Contains(got, whole) || !strings.Contains(got, " "+string(action)+" ") {
					t.Errorf("width %d: no %s %q in %s", width, action, whole, out.String())
				}
			}
		}
	}
}

// In a narrow terminal what has no column stands before WHAT; in a pipe nothing is cut.
func TestLayouts(t *testing.T) {
	r := aRecord(func(r *record.Record) {
		r.Tool.Name, r.Tool.Command = "a-tool-of-some-length", "npm test"
		r.Decision = record.Decision{Action: canon.Deny, Expressed: canon.Deny, Rule: "no-npm", Source: "remote_guard"}
	})
	tests := []struct {
		width int
		want  string
	}{
		{0, "2026-03-01 09:08:07 gemini      tool:before    a-tool-of-some-length deny no-npm                 3.2 npm test"},
		{120, "09:08:07 gemini      tool:before    a-tool-of-som… deny no-npm                 3.2 npm test"},
		{100, "09:08:07 gemini      tool:before    a-tool-of… deny         3.2 [no-npm] npm test"},
		{80, "09:08:07 gemini      tool:before    deny         3.2 [no-npm]\n         a-tool-of-some-length npm test"},
		{60, "09:08 gemini  tool:before    deny      [no-npm]\n      a-tool-of-some-length npm test"},
		{59, "09:08 gemini      tool:before    deny         3.2\n      [no-npm] a-tool-of-some-length npm test"},
		{50, "09:08 gemini      tool:before    deny         3.2\n      [no-npm] a-tool-of-some-length npm test"},
		{40, "09:08 gemini   tool:before    deny\n      [no-npm] a-tool-of-some-length np…"},
	}
	for _, tt := range tests {
		var out bytes.Buffer
		if err := (&table{out: &out, zone: time.UTC, width: tt.width, day: "2026-03-01"}).print(r); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want+"\n", out.String()); diff != "" {
			t.Errorf("width %d: %s", tt.width, diff)
		}
	}
}

func TestDashIsDimAndAllowIsGreen(t *testing.T) {
	row := func(change func(*record.Record)) string {
		var out bytes.Buffer
		if err := (&table{out: &out, zone: time.UTC, colour: true}).print(aRecord(change)); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if got := row(nil); !strings.Contains(got, dim+"- ") || strings.Contains(got, "allow") {
		t.Errorf("nobody asked: %q", got)
	}
	if got := row(func(r *record.Record) { r.Decision.Source = "remote_guard" }); !strings.Contains(got, green+"allow ") {
		t.Errorf("allowed by the guard: %q", got)
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
