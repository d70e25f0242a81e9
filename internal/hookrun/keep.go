package hookrun

import (
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/bounded"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/machinekey"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/version"
)

// What may take how long. A disk that hangs must cost each hook a second, not the whole deadline; a payload made to be
// slow to mask must not keep its own event out of the record.
var (
	diskTime = time.Second // longer in tests
	maskTime = 2 * time.Second
)

// keep writes the record of this run to the spool and wakes the worker. Nothing of it can change the answer.
func (r *run) keep(c call) {
	if r.settings.DataDir == "" || r.purged() {
		return
	}
	d, ok := r.open()
	if !ok || d.err != nil {
		return // there is nowhere to write to: the disk hangs, or root may not write there and cannot act as the owner
	}
	if d.keyErr != nil {
		r.note("machine key: " + d.keyErr.Error())
	}
	if c.ID == "" {
		stamp(&c.Event, r.env.Now())
	}
	if c.Project == "" {
		r.findProject(&c)
	}
	r.noteSwitches(c)
	r.noteChanges(c, d.dir)
	r.notePolicy(c)
	rec, masked := r.record(c, d.key)
	text := r.encode(rec)
	r.lap("redact")
	if r.keeping.Swap(true) {
		return // the watchdog was quicker
	}
	r.idle = r.settings.Flush > 0 && r.ended(c)
	if err := r.write(d.dir, c.ID, text, c.SpanID); err == nil {
		r.worker = Worker{DataDir: d.dir, Config: r.args.config, Environment: r.settings.TrustEnv, DSNEnv: r.settings.Memory.DSNEnv}
		_ = r.env.Wake(r.worker) // the next hook tries again
	}
	r.lap("spool")
	r.audit(d.dir, rec, masked)
}

// dataPlace is a data directory with the key in it.
type dataPlace struct {
	dir         string
	key         machinekey.Key
	err, keyErr error
}

// open gets at the data, and tells whether the disk answered in time.
func (r *run) open() (dataPlace, bool) {
	r.opening.Lock()
	defer r.opening.Unlock()
	if r.at != nil {
		return *r.at, true
	}
	var d dataPlace
	ok := within(diskTime, func() {
		if d.dir, d.err = r.dataDir(); d.err == nil {
			d.key, d.keyErr = machinekey.Load(d.dir)
		}
	})
	if !ok {
		return dataPlace{}, false // d is not ours to read
	}
	r.at = &d
	return d, true
}

// dataDir is where this hook writes: not as root in what is another's or what another's config says, and not on a network
// filesystem. What the mount table says of the directory comes first: one that hangs is not even looked at.
func (r *run) dataDir() (string, error) {
	at, mounts := r.settings.DataDir, r.mountTable()
	owners := []string{r.settings.Path, at}
	if mounts.Far(at) || mounts.Stuck(at) != "" {
		owners = owners[:1]
	}
	if r.env.Yield != nil {
		if err := r.env.Yield(owners...); err != nil {
			return "", err
		}
	}
	if local, moved, _ := mounts.Make(r.settings.Path, at); moved {
		return local, nil
	}
	return at, nil // where there is no other place, it is that one
}

