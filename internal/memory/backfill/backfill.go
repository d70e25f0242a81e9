// Package backfill brings into memory what agents' own records tell of old sessions. It only reads those. It may be stopped at any
// instruction and begun again: a record is remembered as done once the store has all of it, and what is told twice changes nothing.
package backfill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/forgotten"
	"github.com/boathook/boathook/internal/memory/intake"
	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/internal/transcripts"
)

// Options say what is read, and where it goes.
type Options struct {
	// Store takes the rows; it may be nil in a dry run. Into names it, and what else would make another result: a record that one
	// store has is read again for another.
	Store     memory.Store
	Into      string
	Intake    *intake.Intake
	Forgotten *forgotten.Book
	DataDir   string
	// Home and Env say where the agents keep their records.
	Home string
	Env  paths.Lookup
	// Agent and Projects (their keys) choose; empty is all. Since leaves out what was said before, Floor what is too old to be kept.
	Agent        string
	Projects     []string
	Since, Floor time.Time
	// DryRun reads, and writes nothing; Again reads what is done as well.
	DryRun, Again bool
	Now           func() time.Time
	// Tell is called now and then; nil is never.
	Tell func(Progress)
}

// Progress is how far it is.
type Progress struct {
	Files, Done int
	// Bytes and Read are of the files that have to be read.
	Bytes, Read int64
	Agent       string
}

// Counts are figures of some records.
type Counts struct {
	Files     int `json:"files"`
	Unchanged int `json:"unchanged"`
	Sessions  int `json:"sessions"`
	Messages  int `json:"messages"`
	ToolCalls int `json:"tool_calls"`
	// New, Changed and Known are what the store made of them.
	New     int `json:"new"`
	Changed int `json:"changed"`
	Known   int `json:"known"`
	// Forgotten were left out since somebody had them forgotten, Left since they are nobody's words or excluded; Refused are those that the
	// store would not take.
	Forgotten int `json:"forgotten"`
	Left      int `json:"left"`
	Refused   int `json:"refused,omitempty"`
	// Skipped are lines that could not be read, Unknown those of a kind that this version doesn't know.
	Skipped int `json:"skipped_lines"`
	Unknown int `json:"unknown_lines"`
}

// Report is what came of it.
type Report struct {
	Counts
	Agents map[string]*Counts `json:"agents"`
	DryRun bool               `json:"dry_run,omitempty"`
	// Unread are files that could not be read, with why.
	Unread []string `json:"unread,omitempty"`
}

// Run reads the records, the oldest first. It stops with an error of the store, or of its own files: what was done stays done.
func Run(ctx context.Context, o Options) (r Report, err error) {
	b := &backfill{Options: o, report: Report{Agents: map[string]*Counts{}, DryRun: o.DryRun}, sessions: map[string]bool{}}
	if o.Forgotten == nil {
		return r, errors.New("backfill: what was forgotten is not known")
	}
	if b.state, err = readState(o.DataDir, o.Into); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, b.state.close()) }()
	if err := b.void(ctx); err != nil {
		return r, err
	}
	files := transcripts.Find(ctx, o.Home, o.Env, o.Agent, latest(o.Since, o.Floor))
	b.plan(files)
	for _, f := range files {
		if err := b.file(ctx, f); err != nil {
			return b.report, err
		}
	}
	return b.report, ctx.Err()
}

