package hookrun

import (
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"strings"
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

// What may take how long. A disk that hangs must cost each hook a second, not the whole deadline; a payload made to be
// slow to mask must not keep its own event out of the record.
const (
	diskTime = time.Second
	maskTime = 2 * time.Second
)

// keep writes the record of this run to the spool and wakes the worker. Nothing of it can change the answer.
func (r *run) keep(c call) {
	if r.settings.DataDir == "" || r.purged() {
		return
	}
	var key machineKey
	if !within(diskTime, func() { key = r.key() }) {
		return // the disk hangs: there is nowhere to write to
	}
	rec := r.record(c, key)
	within(diskTime, func() {
		if err := r.write(rec, c.SpanID); err == nil {
			_ = r.env.Wake(r.settings.DataDir, r.args.config) // the next hook tries again
		}
	})
}

// purged tells whether the config that this hook was installed with has gone while it ran: then nothing may be written any
// more, or an uninstall would find its directories back.
func (r *run) purged() bool {
	return r.args.config != "" && !r.settings.Managed && !exists(r.args.config)
}

// within runs f and tells whether it ended in time; f goes on if not, so that the caller must not use what it writes. A
// panic in f counts as an end: no part of a record may take the answer with it.
func within(limit time.Duration, f func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		f()
	}()
	select {
	case <-done:
		return true
	case <-time.After(limit):
		return false
	}
}

func (r *run) key() machineKey {
	key, err := loadKey(r.settings.DataDir)
	if err != nil {
		r.note("machine key: " + err.Error())
	}
	return key
}

func (r *run) write(rec record.Record, spanID string) error {
	text, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	s := spool.Spool{Dir: filepath.Join(r.settings.DataDir, "spool"), MaxBytes: r.settings.SpoolMax, Fsync: r.settings.Fsync}
	err = s.Append(rec.ID, text)
	// Looking at the whole spool costs, so that one hook in 32 does it: the cap is kept within some 32 events.
	if full := errors.Is(err, syscall.ENOSPC); full || turn(spanID) {
		if dropped, _ := s.Enforce(); full && dropped > 0 {
			err = s.Append(rec.ID, text)
		}
	}
	return err
}

// turn picks one hook in 32, by the random span id.
func turn(spanID string) bool {
	return len(spanID) > 1 && spanID[0] < '8' && strings.IndexByte("048c", spanID[1]) >= 0 && spanID[2] < '4'
}

// record is the run as it may be kept: secrets masked, or in minimal privacy only hashes.
func (r *run) record(c call, key machineKey) record.Record {
	if c.ID == "" {
		c.ID, c.Time = newID(r.env.Now())
		c.SpanID = newSpanID()
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
	hide := func(s *string) { *s = mask.Text(*s, true, counts) }
	hide(&rec.Decision.Reason)
	hide(&rec.Decision.Rule)
	hide(&rec.Hook.AgentLabel)
	if c.guard != nil {
		kept := *c.guard
		hide(&kept.Reason)
		hide(&kept.Rule)
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
	return rec
}

// kept decodes the event again, from the masked payload: whatever a decoder takes out of a payload is masked then.
func (r *run) kept(c call, mask *redact.Redactor, key machineKey, counts redact.Counts) hook.Event {
	e := hook.Event{Agent: r.host.ID, Event: r.event.Kind, HostEvent: r.event.Name}
	if raw := r.masked(c.Raw, mask, counts); raw != nil {
		payload, _ := lenient.Parse(raw)
		e = r.host.Decode(r.event, payload, host.Env{Dir: r.env.Dir})
	}
	e.ID, e.Time, e.SpanID = c.ID, c.Time, c.SpanID
	e.Project = mask.Text(c.Project, false, counts)
	e.HostEvent = mask.Text(e.HostEvent, false, counts)
	if e.Tool != nil && c.Tool != nil {
		e.Tool.InputHash = key.hash(string(c.Tool.Input))
	}
	return e
}

// masked is the payload without its secrets, or nothing when that takes too long.
func (r *run) masked(raw []byte, mask *redact.Redactor, counts redact.Counts) []byte {
	if raw == nil {
		return nil
	}
	var out []byte
	found := redact.Counts{}
	if !within(maskTime, func() { out = mask.JSON(raw, found) }) {
		r.note("payload: masking took too long, the content is not kept")
		return nil
	}
	maps.Copy(counts, found)
	return out
}
