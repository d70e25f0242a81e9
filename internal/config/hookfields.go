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
)

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
