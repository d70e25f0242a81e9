package judge

import (
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/policy"
)

func shellEvent(command string) canon.Event {
	return canon.Event{
		Agent: "gemini", Event: canon.ToolBefore, CWD: "/home/dev/shop", Project: "/home/dev/shop",
		Tool: &canon.Tool{Name: "bash", HostName: "run_shell_command", Kind: "shell", Command: command},
	}
}

// line is an everyday command of about 200 bytes.
const line = `cd services/api && go build ./... && go test -run 'TestOrder|TestCart' -count=1 ./internal/... 2>&1 | tail -n 40; git add -A && git commit -m "orders: totals are rounded once, at the end (#812)"`

// allPacks has every pack in force.
func allPacks() *policy.Set {
	f, _, _ := policy.Parse("policy.toml", []byte("version = 1\npacks = [\"default\", \"strict\", \"paranoid\"]\n"), policy.UserLayer)
	return policy.Combine(f)
}

// benchmarkJudge prints what share of its budget judging a text takes.
func benchmarkJudge(b *testing.B, command string, budget time.Duration) {
	m, set := Machine("/home/dev", "", "/home/dev/shop"), allPacks()
	b.ReportAllocs()
	for b.Loop() {
		set.Judge(Read(shellEvent(command), m))
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(budget), "of_budget")
}

func BenchmarkJudge200Bytes(b *testing.B) { benchmarkJudge(b, line, 150*time.Microsecond) }

func BenchmarkJudge10KB(b *testing.B) {
	benchmarkJudge(b, strings.Repeat(strings.ReplaceAll(line, "; ", "\n")+"\n", 10<<10/len(line)), 5*time.Millisecond)
}

// What is made to be slow has to stay below what judging may take.
func BenchmarkJudgeMadeToBeSlow(b *testing.B) {
	for name, command := range hostile() {
		b.Run(name, func(b *testing.B) { benchmarkJudge(b, command, 2*time.Second) })
	}
}

// hostile are texts of a MiB, or of great depth.
func hostile() map[string]string {
	const mib = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, mib/len(s)) }
	deep := 10_000
	return map[string]string{
		"words":        "echo " + fill("a "),
		"quotes":       fill("'\"`"),
		"commands":     fill("rm -rf x; "),
		"pipes":        "a" + fill(" | b"),
		"braces":       "echo " + strings.Repeat("{a,b}", 2000),
		"substitution": strings.Repeat("$(", deep) + "x" + strings.Repeat(")", deep),
		"subshells":    strings.Repeat("(", deep) + "x" + strings.Repeat(")", deep),
		"evals":        strings.Repeat("eval ", deep) + "x",
		"wrappers":     strings.Repeat("sudo env nice ", deep) + "x",
		"variables":    strings.Repeat("a=$a$a; ", 1000) + "$a",
		"functions":    fill("f() { g; }; "),
		"paths":        "rm -rf " + fill("../"),
		"globs":        "rm " + fill("*? "),
	}
}

func BenchmarkCombine(b *testing.B) {
	for b.Loop() {
		Combine()
	}
}
