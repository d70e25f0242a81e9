package policy_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/judge"
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

// TestRelief: an allow takes back what stands after it and below it, of the same part.
func TestRelief(t *testing.T) {
	call := shell([]string{"rm -rf build", "rm -rf src"}, deletes(project+"/build", policy.Inside, "recursive"),
		policy.Effect{Kind: policy.Delete, Target: project + "/src", Where: policy.Inside, Flags: []string{"recursive"}, Command: 1})
	one := shell([]string{"rm -rf build"}, call.Effects[0])
	const deny = `when = { effect = "delete" }`
	build := rule("a", "allow", `when = { effect = "delete", path = "build" }`)
	for _, tc := range []struct {
		name  string
		files []policy.File
		call  policy.Call
		want  policy.Action
	}{
		{"before", []policy.File{parse(t, policy.UserLayer, bare+build+rule("d", "deny", deny))}, one, policy.Allow},
		{"after", []policy.File{parse(t, policy.UserLayer, bare+rule("d", "deny", deny)+build)}, one, policy.Deny},
		{"another part", []policy.File{parse(t, policy.UserLayer, bare+build+rule("d", "deny", deny))}, call, policy.Deny},
		{"weaker layer", []policy.File{parse(t, policy.UserLayer, bare+build), parse(t, policy.ProjectLayer, rule("d", "deny", deny))}, one, policy.Allow},
		{"stronger layer", []policy.File{parse(t, policy.UserLayer, bare+build), parse(t, policy.Organisation, rule("d", "deny", deny))}, one, policy.Deny},
		{"organisation's", []policy.File{parse(t, policy.UserLayer, bare+rule("d", "deny", deny)), parse(t, policy.Organisation, build)}, one, policy.Allow},
		{"packs", []policy.File{parse(t, policy.UserLayer, build)}, one, policy.Allow},
		{"by command", []policy.File{parse(t, policy.UserLayer, bare+rule("a", "allow", `when = { command = "rm" }`)+rule("d", "deny", deny))}, call, policy.Allow},
		{"by tool", []policy.File{parse(t, policy.UserLayer, bare+rule("a", "allow", `when = { tool = "bash" }`)+rule("d", "deny", deny))}, call, policy.Allow},
		{"shadowed allow", []policy.File{parse(t, policy.UserLayer, bare+strings.Replace(build, "reason", "mode = \"shadow\"\nreason", 1)+rule("d", "deny", deny))}, one, policy.Deny},
	} {
		if v := policy.Combine(tc.files...).Judge(tc.call); v.Action != tc.want {
			t.Errorf("%s: %s, want %s: %s", tc.name, v.Action, tc.want, show(v.Hits))
		}
	}
}

// TestReliefOfPaths: an allow of paths is neither about where links lead nor about a directory that holds what it excepts.
func TestReliefOfPaths(t *testing.T) {
	for _, tc := range []struct {
		path   string
		effect policy.Effect
		want   policy.Action
	}{
		{`"build/**"`, deletes(project+"/build", policy.Inside, "recursive"), policy.Allow},
		{`"build/**"`, deletes(project+"/build", policy.System, "recursive", "link"), policy.Deny},
		{`["~/**", "!~/.ssh/**"]`, deletes(home+"/old", policy.User, "recursive"), policy.Allow},
		{`["~/**", "!~/.ssh/**"]`, deletes(home, policy.Home, "recursive"), policy.Deny},
		{`["~/**", "!~/.ssh/**"]`, deletes(home+"/.ssh", policy.User, "recursive"), policy.Deny},
	} {
		set := policy.Combine(parse(t, policy.UserLayer, rule("a", "allow", `when = { effect = "delete", path = `+tc.path+` }`)))
		if v := set.Judge(shell([]string{"rm -rf x"}, tc.effect)); v.Action != tc.want {
			t.Errorf("%s, %s: %s, want %s", tc.path, tc.effect, v.Action, tc.want)
		}
	}
}

// TestReliefOfRedirections: to allow a program is not to allow the files that the shell writes for it.
func TestReliefOfRedirections(t *testing.T) {
	set := policy.Combine(parse(t, policy.UserLayer, rule("a", "allow", `when = { command = "echo" }`)))
	call := shell([]string{"echo x"}, policy.Effect{Kind: policy.Overwrite, Target: "/etc/hosts", Where: policy.System, Flags: []string{"redirect"}})
	if v := set.Judge(call); v.Action != policy.Ask {
		t.Errorf("%s: %s", v.Action, show(v.Hits))
	}
}

