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
	if project, in := off.In(w.Dir, s.Off.Projects); in {
		return []Result{warn("edit "+w.configFile()+": take it out of off.projects", "off.projects has %s: hooks neither judge nor record there", project)}
	}
	state, err := off.Load(s.Path)
	if err != nil {
		return []Result{warn("rm "+off.Path(s.Path), "%s; nothing is switched off by it", w.Foreign(err.Error()))}
	}
	state = state.Current(off.At(w.Now()))
	if state.All == nil && len(state.Projects) == 0 {
		return ok("on")
	}
	if !s.Off.Allowed {
		return info("'boathook off' was called, and off.switch = refused makes that without effect")
	}
	if state.All != nil {
		return []Result{warn(off.OnCommand(""), "boathook is off %s: hooks neither judge nor record", state.All.Lasts(w.Now(), ""))}
	}
	var dirs []string
	for dir := range state.Projects {
		dirs = append(dirs, dir)
	}
	if project, in := off.In(w.Dir, dirs); in {
		return []Result{warn(off.OnCommand(project), "boathook is off in %s %s: hooks neither judge nor record there", project, state.Projects[project].Lasts(w.Now(), project))}
	}
	return info("boathook is off in %d projects; it is on here", len(dirs))
}
