package install

import (
	"path/filepath"

	claudehost "github.com/boathook/boathook/internal/host/claude"
	codexhost "github.com/boathook/boathook/internal/host/codex"
	geminihost "github.com/boathook/boathook/internal/host/gemini"
	"github.com/boathook/boathook/internal/managed"
	"github.com/boathook/boathook/internal/switched"
)

// managedLists are the agents that read lists of hooks in a place of an administrator's, with that place for theirs.
func managedLists(env Env) []listed {
	var out []listed
	for _, l := range []listed{claudeList(), codexList(), copilotList(), cursorList(), windsurfList(), geminiList(), qwenList()} {
		path := managed.File(env.root(), env.GOOS, l.host().ID)
		if path == "" {
			continue
		}
		l.dir, l.file, l.others = func(Env) string { return filepath.Dir(path) }, filepath.Base(path), nil
		switch l.host().ID {
		case geminihost.Host().ID:
			l.pins = []pair{{"hooksConfig", object{{"enabled", true}}}}
		case "qwen":
			l.pins = []pair{{"disableAllHooks", false}}
		}
		out = append(out, l)
	}
	return out
}

// managedAgents are those of managedLists as the installer knows agents.
func managedAgents(env Env) []agent {
	var out []agent
	for _, l := range managedLists(env) {
		a := l.agent(agent{
			id: l.host().ID, title: l.host().Title,
			restart: "sessions that run take the managed hooks when they are started again",
			stop:    "restart running sessions: those of some agents keep the hooks that they started with",
		})
		add, undo := a.add, a.undo
		switch a.id {
		case codexhost.Host().ID:
			a.add = func(p *planner, at place) error { return firstOf(add(p, at), p.requireHooks(at.Dir)) }
			a.undo = func(p *planner, at place) error { return firstOf(undo(p, at), p.unrequireHooks(at.Dir)) }
		case claudehost.Host().ID:
			a.restart = "Claude Code takes the hooks at once, also in sessions that run"
		}
		out = append(out, a)
	}
	if managed.File(env.root(), env.GOOS, "opencode") != "" {
		out = append(out, managedOpencode(env))
	}
	return out
}

// geminiList is Gemini CLI's settings.json, which a user's own install leaves alone: there it is an extension.
func geminiList() listed {
	return listed{
		host: geminihost.Host, entry: geminiEntry, dropped: qwenDrops, // Qwen Code's files are read as Gemini CLI's
		off: switched.GeminiOff,
	}
}

func geminiEntry(p *planner, ev event) object {
	group := object{{hooksKey, []any{object{
		{"type", "command"}, {"name", ownerName}, {"command", shellCommand(p.env.Exe, p.plan.Config, "gemini", ev.Name)},
		{"timeout", geminiTimeout}, {"env", geminiShell},
	}}}}
	if ev.Tool {
		group = append(object{{"matcher", ""}}, group...)
	}
	return group
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
