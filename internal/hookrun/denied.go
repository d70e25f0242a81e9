package hookrun

import (
	"fmt"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/pending"
	"github.com/boathook/boathook/internal/private"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
)

// loopAt is how often a session may be denied the same call before it is told to stop.
const loopAt = 5

// remember keeps a call that the local policy denies, so that a person can lift it, and lets one pass that was lifted. An ask that the
// agent cannot make safely is a deny here. No other call comes this way, so that nothing else costs them.
func (r *run) remember(c *call, d record.Decision) record.Decision {
	said, _ := r.host.Express(r.event, canon.Decision{Action: d.Action, Reason: d.Reason, Input: d.Input})
	if said.Action != canon.Deny || c.Tool == nil || r.settings.DataDir == "" || r.purged() {
		return d
	}
	place, ok := r.open()
	if !ok || place.err != nil || place.keyErr != nil {
		return d // there is nowhere to keep it: a deny it is
	}
	kept := pending.Store{Dir: place.dir, Now: r.env.Now}
	e := pending.Entry{
		Key: place.key.Hash(r.identity(c)), Agent: r.host.ID, Tool: c.Tool.Name, Rule: d.Rule, Locked: d.Locked,
	}
	gate := r.event.Name
	if !e.Locked && r.lifted(kept, e.Key, place.key.Hash(pending.Line(c.Event)), gate) {
		c.policy.AllowedOnce = true
		r.note("policy: a person allowed this call once")
		return record.Decision{}
	}
	r.describe(&e, c, d)
	times := 0
	var err error
	if !within(diskTime, func() { times, err = kept.Deny(e, place.key.Hash(c.SessionID)) }) || err != nil {
		return d
	}
	return r.firmer(c, d, times, e.Locked)
}

// lifted tells whether a person allowed the call. One call may come to several gates of an agent: what passed the first passes the
// others.
func (r *run) lifted(kept pending.Store, key, line, gate string) bool {
	is := false
	return within(diskTime, func() {
		is = kept.Consume(key)
		if is {
			kept.Pass(line, gate)
		} else {
			is = kept.Passed(line, gate)
		}
	}) && is
}

// describe fills in what a person reads of the call; where only hashes are kept, that is its names alone.
func (r *run) describe(e *pending.Entry, c *call, d record.Decision) {
	if r.settings.Minimal {
		return
	}
	mask, _ := redact.New(redactOptions(r.settings.Redact)) // its problems are said where the record is made
	what, reason := c.Tool.Command, d.Reason
	if what == "" {
		what = c.Tool.HostName + " " + string(c.Tool.Input)
	}
	if c.private {
		what, reason = r.publicCall(c), private.Mark
	}
	const most = 4 << 10
	if len(what) > most {
		what = what[:most]
	}
	within(maskTime, func() {
		e.What = mask.Text(what, true, redact.Counts{})
		e.Reason = mask.Text(reason, true, redact.Counts{})
		e.CWD = mask.Text(c.CWD, false, redact.Counts{})
	})
}

// firmer is the decision for the model that has tried this so often.
func (r *run) firmer(c *call, d record.Decision, times int, locked bool) record.Decision {
	switch {
	case times >= loopAt:
		c.policy.Loop = times
		d.Mark = "loop"
		d.Reason = fmt.Sprintf("%s. This very call has been denied %d times in this session. Stop: do not try it again, nor the same in another form. "+
			"Tell the user what you wanted to do and why, and ask how to go on.", strings.TrimRight(d.Reason, ". "), times)
		r.note(fmt.Sprintf("loop: the session was denied this call %d times", times))
	case !locked:
		d.Reason += " (the user can allow this call once from a terminal of their own: boathook pending)"
	}
	return d
}
