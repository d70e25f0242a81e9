package intake

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/transcripts"
)

// Reading says how a record of an agent's own is read.
type Reading struct {
	// Until is when the record was complete: all that was said before stands in it. Zero is the time of its last item.
	Until time.Time
	// Closed says that its sessions are over, as far as anybody can tell: they end with their last item.
	Closed bool
	// Keep says whether a session is wanted at all; nil wants all. It is asked once for each, by SessionID.
	Keep func(session memory.Session) bool
	// Since leaves out what was said before, Floor what is too old to be kept anyway; zero leaves out nothing.
	Since, Floor time.Time
}

// Reports is what came of reading a record.
type Reports struct {
	transcripts.Told
	// Messages and Calls are those that were handed on, Left those that are nobody's words or were excluded.
	Messages, Calls, Left int
	// Limited are those of other sessions than Keep wants, or from before Since: a reading without these limits would hand them on.
	Limited int
	// Sessions are those that were handed on.
	Sessions []string
}

// Batches of a reading have so many rows or bytes at most.
const (
	batchRows  = 200
	batchBytes = 1 << 20
)

// Transcript hands on what a record of an agent's own tells, in batches, each complete in itself: written again they change nothing.
// It stops with write's error.
func (in *Intake) Transcript(ctx context.Context, f transcripts.File, how Reading, write func(memory.Batch) error) (Reports, error) {
	r := reading{in: in, file: f, how: how, write: write, sessions: map[string]*told{}}
	did, err := f.Conversation(ctx, r.item)
	if err == nil {
		err = r.finish()
	}
	r.report.Told = did
	return r.report, err
}

// reading is one record that is being read.
type reading struct {
	in       *Intake
	file     transcripts.File
	how      Reading
	write    func(memory.Batch) error
	report   Reports
	sessions map[string]*told
	order    []*told
	batch    memory.Batch
	rows     int
	bytes    int
	last     time.Time
	calls    int
}

// told is a session that is being read.
type told struct {
	memory.Session
	kept, limited bool
	// main says that anything but a subagent's was read of it, told that anything was handed on.
	main, told bool
	// first is the first prompt.
	first string
}

func (r *reading) item(it transcripts.Item) error {
	if it.Session == "" {
		r.report.Left++
		return nil
	}
	if it.Time.IsZero() { // it stands behind what has one
		it.Time = r.last
	}
	if it.Time.IsZero() {
		it.Time = r.file.Changed
	}
	it.Time = it.Time.UTC()
	r.last = it.Time
	s := r.session(it)
	switch {
	case s.limited, s.kept && it.Time.Before(r.how.Since):
		r.report.Limited++
		return nil
	case !s.kept, it.Time.Before(r.how.Floor):
		r.report.Left++
		return nil
	}
	s.told = true
	switch {
	case it.Message != nil:
		r.message(s, it)
	case it.Use != nil:
		r.call(s, it)
	}
	if r.rows < batchRows && r.bytes < batchBytes {
		return nil
	}
	return r.flush()
}

// session is what is known of an item's session.
func (r *reading) session(it transcripts.Item) *told {
	id := memory.SessionID(r.file.Agent, it.Session)
	s := r.sessions[id]
	if s == nil {
		s = &told{Session: memory.Session{ID: id, Agent: r.file.Agent}}
		r.sessions[id] = s
		r.order = append(r.order, s)
		if it.CWD != "" {
			s.Project, s.Root = r.in.Project(it.CWD, "")
		}
		s.kept = !r.in.leavesOut(it.CWD, s.Root, s.Project)
		s.limited = s.kept && r.how.Keep != nil && !r.how.Keep(s.Session)
		if s.kept = s.kept && !s.limited; s.kept {
			r.report.Sessions = append(r.report.Sessions, id)
		}
	}
	if it.Subagent == "" {
		s.main = true
		if s.Started.IsZero() || it.Time.Before(s.Started) {
			s.Started = it.Time
		}
	}
	s.Active = latest(s.Active, it.Time)
	return s
}

