package policy_test

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/policy"
)

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
