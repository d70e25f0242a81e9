package recall

import (
	"bytes"
	"slices"
	"strings"
)

// Begin and End are the lines around what memory tells a model. They have nothing that JSON or HTML would escape, so that they are
// found in any form of a text.
const (
	Begin = "--- boathook memory: begin ---"
	End   = "--- boathook memory: end ---"
)

// mark is what both have: a text without it has neither.
const mark = "--- boathook memory: "

// maxBlock is how much is taken for the block where its end is missing: an agent may have cut it.
const maxBlock = 64 << 10

// Has tells quickly whether there is anything to strip.
func Has(text []byte) bool { return bytes.Contains(text, []byte(mark)) }

// Strip takes out of a text what memory told a model, so that memory does not learn from itself: in the text as it is, in one that is
// escaped for JSON or HTML, and with the <hook_context> that Gemini CLI puts around it. A block that has no end is taken out up to
// the end of the text, 64 KiB at most.
func Strip(text string) string {
	if !strings.Contains(text, mark) {
		return text
	}
	full := text
	var out strings.Builder
	for last := strings.LastIndex(text, End); ; {
		at := strings.Index(text, Begin)
		if at < 0 {
			break
		}
		head, rest := text[:at], text[at+len(Begin):]
		if last >= len(full)-len(rest) {
			rest = rest[strings.Index(rest, End)+len(End):]
		} else {
			rest = rest[min(len(rest), maxBlock):]
		}
		head, rest = unwrap(head, rest)
		out.WriteString(head)
		text = rest
	}
	out.WriteString(text)
	return out.String()
}

// StripJSON is Strip for the text of a JSON value; what comes out is as valid as what came in. Nothing is taken out of the parts that
// are given: what an agent runs stays in its record, whatever it looks like. It takes time in proportion to the text, whatever stands in it.
func StripJSON(text []byte, but ...[]byte) []byte {
	if !Has(text) {
		return text
	}
	kept := spans(text, but)
	out := make([]byte, 0, len(text))
	from, ends := 0, 0 // what is not looked at yet; where the string ends that was looked into last
	for next := 0; ; {
		at := bytes.Index(text[next:], []byte(Begin))
		if at < 0 {
			break
		}
		at += next
		for len(kept) > 0 && kept[0].end <= at {
			kept = kept[1:]
		}
		if len(kept) > 0 && kept[0].begin <= at {
			next = kept[0].end
			out, from = append(out, text[from:next]...), next
			continue
		}
		rest := at + len(Begin)
		if rest > ends {
			ends = rest + endOfString(text[rest:])
		}
		end := bytes.Index(text[rest:ends], []byte(End))
		if end < 0 {
			out, from, next = append(out, text[from:at]...), ends, ends
			continue
		}
		rest += end + len(End)
		head, tail := unwrap(string(text[from:at]), string(text[rest:min(ends, rest+maxWrapping)]))
		out = append(out, head...)
		from = min(ends, rest+maxWrapping) - len(tail)
		next = from
	}
	return append(out, text[from:]...)
}

// maxWrapping is how much behind a block is looked at for what was put around it.
const maxWrapping = 1 << 10

type span struct{ begin, end int }

// spans are the places of parts in a text, in their order, none within another; only of those that have something to strip.
func spans(text []byte, parts [][]byte) []span {
	var all []span
	for _, p := range parts {
		if !Has(p) {
			continue
		}
		for from := 0; ; {
			i := bytes.Index(text[from:], p)
			if i < 0 {
				break
			}
			all = append(all, span{from + i, from + i + len(p)})
			from += i + len(p)
		}
	}
	slices.SortFunc(all, func(a, b span) int { return a.begin - b.begin })
	out := all[:0]
	for _, s := range all {
		if n := len(out); n > 0 && s.begin < out[n-1].end {
			out[n-1].end = max(out[n-1].end, s.end)
			continue
		}
		out = append(out, s)
	}
	return out
}

// endOfString is where the string ends that a text is the rest of.
func endOfString(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i
		case '\\':
			i++
		}
	}
	return len(text)
}

// unwrap takes the wrapping off that held nothing else, and of two line breaks one.
func unwrap(head, rest string) (string, string) {
	for _, w := range [...][2]string{
		{"<hook_context>", "</hook_context>"}, {"&lt;hook_context&gt;", "&lt;/hook_context&gt;"}, {`\u003chook_context\u003e`, `\u003c/hook_context\u003e`},
		{`\\u003chook_context\\u003e`, `\\u003c/hook_context\\u003e`},
	} {
		before := trimBreaks(head, false)
		after := trimBreaks(rest, true)
		if strings.HasSuffix(before, w[0]) && strings.HasPrefix(after, w[1]) {
			head, rest = before[:len(before)-len(w[0])], after[len(w[1]):]
			break
		}
	}
	for _, br := range [...]string{"\n", `\n`, `\\n`} {
		if strings.HasSuffix(head, br) && strings.HasPrefix(rest, br) && !strings.HasSuffix(head, `\`+br) {
			return head, rest[len(br):]
		}
	}
	return head, rest
}

// trimBreaks takes blanks and line breaks off, also those that are written as escapes.
func trimBreaks(s string, front bool) string {
	for {
		was := len(s)
		for _, br := range [...]string{`\\n`, `\n`, "\n", "\r", " ", "\t"} {
			if front {
				s = strings.TrimPrefix(s, br)
			} else {
				s = strings.TrimSuffix(s, br)
			}
		}
		if len(s) == was {
			return s
		}
	}
}
