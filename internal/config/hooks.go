package config

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/hook/canon"
)

// Hook is one [[hooks]] table: a program of the user's that judges events.
type Hook struct {
	// Name is the name that was given, else that of the program.
	Name string `json:"name"`
	// On are the kinds of event that it is asked about; Tools and Agents narrow that, empty they do not.
	On     []canon.Kind `json:"on"`
	Tools  []string     `json:"tools,omitempty"`
	Agents []string     `json:"agents,omitempty"`
	// Command is the program with its arguments.
	Command []string      `json:"command,omitempty"`
	Timeout time.Duration `json:"-"`
	// FailClosed denies where the program gives no answer.
	FailClosed bool `json:"-"`
	// Broken says why a hook that fails closed can't be run; such a hook denies. Open ones that are broken are left out.
	Broken string `json:"broken,omitempty"`
	// Refused says that it is broken for the mode of its file.
	Refused bool `json:"-"`
	// Source is the place in the file.
	Source string `json:"source"`
}

// The bounds of a hook's time limit. With hook.deadline_ms it stays below the 30 s after which Antigravity decides itself.
const (
	hookTimeout    = 5 * time.Second
	maxHookTimeout = 15 * time.Second
)

// hooksName is the name of the tables; their number is open, so that they are no key.
const hooksName = "hooks"

// entry is a [[hooks]] table as it was read. line is 0 where it has yet to be looked for.
type entry struct {
	line   int
	fields map[string]any
}

func newEntry(line int) *entry { return &entry{line: line, fields: map[string]any{}} }

// takeHooks takes the tables out of sound TOML. One table in the place of several is a slip of one bracket.
func (f *file) takeHooks(v any) {
	list, ok := v.([]any)
	if table, one := v.(map[string]any); one {
		list, ok = []any{table}, true
	}
	if !ok {
		f.problem(f.line(hooksName), "hooks wants tables, [[hooks]]; it is ignored")
		return
	}
	for _, item := range list {
		e := newEntry(0)
		fields, ok := item.(map[string]any)
		if !ok {
			fields = map[string]any{"command": unread{}}
		}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			e.set(name, fields[name])
		}
		f.entries = append(f.entries, e)
	}
}

// hookPair takes a line of a broken file that stands below [[hooks]], or that sets them all.
func (f *file) hookPair(st statement) {
	names := st.names[1:]
	if len(names) == 0 {
		if v, form := readValue(st.value); form != lost {
			f.takeHooks(v)
			return
		}
		f.problem(st.line, "hooks has no value that can be read; it is ignored")
		return
	}
	v, form := readValue(st.value)
	if form == lost || form == mended && !plausible(names[0], v) {
		v = unread{}
	}
	f.hookField(st.line, names, v)
}

// hookField gives the table that is being read a field.
func (f *file) hookField(line int, names []string, v any) {
	if len(f.entries) == 0 {
		f.entries = append(f.entries, newEntry(line))
	}
	f.entries[len(f.entries)-1].set(strings.Join(names, "."), v)
}

// set takes a field in any case, as it is taken in other tables. Of several the last counts, but no fail opens what another
// closed.
func (e *entry) set(name string, v any) {
	name = strings.ToLower(name)
	if old, there := e.fields[name]; there && name == "fail" && old != "open" {
		return
	}
	e.fields[name] = v
}

// plausible tells whether a mended value can be what was meant.
func plausible(field string, v any) bool {
	if s, ok := v.(string); ok && strings.ToLower(field) == "fail" {
		return s == "open" || s == "closed"
	}
	return true
}

// hookLine is where the n-th table begins.
func (f *file) hookLine(n int) int {
	if f.entries[n].line == 0 {
		at := 0
		for s := newScanner(f.text); s.next() && at < len(f.entries); {
			if s.st.kind == isHead && isHooks(s.st.names) {
				f.entries[at].line = s.st.line
				at++
			}
		}
		if f.entries[n].line == 0 { // they stand in one line
			f.entries[n].line = f.line(hooksName)
		}
	}
	return f.entries[n].line
}

func isHooks(names []string) bool {
	return len(names) == 1 && strings.EqualFold(names[0], hooksName)
}

// hooks understands the tables. One that cannot be understood costs itself alone; where it fails closed it stays, and
// denies.
func (f *file) hooks(absolute func(path string) (string, bool)) []Hook {
	var out []Hook
	for n, e := range f.entries {
		r := hookReader{f: f, n: n, fields: e.fields, absolute: absolute}
		if h, ok := r.read(); ok {
			out = append(out, h)
		}
	}
	return out
}
