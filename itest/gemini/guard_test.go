package gemini_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/geminirun"
	"github.com/boathook/boathook/itest/mockgemini"
	"github.com/boathook/boathook/itest/mockguard"
)

const relayToken = "itest-relay-token"

// installGuarded installs boathook with a guard in the environment of the installation. The budget is not the default of
// 50 ms, since these tests are about the verdict and machines that run tests are busy.
func installGuarded(t *testing.T, l *geminirun.Lab, judge func(mockguard.Request) mockguard.Verdict) *mockguard.Server {
	t.Helper()
	guard := mockguard.Start(t, judge)
	l.Install(t, "PINTA_GUARD_ENDPOINT="+guard.URL(), "PINTA_RELAY_TOKEN="+relayToken, "PINTA_GUARD_TIMEOUT_MS=5000")
	return guard
}

// noTouching denies the command of touch().
func noTouching() func(mockguard.Request) mockguard.Verdict {
	return mockguard.DenyCommand("touch side-effect", mockguard.Verdict{
		Decision: mockguard.Deny, Reason: "R-17", UserMessage: "no touching in this house", MatchedRule: "rule-touch",
	})
}

// TestDenyBlocks is the acceptance test AC7, also for paths that a careless command line breaks at.
func TestDenyBlocks(t *testing.T) {
	for _, name := range []string{"plain", "ho me'q$x"} {
		t.Run(name, func(t *testing.T) {
			l := geminirun.New(t, name)
			scenario := slices.Insert(touch(), 1, mockgemini.Say(mockgemini.Shell("echo still here > second.txt")))
			model := l.Model(t, scenario)
			guard := installGuarded(t, l, noTouching())
			r := l.Headless(t, geminirun.Relaunch, "please do")
			checkDenied(t, l, r, model)
			mustExist(t, l, "second.txt")
			checkDenyRecord(t, l.WaitLog(t), guard)
		})
	}
}

// checkDenied checks that the first tool was blocked, that the model knows why, and that the session went on to its end.
func checkDenied(t *testing.T, l *geminirun.Lab, r agentlab.Result, model *mockgemini.Server) {
	t.Helper()
	if r.Code != 0 || !strings.Contains(r.Stdout, "That was all.") {
		t.Errorf("the session did not go on: exit code %d\n%s\n%s", r.Code, r.Stdout, r.Stderr)
	}
	mustNotExist(t, filepath.Join(l.Work, "side-effect"))
	responses := model.ToolResponses()
	if len(responses) == 0 {
		t.Fatal("the model got no tool results")
	}
	const want = "Tool execution blocked: no touching in this house"
	if got, _ := responses[0].Response["error"].(string); got != want {
		t.Errorf("the model got %v, want the error %q", responses[0].Response, want)
	}
}

func checkDenyRecord(t *testing.T, records []agentlab.Record, guard *mockguard.Server) {
	t.Helper()
	before := agentlab.Select(records, "BeforeTool")
	asked := guard.Requests()
	if len(before) != 2 || len(asked) != 2 || len(agentlab.Select(records, "AfterTool")) != 1 {
		t.Fatalf("%d questions to the guard, records of %q", len(asked), agentlab.HostEvents(records))
	}
	denied := before[0]
	want := []string{"deny", "deny", "no touching in this house", "rule-touch", "remote_guard"}
	d := denied.Decision
	if diff := cmp.Diff(want, []string{d.Action, d.Expressed, d.Reason, d.Rule, d.Source}); diff != "" {
		t.Errorf("decision: action, expressed, reason, rule, source (-want +got):\n%s", diff)
	}
	if denied.Guard == nil || denied.Guard.Outcome != "deny" || denied.Guard.MatchedRule != "rule-touch" {
		t.Errorf("guard: %+v", denied.Guard)
	}
	if before[1].Decision.Action != "allow" || before[1].Guard == nil || before[1].Guard.Outcome != "allow" {
		t.Errorf("the second command: decision %+v, guard %+v", before[1].Decision, before[1].Guard)
	}
	for i, q := range asked {
		checkQuestion(t, q, before[i])
	}
}

