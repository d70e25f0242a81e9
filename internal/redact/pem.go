package redact

import "strings"

// maxPEM bounds the search for the end of a key: the largest RSA keys in use,
// with room for line numbers and quotes that tools put round each line.
const maxPEM = 32 << 10

const pemDashes = "-----"

// pem matches a private key block at i. A block without its end (a tool cut the
// output) is masked as far as its lines go.
func pem(s string, i int) (span, bool) {
	const begin = pemDashes + "BEGIN "
	if !strings.HasPrefix(s[i:], begin) {
		return span{}, false
	}
	rest := s[i+len(begin):]
	label := strings.Index(rest[:min(len(rest), 64)], pemDashes)
	if label < 0 || !strings.Contains(rest[:label], "PRIVATE KEY") {
		return span{}, false
	}
	body := i + len(begin) + label + len(pemDashes)
	window := s[body:min(len(s), body+maxPEM)]
	next := strings.Index(window, begin)
	end := strings.Index(window, pemDashes+"END ")
	if end >= 0 && (next < 0 || end < next) {
		if !hasKeyLine(window[:end]) {
			return span{}, false
		}
		return span{i, body + pemEnd(window, end), "private_key"}, true
	}
	stop := keyLines(s, body)
	return span{i, stop, "private_key"}, stop > body
}

func pemEnd(window string, end int) int {
	tail := window[end+len(pemDashes):]
	if n := strings.Index(tail[:min(len(tail), 64)], pemDashes); n >= 0 {
		return end + len(pemDashes) + n + len(pemDashes)
	}
	return len(window[:end]) + len(pemDashes)
}

// hasKeyLine tells a key from code that only mentions the two marker lines.
func hasKeyLine(body string) bool {
	set := sets().base64
	for i := 0; i < len(body); i++ {
		if !set[body[i]] {
			continue
		}
		if lineBreakBefore(body, i) && body[i] == 'n' && i > 0 && body[i-1] == '\\' {
			continue
		}
		end := set.run(body, i)
		if end-i >= 16 || end-i >= 4 && lineBreakBefore(body, i) && lineBreakAfter(body, end) {
			return true
		}
		i = end
	}
	return false
}

// keyLines returns the end of the key text that starts at i.
func keyLines(s string, i int) int {
	set := sets().base64
	end := pemHeaders(s, i)
	for {
		at := skipLineJunk(s, end)
		stop := set.run(s, at)
		long := stop-at >= 16
		alone := stop > at && lineBreakBefore(s, at) && lineBreakAfter(s, stop)
		if at >= len(s) || !long && !alone {
			return end
		}
		end = stop
	}
}

// pemHeaders steps over the header lines of an encrypted key.
func pemHeaders(s string, i int) int {
	for {
		at := skipLineJunk(s, i)
		if !strings.HasPrefix(s[at:], "Proc-Type:") && !strings.HasPrefix(s[at:], "DEK-Info:") {
			return i
		}
		n := strings.IndexAny(s[at:], "\n\\")
		if n < 0 {
			return len(s)
		}
		i = at + n
	}
}

// skipLineJunk steps over what stands between two lines of a key: line breaks
// (escaped or not), quotes, line numbers and quoting signs.
func skipLineJunk(s string, i int) int {
	for limit := min(len(s), i+40); i < limit; {
		switch {
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte("nrt", s[i+1]) >= 0:
			i += 2
		case isDigit(s[i]):
			j := i
			for j < len(s) && isDigit(s[j]) {
				j++
			}
			if j == len(s) || sets().base64[s[j]] {
				return i
			}
			i = j
		case isAlnum(s[i]), s[i] == '/', s[i] == '+' && i+1 < len(s) && !isBlank(s[i+1]):
			return i
		default:
			i++
		}
	}
	return i
}

func lineBreakBefore(s string, i int) bool {
	if i == 0 {
		return true
	}
	if s[i-1] == 'n' && i > 1 && s[i-2] == '\\' {
		return true
	}
	return !isBlank(s[i-1]) || i > 1 && s[i-2] != ' ' && !isAlnum(s[i-2])
}

func lineBreakAfter(s string, i int) bool {
	return i >= len(s) || s[i] == '\n' || s[i] == '\r' || s[i] == '\\' || isQuote(s[i])
}
