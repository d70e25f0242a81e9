package forget

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// Samples: so many texts of what goes are searched for afterwards, each a line of so many bytes.
const (
	maxSamples = 24
	minSample  = 20
	maxSample  = 120
	perPage    = 500
	// Of the log of searches so many lines are looked at, and queries of so many bytes.
	maxQueries = 2000
	minQuery   = 4
)

// look reads the rows that go: for their sessions, for what they are remembered by, and for samples of what they say.
func (f *Forgetting) look(ctx context.Context) error {
	if text := f.o.Selection.Text; text != "" {
		f.samples = append(f.samples, text)
	}
	queries, err := f.queries()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	n, next := 0, 1
	err = f.rows(ctx, func(e memory.Entry) {
		var id, session string
		var texts []string
		switch {
		case e.Message != nil:
			id, session, texts = e.Message.ID, e.Message.Session, []string{e.Message.Text}
		case e.Call != nil:
			c := e.Call
			id, session, texts = c.ID, c.Session, []string{c.Command, c.Output, c.Error, string(c.Args)}
		default:
			return
		}
		f.sayings(queries, session, texts)
		f.report.sessions[session] = memory.Session{ID: session, Project: e.Project, Agent: e.Agent}
		if f.byRow() {
			f.groups = append(f.groups, merge.Group(id))
		}
		// Samples of all of it: the farther on, the rarer.
		if n++; n < next || f.o.Selection.Text != "" {
			return
		}
		if s := sample(texts); s != "" && !seen[s] {
			seen[s] = true
			f.samples = append(f.samples, s)
			next = n + 1 + n/4
			if len(f.samples) > maxSamples {
				f.samples = f.samples[1:]
			}
		}
	})
	if err != nil {
		return failed("read what is to go", err)
	}
	return f.empties(ctx)
}

// empties adds sessions without rows.
func (f *Forgetting) empties(ctx context.Context) error {
	if f.byRow() {
		return nil
	}
	for at := memory.Page(""); ; {
		list, next, err := f.o.Store.Sessions(ctx, f.o.Selection.Filter, at, perPage)
		if err != nil {
			return failed("read the sessions", err)
		}
		for _, s := range list {
			if _, known := f.report.sessions[s.ID]; !known && within(f.o.Selection.Filter, s.Started) {
				f.report.sessions[s.ID] = s
			}
		}
		if at = next; at == "" {
			return nil
		}
	}
}

func within(f memory.Filter, at time.Time) bool {
	return (f.Since.IsZero() || !at.Before(f.Since)) && (f.Until.IsZero() || at.Before(f.Until))
}

// rows calls each with the rows that the selection names.
func (f *Forgetting) rows(ctx context.Context, each func(memory.Entry)) error {
	s := f.o.Selection
	if len(s.Rows) > 0 {
		list, err := f.o.Store.Get(ctx, s.Filter, s.Rows)
		for _, e := range list {
			each(e)
		}
		return err
	}
	for at := memory.Page(""); ; {
		list, next, err := f.o.Store.Entries(ctx, s.Filter, at, perPage)
		if err != nil {
			return err
		}
		for _, e := range list {
			if s.Text == "" || contains(e, s.Text) {
				each(e)
			}
		}
		if at = next; at == "" {
			return nil
		}
	}
}

// contains tells whether a row has a text anywhere.
func contains(e memory.Entry, text string) bool {
	line, err := json.Marshal(e)
	return err == nil && holds(line, formsOf(text))
}

// sample is a line of what is said that nobody else is likely to say.
func sample(texts []string) string {
	best := ""
	for _, text := range texts {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if len(line) > maxSample {
				line = strings.ToValidUTF8(line[:maxSample], "")
			}
			if len(line) >= minSample && len(line) > len(best) {
				best = line
			}
		}
	}
	return best
}

// formsOf are the forms in which a text may stand in a file: as it is, and as JSON has it, once and within a string of JSON.
func formsOf(text string) [][]byte {
	if text == "" {
		return nil
	}
	out := [][]byte{[]byte(text)}
	seen := map[string]bool{text: true}
	for _, escape := range []bool{false, true} {
		form := text
		for range 2 {
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(escape)
			if e.Encode(form) != nil {
				break
			}
			form = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(b.String()), `"`), `"`)
			if !seen[form] {
				seen[form] = true
				out = append(out, []byte(form))
			}
		}
	}
	return out
}

func holds(line []byte, forms [][]byte) bool {
	for _, form := range forms {
		if bytes.Contains(line, form) {
			return true
		}
	}
	return false
}

// events counts those that go, stored and waiting.
func (f *Forgetting) events(ctx context.Context) (stored, spooled int, err error) {
	w := f.o.Worker
	names, err := w.Spool.Pending()
	if err != nil {
		return 0, 0, err
	}
	for _, name := range names {
		if b, err := w.Spool.Read(name); err == nil && f.matches(b) {
			spooled++
		}
	}
	s, err := store.OpenReadOnly(ctx, worker.StorePath(w.DataDir))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, spooled, nil
	}
	if err != nil {
		return 0, spooled, err
	}
	defer func() { _ = s.Close() }() // it was only read
	err = s.Each(ctx, store.Filter{}, func(_ int64, line []byte) error {
		if f.matches(line) {
			stored++
		}
		return ctx.Err()
	})
	return stored, spooled, err
}

// event is what of a stored event says whether it goes.
type event struct {
	ID, Agent, CWD, Project string
	Time                    time.Time
	Session                 string `json:"session_id"`
}

// matches tells whether an event goes: it told of a row that goes, or it is of a session or project and time that do, or it says the text.
func (f *Forgetting) matches(line []byte) bool {
	var e event
	if json.Unmarshal(line, &e) != nil {
		return false // nobody can say what it is of
	}
	return f.event(e, line)
}

func (f *Forgetting) event(e event, line []byte) bool {
	s := f.o.Selection
	if f.origins[e.ID] {
		return true
	}
	id := memory.SessionID(e.Agent, e.Session)
	if holds(line, f.said[id]) {
		return true
	}
	switch {
	case s.Session != "" && s.Session != id, s.Agent != "" && s.Agent != e.Agent, !within(s.Filter, e.Time), len(s.Rows) > 0:
		return false
	case s.Session == "" && !s.AllProjects:
		if _, known := f.report.sessions[id]; !known && !f.inProjects(e) {
			return false
		}
	}
	if s.Text != "" {
		return holds(line, formsOf(s.Text))
	}
	return !f.byRow()
}

// inProjects tells whether an event is of the chosen projects.
func (f *Forgetting) inProjects(e event) bool {
	dir := e.CWD
	if dir == "" {
		dir = e.Project
	}
	if dir == "" || f.o.Project == nil {
		return false
	}
	key := f.o.Project(dir)
	for _, p := range f.o.Selection.Projects {
		if p == key {
			return true
		}
	}
	return false
}

// line is matches for a line of the audit log.
func (f *Forgetting) line(text []byte) bool {
	var l struct{ Event event }
	return json.Unmarshal(text, &l) == nil && f.event(l.Event, text)
}
