package install

import (
	"encoding/json"

	"github.com/boathook/boathook/internal/confedit"
)

// Agents write hooks as {EVENT: [group or handler…]}, a group as {"matcher": …, "hooks": [handler…]}, and a handler has a
// "command".

// commands calls see with each command in a JSON text, and the event that it is for: the name around its outermost array.
func commands(data []byte, see func(event, command string)) {
	plain, err := confedit.Plain(data)
	if err != nil {
		return
	}
	var tree any
	if json.Unmarshal(plain, &tree) == nil {
		walkCommands(tree, "", false, see)
	}
}

func walkCommands(v any, event string, inArray bool, see func(event, command string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, below := range v {
			if text, ok := below.(string); ok && name == "command" {
				see(event, text)
				continue
			}
			if !inArray {
				event = name
			}
			walkCommands(below, event, inArray, see)
		}
	case []any:
		for _, below := range v {
			walkCommands(below, event, true, see)
		}
	}
}

// count tells how many commands in a text are boathook's and how many are not. An object without any counts as another's.
func (m member) count(value []byte) (ours, others int) {
	if value == nil {
		return 0, 0
	}
	commands(value, func(_, command string) {
		if m.ours(command) {
			ours++
		} else {
			others++
		}
	})
	if ours+others == 0 {
		others = 1
	}
	return ours, others
}

// withoutHandlers takes our handlers out of a file, and the groups that this empties.
func (m member) withoutHandlers(data []byte) ([]byte, error) {
	left, err := confedit.RemoveElements(data, func(value []byte) bool {
		var h struct{ Command string }
		return json.Unmarshal(value, &h) == nil && h.Command != "" && m.ours(h.Command)
	})
	if err != nil {
		return nil, err
	}
	return confedit.RemoveElements(left, func(value []byte) bool {
		var group struct{ Hooks *[]any }
		return json.Unmarshal(value, &group) == nil && group.Hooks != nil && len(*group.Hooks) == 0
	})
}
