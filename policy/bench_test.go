package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boathook/boathook/policy"
)

func everyPack() policy.File {
	f := policy.File{Layer: policy.UserLayer}
	for _, p := range policy.Packs() {
		f.Packs = append(f.Packs, p.Name)
	}
	return f
}

// BenchmarkJudge judges calls by all packs at once.
func BenchmarkJudge(b *testing.B) {
	set := policy.Combine(everyPack())
	for _, tc := range []struct {
		name string
		call policy.Call
	}{
		{"status", shell([]string{"git status"})},
		{"test", shell([]string{"cd web", "npm test", "tail -n 20"}, policy.Effect{Kind: policy.Read, Target: project + "/x", Where: policy.Inside})},
		{"delete", shell([]string{"rm -rf node_modules dist"}, deletes(project+"/node_modules", policy.Inside, "recursive", "regenerable"),
			deletes(project+"/dist", policy.Inside, "recursive", "regenerable"))},
	} {
		b.Run(tc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				set.Judge(tc.call)
			}
		})
	}
}

// BenchmarkJudgeMany judges one command by 2,000 rules of a user's.
func BenchmarkJudgeMany(b *testing.B) {
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "[[rules]]\nid = \"r%d\"\naction = \"deny\"\nreason = \"r\"\nwhen = { command = \"tool%d run\", argv = \"--x\" }\n", i, i)
	}
	set := policy.Combine(parse(b, policy.UserLayer, text.String()))
	call := shell([]string{"git status"})
	for b.Loop() {
		set.Judge(call)
	}
}

// BenchmarkCombine is what a hook pays before it judges anything.
func BenchmarkCombine(b *testing.B) {
	b.ReportAllocs()
	f := everyPack()
	for b.Loop() {
		policy.Combine(f)
	}
}

// BenchmarkParse reads a user's policy of twenty rules.
func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	text := "version = 1\npacks = [\"default\"]\n"
	for i := range 20 {
		text += rule(fmt.Sprint("r", i), "ask", `when = { command = "git push", argv = "re:(^|[:/])main$" }`)
	}
	for b.Loop() {
		policy.Parse("p", []byte(text), policy.UserLayer)
	}
}
