package policy

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/boathook/boathook/internal/spelling"
)

// text reads a text of a bounded length without control characters: it may come to stand on a terminal and before a model.
func (l *loader) text(v *value, key string, limit int) string {
	if v.form != text {
		l.bad(v.line, key, key+" is "+v.form.String()+", and should be a text", last(key)+` = "…"`)
		return ""
	}
	if len(v.text) > limit {
		l.bad(v.line, key, fmt.Sprintf("%s has %d bytes, and may have %d", key, len(v.text), limit), "make it shorter")
		return ""
	}
	if i := strings.IndexFunc(v.text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
	}); i >= 0 {
		l.bad(v.line, key, key+" has a control character", "take it out")
		return ""
	}
	return v.text
}

// list reads a text, or a list of texts.
func (l *loader) list(v *value, key string) []*value {
	list := []*value{v}
	if v.form == array && !v.tables {
		list = v.list
	}
	if len(list) > maxPatterns {
		l.bad(v.line, key, fmt.Sprintf("%s has more than %d entries", key, maxPatterns), "make several rules of it")
		return nil
	}
	out := make([]*value, 0, len(list))
	for _, one := range list {
		if one.form != text {
			l.bad(one.line, key, key+" has "+one.form.String()+" where a text should be", last(key)+` = "…" or `+last(key)+` = ["…", "…"]`)
			continue
		}
		if l.text(one, key, maxText) != one.text {
			continue
		}
		out = append(out, one)
	}
	return out
}

// choice reads one of these words.
func (l *loader) choice(v *value, key string, words ...string) string {
	s := l.text(v, key, maxText)
	if v.form != text || contains(words, s) {
		return s
	}
	l.bad(v.line, key, key+" is "+quoted(s)+l.near(s, words)+", and can be "+strings.Join(words, ", "), last(key)+` = "`+cmp.Or(closest(s, words), words[0])+`"`)
	return ""
}

// unknown notes a key that there is not.
func (l *loader) unknown(line int, in, name string, names ...string) {
	key := name
	if in != "" {
		key = in + "." + name
	}
	if cure := elsewhere(in, name); cure != "" {
		l.bad(line, key, "there is no key "+key, cure)
		return
	}
	l.bad(line, key, "there is no key "+key+l.near(name, names), "the keys here are "+strings.Join(names, ", "))
}

// near says what could have been meant.
func (l *loader) near(name string, names []string) string {
	if len(l.problems) > maxProblems { // nobody would read it
		return ""
	}
	best := closest(name, names)
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// closest is the name that is spelled most like this one, if any is.
func closest(name string, names []string) string {
	best, far := "", 3
	if len(name) > maxID {
		return ""
	}
	for _, n := range names {
		if d := spelling.Distance(strings.ToLower(name), n); d < far && d < len(n) && d < len(name) {
			best, far = n, d
		}
	}
	return best
}

// quoted shows a text of the file, cut.
func quoted(s string) string {
	if len(s) > maxID {
		s = s[:maxID] + "…"
	}
	return strconv.Quote(s)
}

func last(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }
