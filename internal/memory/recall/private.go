package recall

import "strings"

// public is a prompt without what stands in <private>…</private>: that is neither asked nor kept. A passage that doesn't end goes to the
// end of the text, and one that only ends begins with it: a text may have been cut.
func public(s string) string {
	var out strings.Builder
	depth, from := 0, 0
	for i := 0; ; {
		at := strings.IndexByte(s[i:], '<')
		if at < 0 {
			break
		}
		i += at
		length, closes := privateTag(s[i:])
		if length == 0 {
			i++
			continue
		}
		switch {
		case !closes:
			if depth == 0 {
				out.WriteString(s[from:i])
			}
			depth++
		case depth == 0: // its beginning is not there
			out.Reset()
		default:
			depth--
		}
		i += length
		from = i
	}
	if depth == 0 {
		out.WriteString(s[from:])
	}
	return out.String()
}

// privateTag is the length of the tag that a text begins with, zero where it is none of these.
func privateTag(s string) (length int, closes bool) {
	const name = "private"
	rest := strings.TrimLeft(s[1:], " \t\r\n")
	if after, ok := strings.CutPrefix(rest, "/"); ok {
		closes, rest = true, strings.TrimLeft(after, " \t\r\n")
	}
	if len(rest) < len(name) || !strings.EqualFold(rest[:len(name)], name) {
		return 0, false
	}
	rest = rest[len(name):]
	if rest != "" && !strings.ContainsAny(rest[:1], "> \t\r\n/") {
		return 0, false
	}
	end := strings.IndexByte(rest, '>')
	if end < 0 {
		return len(s), closes // cut within the tag
	}
	return len(s) - len(rest) + end + 1, closes
}
