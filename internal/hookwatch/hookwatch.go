// Package hookwatch tells the worker which agents have lost their hooks while sessions of theirs go on: an entry that install
// wrote is gone, or a user's or a repository's settings switch hooks off. An agent that could be told to take its own hooks
// out is seen doing so. It only reads, a dozen small files.
package hookwatch

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/hookrun"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/switched"
	"github.com/boathook/boathook/internal/worker"
)

// Watch is the world that is looked at.
type Watch struct {
	Env install.Env
	// Minimal says that no paths may be recorded.
	Minimal bool
	Version string
	Now     func() time.Time
}

// Look gives a record for each session whose agent has lost its hooks.
func (w Watch) Look(live []store.LiveSession) []record.Record {
	lost := w.installed()
	var out []record.Record
	for _, s := range live {
		why := lost[s.Agent]
		if why == "" {
			why = w.repository(s)
		}
		if why != "" {
			out = append(out, w.record(s, why))
		}
	}
	return out
}

// installed tells by agent what is wrong with the hooks that install put into the user's own files.
func (w Watch) installed() map[string]string {
	places, _ := install.Look(w.Env) // without a manifest there is nothing to compare with
	lost := map[string]string{}
	for _, in := range places {
		if why := w.missing(in); why != "" && !in.Workspace {
			lost[in.Agent] = why
		}
	}
	for _, off := range switched.InHome(install.SettingsDirs(w.Env)) {
		if install.ManagedBy(w.Env, off.Agent) == "" && slices.ContainsFunc(places, func(in install.Installation) bool { return in.Agent == off.Agent }) {
			lost[off.Agent] = w.path(off.Path) + " has " + off.Setting
		}
	}
	return lost
}

// missing tells what of an installation is gone that was there. What somebody chose at the install is not missing.
func (w Watch) missing(in install.Installation) string {
	for _, f := range in.Faults {
		if len(in.Events) == 0 || f.Mend == install.Register && in.Edited {
			return w.path(f.Path) + ": " + f.Text
		}
	}
	return ""
}

// repository tells what the session's own repository switches off.
func (w Watch) repository(s store.LiveSession) string {
	if install.ManagedBy(w.Env, s.Agent) != "" {
		return "" // an administrator's hooks run all the same
	}
	for _, off := range switched.InProject(s.CWD, s.Project) {
		if off.Agent == s.Agent {
			return "the repository's " + filepath.Base(filepath.Dir(off.Path)) + "/" + filepath.Base(off.Path) + " has " + off.Setting
		}
	}
	return ""
}

// path is how a file is named in a record.
func (w Watch) path(path string) string {
	if w.Minimal {
		return filepath.Base(path)
	}
	if rel, err := filepath.Rel(w.Env.Home, path); err == nil && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return path
}

func (w Watch) record(s store.LiveSession, why string) record.Record {
	e := canon.Event{Agent: s.Agent, Event: canon.Notified, HostEvent: worker.HooksLost, SessionID: s.Session, CWD: s.CWD, Project: s.Project}
	hookrun.Mark(&e, w.Now())
	return record.Record{
		V: record.Version, Event: e,
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
		Hook:     record.Hook{Version: w.Version},
		Notes:    []string{"hooks lost: " + why},
	}
}
