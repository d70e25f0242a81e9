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
	if name == "space" {
		return []byte(" \t\n\v\f\r")
	}
	if name == "blank" {
		return []byte(" \t")
	}
	var out []byte
	for ch := range byte(0x80) {
		if inClass(name, ch) {
			out = append(out, ch)
		}
	}
	return out
}

// inClass tells whether a character is of a named class.
func inClass(name string, ch byte) bool {
	letter := ch|0x20 >= 'a' && ch|0x20 <= 'z'
	number := ch >= '0' && ch <= '9'
	switch name {
	case "lower":
		return ch >= 'a' && ch <= 'z'
	case "upper":
		return ch >= 'A' && ch <= 'Z'
	case "digit":
		return number
	case "alpha":
		return letter
	case "alnum":
		return letter || number
	case "punct":
		return ch > ' ' && ch < 0x7f && !letter && !number
	case "cntrl":
		return ch < ' ' || ch == 0x7f
	case "print":
		return ch >= ' ' && ch < 0x7f
	case "graph":
		return ch > ' ' && ch < 0x7f
	case "xdigit":
		return digit(ch) < 16
	}
	return false
}
