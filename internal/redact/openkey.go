package redact

import "strings"

// openKey is a private key whose lines are texts of their own: elements of a
// list, members of a list of objects, chunks of a stream.
type openKey struct {
	open bool
	lead string
	idle int // texts since the last line of the key
}

// maxIdle is how many short texts that are no lines may stand between two lines:
// {"type":"text","line":12,"text":"MIIE…"}.
const (
	maxIdle     = 4
	maxIdleText = 24
)

// follow takes the next text: its part that belongs to the open key, and whether
// one is open after it.
func (k *openKey) follow(text string) (sp span, ok bool) {
	if k.open {
		sp, ok = k.take(text)
	}
	if len(text) >= len(puttyBegin) && (strings.Contains(text, "PRIVATE KEY") || strings.Contains(text, "ENCRYPTED") || strings.Contains(text, puttyBegin)) {
		k.begin(text)
	}
	return sp, ok
}

// begin looks for a key that begins in text and doesn't end there.
func (k *openKey) begin(text string) {
	at := max(lastOf(text, pemBegin), lastOf(text, sshBegin), lastOf(text, puttyBegin))
	if at < 0 {
		return
	}
	body, ok := opening(text, at)
	if !ok {
		return
	}
	lead := leadOf(text, at)
	stop := keyLines(text, body, lead)
	if lineStart(text, stop, lead) >= len(text) {
		*k = openKey{open: true, lead: lead}
	}
}

// lastOf is strings.LastIndex, which looks at every byte, by way of Index.
func lastOf(text, sub string) int {
	last := -1
	for from := 0; ; from = last + 1 {
		n := strings.Index(text[from:], sub)
		if n < 0 {
			return last
		}
		last = from + n
	}
}

func (k *openKey) take(text string) (span, bool) {
	start := pemHeaders(text, 0, k.lead)
	start = lineStart(text, start, k.lead)
	if start > len(text) || strings.HasPrefix(text[start:], "END ") || strings.Contains(text[:start], "END ") {
		k.open = k.open && start == len(text) && !strings.Contains(text, "END ")
		return span{}, false
	}
	stop := keyLines(text, start, k.lead)
	if stop == start && stray(text[start:]) {
		stop = len(strings.TrimRight(text, " \t\r\n"))
	}
	switch {
	case stop > start:
		k.idle = 0
		k.open = lineStart(text, stop, k.lead) >= len(text)
		return span{start, stop, "private_key"}, true
	case strings.HasPrefix(text, markPrefix+"private_key]"):
		k.idle = 0
	case len(text) > maxIdleText || k.idle >= maxIdle:
		k.open = false
	default:
		k.idle++
	}
	return span{}, false
}

// stray is the short last line of a key, but no word.
func stray(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || sets().base64.run(text, 0) != len(text) {
		return false
	}
	k := kindsOf(text)
	return k.other || k.digit && k.letter() || len(text) > 1 && k.lower && kindsOf(text[1:]).upper
}
