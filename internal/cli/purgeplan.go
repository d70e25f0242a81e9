package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/audit"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/sink/progress"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// purgePlan is what a purge deletes, and its JSON.
type purgePlan struct {
	Events   int       `json:"events"`
	Sessions int       `json:"sessions"`
	First    time.Time `json:"first,omitzero"`
	Last     time.Time `json:"last,omitzero"`
	// Waiting of the events are not stored yet. Unsent are, by sink, those that it has not sent and now never will.
	Waiting int              `json:"waiting"`
	Unsent  map[string]int64 `json:"unsent"`
	// Files go too, with --all.
	Files   []string `json:"files"`
	Deleted *deleted `json:"deleted,omitempty"`

	sessions map[string]bool
	cursors  []store.Cursor
	zone     *time.Location
}

type deleted struct {
	Events   int  `json:"events"`
	Turns    int  `json:"turns"`
	Sessions int  `json:"sessions"`
	Lingers  bool `json:"lingers,omitempty"`
}

// planPurge looks at what there is; it changes nothing.
func planPurge(ctx context.Context, w worker.Options, f store.PurgeFilter, all bool) (*purgePlan, error) {
	p := &purgePlan{Unsent: map[string]int64{}, Files: []string{}, sessions: map[string]bool{}, zone: w.Now().Location()}
	if err := p.stored(ctx, w, f); err != nil {
		return nil, err
	}
	if err := p.waiting(w, f); err != nil {
		return nil, err
	}
	p.Sessions = len(p.sessions)
	if all {
		p.files(w.DataDir)
	}
	return p, nil
}

func (p *purgePlan) stored(ctx context.Context, w worker.Options, f store.PurgeFilter) error {
	s, err := store.OpenReadOnly(ctx, worker.StorePath(w.DataDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // nothing can be lost by it
	for _, sink := range w.Sinks {
		if c, ok, err := s.Cursor(ctx, sink.Name()); err != nil {
			return err
		} else if ok {
			p.cursors = append(p.cursors, c)
		}
	}
	return s.Each(ctx, store.Filter{Until: f.Before, Agent: f.Agent, Session: f.Session}, func(seq int64, line []byte) error {
		if f.Project == "" || f.Matches(line) {
			p.add(seq, line)
		}
		return nil
	})
}

// add counts one event; seq is 0 for one that waits.
func (p *purgePlan) add(seq int64, line []byte) {
	p.Events++
	if seq == 0 {
		p.Waiting++
	}
	for _, c := range p.cursors {
		if seq == 0 || seq > c.Event {
			p.Unsent[progress.Name(c.Name)]++
		}
	}
	r, err := record.Parse(line)
	if err != nil {
		return // it goes all the same
	}
	if r.SessionID != "" && len(p.sessions) < 100_000 {
		p.sessions[r.Agent+"\x00"+r.SessionID] = true
	}
	if p.First.IsZero() || r.Time.Before(p.First) {
		p.First = r.Time
	}
	if r.Time.After(p.Last) {
		p.Last = r.Time
	}
}

func (p *purgePlan) waiting(w worker.Options, f store.PurgeFilter) error {
	names, err := w.Spool.Pending()
	if err != nil {
		return err
	}
	for _, name := range names {
		if b, err := w.Spool.Read(name); err == nil && f.Matches(b) {
			p.add(0, b)
		}
	}
	return nil
}

// files are those beside the store that have contents of events in them.
func (p *purgePlan) files(dir string) {
	for _, pattern := range []string{
		audit.File, audit.File + ".old", store.FileName + ".corrupt-*", filepath.Join("spool", "bad", "*"), filepath.Join("pending", "*"),
	} {
		base := filepath.Join(dir, filepath.Dir(pattern))
		entries, err := os.ReadDir(base)
		if err != nil || leadsAway(dir, base) {
			continue // there is none, or what is there is not boathook's
		}
		for _, e := range entries {
			path := filepath.Join(base, e.Name())
			foreign := strings.HasPrefix(e.Name(), audit.File) && !audit.Ours(path)
			if ok, _ := filepath.Match(filepath.Base(pattern), e.Name()); ok && !foreign {
				p.Files = append(p.Files, path)
			}
		}
	}
}

// leadsAway tells whether there is a link on the way from the data directory, which may be one itself.
func leadsAway(dir, path string) bool {
	for ; len(path) > len(filepath.Clean(dir)); path = filepath.Dir(path) {
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			return true
		}
	}
	return false
}

// removeOwn removes a file; what was set aside may be a directory too. Nothing is followed.
func removeOwn(path string) error {
	if err := os.RemoveAll(path); err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	return nil
}

func (p *purgePlan) empty() bool { return p.Events == 0 && len(p.Files) == 0 }

func (p *purgePlan) text() string {
	var b strings.Builder
	b.WriteString(count(p.Events, "event"))
	if p.Sessions > 0 {
		b.WriteString(" of " + count(p.Sessions, "session"))
	}
	if !p.First.IsZero() {
		fmt.Fprintf(&b, ", from %s to %s", p.First.In(p.zone).Format(time.DateTime), p.Last.In(p.zone).Format(time.DateTime))
	}
	for _, c := range p.cursors {
		if n := p.Unsent[progress.Name(c.Name)]; n > 0 {
			fmt.Fprintf(&b, "; %d not sent yet (%s), and never will be", n, progress.Name(c.Name))
		}
	}
	for _, path := range p.Files {
		b.WriteString("; " + plain(path))
	}
	return b.String()
}

// unsentNotes say what has not got where it was to go, and never will when the data are removed. What can't be looked at
// has none.
func unsentNotes(ctx context.Context, env *Env, config, dir string) []string {
	settings, err := env.settings(config)
	if err != nil {
		return nil
	}
	b, err := backlogOf(ctx, dir, settings)
	if err != nil || len(b.Sinks) == 0 {
		return nil
	}
	var out []string
	for _, k := range b.Sinks {
		k.Events += int64(b.Spooled)
		if k.Behind() {
			out = append(out, k.Count()+" not sent yet ("+k.Name+" to "+k.Endpoint+"), and never will be; 'boathook worker drain' sends before")
		}
	}
	return out
}
