package policy_test

import (
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/policy"
)

// parse reads a policy that has nothing wrong in it.
func parse(t testing.TB, layer policy.Layer, text string) policy.File {
	t.Helper()
	f, problems, broken := policy.Parse("p.toml", []byte(text), layer)
	if broken || len(problems) > 0 {
		t.Fatalf("%s: %+v", text, problems)
	}
	return f
}

// rule is one rule of a file.
func rule(id, action, rest string) string {
	return "[[rules]]\nid = \"" + id + "\"\naction = \"" + action + "\"\nreason = \"because\"\n" + rest + "\n"
}

// bare is a user's policy without packs.
const bare = "packs = []\n"

// shell is a call with commands and what they do.
func shell(commands []string, effects ...policy.Effect) policy.Call {
	c := policy.Call{
		Tool: "bash", HostTool: "Bash", Home: home, Project: project, CWD: project, Text: strings.Join(commands, "; "),
		Time: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), Effects: effects,
	}
	at := 0
	for _, text := range commands {
		cmd := policy.Command{Argv: strings.Split(text, " "), Span: [2]int{at, at + len(text)}}
		for _, w := range cmd.Argv {
			cmd.Words = append(cmd.Words, [2]int{at, at + len(w)})
			at += len(w) + 1
		}
		at++
		c.Commands = append(c.Commands, cmd)
	}
	return c
}

func deletes(target string, where policy.Where, flags ...string) policy.Effect {
	return policy.Effect{Kind: policy.Delete, Target: target, Where: where, Flags: flags}
}

func TestMatches(t *testing.T) {
	call := shell([]string{"rm -rf /home/dev/x", "git push --force"},
		deletes("/home/dev/x", policy.User, "recursive", "forced"),
		policy.Effect{Kind: policy.GitRemote, Verb: "push-force", Target: "origin", Command: 1},
		policy.Effect{Kind: policy.Send, Target: "https://x.example.com/a", Command: 1, Flags: []string{"dynamic"}})
	call.Agent, call.Event, call.MCP = "codex", "tool:before", "tracker/create_issue"
	call.Args = []byte(`{"title":"x","labels":["a","bug"],"deep":{"n":3,"on":true},"a.b":"c"}`)
	for _, tc := range []struct {
		when string
		want bool
	}{
		{`effect = "delete"`, true}, {`effect = "chmod"`, false}, {`effect = ["chmod", "delete"]`, true}, {`effect = "!delete"`, true}, {`effect = "git_*"`, true},
		{`effect = "delete", where = "user"`, true}, {`effect = "delete", where = "!user"`, false}, {`effect = "delete", where = ["home", "root"]`, false},
		{`effect = "delete", flags = "recursive"`, true}, {`effect = "delete", flags = "recursive+forced"`, true}, {`effect = "delete", flags = "recursive+glob"`, false},
		{`effect = "delete", flags = ["glob", "forced"]`, true}, {`effect = "delete", not_flags = "forced"`, false}, {`effect = "delete", not_flags = "glob"`, true},
		{`effect = "delete", path = "~/x"`, true}, {`effect = "delete", path = "~/y"`, false}, {`effect = "delete", path = "~/x/y/**"`, true},
		{`effect = "delete", path = "!~/x"`, false}, {`path = "~/x"`, true}, {`path = "x"`, true}, {`path = "{project}/**"`, false},
		{`verb = "push-*"`, true}, {`verb = "push-*", command = "git push"`, true}, {`verb = "push-*", command = "rm"`, false},
		{`verb = "push-*", argv = "--force"`, true}, {`verb = "push-*", argv = "-f"`, false},
		{`url = "x.example.com"`, true}, {`url = "*.example.org"`, false}, {`effect = "send", url = "https://x.example.com/*"`, true},
		{`command = "git push"`, true}, {`command = "git pull"`, false}, {`command = ["git pull", "rm"]`, true}, {`argv = "-rf"`, true}, {`command = "git", argv = "-rf"`, false},
		{`tool = "bash"`, true}, {`tool = "Bash"`, true}, {`tool = "write_file"`, false}, {`tool = "!bash"`, false}, {`tool = "!write_file"`, true},
		{`agent = "codex"`, true}, {`agent = "claude"`, false}, {`event = "tool:*"`, true}, {`mcp = "tracker/*"`, true}, {`mcp = "*/delete_*"`, false},
		{`cwd = "{project}"`, true}, {`project = "~/shop"`, true}, {`project = "~/other"`, false},
		{`arg = { title = "x" }`, true}, {`arg = { title = "y" }`, false}, {`arg = { labels = "bug" }`, true}, {`arg = { "deep.n" = "3" }`, true}, {`arg = { deep = { on = "true" } }`, true},
		{`arg = { "a.b" = "c" }`, true}, {`arg = { none = "*" }`, false}, {`arg = { deep = { n = "4" } }`, false},
		{`agent = "codex", effect = "delete"`, true}, {`agent = "claude", effect = "delete"`, false}, {`agent = "re:^co", command = "re:^git .*push"`, true},
	} {
		f := parse(t, policy.UserLayer, bare+rule("r", "deny", "when = { "+tc.when+" }"))
		v := policy.Combine(f).Judge(call)
		if got := v.Rule == "r"; got != tc.want || got && v.Action != policy.Deny {
			t.Errorf("%s: %s by %q, want a hit: %v", tc.when, v.Action, v.Rule, tc.want)
		}
	}
}