type backfill struct {
	Options
	state    *state
	report   Report
	sessions map[string]bool
	progress Progress
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// void forgets what is done where the store has nothing: it is another one than it was.
func (b *backfill) void(ctx context.Context) error {
	if b.Store == nil || b.Again {
		b.again(b.Again)
		return nil
	}
	s, err := b.Store.Stats(ctx, memory.Filter{AllProjects: true})
	if err != nil {
		return err
	}
	b.again(s.Sessions == 0)
	return nil
}

func (b *backfill) again(yes bool) {
	if yes {
		clear(b.state.done)
	}
}

func (b *backfill) plan(files []transcripts.File) {
	for _, f := range files {
		b.progress.Files++
		if !b.state.has(f) {
			b.progress.Bytes += f.Size
		}
	}
	b.tell("")
}

func (b *backfill) tell(agent string) {
	if b.progress.Agent = agent; b.Tell != nil {
		b.Tell(b.progress)
	}
}

// file reads one record.
func (b *backfill) file(ctx context.Context, f transcripts.File) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c := b.report.Agents[f.Agent]
	if c == nil {
		c = &Counts{}
		b.report.Agents[f.Agent] = c
	}
	defer func() {
		b.progress.Done++
		b.tell(f.Agent)
	}()
	c.Files++
	b.report.Files++
	if b.state.has(f) {
		c.Unchanged++
		b.report.Unchanged++
		return nil
	}
	var one Counts
	did, err := b.Intake.Transcript(ctx, f, b.reading(f), func(batch memory.Batch) error { return b.write(ctx, batch, &one) })
	b.progress.Read += f.Size
	one.Messages, one.ToolCalls = did.Messages, did.Calls
	one.Left, one.Skipped, one.Unknown = did.Left, did.Skipped, did.Unknown
	for _, id := range did.Sessions {
		if !b.sessions[id] {
			b.sessions[id] = true
			one.Sessions++
		}
	}
	c.add(one)
	b.report.add(one)
	var store *storeError
	switch {
	case errors.As(err, &store), ctx.Err() != nil:
		return errors.Join(err, ctx.Err())
	case err != nil:
		b.report.Unread = append(b.report.Unread, fmt.Sprintf("%s: %v", f.Path, err))
		return nil
	case b.DryRun, did.Limited > 0, one.Refused > 0:
		return nil
	}
	return b.state.add(f)
}

// reading says how a record is read. One that nobody has written to for an hour is complete.
func (b *backfill) reading(f transcripts.File) intake.Reading {
	how := intake.Reading{Since: b.Since, Floor: b.Floor}
	if b.Now().Sub(f.Changed) > unchanged {
		how.Closed, how.Until = true, f.Changed.Add(slack)
	}
	if len(b.Projects) > 0 {
		how.Keep = func(s memory.Session) bool { return slices.Contains(b.Projects, s.Project) }
	}
	return how
}

// storeError is an error of the store, or of what is asked before it.
type storeError struct{ error }

func (e *storeError) Unwrap() error { return e.error }

// write hands a batch to the store.
func (b *backfill) write(ctx context.Context, batch memory.Batch, c *Counts) error {
	batch, dropped, err := b.Forgotten.Filter(batch)
	if err != nil {
		return &storeError{err}
	}
	c.Forgotten += dropped
	if b.DryRun {
		return ctx.Err()
	}
	w, err := b.Store.Write(ctx, batch)
	if errors.Is(err, memory.ErrPoison) {
		return b.apart(ctx, batch, c)
	}
	if err != nil {
		return &storeError{err}
	}
	c.New, c.Changed, c.Known = c.New+w.New, c.Changed+w.Changed, c.Known+w.Known
	return nil
}

// apart writes the rows of a batch one by one, since the store refuses one of them.
func (b *backfill) apart(ctx context.Context, batch memory.Batch, c *Counts) error {
	one := func(p memory.Batch) error {
		w, err := b.Store.Write(ctx, p)
		switch {
		case errors.Is(err, memory.ErrPoison):
			c.Refused++
			return nil
		case err != nil:
			return &storeError{err}
		}
		c.New, c.Changed, c.Known = c.New+w.New, c.Changed+w.Changed, c.Known+w.Known
		return nil
	}
	for _, s := range batch.Sessions {
		if err := one(memory.Batch{Sessions: []memory.Session{s}}); err != nil {
			return err
		}
	}
	for _, m := range batch.Messages {
		if err := one(memory.Batch{Messages: []memory.Message{m}}); err != nil {
			return err
		}
	}
	for _, k := range batch.ToolCalls {
		if err := one(memory.Batch{ToolCalls: []memory.ToolCall{k}}); err != nil {
			return err
		}
	}
	if len(batch.Covers) > 0 {
		return one(memory.Batch{Covers: batch.Covers})
	}
	return nil
}

func (c *Counts) add(d Counts) {
	c.Sessions += d.Sessions
	c.Messages += d.Messages
	c.ToolCalls += d.ToolCalls
	c.New += d.New
	c.Changed += d.Changed
	c.Known += d.Known
	c.Forgotten += d.Forgotten
	c.Left += d.Left
	c.Refused += d.Refused
	c.Skipped += d.Skipped
	c.Unknown += d.Unknown
}
