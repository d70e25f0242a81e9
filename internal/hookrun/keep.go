package hookrun

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"syscall"
	"time"

	"github.com/boathook/boathook/hook"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/version"
)

// keepTime bounds the record: a disk that hangs must cost each hook a second, not the whole deadline.
const keepTime = time.Second

// keep writes the record of this run to the spool and wakes the worker. Nothing of it can change the answer.
func (r *run) keep(c call) {
	if r.settings.DataDir == "" {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }() // a record that cannot be made must not take the answer with it
		if err := r.write(c); err == nil {
			_ = r.env.Wake(r.settings.DataDir, r.args.config) // the next hook tries again
		}
	}()
	select {
	case <-done:
	case <-time.After(keepTime):
	}
}

func (r *run) write(c call) error {
	rec, err := r.record(c)
	if err != nil {
		return err
	}
	text, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	s := spool.Spool{Dir: filepath.Join(r.settings.DataDir, "spool"), MaxBytes: r.settings.SpoolMax, Fsync: r.settings.Fsync}
	err = s.Append(rec.ID, text)
	// Looking at the whole spool costs, so that one hook in 32 does it: the cap is kept within 32 events.
	if full := errors.Is(err, syscall.ENOSPC); full || c.SpanID[0] < '8' && c.SpanID[1]&3 == 0 {
		if dropped, _ := s.Enforce(); full && dropped > 0 {
			err = s.Append(rec.ID, text)
		}
	}
	return err
}

// record is the run as it may be kept: secrets masked, or in minimal privacy only hashes.
func (r *run) record(c call) (record.Record, error) {
	if c.ID == "" {
		c.ID, c.Time = newID(r.env.Now())
		c.SpanID = newSpanID()
	}
	key, err := loadKey(r.settings.DataDir)
	if err != nil {
		r.note("machine key: " + err.Error())
	}
	counts := redact.Counts{}
	mask, problems := redact.New(redactOptions(r.settings.Redact))
	for _, p := range problems {
		r.note("redact: " + p.Error())
	}
	for _, p := range r.settings.Problems {
		r.note("config: " + p)
	}
	rec := record.Record{
		V: record.Version, Decision: r.current(), Guard: c.guard,
		Hook: record.Hook{Version: version.String(), PayloadBytes: c.bytes, AgentLabel: r.label()},
	}
	rec.Event = r.kept(c, mask, key, counts)
	rec.Decision.Reason = mask.Text(rec.Decision.Reason, true, counts)
	if c.guard != nil {
		kept := *c.guard
		kept.Reason = mask.Text(kept.Reason, true, counts)
		rec.Guard = &kept
	}
	for _, n := range r.notes {
		rec.Notes = append(rec.Notes, mask.Text(n, true, counts))
	}
	if r.settings.Minimal {
		minimize(&rec, key)
	}
	if len(counts) > 0 {
		rec.Hook.Redactions = counts
	}
	rec.Hook.LatencyMS = float64(r.env.Now().Sub(r.env.Start).Microseconds()) / 1000
	return rec, nil
}

// kept decodes the event again, from the masked payload: whatever a decoder takes out of a payload is masked then.
func (r *run) kept(c call, mask *redact.Redactor, key machineKey, counts redact.Counts) hook.Event {
	e := hook.Event{Agent: r.host.ID, Event: r.event.Kind, HostEvent: r.event.Name}
	if raw := host.Raw(c.payload); raw != nil {
		masked, _ := lenient.Parse(mask.JSON(raw, counts))
		e = r.host.Decode(r.event, masked, host.Env{Dir: r.env.Dir})
	}
	e.ID, e.Time, e.SpanID = c.ID, c.Time, c.SpanID
	e.Project = mask.Text(c.Project, false, counts)
	e.HostEvent = mask.Text(e.HostEvent, false, counts)
	if e.Tool != nil && c.Tool != nil {
		e.Tool.InputHash = key.hash(string(c.Tool.Input))
	}
	return e
}
