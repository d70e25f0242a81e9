package conform

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/mockmodel"
	"github.com/boathook/boathook/itest/mockresponses"
)

// TestCodexRewriteAsks shows that a hook's answer with another input, to which Codex wants an "allow", is no grant: the user is
// asked for the command that the hook gave, where the policy has every command asked for and where the model asks for leave
// to go beyond the sandbox.
func TestCodexRewriteAsks(t *testing.T) {
	const rewrite = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"echo made > rewritten"}}}`
	for _, c := range []struct{ policy, hook, user, asked, made string }{
		{onRequest, "", decline, "mine", ""}, // the control
		{onRequest, rewrite, decline, "rewritten", ""},
		{onRequest, rewrite, accept, "rewritten", "rewritten"},
		{untrusted, rewrite, decline, "rewritten", ""},
		{untrusted, rewrite, accept, "rewritten", "rewritten"},
	} {
		t.Run(c.policy+" "+c.user, func(t *testing.T) {
			t.Parallel()
			l := codexWithHook(t, c.hook)
			out := codexTurn(t, l, mockmodel.Prompt("escalated", "please"), c.policy, c.user)
			if len(out.Asked) != 1 || !strings.Contains(out.Asked[0], "echo made > "+c.asked) {
				t.Errorf("the user was asked for %q, want one command that makes %s", out.Asked, c.asked)
			}
			if got := strings.Join(l.files(t), " "); got != c.made {
				t.Errorf("%q was made, want %q; the model was told %q", got, c.made, l.Model.Results())
			}
		})
	}
}

// codexWithHook is a lab with a trusted hook before each command, which answers all alike. Its play "escalated" is a command
// for which the model wants leave.
func codexWithHook(t *testing.T, answer string) *Lab {
	t.Helper()
	a := codex()
	a.Model = func(tb testing.TB, _ mockmodel.Plays) Model {
		return mockresponses.Start(tb, mockmodel.Plays{"escalated": {
			mockmodel.Use(mockmodel.Call{ID: "call_1", Name: "exec_command", Input: map[string]any{
				"cmd": "echo made > mine", "sandbox_permissions": "require_escalated", "justification": "it has to be",
			}}),
			mockmodel.Say(done),
		}})
	}
	l := NewLab(t, a)
	script := filepath.Join(l.Root, "hook.sh")
	l.Write(t, script, "echo '"+answer+"'\n")
	hooks, err := json.Marshal(map[string]any{"hooks": map[string]any{"PreToolUse": []any{map[string]any{
		"matcher": "Bash", "hooks": []any{map[string]any{"type": "command", "command": "sh '" + script + "'", "timeout": 10}},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	l.Write(t, filepath.Join(l.Home, ".codex", "hooks.json"), string(hooks))
	trustCodexHooks(t, l)
	return l
}