// checkQuestion checks one question to the guard against the record of the same hook.
func checkQuestion(t *testing.T, q mockguard.Request, r agentlab.Record) {
	t.Helper()
	want := []string{relayToken, r.SpanID, "run_shell_command", r.Tool.Command}
	got := []string{q.Token, q.Input.SpanID, q.Input.ToolName, q.Input.RawTextFields["command"]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("guard's token, span, tool, command (-want +got):\n%s", diff)
	}
	var structured, text map[string]any
	if err := json.Unmarshal(q.Input.ToolInput, &structured); err != nil {
		t.Errorf("toolInput %s: %v", q.Input.ToolInput, err)
	}
	if err := json.Unmarshal([]byte(q.Input.RawTextFields["toolInput"]), &text); err != nil {
		t.Errorf("rawTextFields.toolInput %q: %v", q.Input.RawTextFields["toolInput"], err)
	}
	if diff := cmp.Diff(structured, text); diff != "" || structured["command"] != r.Tool.Command {
		t.Errorf("toolInput %v and rawTextFields.toolInput differ or lack the command:\n%s", structured, diff)
	}
}

// TestGuardSeesMCP checks the part of the question that only calls of MCP tools have.
func TestGuardSeesMCP(t *testing.T) {
	l := geminirun.New(t, "")
	model := l.Model(t, mockgemini.Scenario{
		mockgemini.Say(mockgemini.Tool("mcp_lab_echo", map[string]any{"text": "hey"})),
		mockgemini.Say(mockgemini.Text("That was all.")),
	})
	judge := func(r mockguard.Request) mockguard.Verdict {
		if strings.Contains(r.Input.RawTextFields["mcpContext"], `"`+geminirun.MCPServer+`"`) {
			return mockguard.Verdict{Decision: mockguard.Deny, Reason: "no labs"}
		}
		return mockguard.Verdict{Decision: mockguard.Allow}
	}
	installGuarded(t, l, judge)
	l.Headless(t, geminirun.Direct, "please do")
	responses := model.ToolResponses()
	if len(responses) != 1 || !strings.Contains(responses[0].Text(), "no labs") {
		t.Errorf("the model got %+v, want the guard's reason", responses)
	}
}

// TestAllowIsInvisible compares a session under a guard that allows with one without boathook.
func TestAllowIsInvisible(t *testing.T) {
	for _, c := range []struct {
		name    string
		verdict mockguard.Verdict
		mark    string
	}{
		{"allow", mockguard.Verdict{Decision: mockguard.Allow, Reason: "fine", UserMessage: "all is well"}, ""},
		{"review", mockguard.Verdict{Decision: mockguard.Review, Reason: "look at it", MatchedRule: "rule-look"}, "review"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := geminirun.New(t, "")
			l.Model(t, everything())
			control := l.Headless(t, geminirun.Relaunch, "please do").Normal()
			l.Refurnish(t, "control")
			guard := installGuarded(t, l, mockguard.Always(c.verdict))
			got := l.Headless(t, geminirun.Relaunch, "please do").Normal()
			if diff := cmp.Diff(control, got); diff != "" {
				t.Errorf("the user sees a difference (-control +boathook):\n%s", diff)
			}
			before := agentlab.Select(l.WaitLog(t), "BeforeTool")
			if len(before) != 7 || len(guard.Requests()) != 7 {
				t.Fatalf("%d records, %d questions to the guard, want 7", len(before), len(guard.Requests()))
			}
			for _, r := range before {
				if r.Decision.Action != "allow" || r.Decision.Expressed != "allow" || r.Decision.Mark != c.mark ||
					r.Guard == nil || r.Guard.Outcome != c.name || r.Guard.MatchedRule != c.verdict.MatchedRule {
					t.Errorf("decision %+v, guard %+v", r.Decision, r.Guard)
				}
			}
		})
	}
}
