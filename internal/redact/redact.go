// Package redact masks secrets and personal numbers in what a hook is about to
// keep. The hook calls it on the whole payload before anything reaches the disk.
//
// It works in one pass: a byte table finds the few places where a secret can
// start (a known prefix, a separator after a telling name, a run of digits) and
// a small hand-written matcher looks at that place alone. Regular expressions
// are used only for the patterns a user adds.
//
// It imports nothing else of boathook, so that it can be trusted and fuzzed alone.
package redact

import (
	"fmt"
	"regexp"
	"strings"
)

// Pattern is a user's own secret: every match of Regexp is masked as Type.
type Pattern struct{ Type, Regexp string }

// Options tune a Redactor.
type Options struct {
	// Allow lists what is never masked. An entry is tried as the exact text of
	// the secret first, then as a regexp that has to match all of it.
	Allow []string
	// Patterns are masked in addition to what is built in.
	Patterns []Pattern
}

// Counts says how often each type was masked.
type Counts map[string]int

// Redactor masks secrets. It never changes after New, so it may be used
// concurrently; a nil Redactor works and has no options.
type Redactor struct {
	literals map[string]bool
	allow    []*regexp.Regexp
	patterns []pattern
	types    map[string]bool // the added types, known when marks are recognised
}

type pattern struct {
	typ string
	re  *regexp.Regexp
}

// New builds a Redactor. A pattern that can't be used is reported and skipped:
// a typing error must not switch redaction off.
func New(o Options) (*Redactor, []error) {
	r := &Redactor{}
	var errs []error
	for _, p := range o.Patterns {
		if err := r.addPattern(p); err != nil {
			errs = append(errs, err)
		}
	}
	for _, a := range o.Allow {
		r.addAllow(a)
	}
	return r, errs
}

func (r *Redactor) addPattern(p Pattern) error {
	typ := typeName(p.Type)
	if typ == "" {
		return fmt.Errorf("read redaction pattern %q: type is empty", p.Regexp)
	}
	if p.Regexp == "" {
		return fmt.Errorf("read redaction pattern of type %s: regexp is empty", typ)
	}
	re, err := regexp.Compile(p.Regexp)
	if err != nil {
		return fmt.Errorf("read redaction pattern of type %s: %w", typ, err)
	}
	if r.types == nil {
		r.types = map[string]bool{}
	}
	r.types[typ] = true
	r.patterns = append(r.patterns, pattern{typ, re})
	return nil
}

// addAllow keeps an entry that is no regexp as a literal only: "a(b" is a
// perfectly good password.
func (r *Redactor) addAllow(entry string) {
	if entry == "" {
		return
	}
	if r.literals == nil {
		r.literals = map[string]bool{}
	}
	r.literals[entry] = true
	if re, err := regexp.Compile(`\A(?:` + entry + `)\z`); err == nil {
		r.allow = append(r.allow, re)
	}
}

func (r *Redactor) allowed(secret string) bool {
	if r == nil || len(r.literals) == 0 {
		return false
	}
	if r.literals[secret] {
		return true
	}
	for _, re := range r.allow {
		if re.MatchString(secret) {
			return true
		}
	}
	return false
}

// maxPasses bounds how often a text is looked at again after something in it was
// masked. A mark can uncover a neighbour ("Basic <credentials>=<card>"); looking
// again is what makes masking idempotent, and clean text never pays for it.
const maxPasses = 6

// Text masks the secrets in s. shell says that s can hold commands or program
// text, where command-line passwords and KEY=value are looked for too. The
// length is left alone; see Truncate.
func (r *Redactor) Text(s string, shell bool, c Counts) string {
	for range maxPasses {
		before := s
		s = r.textJSON(s, shell, c)
		if spans := r.find(s, field{shell: shell}, nil); len(spans) > 0 {
			s = render(s, spans, c)
		}
		if s == before {
			break
		}
	}
	return s
}

// textJSON masks the members of a text that is JSON, as in a string of a payload: a value is judged by its name alone there.
func (r *Redactor) textJSON(s string, shell bool, c Counts) string {
	if len(s) > MaxString || !container(s) {
		return s
	}
	found := Counts{}
	out, ok := r.rewrite(s, context{field: field{shell: shell}}, 1, found, &work{budget: maxSteps})
	if !ok || len(found) == 0 { // what JSON forbids in a string stays as it is
		return s
	}
	if c != nil {
		for typ, n := range found {
			c[typ] += n
		}
	}
	return out
}

// typeName keeps marks recognisable whatever name a user picked.
func typeName(s string) string {
	if len(s) > maxTypeName {
		s = s[:maxTypeName]
	}
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return '_'
	}, s)
}