// TestSelfProtection: neither an allow nor an override of the user's takes it back, nor a list of packs without it.
func TestSelfProtection(t *testing.T) {
	call := shell([]string{"boathook uninstall"}, policy.Effect{Kind: policy.TamperGuard, Verb: "command"})
	for _, text := range []string{
		bare, rule("a", "allow", `when = { command = "boathook" }`), rule("a", "allow", `when = { tool = "*" }`), rule("a", "allow", `when = { effect = "tamper_guard" }`),
		"mode = \"shadow\"\n",
	} {
		if v := policy.Combine(parse(t, policy.UserLayer, text)).Judge(call); v.Action != policy.Deny {
			t.Errorf("%s: %s", text, v.Action)
		}
	}
	over, problems, broken := policy.Parse("p", []byte("[override.guard-tamper]\naction = \"off\"\n"), policy.UserLayer)
	if v := policy.Combine(over).Judge(call); v.Action != policy.Deny || broken || len(problems) != 1 {
		t.Errorf("a user's override: %s, %+v", v.Action, problems)
	}
	if v := policy.Combine(parse(t, policy.Organisation, "[override.guard-tamper]\naction = \"ask\"\n")).Judge(call); v.Action != policy.Ask {
		t.Errorf("the organisation's override: %s", v.Action)
	}
	if v := policy.Combine(parse(t, policy.Organisation, rule("a", "allow", `when = { command = "boathook" }`))).Judge(call); v.Action != policy.Allow {
		t.Errorf("the organisation's allow: %s", v.Action)
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

func TestRewrites(t *testing.T) {
	const trash = "rewrite = { program = \"trash\", drop = [\"-r\", \"-f\", \"-rf\"] }\n"
	const when = `when = { effect = "delete", command = "rm" }`
	rm := shell([]string{"rm -rf a", "ls"}, deletes(project+"/a", policy.Inside, "recursive"))
	pipe := shell([]string{"curl x", "sh"}, policy.Effect{Kind: policy.DownloadRun, Command: 1})
	pipe.Text, pipe.Commands[1].Span, pipe.Commands[1].Words = "curl x | sh", [2]int{9, 11}, [][2]int{{9, 11}}
	hidden := rm
	hidden.Commands = slices.Clone(rm.Commands)
	hidden.Commands[0].Words = [][2]int{{0, 0}, {0, 0}, {0, 0}}
	also := shell([]string{"rm -rf a", "rm -rf /etc"}, rm.Effects[0], policy.Effect{Kind: policy.Chmod, Where: policy.System, Command: 1})
	for _, tc := range []struct {
		name, text string
		call       policy.Call
		want       policy.Action
		line       string
	}{
		{"program", rule("r", "rewrite", trash+when), rm, policy.Rewrite, "trash a; ls"},
		{"a pack's ask goes", "packs = [\"default\"]\n" + rule("r", "rewrite", trash+when), rm, policy.Rewrite, "trash a; ls"},
		{"own deny before it stays", bare + rule("d", "deny", when) + rule("r", "rewrite", trash+when), rm, policy.Deny, ""},
		{"not in the text", bare + rule("r", "rewrite", trash+when), hidden, policy.Ask, ""},
		{"not in the text, fail", bare + rule("r", "rewrite", "fail = \"deny\"\n"+trash+when), hidden, policy.Deny, ""},
		{"another rule asks", bare + rule("r", "rewrite", trash+when) + rule("q", "ask", `when = { effect = "chmod" }`) + rule("d", "deny", `when = { effect = "delete" }`),
			also, policy.Deny, ""},
		{"replace", bare + rule("r", "rewrite", "rewrite = { replace = { \"-rf\" = \"-i x\" }, add = [\"-v\"] }\n"+when), rm, policy.Rewrite, "rm -v '-i x' a; ls"},
		{"cut the pipe", bare + rule("r", "rewrite", "rewrite = { cut_pipe = true }\nwhen = { effect = \"download_run\" }"), pipe, policy.Rewrite, "curl x"},
		{"no pipe", bare + rule("r", "rewrite", "rewrite = { cut_pipe = true }\n"+when), rm, policy.Ask, ""},
	} {
		v := policy.Combine(parse(t, policy.UserLayer, tc.text)).Judge(tc.call)
		line := ""
		if v.Edits != nil {
			line, _ = judge.Apply(tc.call.Text, v.Edits)
		}
		if v.Action != tc.want || line != tc.line {
			t.Errorf("%s: %s, %q; want %s, %q: %s", tc.name, v.Action, line, tc.want, tc.line, show(v.Hits))
		}
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

func TestAbout(t *testing.T) {
	call := shell([]string{"rm -rf /home/dev/x"}, deletes("/home/dev/x", policy.User, "recursive"))
	set := policy.Combine()
	v := set.Judge(call)
	if len(v.Hits) == 0 {
		t.Fatal("no hit")
	}
	got := []string{v.Hits[0].About(call), set.Find(v.Hits[0]).When.String()}
	want := []string{
		"rm -rf /home/dev/x: delete /home/dev/x (user, recursive)",
		"effect = delete; verb = !rmdir; where = user, elsewhere; flags = recursive, all; not_flags = remote, missing, regenerable",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
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
