package recall

import (
	"bytes"
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
	var out strings.Builder
	for {
		at := strings.Index(text, Begin)
		if at < 0 {
			break
		}
		head, rest := text[:at], text[at+len(Begin):]
		if end := strings.Index(rest, End); end >= 0 {
			rest = rest[end+len(End):]
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
// are given: what an agent runs stays in its record, whatever it looks like.
func StripJSON(text []byte, but ...[]byte) []byte {
	if !Has(text) {
		return text
	}
	var out []byte
	for {
		at := bytes.Index(text, []byte(Begin))
		if at < 0 {
			break
		}
		if end := within(text, at, but); end > 0 {
			out = append(out, text[:end]...)
			text = text[end:]
			continue
		}
		rest := text[at+len(Begin):]
		end, closed := endOfString(rest), false
		if i := bytes.Index(rest[:end], []byte(End)); i >= 0 {
			end, closed = i+len(End), true
		}
		head, tail := string(text[:at]), rest[end:]
		if closed {
			var after string
			head, after = unwrap(head, string(tail[:endOfString(tail)]))
			out = append(out, head...)
			text = append([]byte(after), tail[endOfString(tail):]...)
			continue
		}
		out = append(out, head...)
		text = tail
	}
	return append(out, text...)
}

// within is the end of the part in which a place lies, or zero.
func within(text []byte, at int, parts [][]byte) int {
	for _, p := range parts {
		for from := 0; len(p) > 0; {
			i := bytes.Index(text[from:], p)
			if i < 0 || from+i > at {
				break
			}
			if end := from + i + len(p); at < end {
				return end
			}
			from += i + 1
		}
	}
	return 0
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