// TestUnknown: where only a run would tell, the rule's fail decides.
func TestUnknown(t *testing.T) {
	vague := policy.Effect{Kind: policy.Delete, Where: policy.Nowhere, Flags: []string{"dynamic", "recursive"}}
	call := shell([]string{"rm -rf \uFFFC"}, vague)
	for _, tc := range []struct {
		action, rest string
		want         policy.Action
	}{
		{"deny", `when = { effect = "delete", where = "user" }`, policy.Ask},
		{"deny", "fail = \"deny\"\nwhen = { effect = \"delete\", where = \"user\" }", policy.Deny},
		{"deny", "fail = \"allow\"\nwhen = { effect = \"delete\", where = \"user\" }", policy.Allow},
		{"ask", `when = { effect = "delete", path = "~/x/**" }`, policy.Ask},
		{"warn", `when = { effect = "delete", path = "~/x/**" }`, policy.Allow},
		{"deny", `when = { effect = "delete" }`, policy.Deny},
		{"deny", `when = { effect = "delete", where = "unknown" }`, policy.Deny},
		{"deny", `when = { command = "rm", argv = "/data" }`, policy.Ask},
		{"deny", `when = { command = "mv", argv = "/data" }`, policy.Allow},
		{"ask", "fail = \"deny\"\nwhen = { command = \"rm\", argv = \"/data\" }", policy.Deny},
	} {
		f := parse(t, policy.UserLayer, bare+rule("r", tc.action, tc.rest))
		if v := policy.Combine(f).Judge(call); v.Action != tc.want {
			t.Errorf("%s %s: %s, want %s", tc.action, tc.rest, v.Action, tc.want)
		}
	}
	allow := parse(t, policy.UserLayer, bare+rule("a", "allow", `when = { effect = "delete", where = "user" }`)+rule("d", "deny", `when = { effect = "delete" }`))
	if v := policy.Combine(allow).Judge(call); v.Action != policy.Deny {
		t.Errorf("an allow that may not match has taken a deny back: %+v", v)
	}
}

