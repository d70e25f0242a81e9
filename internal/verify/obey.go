package verify

import (
	"encoding/json"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/correlate"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// denied are the calls of one session that were denied.
type denied struct{ calls []deniedCall }

type deniedCall struct{ callID, tool, hash, reason string }

// maxDenied bounds what is remembered of one session.
const maxDenied = 1024

// obeyed follows what agents made of decisions. A denied call has no end: an after-event of it says that the agent ran it
// all the same. Only an after-event for which no call was open can be a denied call's (correlate has paired the others).
func (h *HostReport) obeyed(p store.Placed, at seen) {
	r := &p.Record
	switch {
	case isGate(h.host, r.HostEvent) && r.Tool != nil:
		h.decided(r)
	case isAfter(r.Event.Event) && p.Place.Pairing.Proven():
		h.Contract.Ran++
	case isAfter(r.Event.Event) && p.Place.Pairing == correlate.Unmatched:
		if s := h.sessions[r.SessionID]; s != nil && s.take(r) {
			h.Contract.NotObeyed++
			h.find(Finding{Kind: DenyDisobeyed, Event: eventName(r.HostEvent), Text: "a call that was denied has ended as if it had run"}, at)
		}
	}
}

func (h *HostReport) decided(r *record.Record) {
	switch r.Decision.Expressed {
	case canon.Allow:
		h.Contract.Allowed++
	case canon.Deny:
		h.Contract.Denied++
		if r.SessionID == "" {
			return
		}
		s := h.sessions[r.SessionID]
		if s == nil {
			s = &denied{}
			h.sessions[r.SessionID] = s
		}
		s.calls = append(s.calls, deniedCall{r.CallID, r.Tool.HostName, r.Tool.InputHash, r.Decision.Reason})
		s.calls = s.calls[max(0, len(s.calls)-maxDenied):]
	}
}

// take finds the denied call that an after-event is of, and forgets it.
func (d *denied) take(r *record.Record) bool {
	if refused(r) {
		return false
	}
	for i, c := range d.calls {
		byID := c.callID != "" && c.callID == r.CallID
		byInput := r.Tool != nil && (c.callID == "" || r.CallID == "") && c.hash != "" && c.tool == r.Tool.HostName && c.hash == r.Tool.InputHash
		if (byID || byInput) && c.told(r) {
			return false
		}
		if byID || byInput {
			d.calls = append(d.calls[:i:i], d.calls[i+1:]...)
			return true
		}
	}
	return false
}

// told tells an end that is the deny itself: some agents report the call as one that failed with the reason (opencode
// 1.18.33).
func (c deniedCall) told(r *record.Record) bool {
	return c.reason != "" && r.Tool != nil && r.Tool.Status == "error" && strings.Contains(r.Tool.Error, c.reason)
}

// refused tells an after-event that says itself that the call was not run: an agent may report its own refusal so. Where
// it can't be read what it says, it gets the benefit of the doubt.
func refused(r *record.Record) bool {
	text, failed := "", false
	switch {
	case r.Tool != nil:
		text, failed = r.Tool.Error, r.Tool.Status == "error"
	case len(r.Raw) > 0:
		var p struct{ Error string }
		failed = json.Unmarshal(r.Raw, &p) == nil && p.Error != ""
		text = p.Error
	default:
		return true
	}
	text = strings.ToLower(text)
	return failed && (r.Hook.Privacy == "minimal" || strings.Contains(text, "denied") || strings.Contains(text, "blocked"))
}
