package hookwatch

import (
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/hookrun"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/internal/off"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/selfwatch"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// settled is how long a file must have been left alone before it is looked at: a command of boathook's says what it changed once it
// has, and not every editor renames what it has written.
const settled = 5 * time.Second

// Decisive lists the files that decide what boathook does: settings, policies (with those of projects that somebody trusts, and the
// list of these), the switch, and the agents' files with its hooks.
func Decisive(env install.Env, s config.Settings, dataDir string) []string {
	var out []string
	for _, f := range s.Files {
		out = append(out, f.Path)
	}
	out = append(out, s.Policy.File, s.Policy.Organisation, off.Path(s.Path), judge.TrustFile(dataDir))
	trusted, _ := judge.ListTrusted(dataDir) // the list itself is looked at
	for _, t := range trusted {
		out = append(out, t.Path)
	}
	return append(out, install.HookFiles(env)...)
}

// Files tells which of them were changed by no command of boathook's since somebody looked. What is seen for the first time is known
// from then on.
func (w Watch) Files(s config.Settings, dataDir string) worker.FileWatcher {
	return func(live []store.LiveSession) ([]record.Record, func()) {
		book, err := selfwatch.Read(dataDir)
		now := selfwatch.Look(append(book.Paths(), Decisive(w.Env, s, dataDir)...))
		changes := selfwatch.Changes(book.Files, now)
		for _, c := range changes {
			if w.fresh(c.Path) {
				return nil, nil // all of it next time
			}
		}
		learn := func() {
			if book.Learn(now) || err != nil {
				_ = book.Write(dataDir) // else it is told again
			}
		}
		if len(changes) == 0 {
			return nil, learn
		}
		return []record.Record{w.changed(live, changes)}, learn
	}
}

// fresh tells whether a file, or the directory that it was in, has just been written.
func (w Watch) fresh(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		info, err = os.Stat(filepath.Dir(path))
	}
	if err != nil {
		return false
	}
	age := w.Now().Sub(info.ModTime())
	return 0 <= age && age < settled
}

func (w Watch) changed(live []store.LiveSession, changes []selfwatch.Change) record.Record {
	e := canon.Event{Agent: "boathook", Event: canon.Notified, HostEvent: worker.FilesChanged}
	if len(live) > 0 { // the newest first
		e.Agent, e.SessionID, e.CWD, e.Project = live[0].Agent, live[0].Session, live[0].CWD, live[0].Project
	}
	hookrun.Mark(&e, w.Now())
	r := record.Record{
		V: record.Version, Event: e,
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
		Hook:     record.Hook{Version: w.Version},
	}
	for _, c := range changes {
		r.Notes = append(r.Notes, selfwatch.Note+w.path(c.Path)+" "+c.Text())
	}
	return r
}
