package hookrun

import (
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/audit"
	"github.com/boathook/boathook/internal/private"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
)

// lapTime is how long one part of a run took.
type lapTime struct {
	name string
	took time.Duration
}

// stopwatch times the parts of a run.
type stopwatch struct {
	last time.Time
	laps []lapTime
}

// lap ends a part. The watchdog may read the times meanwhile.
func (r *run) lap(name string) {
	now := r.env.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.times.last.IsZero() {
		r.times.last = r.env.Start
		r.times.laps = make([]lapTime, 0, 8)
	}
	r.times.laps = append(r.times.laps, lapTime{name, now.Sub(r.times.last)})
	r.times.last = now
}

func (r *run) laps() map[string]float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := map[string]float64{}
	for _, l := range r.times.laps {
		out[l.name] = float64(l.took.Microseconds()) / 1000
	}
	return out
}

// payloadText is the payload as the audit log may have it.
type payloadText struct {
	json  json.RawMessage
	text  string
	notes []string
}

// maskedText is the payload for the audit log, if there is one: masked, or nothing where only hashes are kept.
func (r *run) maskedText(c call, masked []byte, mask *redact.Redactor) payloadText {
	switch {
	case !r.settings.Audit.Enabled || r.settings.Minimal:
		return payloadText{}
	case c.payload.Sound():
		return payloadText{json: masked}
	}
	var out payloadText
	if !within(maskTime, func() { out.text = mask.Text(private.Text(readEscapes(string(r.ownText(c)))), true, redact.Counts{}) }) {
		return payloadText{notes: []string{"payload: masking took too long, the content is not kept"}}
	}
	return out
}

// readEscapes is broken JSON with the escapes of its texts read: a secret is found by what stands around it, and a line's beginning is one
// also where it is written \n. Escapes within escapes are read, too.
func readEscapes(s string) string {
	const depth = 3
	escapes := strings.NewReplacer(`\n`, "\n", `\r`, "\n", `\t`, "\t", `\"`, `"`, `\/`, "/", `\\`, `\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u0027`, "'", `\u0022`, `"`)
	for range depth {
		if !strings.Contains(s, `\`) {
			break
		}
		s = escapes.Replace(s)
	}
	return s
}

// audit writes this run's line where the user wants one, once the record is safe. The answer waits for it no longer than
// for any other disk.
func (r *run) audit(dir string, rec record.Record, p payloadText) {
	if !r.settings.Audit.Enabled {
		return
	}
	times := r.laps()
	times["total"] = r.latency()
	e := audit.Entry{
		Time: rec.Time, Version: rec.Hook.Version, PID: os.Getpid(), Argv: r.maskedArgs(),
		Payload: p.json, PayloadText: p.text, PayloadBytes: rec.Hook.PayloadBytes,
		Event: rec.Event, Guard: rec.Guard, UserHooks: rec.UserHooks, Decision: rec.Decision, AnswerBytes: len(r.answer().Stdout),
		Times: times, Notes: append(p.notes, rec.Notes...),
	}
	if !r.settings.Minimal { // the same answer, with the reason as it may be kept
		e.Answer = string(r.reply(rec.Decision).Stdout)
	}
	within(diskTime, func() { _ = audit.Append(dir, audit.Line(e), r.settings.Audit.MaxBytes) })
}

func (r *run) maskedArgs() []string {
	mask, _ := redact.New(redactOptions(r.settings.Redact))
	out := []string{"hook"}
	for _, arg := range r.argv {
		arg = mask.Text(arg, true, redact.Counts{})
		if r.settings.Minimal && !isWord(arg) {
			arg = "(hidden)"
		}
		out = append(out, arg)
	}
	return out
}
