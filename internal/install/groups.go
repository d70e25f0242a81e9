package install

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/boathook/boathook/internal/confedit"
)

// A hooks.json of Gemini's shape is {"hooks": {EVENT: [group…]}}, a group {"matcher": …, "hooks": [handler…]}. A handler
// is ours by its name.

type hookGroup struct {
	Matcher *string
	Hooks   []hookHandler
}

type hookHandler struct {
	Type, Name, Command string
	Timeout             float64
	Env                 map[string]string
}

// sameGroups tells whether two texts have the same groups of ours, whatever else is in them.
func sameGroups(a, b []byte) bool {
	x, y := ourGroups(a), ourGroups(b)
	return x != nil && reflect.DeepEqual(x, y)
}

func ourGroups(data []byte) map[string][]hookGroup {
	text, err := confedit.Plain(data)
	if err != nil {
		return nil
	}
	var file struct{ Hooks map[string][]hookGroup }
	if json.Unmarshal(text, &file) != nil {
		return nil
	}
	out := map[string][]hookGroup{}
	for event, groups := range file.Hooks {
		for _, g := range groups {
			if slices.ContainsFunc(g.Hooks, func(h hookHandler) bool { return h.Name == ownerName }) {
				out[event] = append(out[event], g)
			}
		}
	}
	return out
}

// addGroups puts the groups of our hooks.json into one that has others.
func addGroups(data, ours []byte) ([]byte, error) {
	hooks, err := confedit.Member(data, "hooks")
	if err != nil {
		return nil, err
	}
	add, err := confedit.Member(ours, "hooks")
	if err != nil {
		return nil, err
	}
	events, err := confedit.Names(add)
	if err != nil {
		return nil, err
	}
	for _, event := range events {
		if hooks, err = addGroup(hooks, add, event); err != nil {
			return nil, err
		}
	}
	return confedit.SetRaw(data, "hooks", hooks)
}

func addGroup(hooks, add []byte, event string) ([]byte, error) {
	want, err := confedit.Member(add, event)
	if err != nil {
		return nil, err
	}
	have, err := confedit.Member(hooks, event)
	if err != nil {
		return nil, err
	}
	if have == nil {
		return confedit.SetMember(hooks, event, want)
	}
	var groups []json.RawMessage
	if err := json.Unmarshal(want, &groups); err != nil {
		return nil, err
	}
	for _, group := range groups {
		if have, err = confedit.Append(have, group); err != nil {
			return nil, err
		}
	}
	return confedit.SetRaw(hooks, event, have)
}

// withoutHandlers takes our handlers out of a hooks.json of Gemini's shape, and the groups that this empties.
func withoutHandlers(data []byte) ([]byte, error) {
	left, err := confedit.RemoveElements(data, func(value []byte) bool {
		var h hookHandler
		return json.Unmarshal(value, &h) == nil && h.Command != "" && h.Name == ownerName
	})
	if err != nil {
		return nil, err
	}
	return confedit.RemoveElements(left, func(value []byte) bool {
		var group struct{ Hooks *[]any }
		return json.Unmarshal(value, &group) == nil && group.Hooks != nil && len(*group.Hooks) == 0
	})
}

// handlers counts the commands in a hooks.json.
func handlers(data []byte) int {
	plain, err := confedit.Plain(data)
	if err != nil {
		return 0
	}
	var tree any
	if json.Unmarshal(plain, &tree) != nil {
		return 0
	}
	return len(commandsIn(tree, nil))
}
