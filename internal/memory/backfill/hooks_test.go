package backfill

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/intake"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
)

// told are the hook events of one recorded session, in their order: files of internal/host/<agent>/testdata, a payload or a payload a line.
func told(t testing.TB, agent string, begin time.Time, files ...string) []intake.Told {
	t.Helper()
	h, ok := registry.Lookup(agent)
	if !ok {
		t.Fatal(agent)
	}
	mask, _ := redact.New(redact.Options{})
	var out []intake.Told
	open := map[string][]*record.Record{}
	for n, file := range files {
		text, err := os.ReadFile(filepath.Join("..", "..", "host", agent, "testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		payloads := [][]byte{text}
		if filepath.Ext(file) == ".jsonl" {
			payloads = bytes.Split(bytes.TrimSpace(text), []byte("\n"))
		}
		for i, p := range payloads {
			value := lenient.Parse(mask.JSON(p, redact.Counts{})).Value
			name := value.Members().Get("hook_event_name").Text()
			ev, ok := h.Event(name)
			if !ok {
				t.Fatalf("%s has no %q", agent, name)
			}
			r := &record.Record{V: record.Version, Event: h.Decode(ev, value, host.Env{})}
			r.ID, r.Agent = fmt.Sprintf("%s-%02d-%02d", agent, n, i), agent
			r.Time = begin.Add(time.Duration(i) * 50 * time.Millisecond)
			if at, err := time.Parse(time.RFC3339Nano, value.Members().Get("timestamp").Text()); err == nil {
				r.Time = at
			}
			told := intake.Told{Record: r}
			if r.Tool != nil {
				key := r.CallID + r.Tool.HostName + string(r.Tool.Input)
				switch r.Event.Event {
				case canon.ToolBefore:
					open[key] = append(open[key], r)
				case canon.ToolAfter, canon.ToolError:
					if b := open[key]; len(b) > 0 {
						told.Before, open[key] = b[0], b[1:]
					}
				}
			}
			out = append(out, told)
		}
	}
	return out
}

// geminiHooks and claudeHooks are those of sessions whose records are in testdata/home of internal/transcripts.
func geminiHooks(t testing.TB) []intake.Told {
	const of = "0.61.0-session/"
	return told(t, "gemini", time.Time{}, of+"SessionStart.jsonl", of+"BeforeAgent.jsonl", of+"BeforeTool.jsonl", of+"AfterTool.jsonl",
		of+"AfterAgent.jsonl", of+"SessionEnd.jsonl")
}

func claudeHooks(t testing.TB) []intake.Told {
	const of = "2.1.332/"
	return told(t, "claude", time.Date(2026, 11, 30, 9, 27, 46, 900e6, time.UTC), of+"SessionStart.json", of+"UserPromptSubmit.json",
		of+"PreToolUse.json", of+"PostToolUse.json", of+"PreToolUse.Write.json", of+"PostToolUse.Write.json", of+"PreToolUse.Read.json",
		of+"PostToolUse.Read.json", of+"PostToolUseFailure.json", of+"PreToolUse.Edit.json", of+"PostToolUse.Edit.json", of+"Stop.json",
		of+"SessionEnd.json")
}

func codexHooks(t testing.TB) []intake.Told {
	const of = "0.171.0/"
	return told(t, "codex", time.Date(2026, 11, 30, 9, 29, 50, 0, time.UTC), of+"SessionStart.json", of+"UserPromptSubmit.json",
		of+"PreToolUse.Bash.json", of+"PostToolUse.Bash.json", of+"PreToolUse.apply_patch.json", of+"PostToolUse.apply_patch.json",
		of+"Stop.json", of+"SessionEnd.json")
}

func writeHooks(t testing.TB, s memory.Store, all []intake.Told) {
	t.Helper()
	in := testIntake()
	for _, one := range all {
		var b memory.Batch
		in.Add(&b, one)
		if _, err := s.Write(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
}

// outline is what a store knows of an agent's session, without when and by whom: role and text, tool, arguments and status.
func outline(t testing.TB, s memory.Store, agent string) (out []string) {
	t.Helper()
	list, _, err := s.Entries(t.Context(), memory.Filter{AllProjects: true, Agent: agent}, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if m := e.Message; m != nil {
			out = append(out, m.Role+": "+m.Text)
		} else {
			out = append(out, e.Call.Tool+" "+string(e.Call.Args)+" "+e.Call.Status)
		}
	}
	return out
}

// TestAfterHooks: what hooks told already gets no second row, in either order; and only the record's cut of the answers stays.
func TestAfterHooks(t *testing.T) {
	for agent, hooks := range map[string]func(testing.TB) []intake.Told{
		"gemini": geminiHooks, "claude": claudeHooks, "codex": codexHooks,
	} {
		home := pastHome(t)
		stores := map[string]memory.Store{}
		for _, order := range []string{"record", "hooks, record", "record, hooks", "hooks, record, hooks, record"} {
			data := t.TempDir()
			s := storeIn(t, data)
			o := options(s, data, home)
			o.Agent, o.Again = agent, true
			switch order {
			case "record":
				run(t, o)
			case "hooks, record":
				writeHooks(t, s, hooks(t))
				if len(outline(t, s, agent)) == 0 {
					t.Fatalf("%s: the hooks told nothing", agent)
				}
				run(t, o)
				before := rowsOf(t, s)
				if r := run(t, o); r.New != 0 || rowsOf(t, s) != before {
					t.Errorf("%s: the second backfill: %+v", agent, r.Counts)
				}
			case "record, hooks":
				run(t, o)
				writeHooks(t, s, hooks(t))
			default:
				writeHooks(t, s, hooks(t))
				run(t, o)
				writeHooks(t, s, hooks(t))
				if r := run(t, o); r.New+r.Changed != 0 {
					t.Errorf("%s: the last backfill: %+v", agent, r.Counts)
				}
			}
			stores[order] = s
		}
		want := outline(t, stores["record"], agent)
		for order, s := range stores {
			if diff := cmp.Diff(want, outline(t, s, agent)); diff != "" {
				t.Errorf("%s: %s (-record alone):\n%s", agent, order, diff)
			}
		}
		whole := rowsOf(t, stores["hooks, record"])
		for _, order := range []string{"record, hooks", "hooks, record, hooks, record"} {
			if diff := cmp.Diff(whole, rowsOf(t, stores[order])); diff != "" {
				t.Errorf("%s: %s (-hooks, record):\n%s", agent, order, diff)
			}
		}
	}
}
