// Package memory holds memory to its word on real agents, offline against mock models: what one session found out is told to the next
// one that asks about it, in the same project, once, within its budget; elsewhere and switched off nothing of it is there.
package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/memory/recall"
	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/conform"
	"github.com/boathook/boathook/itest/mockmodel"
)

func TestMain(m *testing.M) {
	code := m.Run()
	build.Cleanup()
	os.Exit(code)
}

// driven are the agents that are tried here.
func driven() []conform.Agent {
	return slices.DeleteFunc(conform.Agents(), func(a conform.Agent) bool {
		return !slices.Contains([]string{"gemini", "claude"}, a.ID)
	})
}

const (
	// failed and mended are the commands of the incident: the second is the one that worked.
	failed = "sh restart-checkout.sh --fast"
	mended = "sh reload-upstream.sh --drain checkout"
	// asked is how the next session asks about it.
	asked = "the checkout service answers 502 again after the deploy, what did we do about it?"
	// budget is memory.retrieval.maxContextTokens.
	budget = 300
)

// plays are what the model does: it mends an incident; and it answers without a tool.
func plays(l *conform.Lab) mockmodel.Plays {
	step := func(id, command string) mockmodel.Turn {
		c := l.Agent.Shell(l, command)
		c.ID = "call_" + id
		return mockmodel.Use(c)
	}
	return mockmodel.Plays{
		"incident": {
			step("failed", failed), step("mended", mended),
			mockmodel.Say("Mended: the upstream socket of checkout was stale after the deploy. Draining and reloading the upstream brought it back."),
		},
		"question": {mockmodel.Say("noted"), mockmodel.Say("noted again")}, "poem": {mockmodel.Say("Grey sea.")},
	}
}

// settings writes boathook's config and installs the hooks. memory is the table of that name.
func settings(tb testing.TB, l *conform.Lab, memory string) {
	tb.Helper()
	l.Write(tb, filepath.Join(l.Home, ".config", "boathook", "config.toml"),
		fmt.Sprintf("data_dir = %q\n\n[memory]\n%s\n", filepath.Join(l.Home, ".local", "share", "boathook"), memory))
	l.Install(tb)
}

const on = "enabled = true\ninject = \"on\"\n[memory.retrieval]\nmaxContextTokens = 300"

// incident plays the first session.
func incident(tb testing.TB, l *conform.Lab) {
	tb.Helper()
	l.Prepare = func(work string) {
		agentlab.Must(tb, os.WriteFile(filepath.Join(work, "restart-checkout.sh"), []byte("echo 'upstream refused: connect() failed (111)' >&2; exit 1\n"), 0o600))
		agentlab.Must(tb, os.WriteFile(filepath.Join(work, "reload-upstream.sh"), []byte("echo upstream reloaded, 502 gone\n"), 0o600))
	}
	defer func() { l.Prepare = nil }()
	seen := ask(tb, l, "incident", "the checkout service answers 502 since the deploy, find out why and mend it")
	if !strings.Contains(seen.Results["call_mended"], "upstream reloaded") {
		tb.Fatalf("the incident was not mended: %q; the agent said\n%s\n%s", seen.Results, seen.Stdout, seen.Stderr)
	}
}

// ask runs a session of one prompt, and waits until all of it is remembered.
func ask(tb testing.TB, l *conform.Lab, play, words string, args ...string) conform.Seen {
	tb.Helper()
	seen := l.Session(tb, conform.Session{Prompt: mockmodel.Prompt(play, words), Permit: true, Args: args})
	if seen.Code != 0 {
		tb.Fatalf("exit code %d\n%s\n%s", seen.Code, seen.Stdout, seen.Stderr)
	}
	return seen
}

// blocks are what was injected into what the model was asked since the last session began.
func blocks(l *conform.Lab) []string {
	var out []string
	for _, r := range l.Model.Requests() {
		for rest := r.Body; ; {
			at := strings.Index(rest, recall.Begin)
			if at < 0 {
				break
			}
			block, after, _ := strings.Cut(rest[at:], recall.End)
			out, rest = append(out, block), after
		}
	}
	return out
}
