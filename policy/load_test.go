package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boathook/boathook/policy"
)

// whole is a rule with all that one needs, in three lines.
const whole = "[[rules]]\nid = \"a\"\nreason = \"r\"\n"

// TestBrokenFiles: everything that is wrong is told with its line, its key and a cure.
func TestBrokenFiles(t *testing.T) {
	when := whole + "action = \"deny\"\nwhen = "
	example := whole + "action = \"deny\"\nwhen = { tool = \"x\" }\nexamples = "
	rewrite := whole + "action = \"rewrite\"\nwhen = { tool = \"x\" }\nrewrite = "
	for _, tc := range []struct {
		text      string
		line      int
		key, says string
		cure      string
	}{
		// TOML itself.
		{"version = ", 1, "", "not TOML", "correct the line"},
		{"version = 1\nrules = [", 2, "", "not TOML", "correct"},
		{"version = 1\n\n= 3", 3, "", "not TOML", "correct"},
		{"version = 1\nmode = enforce", 2, "", "not TOML", "quotes"},
		{"version = 1\nversion = 1", 2, "version", "second time", "keep one"},
		{"[rules]\n[rules]", 2, "rules", "second time", "stands once"},
		{"rules = []\n[[rules]]", 2, "rules", "second time", "[[rules]]"},
		{"version = 1\n[version.x]", 2, "version", "second time", "stands once"},
		{"override = { a = {} }\noverride.b = 1", 2, "override", "no table", "in one place"},
		{"x = " + strings.Repeat("[", 40) + strings.Repeat("]", 40), 1, "", "too deeply", "few levels"},
		{strings.Repeat("a.", 100) + "a = 1", 1, "a", "too deeply", "few levels"},
		{"[" + strings.Repeat("a.", 100) + "a]", 1, "a", "too deeply", "few levels"},
		{"a = \"\xff\"", 1, "", "UTF-8", "save it"},
		{"version = 1\n# \xff", 2, "", "UTF-8", "save it"},
		{strings.Repeat("#", 1<<20+1), 0, "", "longer than", "fewer"},
		// The top.
		{"version = 2", 1, "version", "version is to be 1", "version = 1"},
		{"version = \"1\"", 1, "version", "version is to be 1", "version = 1"},
		{"\nversio = 1", 2, "versio", "did you mean version?", "the keys here are"},
		{"rule = 1", 1, "rule", "did you mean rules?", "version, packs"},
		{"mode = \"shadov\"", 1, "mode", "did you mean shadow?", "mode = \"shadow\""},
		{"mode = \"off\"", 1, "mode", "can be enforce, shadow", "mode = \"enforce\""},
		{"a = \"re:\\d\"", 1, "", "not TOML", "write '…'"},
		{"version = 1\nname = “x”", 2, "", "not TOML", "straight quotes"},
		{"action = \"deny\"", 1, "action", "no key", "below [[rules]]"},
		{"mode = 3", 1, "mode", "a number", "mode ="},
		{"packs = \"defalt\"", 1, "packs", "did you mean default?", "strict"},
		{"packs = [\"default\",\n\"nothing-like-it\"]", 2, "packs", "no pack", "the packs are"},
		{"packs = [1]", 1, "packs", "a number", "packs ="},
		{"packs = true", 1, "packs", "true or false", "packs ="},
		{"rules = 1", 1, "rules", "list of tables", "[[rules]]"},
		{"[rules]\nid = \"x\"", 1, "rules", "list of tables", "[[rules]]"},
		{"override = 1", 1, "override", "by the rules' ids", "override."},
		{"[override]\ndelete-tree = \"off\"", 2, "override.delete-tree", "is a table", "action"},
		{"[override.delete-tree]\naction = \"none\"", 2, "override.delete-tree.action", "can be deny", "action ="},
		{"[override.delete-tree]\nacton = \"off\"", 2, "override.delete-tree.acton", "did you mean action?", "mode"},
		{"[override.delete-tree]\nmode = \"off\"", 2, "override.delete-tree.mode", "enforce, shadow", "mode ="},
		// A rule.
		{"[[rules]]\nreason = \"r\"\naction = \"deny\"\nwhen = { tool = \"x\" }", 1, "rules.id", "no id", "id ="},
		{"[[rules]]\nid = \"\"\nreason = \"r\"\naction = \"deny\"\nwhen = { tool = \"x\" }", 1, "rules.id", "no id", "id ="},
		{whole + "when = { tool = \"x\" }", 1, "rules.action", "no action", "deny, ask, rewrite, warn, allow"},
		{"[[rules]]\nid = \"a\"\naction = \"deny\"\nwhen = { tool = \"x\" }", 1, "rules.reason", "no reason", "reason ="},
		{whole + "action = \"deny\"", 1, "rules.when", "every call", "tool = \"*\""},
		{when + "{}", 1, "rules.when", "every call", "[rules.when]"},
		{when + "3", 5, "rules.when", "a table", "[rules.when]"},
		{whole + "action = \"block\"\nwhen = { tool = \"x\" }", 4, "rules.action", "can be deny", "deny"},
		{whole + "action = \"alow\"\nwhen = { tool = \"x\" }", 4, "rules.action", "did you mean allow?", "action"},
		{whole + "action = 1\nwhen = { tool = \"x\" }", 4, "rules.action", "a number", "action ="},
		{"[[rules]]\nid = \"a b\"", 2, "rules.id", "other characters", "id ="},
		{"[[rules]]\nid = \"" + strings.Repeat("a", 65) + "\"", 2, "rules.id", "65 bytes", "shorter"},
		{"[[rules]]\nid = 7", 2, "rules.id", "a number", "id ="},
		{when + "{ tool = \"x\" }\n" + whole, 7, "rules.id", "line 2 too", "of its own"},
		{"[[rules]]\nid = \"delete-tree\"", 2, "rules.id", "built-in rule", "[override.delete-tree]"},
		{whole + "command = \"x\"", 4, "rules.command", "no key", "when = { command ="},
		{whole + "version = 1", 4, "rules.version", "no key", "above the first [[rules]]"},
		{whole + "[rules.when]\naction = \"deny\"", 5, "rules.when.action", "no key", "above [rules.when]"},
		{when + "{ effect = \"delete:home\" }", 5, "rules.when.effect", "no effect", "effect = \"delete\", where = \"home\""},
		{when + "{ effect = \"git_loss/clean\" }", 5, "rules.when.effect", "no effect", "effect = \"git_loss\", verb = \"clean\""},
		{whole + "reasn = \"x\"", 4, "rules.reasn", "did you mean reason?", "the keys here are"},
		{"[[rules]]\nid = \"a\"\nreason = \"" + strings.Repeat("x", 1001) + "\"", 3, "rules.reason", "1001 bytes", "shorter"},
		{"[[rules]]\nid = \"a\"\nreason = \"x\\u001b[31m\"", 3, "rules.reason", "control character", "take it out"},
		{"[[rules]]\nid = \"a\"\nreason = \"x\\u202e\"", 3, "rules.reason", "control character", "take it out"},
		{whole + "advice = []", 4, "rules.advice", "a list", "advice ="},
		{whole + "mode = \"on\"", 4, "rules.mode", "enforce, shadow", "mode ="},
		{whole + "fail = \"open\"", 4, "rules.fail", "ask, deny, allow", "fail ="},
		{whole + "action = \"allow\"\nfail = \"deny\"\nwhen = { tool = \"x\" }", 1, "rules.fail", "rules that stop", "take fail out"},
		{whole + "expires = \"tomorrow\"", 4, "rules.expires", "no date", "2026-12-31"},
		{whole + "expires = \"2026-13-01\"", 4, "rules.expires", "no date", "2026-12-31"},
		{whole + "expires = 20261231", 4, "rules.expires", "a number", "2026-12-31"},
		{whole + "expires = 10:00:00", 4, "rules.expires", "no date", "2026-12-31"},
		// When.
		{when + "{ efect = \"delete\" }", 5, "rules.when.efect", "did you mean effect?", "agent"},
		{when + "{ effect = \"delet\" }", 5, "rules.when.effect", "did you mean delete?", "overwrite"},
		{when + "{ effect = [\"delete\", \"!nothing\"] }", 5, "rules.when.effect", "no effect \"nothing\"", "it can be"},
		{when + "{ where = \"insde\" }", 5, "rules.when.where", "did you mean inside?", "project"},
		{when + "{ flags = \"recursiv\" }", 5, "rules.when.flags", "did you mean recursive?", "forced"},
		{when + "{ flags = \"recursive+nothing\" }", 5, "rules.when.flags", "no flag \"nothing\"", "forced"},
		{when + "{ not_flags = \"x\" }", 5, "rules.when.not_flags", "no flag", "forced"},
		{when + "{ flags = \"rec*\" }", 5, "rules.when.flags", "in full", "forced"},
		{when + "{ flags = \"!glob\" }", 5, "rules.when.flags", "no flag", "forced"},
		{when + "{ tool = \"\" }", 5, "rules.when.tool", "empty pattern", "take it out"},
		{when + "{ tool = \"!\" }", 5, "rules.when.tool", "empty pattern", "take it out"},
		{when + "{ tool = \"re:\" }", 5, "rules.when.tool", "empty pattern", "take it out"},
		{when + "{ tool = [] }", 5, "rules.when.tool", "empty list", "name something"},
		{when + "{ tool = 3 }", 5, "rules.when.tool", "a number", "tool ="},
		{when + "{ tool = [\"a\", [\"b\"]] }", 5, "rules.when.tool", "a list", "tool ="},
		{when + "{ command = \"re:a(\" }", 5, "rules.when.command", "regular expression", "RE2"},
		{when + "{ command = \"re:(?=a)\" }", 5, "rules.when.command", "regular expression", "look-around"},
		{when + "{ path = \"" + strings.Repeat("x", 513) + "\" }", 5, "rules.when.path", "513 bytes", "shorter"},
		{when + "{ argv = [" + strings.Repeat("\"a\",", 501) + "] }", 5, "rules.when.argv", "more than 500", "several rules"},
		{when + "{ arg = \"x\" }", 5, "rules.when.arg", "arguments' names", "file_path"},
		{when + "{ arg = { a = 3 } }", 5, "rules.when.arg.a", "a number", "a ="},
		{whole + "action = \"deny\"\n[rules.when]\ntool = \"x\"\n\ncmd = \"x\"", 8, "rules.when.cmd", "no key", "command"},
		// Examples and rewrites.
		{example + "3", 6, "rules.examples", "list of tables", "[[rules.examples]]"},
		{example + "[3]", 6, "rules.examples", "a number", "expect"},
		{example + "[{ expect = \"deny\" }]", 6, "rules.examples", "neither a command nor a tool", "command ="},
		{example + "[{ command = \"x\" }]", 6, "rules.examples.expect", "what to expect", "allow"},
		{example + "[{ command = \"x\", expect = \"stop\" }]", 6, "rules.examples.expect", "can be deny", "expect ="},
		{example + "[{ command = 1, expect = \"deny\" }]", 6, "rules.examples.command", "a number", "command ="},
		{example + "[{ cmd = \"x\", expect = \"deny\" }]", 6, "rules.examples.cmd", "no key", "command"},
		{example + "[{ command = \"x\", input = {}, expect = \"deny\" }]", 6, "rules.examples.input", "no tool", "tool ="},
		{example + "[{ tool = \"x\", input = \"{\", expect = \"deny\" }]", 6, "rules.examples.input", "neither a table nor JSON", "file_path"},
		{whole + "action = \"deny\"\nwhen = { tool = \"x\" }\n[[rules.examples]]\ncommand = \"x\"\nexpect = \"no\"", 8, "rules.examples.expect", "can be deny", "expect"},
		{whole + "action = \"rewrite\"\nwhen = { tool = \"x\" }", 1, "rules.rewrite", "does not say how", "program"},
		{whole + "action = \"deny\"\nwhen = { tool = \"x\" }\nrewrite = { program = \"y\" }", 6, "rules.rewrite", "its action is deny", "rewrite"},
		{rewrite + "3", 6, "rules.rewrite", "a table", "[rules.rewrite]"},
		{rewrite + "{}", 6, "rules.rewrite", "changes nothing", "cut_pipe"},
		{rewrite + "{ prog = \"x\" }", 6, "rules.rewrite.prog", "no key", "program"},
		{rewrite + "{ program = \"\" }", 6, "rules.rewrite.program", "empty", "trash"},
		{rewrite + "{ cut_pipe = 1 }", 6, "rules.rewrite.cut_pipe", "true or false", "cut_pipe = true"},
		{rewrite + "{ replace = [\"a\"] }", 6, "rules.rewrite.replace", "what takes their places", "--force"},
		{rewrite + "{ drop = [\"!a\"] }", 6, "rules.rewrite.drop", "names and globs alone", "drop ="},
	} {
		_, problems, broken := policy.Parse("dir/p.toml", []byte(tc.text), policy.UserLayer)
		if !broken || !told(problems, tc.line, tc.key, tc.says, tc.cure) {
			t.Errorf("%.80q: broken %v, want line %d, key %q, %q, cure %q; got\n%s", tc.text, broken, tc.line, tc.key, tc.says, tc.cure, list(problems))
		}
	}
}

