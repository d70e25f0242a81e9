// Package policy holds the local guard to its word on real agents, offline against mock models: what destroys a home is blocked, in
// whatever words; everyday work passes; what a person should be asked does not run unasked; a call that a person lifts passes once;
// and no agent lifts one itself.
package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

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

// driven are the agents that are tried here: those with the most users whose programs can be had.
func driven() []conform.Agent {
	return slices.DeleteFunc(conform.Agents(), func(a conform.Agent) bool {
		return !slices.Contains([]string{"gemini", "claude", "codex"}, a.ID)
	})
}

// step is one call that the model makes.
type step struct {
	id, command string
}

func call(l *conform.Lab, s step) mockmodel.Turn {
	c := l.Agent.Shell(l, s.command)
	c.ID = "call_" + s.id
	return mockmodel.Use(c)
}

// play is what the model does: one call after the other, whatever becomes of them.
func play(l *conform.Lab, steps ...step) mockmodel.Script {
	var out mockmodel.Script
	for _, s := range steps {
		out = append(out, call(l, s))
	}
	return append(out, mockmodel.Say("All done."))
}

// settings writes boathook's config and installs the hooks. policy is the table of that name.
func settings(tb testing.TB, l *conform.Lab, policy string) {
	tb.Helper()
	l.Write(tb, filepath.Join(l.Home, ".config", "boathook", "config.toml"),
		fmt.Sprintf("data_dir = %q\n\n[policy]\n%s\n", filepath.Join(l.Home, ".local", "share", "boathook"), policy))
	l.Install(tb)
}

// session runs a play in which every tool may run unasked, so that nothing but the guard stops one.
func session(tb testing.TB, l *conform.Lab, name string) conform.Seen {
	tb.Helper()
	return l.Session(tb, conform.Session{Prompt: mockmodel.Prompt(name, "please"), Permit: true})
}

// told is what the model was told of a call.
func told(s conform.Seen, id string) string { return s.Results["call_"+id] }

// judged is the record that comes before a command.
func judged(tb testing.TB, s conform.Seen, command string) agentlab.Record {
	tb.Helper()
	var found []agentlab.Record
	for _, r := range s.Records {
		if r.Event == "tool:before" && r.Tool != nil && r.Tool.Command == command {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		tb.Fatalf("%d records come before %q, want 1; of %d: %+v; results %q; the end of what the agent said:\n%s\n%s", len(found), command, len(s.Records), agentlab.HostEvents(s.Records), s.Results, last(s.Stdout), last(s.Stderr))
	}
	return found[0]
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func last(text string) string { return text[max(0, len(text)-2000):] }