// keepLate is the watchdog's record of a run that did not get to its own: what is known without the payload.
func (r *run) keepLate() {
	if r.settings.DataDir == "" || r.keeping.Swap(true) {
		return
	}
	within(diskTime, func() {
		dir, err := r.dataDir()
		if err != nil {
			return
		}
		c := r.bare()
		stamp(&c.Event, r.env.Now())
		mask, _ := redact.New(redactOptions(r.settings.Redact)) // its problems are for a record with notes
		c.HostEvent = mask.Text(c.HostEvent, false, redact.Counts{})
		rec := record.Record{
			V: record.Version, Event: c.Event, Decision: r.current(), UserHooks: r.hookRecords(mask),
			Recall: r.recallRecord(func(s *string) { *s = mask.Text(*s, true, redact.Counts{}) }),
			Hook:   record.Hook{Version: version.String(), LatencyMS: r.latency()},
			Notes:  []string{"watchdog: hook.deadline_ms was over before the event was judged and kept; its content is lost"},
		}
		rec.Decision.Reason, rec.Decision.Input, rec.Decision.Context = mask.Text(rec.Decision.Reason, true, redact.Counts{}), nil, ""
		r.reduce(&rec, r.private.Load(), nil) // looking for the key may be what hangs
		if err := r.write(dir, c.ID, r.encode(rec), c.SpanID); err == nil {
			_ = r.env.Wake(Worker{DataDir: dir, Config: r.args.config, Environment: r.settings.TrustEnv, DSNEnv: r.settings.Memory.DSNEnv})
		}
		r.audit(dir, rec, payloadText{})
	})
}

// maxRecord is the largest record that is kept with its content; a payload stands in it twice, as it came and decoded.
const maxRecord = 32 << 20

// encode never fails: a record that does not marshal, or is too large, is kept without what makes it so.
func (r *run) encode(rec record.Record) []byte {
	if text, err := rec.Append(nil); err == nil && len(text) <= maxRecord {
		return text
	}
	rec.Raw, rec.Prompt, rec.Response, rec.Notification = nil, "", "", nil
	if t := rec.Tool; t != nil {
		rec.Tool = &canon.Tool{Name: t.Name, HostName: t.HostName, Kind: t.Kind, InputHash: t.InputHash, Status: t.Status, MCP: t.MCP}
	}
	rec.Notes = append(rec.Notes, "payload: the record would be larger than 32 MiB, the content is not kept")
	text, _ := rec.Append(nil) // nothing is left that could fail
	return text
}

func (r *run) latency() float64 {
	return float64(r.env.Now().Sub(r.env.Start).Microseconds()) / 1000
}

// purged tells whether the config that this hook was installed with has gone while it ran: then nothing may be written any
// more, or an uninstall would find its directories back.
func (r *run) purged() bool {
	return r.args.config != "" && !r.settings.Managed && !exists(r.args.config)
}

// within runs f and tells whether it ended in time; f goes on if not, so that the caller must not use what it writes. A
// panic in f counts as an end: no part of a record may take the answer with it.
func within(limit time.Duration, f func()) bool { return bounded.Do(limit, f) }

func (r *run) write(dir, id string, text []byte, spanID string) error {
	s := spool.Spool{Dir: filepath.Join(dir, "spool"), MaxBytes: r.settings.SpoolMax, Fsync: r.settings.Fsync}
	err := s.Append(id, text)
	// Looking at the whole spool costs, so that one hook in 32 does it: the cap is kept within some 32 events.
	if full := errors.Is(err, syscall.ENOSPC); full || turn(spanID) {
		if dropped, _ := s.Enforce(); full && dropped > 0 {
			err = s.Append(id, text)
		}
	}
	if err != nil {
		_ = s.CountFailed() // it needs no room; where it cannot be counted either there is nobody to tell
	}
	return err
}

// turn picks one hook in 32, by the random span id.
func turn(spanID string) bool {
	return len(spanID) > 1 && spanID[0] < '8' && strings.IndexByte("048c", spanID[1]) >= 0 && spanID[2] < '4'
}

