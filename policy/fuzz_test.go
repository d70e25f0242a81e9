package policy_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/policy"
)

// FuzzParse: any text is read in bounds, and what is wrong has a place and a cure.
func FuzzParse(f *testing.F) {
	paths, _ := filepath.Glob("packs/*.toml")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(policy.Starter()))
	f.Add([]byte("[[rules]]\nid = \"a\"\naction = \"deny\"\nreason = \"r\"\nwhen = { path = [\"~/x/**\", \"!re:y\"], arg = { a.b = \"c\" } }\n"))
	call := shell([]string{"rm -rf \uFFFC", "git push"}, deletes("", policy.Nowhere, "dynamic", "recursive"), deletes("/etc", policy.System))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, layer := range []policy.Layer{policy.Organisation, policy.UserLayer, policy.ProjectLayer, policy.BuiltIn} {
			file, problems, broken := policy.Parse("p.toml", data, layer)
			if broken && len(problems) == 0 {
				t.Fatal("broken, and nobody knows why")
			}
			for _, p := range problems {
				if p.Text == "" || p.Cure == "" || p.File != "p.toml" {
					t.Fatalf("%+v", p)
				}
			}
			if broken && (file.Rules != nil || file.Packs != nil || file.Overrides != nil) {
				t.Fatal("broken, and used all the same")
			}
			policy.Combine(file).Judge(call)
		}
	})
}

// FuzzJudge: any pattern against any call ends in bounds, and a rule that denies is never worth less than one that warns.
func FuzzJudge(f *testing.F) {
	f.Add("git push", "--force", "~/x/**", "https://*", "git -C x push --force", "/home/dev/x", `{"a":{"b":["c"]}}`)
	f.Add("re:^a+$", "!b", "{project}/**/x", "*.example.com", "a b \uFFFC", "\uFFFC", `[1,{"a":true}]`)
	f.Add("*?*", "**", "**/a/**/b", "[", `C:\x\y.exe a`, `C:\Users\x`, `{`)
	f.Fuzz(func(t *testing.T, command, argv, path, url, words, target, args string) {
		call := shell([]string{words}, policy.Effect{Kind: policy.Delete, Target: target, Where: policy.User, Flags: []string{"recursive"}},
			policy.Effect{Kind: policy.Send, Target: target, Command: 5}, policy.Effect{Kind: "new kind", Command: -7})
		call.Args, call.Paths, call.URLs = []byte(args), []string{target}, []string{target}
		var rules []policy.Rule
		for _, when := range []policy.When{
			{Command: []string{command}}, {Argv: []string{argv}}, {Path: []string{path}}, {URL: []string{url}}, {Effect: []string{"delete"}, Path: []string{path}},
			{Args: []policy.ArgPattern{{Name: command, Patterns: []string{argv}}}}, {CWD: []string{path}, MCP: []string{command}},
		} {
			rules = append(rules, policy.Rule{ID: "r", When: when, Action: policy.Deny}, policy.Rule{ID: "w", When: when, Action: policy.Warn})
		}
		v := policy.Combine(policy.File{Layer: policy.UserLayer, Packs: []string{}, Rules: rules}).Judge(call)
		for _, h := range v.Hits {
			if h.Action == policy.Warn && !h.Unsure && strictness(v.Action) < strictness(policy.Ask) {
				t.Fatalf("a warn, and no deny of the same: %s", show(v))
			}
			h.About(call)
		}
	})
}
