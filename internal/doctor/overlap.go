package doctor

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/install"
)

func overlapChecks() []Check {
	return []Check{
		{ID: "overlap.pinta", Title: "pinta-gemini", Run: overlapPinta},
		{ID: "overlap.boathook", Title: "doubled hooks", Run: overlapBoathook},
		{ID: "overlap.claude", Title: "hooks of Claude Code", Run: overlapClaude},
	}
}

func overlapPinta(_ context.Context, w *World) []Result {
	_, pintas := install.Doubles(w.Install, w.Dir)
	if len(pintas) == 0 {
		return ok("is not installed")
	}
	if !w.installed() {
		return info("%s: install replaces it, and uninstall brings it back", strings.Join(pintas, ", "))
	}
	return []Result{warn("boathook install "+strings.Join(w.hooked(), " ")+" (moves it aside)", "%s: every event is sent twice, by it and by boathook", strings.Join(pintas, ", "))}
}

// hooked are the agents that have hooks.
func (w *World) hooked() []string {
	var out []string
	for _, in := range w.Places {
		if !slices.Contains(out, in.Agent) {
			out = append(out, in.Agent)
		}
	}
	return out
}

func overlapBoathook(_ context.Context, w *World) []Result {
	doubles, _ := install.Doubles(w.Install, w.Dir)
	if len(doubles) == 0 {
		return ok("none")
	}
	cure := "edit " + doubles[0] + ": take boathook's commands out"
	if dir := filepath.Dir(doubles[0]); filepath.Base(dir) == ".agents" {
		cure = "boathook uninstall antigravity --workspace " + filepath.Dir(dir)
	}
	return []Result{warn(cure, "%s: boathook's commands are there too, so that every event is recorded twice", strings.Join(doubles, ", "))}
}

// overlapClaude tells of the agents that run Claude Code's hooks too (Copilot CLI 1.0.102, @cursor/sdk 1.0.32).
func overlapClaude(_ context.Context, w *World) []Result {
	if len(w.of("claude")) == 0 {
		return nil
	}
	var out []Result
	for _, a := range []struct{ id, title string }{{"copilot", "Copilot CLI"}, {"cursor", "Cursor"}} {
		switch {
		case len(w.of(a.id)) > 0:
			out = append(out, Result{Status: Info, Text: a.title + " runs them too: there they stay silent, since it has its own"})
		case slices.Contains(install.Detect(w.Install), a.id):
			out = append(out, Result{Status: Info, Text: a.title + " runs them too, and they record its events", Cure: "boathook install " + a.id + " gives it its own"})
		}
	}
	return orOK(out, "no other agent runs them")
}
