package redact

import "strings"

// argv is what a list has shown of a command line: ["mysql","-pX"].
type argv struct {
	n      int      // elements so far
	names  []string // commands among them
	flag   string   // the element before, if it is a flag
	paired bool     // the element before is a secret's name
	env    bool     // … in the style of a variable
}

// announce says whether an element of a list names the one after it: a header in
// a flat list, a flag in an argument vector, the name of a pair.
func (f *frame) announce(text string, shell bool) {
	f.argv.flag = ""
	if shell {
		f.argv.see(text)
	}
	if !oneName(text) {
		return
	}
	class := classify(text)
	switch {
	case class == keyAuth || class == keyCookie:
		f.prev = class
	case class != keySecret && class != keyWeak && class != keyAWS && class != keyAzure:
	case strings.HasPrefix(text, "-"):
		if shell && (class == keySecret || strings.HasPrefix(text, "--")) {
			f.prev = max(class, keySecret)
		}
	case class == keySecret && foldPrefix(text, "x-"):
		f.prev = keyWeak
	case class != keyWeak && strings.IndexByte(text, '=') < 0:
		f.prev, f.argv.paired, f.argv.env = class, true, envName(text) && strings.Contains(text, "_")
	}
}

// oneName tells a name from a text that happens to end with one.
func oneName(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) <= 4*maxKey && !strings.ContainsAny(text, " \t\r\n")
}

func (a *argv) see(text string) {
	if len(text) > 1 && text[0] == '-' {
		a.flag = text
		return
	}
	if len(a.names) < 8 && len(text) <= maxKey {
		if name := text[strings.LastIndexAny(text, "/\\")+1:]; commandNames()[strings.TrimSuffix(name, ".exe")] {
			a.names = append(a.names, strings.TrimSuffix(name, ".exe"))
		}
	}
}

// argument is the secret in an element of an argument vector: the value of the
// flag before it, or a flag and its value in one.
func (a *argv) argument(text string) (span, bool) {
	if len(a.names) == 0 {
		return span{}, false
	}
	for _, rule := range flagTable()[a.flag] {
		if rule.spaced && anyOf(a.names, rule.names) {
			from, typ, ok := flagSecret(rule.kind, text)
			return span{from, len(text), typ}, ok
		}
	}
	if len(text) < 3 || text[0] != '-' || text[1] == '-' {
		return span{}, false
	}
	for _, rule := range flagTable()[text[:2]] {
		if rule.attached && anyOf(a.names, rule.names) {
			from, typ, ok := flagSecret(rule.kind, text[2:])
			return span{from + 2, len(text), typ}, ok
		}
	}
	return span{}, false
}
