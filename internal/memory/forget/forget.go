// Package forget removes what memory knows of something, everywhere in the data directory, and proves that it is gone: the rows of the
// memory store with their indexes, the events that told of them, in the spool and in the store, what recall has kept, what was put aside,
// and the lines of the audit log. What agents keep of their own sessions is not touched, and named.
package forget

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/boathook/boathook/internal/audit"
	"github.com/boathook/boathook/internal/memory"
	memoryaudit "github.com/boathook/boathook/internal/memory/audit"
	"github.com/boathook/boathook/internal/memory/forgotten"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// Options say what is forgotten, and where it stands.
type Options struct {
	Store     memory.Store
	Selection memory.Selection
	Worker    worker.Options
	Forgotten *forgotten.Book
	// Project is the key of the project that a directory is in; empty where it is in none.
	Project func(dir string) string
	// Transcripts lists the agents' own records that may hold the sessions; nil looks at none.
	Transcripts func(ctx context.Context, agents []string) []string
	Now         func() time.Time
}

// Report is what goes, or went.
type Report struct {
	memory.Removed
	// Events are those of the event store that go with it, Spooled those that were not stored yet, Files what was put aside, Lines those
	// of the audit log.
	Events  int  `json:"events"`
	Spooled int  `json:"spooled"`
	Files   int  `json:"files"`
	Lines   int  `json:"audit_lines"`
	DryRun  bool `json:"dry_run,omitempty"`
	// Absent says that of what was searched for nothing is left: Searched texts were, as samples of what went.
	Absent   bool `json:"absent"`
	Searched int  `json:"searched"`
	// Elsewhere are samples that other sessions say as well, which were not to be forgotten.
	Elsewhere int `json:"elsewhere,omitempty"`
	// Remains are files of the data directory that still hold a text which no row has.
	Remains []string `json:"remains,omitempty"`
	// Transcripts are the agents' own files in which it still stands.
	Transcripts []string `json:"transcripts,omitempty"`
	// Sessions are those that were touched; they are not printed.
	sessions map[string]memory.Session
}

// Touched counts the sessions that are touched, whole or in part.
func (r *Report) Touched() int { return len(r.sessions) }

// Forgetting is one that was looked at, and can be made.
type Forgetting struct {
	o       Options
	report  Report
	samples []string
	groups  []string
	origins map[string]bool
	// asked are queries of the log of searches that say a part of what goes.
	asked map[string]bool
	// said is what the rows that go say, by their session, where rows are chosen by what they are.
	said map[string][][]byte
}

// Plan looks at what would go. It changes nothing.
func Plan(ctx context.Context, o Options) (*Forgetting, error) {
	f := &Forgetting{o: o, report: Report{sessions: map[string]memory.Session{}, DryRun: true}, origins: map[string]bool{}, asked: map[string]bool{}, said: map[string][][]byte{}}
	dry := o.Selection
	dry.DryRun = true
	removed, err := o.Store.Forget(ctx, dry)
	if err != nil {
		return nil, err
	}
	f.report.Removed = removed
	for _, id := range removed.Origins {
		f.origins[id] = true
	}
	if err := f.look(ctx); err != nil {
		return nil, err
	}
	f.report.Events, f.report.Spooled, err = f.events(ctx)
	return f, err
}

// Report is what was found so far.
func (f *Forgetting) Report() *Report { return &f.report }

// Empty says that nothing would go.
func (f *Forgetting) Empty() bool {
	r := f.report
	return r.Sessions+r.Messages+r.ToolCalls+r.Chunks+r.Events+r.Spooled == 0
}

// tries is how often it is done again where a process that was writing brought something back.
const tries = 3

// Make makes it, and proves it. An error says what is not done yet; to make it again does no harm.
func (f *Forgetting) Make(ctx context.Context) error {
	r := &f.report
	r.DryRun = false
	if err := f.o.Forgotten.Add(f.entries()...); err != nil {
		return err
	}
	var total memory.Removed
	var purged store.Purged
	for try := 0; ; try++ {
		done, err := worker.PurgeMatching(ctx, f.o.Worker, f.matches)
		purged.Events, purged.Spooled, purged.Lingers = purged.Events+done.Events, purged.Spooled+done.Spooled, done.Lingers
		if err != nil {
			return err
		}
		removed, err := f.o.Store.Forget(ctx, f.o.Selection)
		if err != nil {
			return err
		}
		add(&total, removed)
		r.Removed, r.Events, r.Spooled = total, purged.Events, purged.Spooled
		lines, err := audit.Remove(f.o.Worker.DataDir, f.line)
		var said [][]byte
		for _, text := range f.samples {
			said = append(said, formsOf(text)...)
		}
		asked, aerr := memoryaudit.Log{Dir: f.o.Worker.DataDir}.Forget(func(line []byte) bool { return holds(line, said) || f.askedIn(line) })
		r.Lines += lines + asked
		err = errors.Join(err, aerr)
		files, ferr := f.files()
		r.Files += files
		if err := errors.Join(err, ferr); err != nil {
			return err
		}
		if err := f.prove(ctx); err != nil || r.Absent || try == tries {
			return err
		}
		select { // a batch that was on its way, or a reader that holds the log of a database
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(try+1) * 300 * time.Millisecond):
		}
	}
}

func add(to *memory.Removed, r memory.Removed) {
	to.Sessions += r.Sessions
	to.Messages += r.Messages
	to.ToolCalls += r.ToolCalls
	to.Chunks += r.Chunks
	if r.Pending != "" {
		to.Pending = r.Pending
	}
}

// entries are what has to be remembered, so that nothing comes back.
func (f *Forgetting) entries() []forgotten.Entry {
	s, now := f.o.Selection, f.o.Now()
	until := s.Until
	if until.IsZero() {
		until = now
	}
	var out []forgotten.Entry
	if !f.byRow() {
		for id := range f.report.sessions {
			out = append(out, forgotten.Entry{Kind: forgotten.Session, ID: id, Since: s.Since, Until: until})
		}
		switch {
		case s.Session != "":
			out = append(out, forgotten.Entry{Kind: forgotten.Session, ID: s.Session, Since: s.Since, Until: until})
		case s.AllProjects && s.Agent == "":
			out = append(out, forgotten.Entry{Kind: forgotten.All, Since: s.Since, Until: until})
		case s.Agent == "":
			for _, p := range s.Projects {
				out = append(out, forgotten.Entry{Kind: forgotten.Project, ID: p, Since: s.Since, Until: until})
			}
		}
		return out
	}
	for _, g := range f.groups {
		out = append(out, forgotten.Entry{Kind: forgotten.Row, ID: g})
	}
	for id := range f.report.sessions {
		out = append(out, forgotten.Entry{Kind: forgotten.Summary, ID: id})
	}
	return out
}

// byRow tells whether single rows are chosen, and not all that was said in a time.
func (f *Forgetting) byRow() bool {
	s := f.o.Selection
	return s.Text != "" || len(s.Rows) > 0 || s.Role != "" || s.Tool != "" || s.Status != "" || s.Tag != ""
}

func failed(what string, err error) error { return fmt.Errorf("forget: %s: %w", what, err) }
