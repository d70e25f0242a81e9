package hookrun

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/private"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
)

// toKeep finds what of a payload is to be kept, and whether something in it is private.
func (r *run) toKeep(c *call) {
	c.raw = r.ownTold(c)
	c.private = private.In(c.payload.Text)
	r.private.Store(c.private)
}

// public is a payload without what is marked as private: whoever judged the call has seen that, no record does.
func public(raw []byte, counts redact.Counts) []byte {
	out, n := private.Payload(raw)
	if n > 0 {
		counts["private"] += n
	}
	return out
}

// hidePrivate takes out of a record what others said of a payload with something private in it: they have seen all of it, and may quote
// it without its marks. What was decided, by whom and by which rule of the local policy stays.
func hidePrivate(rec *record.Record) {
	d := &rec.Decision
	if d.Reason != "" {
		d.Reason = private.Mark
	}
	if d.Source == "remote_guard" {
		d.Rule = ""
	}
	d.Input, d.Context = nil, ""
	if g := rec.Guard; g != nil {
		g.Reason, g.Rule = "", ""
	}
	for i := range rec.UserHooks {
		rec.UserHooks[i].Reason = ""
	}
	if p := rec.Policy; p != nil {
		p.Effects, p.Unsure, p.Problems = nil, nil, nil
	}
	rec.Notes = slices.DeleteFunc(rec.Notes, func(note string) bool { return strings.HasPrefix(note, "hook ") })
}

// publicCall is a call as a person is shown it who may let it pass.
func (r *run) publicCall(c *call) string {
	raw, _ := private.Payload(c.raw)
	ev := r.host.Decode(r.event, lenient.Parse(raw).Value, host.Env{Dir: r.env.Dir})
	switch {
	case ev.Tool == nil:
		return c.Tool.HostName + " " + private.Mark
	case ev.Tool.Command != "":
		return private.Text(ev.Tool.Command)
	}
	return ev.Tool.HostName + " " + private.Text(string(ev.Tool.Input))
}
