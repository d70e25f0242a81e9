package chunk

import (
	"strings"
	"unicode/utf8"
)

// pieces cuts a text into pieces of about one size: at the borders of paragraphs, within long ones at those of lines, then of
// sentences and words. Of a text with too many the last pieces stay: how it came out matters most.
func pieces(text string) []string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if text == "" {
		return nil
	}
	out := pack(text, []string{"\n\n", "\n", ". ", " "})
	if len(out) > maxPieces {
		out = append(out[:maxPieces/2:maxPieces/2], out[len(out)-maxPieces/2:]...)
	}
	return out
}

// pack puts the parts of a text together until a piece is full. A part that is too long by itself is cut at the next finer border.
func pack(text string, borders []string) []string {
	if len(text) <= size {
		return []string{text}
	}
	if len(borders) == 0 {
		return hard(text)
	}
	var out []string
	piece := ""
	flush := func() {
		if strings.TrimSpace(piece) != "" {
			out = append(out, strings.TrimSpace(piece))
		}
		piece = ""
	}
	for _, part := range strings.SplitAfter(text, borders[0]) {
		if len(part) > size {
			flush()
			finer := pack(part, borders[1:])
			out = append(out, finer[:len(finer)-1]...)
			piece = finer[len(finer)-1]
			continue
		}
		if len(piece)+len(part) > size {
			flush()
		}
		piece += part
	}
	flush()
	return out
}

// hard cuts where no border is.
func hard(text string) []string {
	var out []string
	for len(text) > size {
		h := head(text, size)
		out, text = append(out, h), text[len(h):]
	}
	return append(out, text)
}

// head is the beginning of a text, of so many bytes at most, tail its end. No character is cut.
func head(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

func tail(s string, most int) string {
	if len(s) <= most {
		return s
	}
	at := len(s) - most
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return s[at:]
}
