package redact

import "strings"

// maxPEM bounds the search for the end of a key: the largest RSA keys in use,
// with room for line numbers and quotes that tools put round each line.
const maxPEM = 32 << 10

// The lines that begin and end a key.
const (
	pemBegin, pemEnd, pemDashes    = "-----BEGIN ", "-----END ", "-----"
	sshBegin, sshEnd, sshDashes    = "---- BEGIN ", "---- END ", " ----"
	puttyBegin, maxLabel, maxLead  = "Private-Lines:", 64, 200
	shortLine, longLine, maxHeader = 16, 40, 256
)

// opening reads what announces a private key at i, and returns where its lines
// begin.
func opening(s string, i int) (body int, ok bool) {
	if strings.HasPrefix(s[i:], puttyBegin) {
		body = i + len(puttyBegin)
		for body < len(s) && isBlank(s[body]) {
			body++
		}
		n := digitRun(s[body:min(len(s), body+8)])
		return body + n, n > 0
	}
	s, from := s[i:], i
	begin, dashes := pemBegin, pemDashes
	if !strings.HasPrefix(s, begin) {
		if begin, dashes = sshBegin, sshDashes; !strings.HasPrefix(s, begin) {
			return 0, false
		}
	}
	rest := s[len(begin):]
	label := strings.Index(rest[:min(len(rest), maxLabel)], dashes)
	if label < 0 || !privateLabel(rest[:label]) {
		return 0, false
	}
	return from + len(begin) + label + len(dashes), true
}

func privateLabel(label string) bool {
	return strings.Contains(label, "PRIVATE KEY") || label == "SSH2 ENCRYPTED"
}

// index is strings.Index from i on, or a place past the end.
func (sc *scanner) index(i int, text string) int {
	n := strings.Index(sc.s[i:], text)
	if n < 0 {
		n = len(sc.s) - i + maxPEM
	}
	sc.steps += min(n, len(sc.s)-i) / 4
	return i + n
}

// pem matches a private key at i. A key without its end (a tool cut the output)
// is masked as far as its lines go.
func (sc *scanner) pem(i int) (span, bool) {
	s := sc.s
	body, ok := opening(s, i)
	if !ok {
		return sc.keyTail(i)
	}
	var end, next int
	switch {
	case s[i] != '-':
		end = len(s) + maxPEM
	case s[i+4] == '-':
		end, next = sc.pemEnds.find(sc, body, pemEnd), sc.pemBegins.find(sc, body, pemBegin)
	default:
		end, next = sc.sshEnds.find(sc, body, sshEnd), len(s)+maxPEM
	}
	if end < len(s) && end-body <= maxPEM && end < next {
		sc.steps += end - body
		return span{i, closingEnd(s, end), "private_key"}, hasKeyLine(s[body:end])
	}
	stop := keyLines(s, body, leadOf(s, i))
	sc.steps += stop - body + maxLead
	return span{i, stop, "private_key"}, stop > body
}

// closingEnd is the end of the line that ends a key.
func closingEnd(s string, i int) int {
	dashes := pemDashes
	if s[i+4] == ' ' {
		dashes = sshDashes
	}
	tail := s[i+len(pemDashes):]
	if n := strings.Index(tail[:min(len(tail), maxLabel)], dashes); n >= 0 {
		return i + len(pemDashes) + n + len(dashes)
	}
	return i + len(pemDashes)
}

// keyTail matches the lines before the end of a key whose start was cut off.
func (sc *scanner) keyTail(i int) (span, bool) {
	s := sc.s
	if !strings.HasPrefix(s[i:], pemEnd) || !strings.Contains(s[i:min(len(s), i+maxLabel)], "PRIVATE KEY") {
		return span{}, false
	}
	set, floor := sets().base64, max(sc.done, i-maxPEM)
	start, lines := i, 0
	for {
		end := start
		for end > floor && start-end < 16 && !set[s[end-1]] {
			end--
		}
		if end >= 2 && s[end-2] == '\\' && s[end-1] == 'n' {
			end -= 2
		}
		from := end
		for from > floor && set[s[from-1]] {
			from--
		}
		sc.steps += start - from
		if from == end || end-from < longLine && start < i {
			break
		}
		if start = from; end-from >= longLine {
			lines++
		}
	}
	return span{start, i, "private_key"}, lines > 0
}

// hasKeyLine tells a key from code that only mentions the two marker lines.
func hasKeyLine(body string) bool {
	set := sets().base64
	for i := 0; i < len(body); i++ {
		if !set[body[i]] {
			continue
		}
		if body[i] == 'n' && i > 0 && body[i-1] == '\\' {
			continue
		}
		end := set.run(body, i)
		if end-i >= shortLine || end-i >= 4 && lineBreakBefore(body, i) && lineBreakAfter(body, end) {
			return true
		}
		i = end
	}
	return false
}
