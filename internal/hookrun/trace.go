package hookrun

import (
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/redact"
)

// joinTrace takes the trace that the agent runs in, where its environment names one. A repository's .env may have named
// it: it is an identifier and decides nothing, and a state that looks like a secret is left out.
func (r *run) joinTrace(e *canon.Event, mask *redact.Redactor) {
	text, ok := r.env.Lookup("TRACEPARENT")
	if !ok {
		return
	}
	if e.TraceParent = traceParent(text); e.TraceParent == "" {
		return
	}
	state, _ := r.env.Lookup("TRACESTATE")
	if state = traceState(state); state != "" && mask.Text(state, false, redact.Counts{}) == state {
		e.TraceState = state
	}
}

// traceParent is a valid header of W3C Trace Context, level 1, else nothing. Of a later version that begins in the same way
// it is the part that version 00 knows.
func traceParent(s string) string {
	const length = 55 // 00-<32>-<16>-01
	if len(s) < length || s[2] != '-' || s[35] != '-' || s[52] != '-' {
		return ""
	}
	version, trace, parent, flags := s[:2], s[3:35], s[36:52], s[53:55]
	for _, part := range []string{version, trace, parent, flags} {
		if strings.Trim(part, "0123456789abcdef") != "" {
			return ""
		}
	}
	switch {
	case version == "ff", strings.Trim(trace, "0") == "", strings.Trim(parent, "0") == "":
		return ""
	case len(s) > length && (version == "00" || s[length] != '-'):
		return ""
	}
	return "00" + s[2:length]
}

// The bounds of W3C Trace Context, level 1, section 3.3.
const (
	maxState   = 512
	maxMembers = 32
)

// traceState is a valid list, without the blanks that may stand around its members, else nothing.
func traceState(s string) string {
	if len(s) > maxState {
		return ""
	}
	var members []string
	seen := map[string]bool{}
	for m := range strings.SplitSeq(s, ",") {
		m = strings.Trim(m, " \t")
		if m == "" {
			continue // allowed
		}
		key, value, ok := strings.Cut(m, "=")
		if !ok || !stateKey(key) || !stateValue(value) || seen[key] || len(members) == maxMembers {
			return ""
		}
		seen[key] = true
		members = append(members, m)
	}
	return strings.Join(members, ",")
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	digits = "0123456789"
)

func stateKey(key string) bool {
	tenant, system, multi := strings.Cut(key, "@")
	if !multi {
		return keyPart(key, lower, 256)
	}
	return keyPart(tenant, lower+digits, 241) && keyPart(system, lower, 14)
}

func keyPart(s, first string, most int) bool {
	return s != "" && len(s) <= most && strings.IndexByte(first, s[0]) >= 0 && strings.Trim(s, lower+digits+"_-*/") == ""
}

func stateValue(v string) bool {
	if v == "" || len(v) > 256 || v[len(v)-1] == ' ' {
		return false
	}
	for i := range len(v) {
		if c := v[i]; c < ' ' || c > '~' || c == ',' || c == '=' {
			return false
		}
	}
	return true
}
