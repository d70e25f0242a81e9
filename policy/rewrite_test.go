package policy_test

import (
	"slices"
	"testing"

	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

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
