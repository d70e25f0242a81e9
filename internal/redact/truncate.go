package redact

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// MaxString bounds one kept string, in bytes.
	MaxString = 102400
	// overlap is what is read past the cut, so that a secret that straddles it
	// is recognised and masked.
	overlap        = 4096
	truncatedOpen  = "…[TRUNCATED:"
	truncatedDigit = 20
)

// Truncate cuts s to limit bytes and says how many it removed. What was cut
// before stays as it is.
func Truncate(s string, limit int) string {
	return cutTo(s, limit, 0)
}

// cutTo is Truncate where gone bytes are missing already.
func cutTo(s string, limit, gone int) string {
	limit = max(limit, 0)
	if gone == 0 && (len(s) <= limit || wasTruncated(s, limit)) {
		return s
	}
	cut := len(s)
	if cut > limit {
		cut = safeCut(s, limit)
	}
	return s[:cut] + truncatedOpen + strconv.Itoa(gone+len(s)-cut) + "]"
}

// wasTruncated says whether s is a result of Truncate with this limit.
func wasTruncated(s string, limit int) bool {
	n := len(uncut(s))
	return n < len(s) && n <= limit
}

// uncut is s without the note of Truncate, which is no part of any secret.
func uncut(s string) string {
	if !strings.HasSuffix(s, "]") {
		return s
	}
	lo := max(0, len(s)-len(truncatedOpen)-truncatedDigit-1)
	at := strings.LastIndex(s[lo:], truncatedOpen)
	if at < 0 {
		return s
	}
	digits := s[lo+at+len(truncatedOpen) : len(s)-1]
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return s
	}
	return s[:lo+at]
}

// safeCut moves a cut to the start of the rune or the mark it would split.
func safeCut(s string, cut int) int {
	for back := 0; back < utf8.UTFMax && cut > 0 && !utf8.RuneStart(s[cut]); back++ {
		cut--
	}
	lo := max(0, cut-maxTypeName-len(markPrefix)-1)
	if at := strings.LastIndexByte(s[lo:cut], '['); at >= 0 {
		tail := s[lo+at : cut]
		if strings.HasPrefix(markPrefix, tail) ||
			strings.HasPrefix(tail, markPrefix) && !strings.Contains(tail, "]") {
			return lo + at
		}
	}
	return cut
}

// keep renders the first MaxString bytes of a text of total bytes, of which s is
// all or the start. A secret that begins before the cut is masked whole; nothing
// that was not scanned is kept.
func keep(s string, total int, spans []span, c Counts) (text string, changed bool) {
	if total <= MaxString || total == len(s) && wasTruncated(s, MaxString) {
		out := cutTo(render(s, spans, c), MaxString, 0)
		return out, len(spans) > 0 || len(out) != len(s)
	}
	cut := safeCut(s, MaxString)
	n := 0
	for n < len(spans) && spans[n].start < cut {
		cut = max(cut, spans[n].end)
		n++
	}
	return cutTo(render(s[:cut], spans[:n], c), MaxString, total-cut), true
}
