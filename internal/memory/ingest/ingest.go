package ingest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/forgotten"
	"github.com/boathook/boathook/internal/memory/intake"
	"github.com/boathook/boathook/internal/memory/project"
)

// Agent is that of lines which name none.
const Agent = "import"

// maxLine bounds a line; a batch has so many rows or bytes at most. maxBad is how many bad lines are named, all are counted.
const (
	maxLine    = 16 << 20
	batchRows  = 200
	batchBytes = 1 << 20
	maxBad     = 100
)

// Options say where lines go.
type Options struct {
	Store     memory.Store
	Intake    *intake.Intake
	Forgotten *forgotten.Book
	// Name is the file's, for what is wrong with its lines. Project is that of lines which name none.
	Name, Project string
	DryRun        bool
	// Tell is called now and then with how many lines were read; nil is never.
	Tell func(lines int)
}

// Report is what came of it.
type Report struct {
	Lines     int `json:"lines"`
	Messages  int `json:"messages"`
	ToolCalls int `json:"tool_calls"`
	New       int `json:"new"`
	Changed   int `json:"changed"`
	Known     int `json:"known"`
	Forgotten int `json:"forgotten"`
	// Left were excluded, or had nothing that may be kept. Bad could not be read: Problems names the first of them, by file:line and key.
	Left     int      `json:"left"`
	Bad      int      `json:"bad"`
	Problems []string `json:"problems,omitempty"`
}

// Read reads lines to their end. What is wrong with one costs that one. An error is of the input or of the store; what was written until
// then is there.
func Read(ctx context.Context, in io.Reader, o Options) (Report, error) {
	r := &reader{o: o, sessions: map[string]*memory.Session{}}
	lines := bufio.NewReaderSize(in, 256<<10)
	for n := 1; ; n++ {
		text, long, err := readLine(lines)
		text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
		switch {
		case long:
			r.report.Lines++
			r.bad(n, fmt.Errorf("it has more than %d MiB", maxLine>>20))
		case len(text) > 0:
			r.report.Lines++
			if werr := r.line(ctx, n, text); werr != nil {
				return r.report, werr
			}
		}
		if o.Tell != nil {
			o.Tell(r.report.Lines)
		}
		switch {
		case errors.Is(err, io.EOF):
			return r.report, r.flush(ctx)
		case err != nil:
			return r.report, fmt.Errorf("read %s: %w", o.Name, err)
		case ctx.Err() != nil:
			return r.report, ctx.Err()
		}
	}
}

// readLine reads a line, and passes over one that is too long.
func readLine(r *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if !long && len(line)+len(part) <= maxLine {
			line = append(line, part...)
		} else {
			long, line = true, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

type reader struct {
	o        Options
	report   Report
	batch    memory.Batch
	bytes    int
	sessions map[string]*memory.Session // of the batch
}

func (r *reader) bad(n int, err error) {
	if r.report.Bad++; len(r.report.Problems) < maxBad {
		r.report.Problems = append(r.report.Problems, fmt.Sprintf("%s:%d: %v", r.o.Name, n, err))
	}
}

func (r *reader) line(ctx context.Context, n int, text []byte) error {
	l, err := Parse(text)
	if err != nil {
		r.bad(n, err)
		return nil
	}
	key, root := r.project(l.Project)
	if r.o.Intake.Excluded(root, l.Project, key) {
		r.report.Left++
		return nil
	}
	agent := l.Agent
	if agent == "" {
		agent = Agent
	}
	session := memory.SessionID(agent, l.Session)
	kept := false
	if l.isCall() {
		var c memory.ToolCall
		if c, kept = r.o.Intake.Call(l.call(session)); kept {
			r.batch.ToolCalls = append(r.batch.ToolCalls, c)
			r.report.ToolCalls++
		}
	} else {
		var m memory.Message
		if m, kept = r.o.Intake.Message(agent, l.message(session)); kept {
			r.batch.Messages = append(r.batch.Messages, m)
			r.report.Messages++
		}
	}
	if !kept {
		r.report.Left++
		return nil
	}
	r.session(session, agent, key, root, l.TS)
	if r.bytes += len(text); len(r.batch.Messages)+len(r.batch.ToolCalls) < batchRows && r.bytes < batchBytes {
		return nil
	}
	return r.flush(ctx)
}

// project is the key of a line's project: a directory's, or that of a name.
func (r *reader) project(name string) (key, root string) {
	switch {
	case name == "" && r.o.Project != "":
		return r.o.Project, ""
	case name == "":
		return "", ""
	case strings.HasPrefix(name, projectMark):
		return strings.TrimPrefix(name, projectMark), ""
	case filepath.IsAbs(name):
		return r.o.Intake.Project(name, "")
	}
	return project.Named(name).Key, ""
}

// projectMark stands before a project's key, where an export knows nothing else of it.
const projectMark = "key:"

func (l Line) message(session string) memory.Message {
	return memory.Message{
		Session: session, Role: l.Role, Time: l.TS, Text: l.Text, Model: l.Model, TokensInput: l.TokensInput, TokensOutput: l.TokensOutput,
		TokensTotal: l.TokensTotal, Source: l.source(), Origin: l.ID,
	}
}

func (l Line) call(session string) memory.ToolCall {
	c := memory.ToolCall{
		Session: session, CallID: l.CallID, Tool: l.Tool, HostTool: l.HostTool, Kind: l.Kind, Status: l.Status, Command: l.Command, Paths: l.Paths,
		Args: l.Args, Result: l.Result, Output: l.Text, Error: l.Error, Time: l.TS, Source: l.source(), Origin: l.ID,
		Duration: time.Duration(l.DurationMS * float64(time.Millisecond)),
	}
	if c.HostTool == "" {
		c.HostTool = c.Tool
	}
	if c.Tool == "" {
		c.Tool, c.HostTool, c.Kind = "bash", "bash", "shell"
	}
	if len(c.Args) == 0 && c.Command != "" {
		c.Args, _ = json.Marshal(map[string]string{"command": c.Command}) // texts always marshal
	}
	return c
}

func (r *reader) session(id, agent, key, root string, at time.Time) {
	s := r.sessions[id]
	if s == nil {
		s = &memory.Session{ID: id, Agent: agent, Project: key, Root: root, Started: at}
		r.sessions[id] = s
	}
	if at.Before(s.Started) {
		s.Started = at
	}
	if at.After(s.Active) {
		s.Active = at
	}
}

// flush writes the batch. A row that the store refuses costs that row.
func (r *reader) flush(ctx context.Context) error {
	if len(r.sessions) == 0 {
		return nil
	}
	for _, s := range r.sessions {
		r.batch.Sessions = append(r.batch.Sessions, *s)
	}
	b := r.batch
	r.batch, r.bytes = memory.Batch{}, 0
	clear(r.sessions)
	b, dropped, err := r.o.Forgotten.Filter(b)
	r.report.Forgotten += dropped
	if err != nil || r.o.DryRun {
		return errors.Join(err, ctx.Err())
	}
	w, err := r.o.Store.Write(ctx, b)
	if err != nil {
		return err
	}
	r.report.New, r.report.Changed, r.report.Known = r.report.New+w.New, r.report.Changed+w.Changed, r.report.Known+w.Known
	return nil
}
