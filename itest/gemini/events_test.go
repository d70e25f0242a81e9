package gemini_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/geminirun"
)

// row is what a test expects of one record, beside what all records have in common.
type row struct {
	HostEvent, Event             string
	Prompt, Source, Reason       string
	Name, HostName, Kind, Status string
	Command                      string
	Paths                        []string
	MCP                          agentlab.MCP
}

func rowOf(r agentlab.Record) row {
	out := row{HostEvent: r.HostEvent, Event: r.Event, Prompt: r.Prompt, Source: r.Source, Reason: r.Reason}
	if r.Tool == nil {
		return out
	}
	out.Name, out.HostName, out.Kind, out.Status = r.Tool.Name, r.Tool.HostName, r.Tool.Kind, r.Tool.Status
	out.Command, out.Paths = r.Tool.Command, r.Tool.Paths
	if r.Tool.MCP != nil {
		out.MCP = *r.Tool.MCP
	}
	return out
}

// everythingRows are the records of the session that everything() plays, in the order in which its hooks fire: the CLI asks
// before all calls of a turn, then runs them, and announces a compression before each further call of the model.
func everythingRows() []row {
	shell := func(command string) row {
		return row{Name: "bash", HostName: "run_shell_command", Kind: "shell", Command: command}
	}
	compress := row{HostEvent: "PreCompress", Event: "compact:before", Source: "auto"}
	before := func(r row) row { r.HostEvent, r.Event = "BeforeTool", "tool:before"; return r }
	after := func(r row, status string) row {
		r.HostEvent, r.Event, r.Status = "AfterTool", "tool:after", status
		return r
	}
	made, same, fails := shell("echo hi > made.txt; cat made.txt"), shell(sameCommand), shell("echo oops >&2; exit 3")
	list := row{Name: "list_dir", HostName: "list_directory", Kind: "read", Paths: []string{"."}}
	write := row{Name: "write_file", HostName: "write_file", Kind: "write", Paths: []string{"written.txt"}}
	echo := row{
		Name: "mcp", HostName: "mcp_lab_echo", Kind: "mcp",
		MCP: agentlab.MCP{Server: geminirun.MCPServer, Tool: "echo"},
	}
	return []row{
		{HostEvent: "SessionStart", Event: "session:start", Source: "startup"},
		{HostEvent: "BeforeAgent", Event: "prompt:submit", Prompt: "please do"},
		compress, before(made), after(made, "success"),
		compress, before(list), after(list, "success"),
		compress, before(write), after(write, "success"),
		compress, before(same), before(same), after(same, "success"), after(same, "success"),
		compress, before(fails), after(fails, "error"),
		compress, before(echo), after(echo, "success"),
		compress,
		{HostEvent: "AfterAgent", Event: "agent:stop", Prompt: "please do"},
		{HostEvent: "SessionEnd", Event: "session:stop", Reason: "exit"},
	}
}

func TestHeadlessEvents(t *testing.T) {
	l := geminirun.New(t, "")
	l.Model(t, everything())
	l.Install(t)
	r := l.Headless(t, geminirun.Relaunch, "please do")
	if r.Code != 0 {
		t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
	}
	records := l.WaitLog(t)
	var got []row
	for _, rec := range records {
		got = append(got, rowOf(rec))
	}
	if diff := cmp.Diff(everythingRows(), got); diff != "" {
		t.Errorf("records of the session (-want +got):\n%s", diff)
	}
	checkCommon(t, l, records, sessionOf(t, r))
	for _, rec := range agentlab.Select(records, "AfterAgent") {
		if !strings.Contains(rec.Response, "All done.") {
			t.Errorf("AfterAgent: response %q lacks what the model said last", rec.Response)
		}
	}
	checkOutputs(t, agentlab.Select(records, "AfterTool"))
}

// sessionOf is the session id that the CLI itself announces.
func sessionOf(t *testing.T, r agentlab.Result) string {
	t.Helper()
	m := regexp.MustCompile(`"type":"init".*"session_id":"([^"]+)"`).FindStringSubmatch(r.Stdout)
	if m == nil {
		t.Fatalf("no session id in %s", r.Stdout)
	}
	return m[1]
}

// checkCommon checks what every record of a session has.
func checkCommon(t *testing.T, l *geminirun.Lab, records []agentlab.Record, session string) {
	t.Helper()
	ids, spans := map[string]bool{}, map[string]bool{}
	ulid, span := regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`), regexp.MustCompile(`^[0-9a-f]{16}$`)
	chats := filepath.Join(l.Home, ".gemini", "tmp")
	last := ""
	for _, r := range records {
		want := []string{"gemini", session, l.Work, l.Repo, "allow", "allow"}
		got := []string{r.Agent, r.SessionID, r.CWD, r.Project, r.Decision.Action, r.Decision.Expressed}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: agent, session, cwd, project, decision (-want +got):\n%s", r.HostEvent, diff)
		}
		if !strings.HasPrefix(r.TranscriptPath, chats) {
			t.Errorf("%s: transcript %q is not below %q", r.HostEvent, r.TranscriptPath, chats)
		}
		if !ulid.MatchString(r.ID) || ids[r.ID] || !span.MatchString(r.SpanID) || spans[r.SpanID] {
			t.Errorf("%s: id %q or span id %q is malformed or not unique", r.HostEvent, r.ID, r.SpanID)
		}
		if string(r.Raw["hook_event_name"]) != `"`+r.HostEvent+`"` {
			t.Errorf("%s: raw has hook_event_name %s", r.HostEvent, r.Raw["hook_event_name"])
		}
		if r.Hook.LatencyMS <= 0 || r.Hook.PayloadBytes == 0 || r.Hook.Version == "" {
			t.Errorf("%s: hook %+v", r.HostEvent, r.Hook)
		}
		if len(r.Notes) != 0 {
			t.Errorf("%s: notes %q", r.HostEvent, r.Notes)
		}
		if r.Time < last {
			t.Errorf("%s: time %s is before %s", r.HostEvent, r.Time, last)
		}
		ids[r.ID], spans[r.SpanID], last = true, true, r.Time
	}
}

// checkOutputs checks that the tools' results are kept.
func checkOutputs(t *testing.T, after []agentlab.Record) {
	t.Helper()
	want := []string{"hi", "made.txt", "hello", "same", "same", "oops", "echo: hey"}
	if len(after) != len(want) {
		t.Fatalf("%d AfterTool records, want %d", len(after), len(want))
	}
	for i, r := range after {
		if !strings.Contains(string(r.Tool.Output), want[i]) {
			t.Errorf("%s %s: output %s lacks %q", r.Tool.HostName, r.Tool.Input, r.Tool.Output, want[i])
		}
	}
}

// TestTerminalEvents has the eighth event: a person is asked for permission.
func TestTerminalEvents(t *testing.T) {
	l := geminirun.New(t, "")
	l.Model(t, touch())
	l.Install(t)
	approve(t, l)
	records := l.WaitLog(t)
	for _, event := range []string{
		"SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "PreCompress", "Notification", "SessionEnd",
	} {
		if len(agentlab.Select(records, event)) == 0 {
			t.Errorf("no record of %s; there are %q", event, agentlab.HostEvents(records))
		}
	}
	for _, r := range agentlab.Select(records, "Notification") {
		if r.Event != "notification" || r.Notification == nil || r.Notification.Type != "ToolPermission" {
			t.Fatalf("Notification is recorded as %+v", r)
		}
		if !strings.Contains(string(r.Notification.Details), "touch side-effect") || r.Notification.Message == "" {
			t.Errorf("notification %+v lacks the message or the command", r.Notification)
		}
	}
}
