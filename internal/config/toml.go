package config

import (
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// maxProblems bounds what is said about one file: every record carries it.
const maxProblems = 32

// file is a settings file as read: the values of known keys, and what is wrong with it. Problems never quote values, and
// names only where they look like one: either may be a secret in a wrong place.
type file struct {
	path     string
	text     string
	values   map[string]any // by the key's name
	lines    map[string]int // of keys and unknown names, once they are needed
	entries  []*entry       // the tables [[hooks]]
	problems []string
	said     map[string]bool
}

// unread stands for the value of a choice that is there but cannot be read.
type unread struct{}

// parseFile reads a file as TOML, and one that is none, or that has known tables in another form, statement by statement.
func parseFile(path, text string, cut bool) *file {
	f := &file{path: path, text: text, values: map[string]any{}, said: map[string]bool{}}
	if cut {
		f.problem(0, fmt.Sprintf("longer than %d bytes; the rest is ignored", maxFile))
	}
	var tree map[string]any
	err := toml.Unmarshal([]byte(text), &tree)
	if err == nil && regular(tree, "") {
		f.take(tree, "")
		return f
	}
	f.salvage()
	var at *toml.DecodeError
	if errors.As(err, &at) && len(f.problems) == 0 {
		row, _ := at.Position()
		f.problem(row, "not valid TOML; everything could be read all the same")
	}
	return f
}

// regular tells whether every known table is a table under its own name.
func regular(tree map[string]any, prefix string) bool {
	for name, v := range tree {
		full := prefix + name
		canonical := known().canonical(full)
		if canonical == hooksName && full != canonical {
			return false
		}
		key, isKey := known().keys[canonical]
		table := known().tables[canonical]
		if !isKey && !table {
			continue
		}
		if full != canonical {
			return false
		}
		if _, list := v.([]any); list && (table || key.Type == Map) {
			return false
		}
		if below, ok := v.(map[string]any); ok && table && !regular(below, full+".") {
			return false
		}
	}
	return true
}

// take takes the known keys out of a tree.
func (f *file) take(tree map[string]any, prefix string) {
	names := make([]string, 0, len(tree))
	for name := range tree {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		full := prefix + name
		below, ok := tree[name].(map[string]any)
		switch _, key := known().keys[full]; {
		case full == hooksName:
			f.takeHooks(tree[name])
		case key:
			f.values[full] = tree[name]
		case known().tables[full] && ok:
			f.take(below, full+".")
		case known().tables[full]:
			f.problem(f.line(full), full+" wants a table; it is ignored")
		default:
			f.unknown(full)
		}
	}
}

var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`) })

func (f *file) unknown(name string) {
	shown := "an unknown key"
	if plainName().MatchString(name) {
		shown = "unknown key " + name
		if near := suggest(name); near != "" {
			shown += " (did you mean " + near + "?)"
		}
	}
	f.problem(f.line(name), shown+"; it is ignored")
}

// problem notes what is wrong in a line, each once; line 0 is the whole file.
func (f *file) problem(line int, text string) {
	text = f.at(line) + ": " + text
	if f.said[text] || len(f.problems) > maxProblems {
		return
	}
	f.said[text] = true
	if len(f.problems) == maxProblems {
		text = f.path + ": more is wrong than is listed"
	}
	f.problems = append(f.problems, text)
}

func (f *file) at(line int) string {
	if line == 0 {
		return f.path
	}
	return fmt.Sprintf("%s:%d", f.path, line)
}

// line is where a name is given a value, or where its table begins; 0 where that cannot be told. Only problems ask.
func (f *file) line(name string) int {
	if f.lines == nil {
		f.lines = map[string]int{}
		for s := newScanner(f.text); s.next(); {
			for n := range s.st.names {
				f.place(strings.Join(s.st.names[:n+1], "."), s.st.line)
			}
		}
	}
	return f.lines[name]
}

// place remembers a line under the name as written and under the key's.
func (f *file) place(name string, line int) {
	for _, name := range []string{name, known().canonical(name)} {
		if f.lines[name] == 0 {
			f.lines[name] = line
		}
	}
}

func (f *file) layer() layer {
	get := func(k Key) (any, string, bool) {
		v, ok := f.values[k.Name]
		return v, f.path, ok
	}
	return layer{name: f.path, get: get, file: f, at: func(k Key) string { return f.at(f.line(k.Name)) }}
}
