package otlp

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxName bounds what may stand in a span's name, and any name that is sent without content.
	maxName = 128
	// other stands for a name that can't be shown (OpenTelemetry's own word for such).
	other = "_OTHER"
)

// snake is a host's event name in snake case: BeforeTool, HTTPGetDone and MCPTool become before_tool, http_get_done and
// mcp_tool. What is no letter or digit separates words.
func snake(name string) string {
	var b strings.Builder
	name = name[:min(len(name), maxName)]
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case isUpper(c):
			if b.Len() > 0 && wordStarts(name, i) {
				separate(&b)
			}
			b.WriteByte(c + 'a' - 'A')
		case isLower(c) || isDigit(c):
			b.WriteByte(c)
		default:
			separate(&b)
		}
	}
	if out := strings.Trim(b.String(), "_"); out != "" {
		return out
	}
	return "other"
}

// wordStarts tells whether the capital at i begins a word: behind a small letter or a digit, or as the last capital of
// several before a small letter.
func wordStarts(name string, i int) bool {
	before := name[i-1]
	return isLower(before) || isDigit(before) || isUpper(before) && i+1 < len(name) && isLower(name[i+1])
}

func separate(b *strings.Builder) {
	if s := b.String(); s != "" && s[len(s)-1] != '_' {
		b.WriteByte('_')
	}
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// plain tells whether a text is a name, an id or a word rather than content: no spaces, no slashes, nothing of markup.
func plain(s string) bool {
	if s == "" || len(s) > maxName {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isUpper(c) && !isLower(c) && !isDigit(c) && strings.IndexByte("_.:@-", c) < 0 {
			return false
		}
	}
	return true
}

// printable takes out of a name what could act on a terminal or a backend, and cuts it.
func printable(s string) string {
	if plain(s) {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.Is(unicode.C, r) {
			return '_'
		}
		return r
	}, s)
	return cut(s, maxName)
}

// cut shortens a text to so many bytes, between two characters.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