func TestOverrides(t *testing.T) {
	call := shell([]string{"rm -rf src"}, deletes(project+"/src", policy.Inside, "recursive"))
	org := func(text string) policy.File { return parse(t, policy.Organisation, text) }
	user := func(text string) policy.File { return parse(t, policy.UserLayer, text) }
	const id = "[override.delete-tree]\n"
	for _, tc := range []struct {
		name  string
		files []policy.File
		want  policy.Action
	}{
		{"none", nil, policy.Ask},
		{"off", []policy.File{user(id + `action = "off"`)}, policy.Allow},
		{"allow", []policy.File{user(id + `action = "allow"`)}, policy.Allow},
		{"deny", []policy.File{user(id + `action = "deny"`)}, policy.Deny},
		{"shadow", []policy.File{user(id + `mode = "shadow"`)}, policy.Allow},
		{"all shadow", []policy.File{user(`mode = "shadow"`)}, policy.Allow},
		{"all shadow but one", []policy.File{user("mode = \"shadow\"\n" + id + `mode = "enforce"`)}, policy.Ask},
		{"organisation's first", []policy.File{user(id + `action = "off"`), org(id + `action = "deny"`)}, policy.Deny},
		{"organisation's pack", []policy.File{user(id + `action = "off"`), org(`packs = ["default"]`)}, policy.Ask},
		{"no packs", []policy.File{user(bare)}, policy.Allow},
		{"no packs but the organisation's", []policy.File{user(bare), org(`packs = ["files"]`)}, policy.Ask},
		{"no packs but the project's", []policy.File{user(bare), parse(t, policy.ProjectLayer, `packs = ["files"]`)}, policy.Ask},
	} {
		if v := policy.Combine(tc.files...).Judge(call); v.Action != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, v.Action, tc.want)
		}
	}
}

func TestShadowIsTold(t *testing.T) {
	v := policy.Combine(parse(t, policy.UserLayer, bare+rule("s", "deny", "mode = \"shadow\"\nwhen = { tool = \"bash\" }")+rule("w", "warn", `when = { tool = "bash" }`))).
		Judge(shell([]string{"ls"}))
	if v.Action != policy.Warn || v.Rule != "w" || len(v.Hits) != 2 || v.Hits[0].Rule != "w" || !v.Hits[1].Shadow {
		t.Errorf("%s", show(v))
	}
}

func TestExpires(t *testing.T) {
	const when = `when = { tool = "bash" }`
	set := policy.Combine(parse(t, policy.UserLayer, bare+rule("a", "allow", "expires = 2026-12-31\n"+when)+rule("d", "deny", when)))
	call := shell([]string{"ls"})
	for at, want := range map[string]policy.Action{"2026-12-31T23:59:59Z": policy.Allow, "2027-01-01T00:00:01Z": policy.Deny, "": policy.Deny} {
		call.Time = time.Time{}
		if at != "" {
			call.Time, _ = time.Parse(time.RFC3339, at)
		}
		if v := set.Judge(call); v.Action != want {
			t.Errorf("at %q: %s, want %s", at, v.Action, want)
		}
	}
}

func TestProjectsReason(t *testing.T) {
	v := policy.Combine(parse(t, policy.ProjectLayer, rule("p", "deny", `when = { tool = "bash" }`))).Judge(shell([]string{"ls"}))
	if v.Layer != policy.ProjectLayer || v.Reason != "the project's policy says: because" {
		t.Errorf("%s", show(v))
	}
}

// TestManyHits: what is told is bounded, and the one that decides is first.
func TestManyHits(t *testing.T) {
	call := shell([]string{"rm x"})
	for range 5000 {
		call.Effects = append(call.Effects, deletes(project+"/a", policy.Inside))
	}
	call.Effects = append(call.Effects, deletes("/etc", policy.System, "recursive"))
	v := policy.Combine(parse(t, policy.UserLayer, rule("w", "warn", `when = { effect = "delete" }`))).Judge(call)
	if v.Action != policy.Deny || v.Hits[0].Action != policy.Deny || len(v.Hits) > 300 {
		t.Errorf("%s, %d hits", v.Action, len(v.Hits))
	}
}

// TestTooLarge: what cannot be compared to its end is asked, whatever rules say of what is not known.
func TestTooLarge(t *testing.T) {
	call := shell([]string{"rm x"}, deletes("/"+strings.Repeat("a/", 10_000)+"b", policy.Inside))
	pattern := "/" + strings.Repeat("**/a/", 40) + "c"
	set := policy.Combine(parse(t, policy.UserLayer, bare+rule("a", "deny", "fail = \"allow\"\nwhen = { path = \""+pattern+"\" }")))
	if v := set.Judge(call); v.Action != policy.Ask || v.Rule != "too-large" {
		t.Errorf("%s", show(v))
	}
}