func (r *reading) message(s *told, it transcripts.Item) {
	m := it.Message
	out := memory.Message{
		Session: s.ID, Role: m.Role, Time: it.Time, Text: m.Text, Content: m.Content, Model: m.Model,
		TokensInput: m.Input, TokensOutput: m.Output, TokensTotal: m.Tokens, Source: memory.FromTranscript, Origin: m.ID,
	}
	switch m.Generated {
	case "":
	case "command", "summary": // the agent's, about what its user did
		out.Role = memory.RoleSystem
	default:
		r.report.Left++
		return
	}
	if it.Subagent != "" { // they are in the calls that started it
		r.report.Left++
		return
	}
	out, ok := r.in.Message(r.file.Agent, out)
	if !ok {
		r.report.Left++
		return
	}
	if s.first == "" && out.Role == memory.RoleUser {
		s.first = out.Text
	}
	r.batch.Messages = append(r.batch.Messages, out)
	r.report.Messages++
	r.count(len(out.Text) + len(out.Content))
}

func (r *reading) call(s *told, it transcripts.Item) {
	u := it.Use
	r.calls++
	ev := u.Event()
	if ev.Tool == nil {
		r.report.Left++
		return
	}
	c := memory.ToolCall{
		Session: s.ID, CallID: u.ID, Tool: ev.Tool.Name, HostTool: ev.Tool.HostName, Kind: ev.Tool.Kind, Command: ev.Tool.Command,
		Paths: ev.Tool.Paths, Args: ev.Tool.Input, Status: u.Status, Result: u.Result, Error: u.Error, Time: it.Time,
		Duration: u.Duration, Source: memory.FromTranscript, Origin: u.ID,
	}
	if c.Output = Text(u.Result); u.Output != "" {
		c.Output = Text(whole(u.Output))
	}
	if c.Origin == "" {
		c.Origin = "call#" + strconv.Itoa(r.calls)
	}
	if len(c.Result) > 0 && !json.Valid(c.Result) {
		c.Result = nil
	}
	c, ok := r.in.Call(c)
	if !ok {
		r.report.Left++
		return
	}
	r.batch.ToolCalls = append(r.batch.ToolCalls, c)
	r.report.Calls++
	r.count(len(c.Args) + len(c.Result) + len(c.Output))
}

func (r *reading) count(bytes int) {
	r.rows++
	r.bytes += bytes
}

// flush hands on what there is, with the sessions that it is of.
func (r *reading) flush() error {
	if r.rows == 0 {
		return nil
	}
	of := map[string]bool{}
	for _, m := range r.batch.Messages {
		of[m.Session] = true
	}
	for _, c := range r.batch.ToolCalls {
		of[c.Session] = true
	}
	for _, s := range r.order {
		if of[s.ID] {
			r.batch.Sessions = append(r.batch.Sessions, s.Session)
		}
	}
	b := r.batch
	r.batch, r.rows, r.bytes = memory.Batch{}, 0, 0
	return r.write(b)
}

// finish says what the whole of a record shows: when its sessions were over, and until when it has all that was said.
func (r *reading) finish() error {
	if err := r.flush(); err != nil {
		return err
	}
	var b memory.Batch
	for _, s := range r.order {
		if !s.kept || !s.told {
			continue
		}
		if s.main && !r.file.Piece {
			if r.how.Closed {
				s.Ended = s.Active
			}
			if s.first != "" {
				s.Summary = r.in.Summary(firstLine(s.first))
			}
			until := r.how.Until
			if until.IsZero() {
				until = s.Active
			}
			b.Covers = append(b.Covers, memory.Cover{Session: s.ID, Until: until.UTC()})
		}
		b.Sessions = append(b.Sessions, s.Session)
	}
	if len(b.Sessions) == 0 {
		return nil
	}
	return r.write(b)
}

// firstLine is the first line of a prompt that says anything.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			return line
		}
	}
	return text
}
