package intake

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// removed stands in the place of a private passage.
const removed = "[private]"

// Public is a text without what stands in <private>…</private>, however deep. A passage that doesn't end goes to the end of the text, and
// one that only ends begins with it: a text may have been cut. The brackets may be escaped, as JSON and HTML do it.
func Public(s string) string {
	if !mentions(s) {
		return s
	}
	spans := passages(s)
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, span := range spans {
		b.WriteString(s[at:span[0]])
		b.WriteString(removed)
		at = span[1]
	}
	b.WriteString(s[at:])
	return b.String()
}

// publicJSON does that to the texts of JSON as if they were one: an agent may have cut a passage into several.
func publicJSON(raw json.RawMessage) json.RawMessage {
	if !mentions(string(raw)) {
		return raw
	}
	var texts []string
	eachText(raw, func(s string, name bool) string {
		if !name {
			texts = append(texts, s)
		}
		return s
	})
	all := strings.Join(texts, between)
	spans := passages(all)
	var out []string
	from := 0
	for _, text := range texts {
		out = append(out, without(text, from, spans))
		from += len(text) + len(between)
	}
	n := 0
	return eachText(raw, func(s string, name bool) string {
		if name {
			return Public(s)
		}
		n++
		return out[n-1]
	})
}

// between keeps apart texts that are not one; no tag reaches over it.
const between = "\x00"

// without is a text that begins at from, without what of it lies in the spans.
func without(text string, from int, spans [][2]int) string {
	var b strings.Builder
	at, to := from, from+len(text)
	for _, span := range spans {
		lo, hi := max(span[0], at), min(span[1], to)
		if lo >= hi {
			continue
		}
		b.WriteString(text[at-from : lo-from])
		b.WriteString(removed)
		at = hi
	}
	b.WriteString(text[at-from:])
	return b.String()
}

// mentions tells quickly whether there can be a tag.
func mentions(s string) bool {
	const name = "private"
	for {
		at := strings.IndexAny(s, "pP")
		if at < 0 || len(s)-at < len(name) {
			return false
		}
		if strings.EqualFold(s[at:at+len(name)], name) {
			return true
		}
		s = s[at+1:]
	}
}

// tag is an opening or a closing tag; the first group is the slash of a closing one.
var tag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:<|&lt;|\\+u003c|\\+x3c)\s*(\\*/|\\+u002f)?\s*private(?:\s[^<>\x00]{0,200}?)?\s*(?:>|&gt;|\\+u003e|\\+x3e)`)
})

// passages are the places of private passages, in their order, none within another.
func passages(s string) (spans [][2]int) {
	depth, from := 0, 0
	for _, m := range tag().FindAllStringSubmatchIndex(s, -1) {
		switch closing := m[2] >= 0; {
		case !closing && depth == 0:
			depth, from = 1, m[0]
		case !closing:
			depth++
		case depth > 1:
			depth--
		case depth == 1:
			depth = 0
			spans = append(spans, [2]int{from, m[1]})
		default: // what it closes began before the text does
			spans = [][2]int{{0, m[1]}}
		}
	}
	if depth > 0 {
		spans = append(spans, [2]int{from, len(s)})
	}
	return spans
}
