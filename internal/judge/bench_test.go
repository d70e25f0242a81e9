package judge

import (
	"strings"
	"testing"

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

func benchmarkJudge(b *testing.B, command string) {
	m, set := Machine("/home/dev", "", "/home/dev/shop"), allPacks()
	b.ReportAllocs()
	for b.Loop() {
		c := Read(shellEvent(command), m)
		set.Judge(c)
	}
}

func BenchmarkJudge200Bytes(b *testing.B) { benchmarkJudge(b, line) }

func BenchmarkJudge10KB(b *testing.B) {
	benchmarkJudge(b, strings.Repeat(strings.ReplaceAll(line, "; ", "\n")+"\n", 10<<10/len(line)))
}

func BenchmarkCombine(b *testing.B) {
	for b.Loop() {
		Combine()
	}
}