func told(problems []policy.Problem, line int, key, says, cure string) bool {
	for _, p := range problems {
		if p.File == "dir/p.toml" && p.Line == line && p.Key == key && strings.Contains(p.Text, says) && strings.Contains(p.Cure, cure) && !p.Note {
			return true
		}
	}
	return false
}

func list(problems []policy.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "  %s:%d: %s: %s (%s)\n", p.File, p.Line, p.Key, p.Text, p.Cure)
	}
	return b.String()
}

// TestNotes: what does not break a file is told all the same.
func TestNotes(t *testing.T) {
	for _, tc := range []struct {
		layer policy.Layer
		text  string
		line  int
		says  string
		rules int
	}{
		{policy.ProjectLayer, rule("a", "allow", `when = { tool = "x" }`) + rule("b", "deny", `when = { tool = "x" }`), 1, "only tightens", 1},
		{policy.ProjectLayer, rule("a", "rewrite", "when = { tool = \"x\" }\nrewrite = { program = \"y\" }"), 1, "only tightens", 0},
		{policy.ProjectLayer, "[override.delete-tree]\naction = \"off\"", 1, "changes no built-in rule", 0},
		{policy.ProjectLayer, `packs = ["rewrites"]`, 1, "rewrites nothing", 0},
		{policy.UserLayer, "\n[override.guard-tamper]\naction = \"off\"", 2, "organisation's policy alone", 0},
		{policy.UserLayer, rule("a", "deny", `when = { effect = "git_remote", verb = "push-forse" }`), 5, "did you mean push-force?", 1},
		{policy.UserLayer, rule("a", "deny", `when = { effect = "delete", verb = "reset-hard" }`), 5, "one of git_loss, not of delete", 1},
		{policy.UserLayer, rule("a", "deny", `when = { agent = "claude-code", tool = "x" }`), 5, "no agent \"claude-code\"", 1},
		{policy.UserLayer, rule("a", "deny", `when = { event = "PreToolUse", tool = "x" }`), 5, "no policy is asked", 1},
		{policy.UserLayer, rule("a", "deny", `when = { command = "git push --force" }`), 5, "matches nothing", 1},
		{policy.UserLayer, rule("a", "deny", `when = { mcp = "tracker" }`), 5, "no slash", 1},
		{policy.UserLayer, rule("a", "deny", `when = { path = "$HOME/x" }`), 5, "no variable", 1},
		{policy.UserLayer, rule("a", "deny", `when = { path = "{root}/x" }`), 5, "no variable", 1},
		{policy.UserLayer, "[override.delete-tre]\naction = \"off\"", 1, "did you mean delete-tree?", 0},
	} {
		f, problems, broken := policy.Parse("p", []byte(tc.text), tc.layer)
		if broken || len(problems) != 1 || !problems[0].Note || problems[0].Line != tc.line || !strings.Contains(problems[0].Text, tc.says) || problems[0].Cure == "" {
			t.Errorf("%q: broken %v, %s", tc.text, broken, list(problems))
		}
		if len(f.Rules) != tc.rules || len(f.Overrides) != 0 {
			t.Errorf("%q: %d rules, %d overrides", tc.text, len(f.Rules), len(f.Overrides))
		}
	}
}