// record is the run as it may be kept: secrets masked, or in minimal privacy only hashes.
// The payload beside it is for the audit log.
func (r *run) record(c call, key machinekey.Key) (record.Record, payloadText) {
	counts := redact.Counts{}
	mask, problems := redact.New(redactOptions(r.settings.Redact))
	for _, p := range problems {
		r.note("redact: " + p.Error())
	}
	for _, p := range r.settings.Problems {
		r.note("config: " + p)
	}
	if lost := r.unsaid(); lost != "" {
		r.note(lost + " was not passed on: " + r.host.Title + " takes none at " + r.event.Name)
	}
	rec := record.Record{
		V: record.Version, Decision: r.current(), Guard: c.guard, UserHooks: r.hookRecords(mask),
		Hook: record.Hook{Version: version.String(), PayloadBytes: c.bytes, AgentLabel: r.label()},
	}
	e, raw := r.kept(c, mask, key, counts)
	rec.Event = e
	masked := r.maskedText(c, raw, mask)
	r.joinTrace(&rec.Event, mask)
	hide := func(s *string) { *s = mask.Text(*s, true, counts) }
	hide(&rec.Decision.Reason)
	hide(&rec.Decision.Context)
	rec.Decision.Input = r.masked(rec.Decision.Input, mask, counts)
	hide(&rec.Decision.Rule)
	hide(&rec.Hook.AgentLabel)
	if c.guard != nil {
		kept := *c.guard
		hide(&kept.Reason)
		hide(&kept.Rule)
		rec.Guard = &kept
	}
	rec.Policy = keptPolicy(c.policy, hide)
	rec.Recall = r.recallRecord(hide)
	for _, n := range r.notes {
		rec.Notes = append(rec.Notes, mask.Text(n, true, counts))
	}
	r.reduce(&rec, c.private, key)
	if len(counts) > 0 {
		rec.Hook.Redactions = counts
	}
	rec.Hook.LatencyMS = r.latency()
	return rec, masked
}

// reduce leaves in a record what may stand there.
func (r *run) reduce(rec *record.Record, private bool, key machinekey.Key) {
	if private {
		hidePrivate(rec)
	}
	if r.settings.Minimal {
		minimize(rec, key)
	}
}

// kept decodes the event again, from the masked payload: whatever a decoder takes out of a payload is masked then.
func (r *run) kept(c call, mask *redact.Redactor, key machinekey.Key, counts redact.Counts) (canon.Event, []byte) {
	e := canon.Event{Agent: r.host.ID, Event: r.event.Kind, HostEvent: r.event.Name}
	raw := r.payload(c, mask, counts)
	if raw != nil {
		e = r.host.Decode(r.event, lenient.Parse(raw).Value, host.Env{Dir: r.env.Dir})
	}
	e.ID, e.Time, e.SpanID = c.ID, c.Time, c.SpanID
	e.CWD = mask.Text(e.CWD, false, counts) // it may be the process's own, which no payload was masked for
	e.Project = mask.Text(c.Project, false, counts)
	e.HostEvent = mask.Text(e.HostEvent, false, counts)
	if e.Tool != nil && c.Tool != nil {
		e.Tool.InputHash = key.Hash(string(c.Tool.Input))
	}
	return e, raw
}

// masking is the payload on its way to be kept, while the call is judged: neither needs the other.
type masking struct {
	done chan struct{}
	out  []byte
	// counts are what was masked.
	counts redact.Counts
}

func (r *run) startMasking(raw []byte) *masking {
	if raw == nil || r.settings.DataDir == "" {
		return nil
	}
	mask, _ := redact.New(redactOptions(r.settings.Redact)) // its problems are said where the record is made
	m := &masking{done: make(chan struct{}), counts: redact.Counts{}}
	go func() {
		defer close(m.done)
		defer func() { _ = recover() }() // then nothing of the payload is kept
		m.out = mask.JSON(public(raw, m.counts), m.counts)
	}()
	return m
}

// payload is the payload without its secrets, or nothing where masking takes too long.
func (r *run) payload(c call, mask *redact.Redactor, counts redact.Counts) []byte {
	if c.masking == nil {
		return r.masked(public(c.raw, counts), mask, counts)
	}
	if !within(maskTime, func() { <-c.masking.done }) {
		r.note("payload: masking took too long, the content is not kept")
		return nil
	}
	maps.Copy(counts, c.masking.counts)
	return c.masking.out
}

// masked is a JSON text without its secrets, or nothing when that takes too long.
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
