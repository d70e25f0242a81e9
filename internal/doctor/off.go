package doctor

import (
	"context"

	"github.com/boathook/boathook/internal/off"
)

// switchedOff tells what 'boathook off' and off.projects take out.
func switchedOff(_ context.Context, w *World) []Result {
	if !w.installed() {
		return nil
	}
	s := w.Settings
	var out []Result
	if project, in := off.In(w.Dir, s.Off.Projects); in {
		out = append(out, warn("edit "+w.configFile()+": take it out of off.projects", "off.projects has %s: hooks neither judge nor record there", project))
	}
	state, err := off.Load(s.Path)
	if err != nil {
		return append(out, warn("rm "+off.Path(s.Path), "%s; nothing is switched off by it", w.Foreign(err.Error())))
	}
	state = state.Current(off.At(w.Now()))
	if !s.Off.Allowed && (state.All != nil || len(state.Projects) > 0) {
		return append(out, info("'boathook off' was called, and off.switch = refused makes that without effect")...)
	}
	if state.All != nil {
		out = append(out, warn(off.OnCommand(""), "boathook is off %s: hooks neither judge nor record", state.All.Lasts(w.Now(), "")))
	}
	var dirs []string
	for dir := range state.Projects {
		dirs = append(dirs, dir)
	}
	if project, in := off.In(w.Dir, dirs); in {
		out = append(out, warn(off.OnCommand(project), "boathook is off in %s %s: hooks neither judge nor record there", project, state.Projects[project].Lasts(w.Now(), project)))
	}
	switch {
	case out != nil:
		return out
	case len(dirs) > 0:
		return info("boathook is off in %s; it is on here", Count(int64(len(dirs)), "project"))
	}
	return ok("on")
}
