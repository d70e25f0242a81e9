package install

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/confedit"
)

const (
	hooksKey   = "hooks"
	versionKey = "version"
)

// edited is a file with our entry at each of the events, and the members that hold nothing but what is ours. Entries that
// are there and are as they should be stay where they are.
func (l listed) edited(p *planner, data []byte, events []event, made []string) ([]byte, []string, error) {
	out, made, err := data, slices.Clone(made), error(nil)
	if !l.tidy(out) {
		if out, err = l.without(out, made); err != nil {
			return nil, nil, err
		}
	}
	if out, made, err = l.drop(out, events, made); err != nil {
		return nil, nil, err
	}
	if out, made, err = l.version(out, made); err != nil {
		return nil, nil, err
	}
	if out, made, err = l.pin(out, made); err != nil {
		return nil, nil, err
	}
	for _, e := range events {
		path, entry := []string{hooksKey, e.Name}, compact(l.entry(p, e))
		list, err := confedit.Elements(out, path)
		if err != nil {
			return nil, nil, err
		}
		if i := slices.IndexFunc(list, l.isOurs); i >= 0 {
			if !sameValue(list[i], entry) {
				out, err = confedit.SetElement(out, path, i, entry)
			}
			if err != nil {
				return nil, nil, err
			}
			continue
		}
		n := 0
		if out, n, err = confedit.Append(out, path, entry); err != nil {
			return nil, nil, err
		}
		for i := len(path) - n; i < len(path); i++ {
			if name := strings.Join(path[:i+1], "/"); !slices.Contains(made, name) {
				made = append(made, name)
			}
		}
	}
	return out, made, nil
}

// tidy tells whether our commands are where install puts them: in entries of their own, one in an event's list.
func (l listed) tidy(data []byte) bool {
	all, placed := 0, 0
	commands(data, func(_, command string) {
		if l.ours(command) {
			all++
		}
	})
	for _, name := range l.lists(data) {
		list, err := confedit.Elements(data, []string{hooksKey, name})
		if err != nil {
			continue // it is no list, and has none of ours
		}
		n := 0
		for _, element := range list {
			if ours, others := l.count(element); ours == 1 && others == 0 {
				n++
			}
		}
		if n > 1 {
			return false
		}
		placed += n
	}
	return all == placed
}

// drop takes out our entries at events that are not to be registered.
func (l listed) drop(data []byte, events []event, made []string) ([]byte, []string, error) {
	out := data
	for _, name := range slices.Backward(l.lists(data)) {
		path := []string{hooksKey, name}
		list, err := confedit.Elements(out, path)
		i := slices.IndexFunc(list, l.isOurs)
		if err != nil || i < 0 || slices.ContainsFunc(events, func(e event) bool { return e.Name == name }) {
			continue
		}
		if out, err = confedit.RemoveElement(out, path, i); err != nil {
			return nil, nil, err
		}
		if joined := strings.Join(path, "/"); slices.Contains(made, joined) && confedit.Hollow(out, path) {
			if out, err = confedit.RemoveAt(out, path); err != nil {
				return nil, nil, err
			}
			made = slices.DeleteFunc(made, func(m string) bool { return m == joined })
		}
	}
	return out, made, nil
}

// version writes what a versioned file has to begin with.
func (l listed) version(data []byte, made []string) ([]byte, []string, error) {
	if !l.versioned {
		return data, made, nil
	}
	if have, err := confedit.Member(data, versionKey); err != nil || have != nil {
		return data, made, err
	}
	out, err := confedit.SetMember(data, versionKey, []byte("1"))
	if err != nil || slices.Contains(made, versionKey) {
		return out, made, err
	}
	return out, append([]string{versionKey}, made...), nil
}

// pin writes the members that go with our entries.
func (l listed) pin(data []byte, made []string) ([]byte, []string, error) {
	out := data
	for _, m := range l.pins {
		have, err := confedit.Member(out, m.name)
		if err == nil && have == nil {
			out, err = confedit.SetMember(out, m.name, compact(m.value))
			if !slices.Contains(made, m.name) {
				made = append([]string{m.name}, made...)
			}
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return out, made, nil
}

// pinned is the value of a member that goes with our entries.
func (l listed) pinned(name string) []byte {
	for _, m := range l.pins {
		if m.name == name {
			return compact(m.value)
		}
	}
	return nil
}

// made are the members of a file that were made for our entries: those that the manifest has, or where it knows nothing,
// those that our entries are in.
func (l listed) made(data []byte, known file, ok bool) []string {
	if ok {
		return known.Made
	}
	var out []string
	for _, name := range l.lists(data) {
		list, err := confedit.Elements(data, []string{hooksKey, name})
		if err == nil && slices.ContainsFunc(list, func(e []byte) bool { ours, _ := l.count(e); return ours > 0 }) {
			out = append(out, hooksKey+"/"+name)
		}
	}
	if len(out) > 0 {
		out = append([]string{hooksKey}, out...)
	}
	return out
}

// without takes our handlers out, wherever they are, and what this leaves empty of what was made for them.
func (l listed) without(data []byte, made []string) ([]byte, error) {
	out, err := confedit.RemoveElements(data, func(value []byte) bool { return value[0] == '{' && isGroup(value) && l.isOurs(value) })
	if err != nil {
		return nil, err
	}
	out, err = confedit.RemoveElements(out, func(value []byte) bool { return value[0] == '{' && !isGroup(value) && l.isOurs(value) })
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Backward(made) {
		path := strings.Split(name, "/")
		if value := l.pinned(name); value != nil {
			if have, err := confedit.Member(out, name); err != nil || have == nil || !sameValue(have, value) {
				continue
			}
		} else if name == versionKey {
			if names, err := confedit.Names(out); err != nil || len(names) != 1 || names[0] != versionKey {
				continue
			}
		} else if !confedit.Hollow(out, path) {
			continue
		}
		if out, err = confedit.RemoveAt(out, path); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// lists are the names in the object of hooks, in the order of the file.
func (l listed) lists(data []byte) []string {
	value, err := confedit.Member(data, hooksKey)
	if err != nil || value == nil {
		return nil
	}
	names, _ := confedit.Names(value) // what is no object has none
	return names
}

// isOurs tells that an element of a list runs boathook and nothing else.
func (l listed) isOurs(element []byte) bool {
	ours, others := l.count(element)
	return ours > 0 && others == 0
}

// count tells how many handlers of a list's element are boathook's and how many are not.
func (l listed) count(element []byte) (ours, others int) {
	var e struct {
		Command string
		Hooks   []json.RawMessage
	}
	switch {
	case json.Unmarshal(element, &e) != nil:
		return 0, 1 // a handler that is none, say
	case e.Hooks == nil && l.ours(e.Command):
		return 1, 0
	case e.Hooks == nil:
		return 0, 1
	}
	for _, handler := range e.Hooks {
		o, n := l.count(handler)
		ours, others = ours+o, others+n
	}
	return ours, others
}

// isGroup tells a group of handlers from a handler.
func isGroup(element []byte) bool {
	var group struct{ Hooks *[]any }
	return json.Unmarshal(element, &group) == nil && group.Hooks != nil
}

func sameValue(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
