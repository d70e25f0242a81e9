package redact

import "strings"

// leadOf is what stands before the first line of a key and so, numbers apart, may
// stand before each other one: "id_rsa:12:", `{"text":"`.
func leadOf(s string, i int) string {
	lead := s[max(0, i-maxLead):i]
	lead = lead[strings.LastIndexAny(lead, "\n\r")+1:]
	if n := strings.LastIndex(lead, `\n`); n >= 0 {
		lead = lead[n+2:]
	}
	lead = lead[strings.LastIndexAny(lead, "{[")+1:]
	return lead[skipLineJunk(lead, 0):]
}

// skipLead steps over lead at i. Numbers in it may differ, and grep marks the
// lines round a match with '-' rather than ':'.
func skipLead(s string, i int, lead string) int {
	at := i
	for k := 0; k < len(lead); {
		switch {
		case at >= len(s):
			return i
		case isDigit(lead[k]) && isDigit(s[at]):
			k += digitRun(lead[k:])
			at += digitRun(s[at:])
			continue
		case lead[k] != s[at] && (lead[k] != ':' || s[at] != '-'):
			return i
		}
		k++
		at++
	}
	return at
}

// lineStart is where the next line of a key may start after i.
func lineStart(s string, i int, lead string) int {
	at := skipLineJunk(s, i)
	if lead == "" {
		return at
	}
	if next := skipLead(s, at, lead); next > at {
		return skipLineJunk(s, next)
	}
	member := lead[strings.LastIndexByte(lead, ',')+1:] // "text":" of an object whose other members stand between
	if strings.HasSuffix(member, `"`) && strings.Contains(member, ":") {
		if n := strings.Index(s[at:min(len(s), at+maxLead)], member); n >= 0 {
			return skipLineJunk(s, at+n+len(member))
		}
	}
	return at
}

// keyLines returns the end of the key text that starts at i, or i. Only what
// follows a whole line may be short.
func keyLines(s string, i int, lead string) int {
	set := sets().base64
	end, found := pemHeaders(s, i, lead), i
	for {
		at := lineStart(s, end, lead)
		stop := set.run(s, at)
		ends := lineBreakAfter(s, stop)
		long := stop-at >= longLine || stop-at >= shortLine && (ends || found > i)
		alone := found > i && stop > at && ends && (lineBreakBefore(s, at) || s[stop-1] == '=')
		if at >= len(s) || !long && !alone {
			return found
		}
		end, found = stop, stop
	}
}

// pemHeaders steps over the header lines of a key: Proc-Type, DEK-Info, Comment.
func pemHeaders(s string, i int, lead string) int {
	for {
		at := lineStart(s, i, lead)
		name := at
		for name < len(s) && name-at < maxLabel && (isAlnum(s[name]) || s[name] == '-') {
			name++
		}
		if name == at || name+1 >= len(s) || s[name] != ':' || !isBlank(s[name+1]) {
			return i
		}
		rest := s[name:min(len(s), name+maxHeader)]
		n := strings.IndexAny(rest, "\n\\")
		if quote := strings.IndexByte(rest, '"'); quote >= 0 && (n < 0 || quote < n) && !isBlank(rest[quote-1]) {
			n = quote
		}
		if n < 0 {
			return i
		}
		i = name + n
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
			j := i + digitRun(s[i:min(len(s), i+12)])
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
