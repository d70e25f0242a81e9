package produce

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// tr replaces, deletes (-d), squeezes (-s) characters; -c takes all others.
func tr(c word.Command) string {
	f := parse(c.Argv[1:], "")
	in := input(c, nil)
	if len(f.rest) == 0 || len(f.rest) > 2 {
		return word.Unknown
	}
	for _, a := range f.rest {
		if !a.Known() || !ascii(a.Text) {
			return word.Unknown
		}
	}
	from := set(f.rest[0].Text)
	var is [256]bool
	for _, ch := range from {
		is[ch] = true
	}
	other := f.has("c", "C", "complement")
	if other {
		for i := range is {
			is[i] = !is[i]
		}
	}
	if f.has("d", "delete") {
		return squeeze(trMap(in, func(ch byte) (byte, bool) { return ch, !is[ch] }), f, 1)
	}
	if len(f.rest) == 1 {
		return squeeze(in, f, 0)
	}
	to := set(f.rest[1].Text)
	if len(to) == 0 {
		return in
	}
	var by [256]byte
	for i := range by {
		by[i] = byte(i)
		if other && is[i] {
			by[i] = to[len(to)-1]
		}
	}
	if !other {
		for i, ch := range from {
			by[ch] = to[min(i, len(to)-1)]
		}
	}
	return squeeze(trMap(in, func(ch byte) (byte, bool) { return by[ch], true }), f, 1)
}

// trMap changes all characters of one byte; unknown parts and other characters stay.
func trMap(s string, change func(byte) (byte, bool)) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := range len(s) {
		if s[i] >= 0x80 {
			b.WriteByte(s[i])
			continue
		}
		if ch, keep := change(s[i]); keep {
			b.WriteByte(ch)
		}
	}
	return b.String()
}

// squeeze makes one of repeated characters of the last set, with -s.
func squeeze(s string, f flags, last int) string {
	if !f.has("s", "squeeze-repeats") || last >= len(f.rest) {
		return s
	}
	var is [256]bool
	for _, ch := range set(f.rest[last].Text) {
		is[ch] = true
	}
	if last == 0 && f.has("c", "C", "complement") {
		for i := range is {
			is[i] = !is[i]
		}
	}
	prev := -1
	return trMap(s, func(ch byte) (byte, bool) {
		again := int(ch) == prev && is[ch]
		prev = int(ch)
		return ch, !again
	})
}

// ascii tells whether a text has characters of one byte only.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// set expands a set of tr: escapes, ranges, classes.
func set(s string) []byte {
	s, _ = unescape(s, false)
	var out []byte
	for i := 0; i < len(s) && len(out) < 1<<12; i++ {
		if strings.HasPrefix(s[i:], "[:") {
			if end := strings.Index(s[i:], ":]"); end > 0 {
				out = append(out, class(s[i+2:i+end])...)
				i += end + 1
				continue
			}
		}
		if i+2 < len(s) && s[i+1] == '-' && s[i+2] >= s[i] {
			for ch := int(s[i]); ch <= int(s[i+2]); ch++ {
				out = append(out, byte(ch))
			}
			i += 2
			continue
		}
		out = append(out, s[i])
	}
	return out
}

// class are the characters of a named class.
func class(name string) []byte {
	var in func(ch byte) bool
	lower := func(ch byte) bool { return ch >= 'a' && ch <= 'z' }
	upper := func(ch byte) bool { return ch >= 'A' && ch <= 'Z' }
	digit := func(ch byte) bool { return ch >= '0' && ch <= '9' }
	switch name {
	case "lower":
		in = lower
	case "upper":
		in = upper
	case "digit":
		in = digit
	case "alpha":
		in = func(ch byte) bool { return lower(ch) || upper(ch) }
	case "alnum":
		in = func(ch byte) bool { return lower(ch) || upper(ch) || digit(ch) }
	case "space":
		in = func(ch byte) bool { return ch == ' ' || ch >= '\t' && ch <= '\r' }
	case "blank":
		in = func(ch byte) bool { return ch == ' ' || ch == '\t' }
	case "punct":
		in = func(ch byte) bool { return ch > ' ' && ch < 0x7f && !lower(ch) && !upper(ch) && !digit(ch) }
	case "cntrl":
		in = func(ch byte) bool { return ch < ' ' || ch == 0x7f }
	case "print":
		in = func(ch byte) bool { return ch >= ' ' && ch < 0x7f }
	case "graph":
		in = func(ch byte) bool { return ch > ' ' && ch < 0x7f }
	case "xdigit":
		in = func(ch byte) bool { return digit(ch) || ch >= 'a' && ch <= 'f' || ch >= 'A' && ch <= 'F' }
	default:
		return nil
	}
	var out []byte
	for ch := range 0x80 {
		if in(byte(ch)) {
			out = append(out, byte(ch))
		}
	}
	return out
}