func TestDigest(t *testing.T) {
	sets := map[string]string{}
	for _, text := range []string{"", bare, "packs = [\"strict\"]\n", rule("r", "deny", `when = { tool = "x" }`), rule("r", "ask", `when = { tool = "x" }`)} {
		set := policy.Combine(parse(t, policy.UserLayer, text))
		if again := policy.Combine(parse(t, policy.UserLayer, text)).Digest(); again != set.Digest() {
			t.Errorf("%q: %s and %s", text, set.Digest(), again)
		}
		if other, twice := sets[set.Digest()]; twice {
			t.Errorf("%q and %q have one digest", text, other)
		}
		sets[set.Digest()] = text
	}
}

func TestStarter(t *testing.T) {
	f := parse(t, policy.UserLayer, policy.Starter())
	if len(f.Rules) != 0 || policy.Combine(f).Judge(shell([]string{"ls"})).Action != policy.Allow {
		t.Error("the starter changes something")
	}
	var b strings.Builder
	for line := range strings.Lines(policy.Starter()) { // all of it uncommented, but for what is prose
		bare, commented := strings.CutPrefix(line, "# ")
		if commented && (strings.ContainsAny(bare, "={[") || strings.HasPrefix(bare, "]")) && !strings.Contains(bare, "boathook") {
			line = bare
		}
		b.WriteString(line)
	}
	if f := parse(t, policy.UserLayer, b.String()); len(f.Rules) != 4 || len(f.Overrides) != 2 {
		t.Errorf("%d rules, %d overrides", len(f.Rules), len(f.Overrides))
	}
}

// Of equals, that the guard is touched says more than where its file is; but of a whole home it is the home that counts.
func TestWhatDecidesOfEquals(t *testing.T) {
	guard := func(target string, where policy.Where) policy.Effect {
		return policy.Effect{Kind: policy.TamperGuard, Verb: "files", Target: target, Where: where}
	}
	for _, tc := range []struct {
		name, rule string
		locked     bool
		effects    []policy.Effect
	}{
		{"a home", "delete-machine", true, []policy.Effect{deletes("/home/dev", policy.Home, "recursive"), guard("/home/dev", policy.Home)}},
		{"the machine", "delete-machine", true, []policy.Effect{guard("/", policy.Root), deletes("/", policy.Root, "recursive")}},
		{"the project", "delete-project", true, []policy.Effect{deletes(project, policy.Project, "recursive"), guard(project, policy.Project)}},
		{"its directory", "guard-tamper", true, []policy.Effect{deletes("/home/dev/.config/boathook", policy.User, "recursive"), guard("/home/dev/.config/boathook", policy.User)}},
		{"its command", "guard-tamper", true, []policy.Effect{deletes("/home/dev", policy.Home, "recursive"), {Kind: policy.TamperGuard, Verb: "off"}}},
		{"something else", "delete-outside-tree", false, []policy.Effect{deletes("/home/dev/x", policy.User, "recursive")}},
		{"a file in the project", "", false, []policy.Effect{deletes(project+"/a", policy.Inside)}},
	} {
		v := policy.Combine().Judge(shell([]string{"x"}, tc.effects...))
		if v.Rule != tc.rule || v.Locked != tc.locked {
			t.Errorf("%s: %s, locked %v", tc.name, v.Rule, v.Locked)
		}
	}
	own := parse(t, policy.UserLayer, rule("mine", "deny", `when = { effect = "delete" }`))
	company := parse(t, policy.Organisation, rule("theirs", "ask", `when = { command = "x" }`))
	v := policy.Combine(own, company).Judge(shell([]string{"x"}, deletes("/home/dev/x", policy.User)))
	if v.Rule != "mine" || !v.Locked {
		t.Errorf("a rule of the organisation's beside one of the user's: %s, locked %v", v.Rule, v.Locked)
	}
}