func TestExpired(t *testing.T) {
	f := parse(t, policy.UserLayer, rule("a", "deny", "expires = 2026-01-31\nwhen = { tool = \"x\" }"))
	if got := f.Expired(shell(nil).Time); len(got) != 1 || got[0].Line != 1 || !got[0].Note {
		t.Errorf("%+v", got)
	}
}

// TestManyProblems: what is said of one file is bounded.
func TestManyProblems(t *testing.T) {
	_, problems, broken := policy.Parse("p", []byte(strings.Repeat("[[rules]]\nx = 1\n", 1500)), policy.UserLayer)
	if !broken || len(problems) > 70 {
		t.Errorf("broken %v, %d problems", broken, len(problems))
	}
	_, problems, broken = policy.Parse("p", []byte(strings.Repeat("[[rules]]\n", 2001)), policy.UserLayer)
	if !broken || !strings.Contains(problems[0].Text, "more than 2000") {
		t.Errorf("broken %v, %s", broken, list(problems))
	}
}

// TestSpellings: TOML has several ways to write one thing.
func TestSpellings(t *testing.T) {
	for _, text := range []string{
		"[[rules]]\nid = 'a'\naction = 'deny'\nreason = '''r'''\nwhen = { arg = { a.b = 'x' }, path = ['y'] }",
		"[[rules]]\nid = \"a\"\naction = \"deny\"\nreason = \"r\"\n[rules.when]\npath = \"y\"\n[rules.when.arg.a]\nb = \"x\"",
		"\uFEFF[[rules]]\r\nid = \"a\"\r\naction = \"deny\"\r\nreason = \"r\"\r\nwhen.path = \"y\"\r\nwhen.arg.\"a.b\" = \"x\"",
		"rules = [ { id = 'a', action = 'deny', reason = 'r', when = { path = 'y', arg = { 'a.b' = 'x' } } } ]",
	} {
		f, problems, broken := policy.Parse("p", []byte(text), policy.UserLayer)
		if broken {
			t.Errorf("%q: %s", text, list(problems))
			continue
		}
		if w := f.Rules[0].When; len(w.Args) != 1 || w.Args[0].Name != "a.b" || w.Args[0].Patterns[0] != "x" || w.Path[0] != "y" {
			t.Errorf("%q: %+v", text, w)
		}
	}
}
