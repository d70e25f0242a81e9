package config

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/spelling"
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

// hookReader reads one table.
type hookReader struct {
	f        *file
	n        int
	fields   map[string]any
	absolute func(path string) (string, bool)
	closed   bool
	left     bool // something is missing without which an open hook is none
}

func (r *hookReader) read() (Hook, bool) {
	h := Hook{Timeout: hookTimeout, Source: r.f.at(r.f.hookLine(r.n))}
	r.closed = r.failClosed()
	h.FailClosed = r.closed
	h.On = r.kinds()
	h.Tools, h.Agents = r.list("tools"), r.list("agents")
	h.Timeout = r.timeout()
	h.Name, _ = r.fields["name"].(string)
	command, err := r.command()
	if err != nil {
		h.Broken = err.Error()
		r.lose("command " + err.Error())
	}
	h.Command = command
	if h.Name == "" {
		h.Name = programName(r.fields["command"])
	}
	r.unknown()
	return h, r.closed || !r.left
}

// lose notes what makes an open hook none.
func (r *hookReader) lose(what string) {
	r.left = true
	if r.closed {
		r.problem(what + "; since fail is closed, it denies")
		return
	}
	r.problem(what + "; the hook is ignored")
}

func (r *hookReader) problem(text string) { r.f.problem(r.f.hookLine(r.n), "hooks."+text) }

func (r *hookReader) failClosed() bool {
	switch v := r.fields["fail"]; v {
	case nil, "open":
		return false
	case "closed":
		return true
	}
	r.problem("fail is none of open, closed; the strict closed is used")
	return true
}

// kinds are those of on. A closed hook whose kinds can't be read is asked where a deny counts most.
func (r *hookReader) kinds() []canon.Kind {
	fallback := []canon.Kind{canon.ToolBefore}
	v, there := r.fields["on"]
	if !there {
		return fallback
	}
	list, err := texts(v)
	var out []canon.Kind
	for _, name := range list {
		if k := canon.Kind(name); slices.Contains(canon.Kinds(), k) {
			out = append(out, k)
			continue
		}
		err = errors.New("has an unknown kind of event" + nearest(name, kindNames()))
	}
	switch {
	case err == nil && len(out) > 0:
		return out
	case r.closed:
		r.problem("on " + orEmpty(err) + "; since fail is closed, it is asked at tool:before, too")
		if !slices.Contains(out, canon.ToolBefore) {
			out = append(out, canon.ToolBefore)
		}
	case len(out) > 0:
		r.problem("on " + err.Error() + "; the others count")
	default:
		r.lose("on " + orEmpty(err))
	}
	return out
}

func orEmpty(err error) string {
	if err == nil {
		return "is empty"
	}
	return err.Error()
}

// list is a filter. One that can't be read narrows nothing where the hook is closed.
func (r *hookReader) list(field string) []string {
	v, there := r.fields[field]
	if !there {
		return nil
	}
	list, err := texts(v)
	switch {
	case err == nil:
		return list
	case r.closed:
		r.problem(field + " " + err.Error() + "; since fail is closed, it counts as none")
	default:
		r.lose(field + " " + err.Error())
	}
	return nil
}

func (r *hookReader) timeout() time.Duration {
	v, there := r.fields["timeout"]
	if !there {
		v, there = r.fields["timeout_ms"]
	}
	if !there {
		return hookTimeout
	}
	n, err := toInt(Key{}, v)
	ms, _ := n.(int64)
	if d := time.Duration(ms) * time.Millisecond; err == nil && ms > 0 && ms <= maxHookTimeout.Milliseconds() {
		return d
	}
	r.problem(fmt.Sprintf("timeout wants milliseconds from 1 to %d; %d is used", maxHookTimeout.Milliseconds(), hookTimeout.Milliseconds()))
	return hookTimeout
}

// command is the program with its arguments: a list of words is started as it is, a text is a line for the shell. A relative
// path would be looked for in every project.
func (r *hookReader) command() ([]string, error) {
	v, there := r.fields["command"]
	if line, text := v.(string); text && strings.TrimSpace(line) != "" {
		return shell(line), nil
	}
	if !there {
		return nil, errors.New("is missing")
	}
	words, ok := v.([]any)
	list, err := texts(v)
	if !ok || err != nil || len(list) == 0 || list[0] == "" || len(list) != len(words) {
		return nil, errors.New("wants a list of words, or a line for the shell")
	}
	if !strings.ContainsAny(list[0], `/\`) {
		return list, nil // found in PATH
	}
	path, ok := r.absolute(list[0])
	if !ok {
		return nil, errors.New("has a path that is not absolute")
	}
	return append([]string{path}, list[1:]...), nil
}

// shell is how a line is run.
func shell(line string) []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/c", line}
	}
	return []string{"/bin/sh", "-c", line}
}

// programName names a hook without a name: its program, without the directory.
func programName(command any) string {
	var word string
	switch v := command.(type) {
	case string:
		word, _, _ = strings.Cut(strings.TrimSpace(v), " ")
	case []any:
		if len(v) > 0 {
			word, _ = v[0].(string)
		}
	}
	if word == "" {
		return "hook"
	}
	return filepath.Base(filepath.ToSlash(word))
}

func (r *hookReader) unknown() {
	known := []string{"name", "on", "tools", "agents", "command", "timeout", "timeout_ms", "fail"}
	for _, name := range slices.Sorted(maps.Keys(r.fields)) {
		if !slices.Contains(known, name) {
			shown := "an unknown key"
			if plainName().MatchString(name) {
				shown = "unknown key hooks." + name + nearest(name, known)
			}
			r.f.problem(r.f.hookLine(r.n), shown+"; it is ignored")
		}
	}
}

func texts(v any) ([]string, error) {
	if s, ok := v.(string); ok {
		return []string{s}, nil
	}
	if _, is := v.(unread); is {
		return nil, errors.New("has no value that can be read")
	}
	list, err := toList(v)
	out, _ := list.([]string)
	return out, err
}

func kindNames() []string {
	var out []string
	for _, k := range canon.Kinds() {
		out = append(out, string(k))
	}
	return out
}

// nearest suggests what a name may stand for.
func nearest(name string, of []string) string {
	best, least := "", min(4, len(name)/2+1)
	for _, candidate := range of {
		if d := spelling.Distance(strings.ToLower(name), candidate); d < least {
			best, least = candidate, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}
