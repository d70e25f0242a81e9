package doctor

import (
	"context"
	"path/filepath"
)

// limitChecks say what no hook can see or do on an agent, where hooks of it are installed: seen on the versions in docs/hosts.
func limitChecks() []Check {
	var out []Check
	for _, l := range limits() {
		out = append(out, Check{ID: "limits." + l.agent, Title: "limits of " + l.agent, Run: func(_ context.Context, w *World) []Result {
			if len(w.of(l.agent)) == 0 {
				return nil
			}
			var out []Result
			for _, text := range l.texts {
				out = append(out, Result{Status: Info, Text: text})
			}
			if l.look != nil {
				out = append(out, l.look(w)...)
			}
			return out
		}})
	}
	return out
}

// limit is what to know of one agent.
type limit struct {
	agent string
	texts []string
	look  func(w *World) []Result
}

func limits() []limit {
	return []limit{
		{agent: "codex", texts: []string{
			"what is typed into a command that runs (write_stdin) fires no hook, and a command's own directory (workdir) is in no payload: neither can be judged",
		}},
		{agent: "copilot", texts: []string{
			"fails closed: a call whose hook breaks is refused; installed commands end with 0 whatever happens, a time limit lets the call run",
			"hooks of a repository run after its folder is trusted, or with --trust-folder; your own always run",
		}},
		{agent: "cursor", texts: []string{"runs a repository's hooks in a trusted workspace alone; your own always run"}, look: cursorFailClosed},
		{agent: "opencode", texts: []string{"a tool that fails ends without the event after it: such a call has no end in the records"}},
		{agent: "windsurf", texts: []string{"a hook can refuse, and no more: neither context nor another input reaches the model"}},
	}
}

// cursorFailClosed looks for a switch that turns silence, which is boathook's allow, into a refusal (@cursor/sdk 1.0.32).
func cursorFailClosed(w *World) []Result {
	var out []Result
	for _, in := range w.of("cursor") {
		data, err := readSmall(filepath.Join(in.Dir, "hooks.json"))
		if err != nil {
			continue
		}
		if closed := closedCommands(data); closed > 0 {
			out = append(out, fail(reinstall(in), "%s has failClosed = true at %d of boathook's entries: Cursor takes their silence, which is an allow, for a refusal",
				filepath.Join(in.Dir, "hooks.json"), closed).with("install "+in.Agent+in.Dir, "install the hooks of "+in.Title+" again", w.again(in, "")))
		}
	}
	return out
}
