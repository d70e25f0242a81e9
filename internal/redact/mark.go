package redact

import (
	"slices"
	"strings"
	"sync"
)

const (
	markPrefix  = "[REDACTED:"
	maxTypeName = 40
)

// span is a part of a text that holds a secret.
type span struct {
	start, end int
	typ        string
}

// builtinTypes are the types that are not named in the token table.
var builtinTypes = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, t := range []string{
		"aws_secret_key", "azure_key", "azure_sas", "azure_client_secret", "slack_webhook", "discord_webhook",
		"telegram_token", "jwt", "private_key", "db_url", "basic_auth", "bearer", "cookie", "cli_password",
		"env_secret", "field_secret", "kr_rrn", "kr_mobile", "kr_business", "card",
	} {
		m[t] = true
	}
	for _, rule := range tokenRules() {
		m[rule.typ] = true
	}
	return m
})

// markAt returns the end of the mark that starts at i, or 0. Only known types
// count: otherwise "[REDACTED:<a secret>]" would be a way past the redactor.
func (r *Redactor) markAt(s string, i int) int {
	if !strings.HasPrefix(s[i:], markPrefix) {
		return 0
	}
	name := s[i+len(markPrefix):]
	end := strings.IndexByte(name[:min(len(name), maxTypeName+1)], ']')
	if end < 0 {
		return 0
	}
	if builtinTypes()[name[:end]] || r != nil && r.types[name[:end]] {
		return i + len(markPrefix) + end + 1
	}
	return 0
}

// settle turns raw hits into sorted, disjoint spans without what is allowed and
// without what is a mark already. Cutting marks out of a span (rather than
// dropping the span) hides a secret glued to a mark and keeps masking idempotent.
func (r *Redactor) settle(s string, hits []span) []span {
	if len(hits) == 0 {
		return nil
	}
	hits = slices.DeleteFunc(hits, func(h span) bool { return h.start >= h.end || r.allowed(s[h.start:h.end]) })
	slices.SortStableFunc(hits, func(a, b span) int { return a.start - b.start })
	var merged []span
	for _, h := range hits {
		if n := len(merged); n > 0 && h.start < merged[n-1].end {
			merged[n-1].end = max(merged[n-1].end, h.end)
			continue
		}
		merged = append(merged, h)
	}
	if !strings.Contains(s, markPrefix) {
		return merged
	}
	var out []span
	for _, h := range merged {
		out = r.withoutMarks(s, h, out)
	}
	return out
}

func (r *Redactor) withoutMarks(s string, h span, out []span) []span {
	h.start = r.insideMark(s, h.start)
	from := h.start
	for i := h.start; i < h.end; i++ {
		end := r.markAt(s, i)
		if end == 0 {
			continue
		}
		out = appendPiece(s, span{from, i, h.typ}, out)
		from, i = end, end-1
	}
	return appendPiece(s, span{from, h.end, h.typ}, out)
}

// insideMark moves i to the end of the mark it lies in.
func (r *Redactor) insideMark(s string, i int) int {
	lo := max(0, i-maxTypeName-len(markPrefix)-1)
	at := strings.LastIndexByte(s[lo:i], '[')
	if at < 0 {
		return i
	}
	return max(i, r.markAt(s, lo+at))
}

// appendPiece skips punctuation between marks; it says nothing.
func appendPiece(s string, p span, out []span) []span {
	for i := p.start; i < p.end; i++ {
		if isAlnum(s[i]) || s[i] >= 0x80 {
			return append(out, p)
		}
	}
	return out
}

// render replaces spans, which are sorted and disjoint, and counts them.
func render(s string, spans []span, c Counts) string {
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16*len(spans))
	from := 0
	for _, sp := range spans {
		b.WriteString(s[from:sp.start])
		b.WriteString(markPrefix)
		b.WriteString(sp.typ)
		b.WriteByte(']')
		from = sp.end
		if c != nil {
			c[sp.typ]++
		}
	}
	b.WriteString(s[from:])
	return b.String()
}
