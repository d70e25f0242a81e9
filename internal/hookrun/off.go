package hookrun

import (
	"time"

	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/off"
	"github.com/boathook/boathook/internal/record"
)

// offSwitch is what 'boathook off' and off.projects say at this moment.
type offSwitch struct {
	off      bool
	projects []string
}

// switchRead is the file beside the config as it was read.
type switchRead struct {
	state off.State
	err   error
}

// lookAtSwitch begins to read the file beside the config; the payload comes meanwhile.
func (r *run) lookAtSwitch() <-chan switchRead {
	read := make(chan switchRead, 1)
	path := r.settings.Path
	go func() {
		state, err := off.Load(path)
		read <- switchRead{state, err}
		r.mountTable() // it is wanted later, and this costs no time of the agent's
	}()
	return read
}

// readSwitch is what counts of it now. One that hangs or cannot be read switches nothing off.
func (r *run) readSwitch(read <-chan switchRead) offSwitch {
	sw := offSwitch{projects: r.settings.Off.Projects}
	if !r.settings.Off.Allowed {
		return sw
	}
	var got switchRead
	select {
	case got = <-read:
	default: // the payload was quicker
		select {
		case got = <-read:
		case <-time.After(diskTime):
			r.note("off: reading the switch hangs, nothing is off")
			return sw
		}
	}
	if got.err != nil {
		r.note("off: " + got.err.Error() + "; nothing is off")
		return sw
	}
	if got.state.All == nil && len(got.state.Projects) == 0 {
		return sw // as nearly always: no file
	}
	state := got.state.Current(off.At(r.env.Now()))
	sw.off = state.All != nil
	for dir := range state.Projects {
		sw.projects = append(sw.projects[:len(sw.projects):len(sw.projects)], dir)
	}
	return sw
}

// standAside makes this run one that was never there: the neutral answer, and no record, not even the watchdog's.
func (r *run) standAside() {
	r.keeping.Store(true)
	r.dropHooks()
	r.decideLocal(record.Decision{})
	r.decide(allowed())
}

// offHere tells whether all that the session works in is switched off. Where it works is the host's word or that of the
// process, never an argument of the tool: the model would choose then whether it is judged.
func (r *run) offHere(sw offSwitch, c call) bool {
	if len(sw.projects) == 0 {
		return false
	}
	dirs := r.sessionDirs(c)
	inside := false
	if !within(diskTime, func() {
		for _, dir := range dirs {
			if !r.in(dir, sw.projects) {
				return
			}
		}
		inside = len(dirs) > 0
	}) {
		r.note("off: the working directory hangs, nothing is off")
		return false
	}
	return inside
}

// in tells whether a directory lies in one of the projects. What may hang for ever is not looked at: there the names alone
// count, which for a working directory are those of the kernel, without links.
func (r *run) in(dir string, projects []string) bool {
	byName := r.mountTable().Stuck(dir) != ""
	var look []string
	for _, p := range projects {
		switch {
		case !byName && r.mountTable().Stuck(p) == "":
			look = append(look, p)
		case off.Below(dir, p):
			return true
		}
	}
	_, in := off.In(dir, look)
	return in
}

func (r *run) sessionDirs(c call) []string {
	var dirs []string
	if c.payload.Sound() && r.host.Dirs != "" {
		for _, v := range c.payload.Value.Members().All(r.host.Dirs) {
			if v.Kind() != lenient.Array {
				dirs = append(dirs, v.Text())
				continue
			}
			for _, dir := range v.Elems() {
				dirs = append(dirs, dir.Text())
			}
		}
	}
	if len(dirs) == 0 && r.env.Dir != "" {
		dirs = []string{r.env.Dir}
	}
	return dirs
}
