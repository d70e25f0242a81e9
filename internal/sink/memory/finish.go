package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/intake"
)

// readWait is how long the record of one session may take.
const readWait = 2 * time.Minute

// finish does what is to be done once sessions are over, one after the other, and notes each.
func (t *taking) finish(ctx context.Context, keys []string) error {
	for _, key := range keys {
		if t.stopped {
			return nil
		}
		of := t.state.Sessions[key]
		read, err := t.close(ctx, of)
		if err != nil {
			if errors.Is(err, errEvents) {
				return err
			}
			return t.fail(ctx, err, 0)
		}
		delete(t.state.Sessions, key)
		counts := map[string]int64{}
		if read {
			counts[CountTranscripts] = 1
		}
		if err := t.move(ctx, t.cursor, counts); err != nil {
			t.state.Sessions[key] = of
			return err
		}
	}
	return nil
}

// errEvents marks an error of the event store.
var errEvents = errors.New("read events")

// over is a session that is to be finished, with what its events say of it.
type over struct {
	*session
	key, agent, id, path string
}

// close writes what was not told yet of one session, its agent's record, and its summary. Of one whose events are gone there is nothing to
// be done.
func (t *taking) close(ctx context.Context, of *session) (read bool, err error) {
	p, ok, err := t.events.Event(ctx, of.Event)
	if err != nil {
		return false, fmt.Errorf("%w: %w", errEvents, err)
	}
	if !ok {
		return false, nil
	}
	r := &p.Record
	o := over{of, rows.SessionID(r.Agent, r.SessionID), r.Agent, r.SessionID, r.TranscriptPath}
	b, err := t.unended(ctx, of)
	if err != nil {
		return false, err
	}
	if err := t.salvage(ctx, o.key, b); err != nil {
		return false, err
	}
	if read, err = t.record(ctx, o); err != nil {
		return false, err
	}
	return read, t.summary(ctx, o)
}

// unended are the calls that began and whose end nobody told.
func (t *taking) unended(ctx context.Context, of *session) (b rows.Batch, err error) {
	for _, c := range of.Open {
		p, ok, err := t.events.Event(ctx, c.ID)
		if err != nil {
			return b, fmt.Errorf("%w: %w", errEvents, err)
		}
		if !ok {
			continue
		}
		var one rows.Batch
		if !t.sink.Intake.Add(&one, intake.Told{Record: &p.Record}) {
			continue
		}
		if call, ok := t.sink.Intake.Unended(&p.Record); ok {
			b.Sessions, b.ToolCalls = one.Sessions, append(b.ToolCalls, call)
		}
	}
	return b, nil
}

// record reads the record that the session's agent keeps itself. One that can't be read is passed over: hooks have told most of it.
func (t *taking) record(ctx context.Context, of over) (done bool, err error) {
	read, err := t.reader(of)
	if err != nil {
		t.sink.Log.Info("the record of a session is not read", "agent", of.agent, "event", of.Event, "reason", t.reason(of, err))
	}
	if err != nil || read == nil {
		return false, nil
	}
	reading, cancel := context.WithTimeout(ctx, readWait)
	defer cancel()
	var failed error
	err = safely(reading, read, func(b rows.Batch) error {
		failed = t.salvage(ctx, of.key, b)
		return failed
	})
	switch {
	case failed != nil:
		return false, failed
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		t.sink.Log.Warn("the record of a session can't be read", "agent", of.agent, "event", of.Event, "reason", t.reason(of, err))
		return false, nil
	}
	return true, nil
}

// reading reads a record and hands its rows on.
type reading func(ctx context.Context, write func(rows.Batch) error) error

// reason is an error without what it could tell of the session: logs outlive what is forgotten.
func (t *taking) reason(of over, err error) string {
	text := t.sink.masked(err.Error())
	for _, own := range []string{of.path, of.id} {
		if own != "" {
			text = strings.ReplaceAll(text, own, "…")
		}
	}
	return text
}

// reader is how the record of a session is read; nil where there is none.
func (t *taking) reader(of over) (reading, error) {
	file, err := fileAt(t.sink.Home, of.agent, of.path)
	if err != nil {
		return nil, err
	}
	if file == nil {
		return t.activity(of)
	}
	how := intake.Reading{
		Until: of.last(),
		Keep:  func(s rows.Session) bool { return s.ID == of.key },
	}
	return func(ctx context.Context, write func(rows.Batch) error) error {
		_, err := t.sink.Intake.Transcript(ctx, *file, how, write)
		return err
	}, nil
}

// safely runs a reader that may panic: the form of a record is its agent's, and nothing of it may keep the sink from all else.
func safely(ctx context.Context, read reading, write func(rows.Batch) error) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("panic with %T", thrown)
		}
	}()
	return read(ctx, write)
}

// salvage writes rows, and puts aside those that the store refuses for good.
func (t *taking) salvage(ctx context.Context, key string, b rows.Batch) error {
	err := t.write(ctx, b)
	if err == nil || !errors.Is(err, rows.ErrPoison) {
		return err
	}
	n := len(b.Messages) + len(b.ToolCalls)
	if n <= 1 {
		if !t.sink.proven && t.cursor.Tries < patience {
			return err
		}
		t.sink.Log.Warn("memory refuses a row of a session's record: it is put aside", "file", BadFile)
		if err := t.sink.putAside(key, b, err); err != nil {
			return err
		}
		return t.events.AddCounter(ctx, CountRefused, 1)
	}
	first, second := halves(b)
	if err := t.salvage(ctx, key, first); err != nil {
		return err
	}
	return t.salvage(ctx, key, second)
}

// halves cuts a batch in two; what is said of the whole session goes with the second, the session with both.
func halves(b rows.Batch) (first, second rows.Batch) {
	n := (len(b.Messages) + len(b.ToolCalls)) / 2
	m := min(n, len(b.Messages))
	c := n - m
	first = rows.Batch{Sessions: b.Sessions, Messages: b.Messages[:m], ToolCalls: b.ToolCalls[:c]}
	second = rows.Batch{Sessions: b.Sessions, Messages: b.Messages[m:], ToolCalls: b.ToolCalls[c:], Covers: b.Covers}
	return first, second
}
