package lenient

import (
	"bytes"
	"unicode/utf8"
)

// Parse finds the payload in b. The value is the first object if there is one anywhere, else the first value; Missing
// when there is none. The second result lists what is wrong with the text, for people; nil means a well-formed text
// (of duplicate keys, only the caller can tell which matter).
func Parse(b []byte) (Value, []string) {
	var problems []string
	if wide, ok := fromUTF16(b); ok {
		b, problems = wide, append(problems, "payload: UTF-16")
	}
	if mark := []byte("\ufeff"); bytes.HasPrefix(b, mark) {
		b, problems = b[len(mark):], append(problems, "payload: byte order mark")
	}
	start := skipSpace(b, 0)
	if start == len(b) {
		return Value{}, append(problems, "payload: empty")
	}
	if b[start] != '{' {
		at := bytes.IndexByte(b[start:], '{')
		if at < 0 {
			return scalar(b[start:], problems)
		}
		start += at
		problems = append(problems, "payload: text before the JSON object")
	}
	end := containerEnd(b, start)
	v := Value{b[start:end]}
	if b[end-1] != '}' || !closed(v.raw) {
		problems = append(problems, "payload: truncated")
	}
	if rest := bytes.TrimSpace(b[end:]); len(rest) > 0 {
		problems = append(problems, "payload: text after the JSON object")
	}
	if !utf8.Valid(v.raw) {
		problems = append(problems, "payload: invalid UTF-8")
	}
	return v, problems
}

func scalar(b []byte, problems []string) (Value, []string) {
	return Value{b[:valueEnd(b, 0)]}, append(problems, "payload: not a JSON object")
}

// closed tells whether every bracket of the text is closed.
func closed(raw []byte) bool {
	var s Scanner
	return s.Feed(raw)
}
