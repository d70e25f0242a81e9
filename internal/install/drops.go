package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/confedit"
	"github.com/boathook/boathook/internal/host"
)

// Agents drop a whole file of hooks for one thing in it that they don't take, mostly without a word. What is known of that
// is looked for before a file is edited, and again before it is written.

// strictJSON tells why a file is no strict JSON object; a byte order mark passes where mark says so. An empty file passes.
func strictJSON(data []byte, mark bool) string {
	if mark {
		data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	}
	if err := confedit.Strict(data); err != nil {
		return "line " + strings.TrimSpace(err.Error())
	}
	return plainObject(data)
}

// plainObject tells why a text of JSON is no object that can be edited.
func plainObject(data []byte) string {
	if _, err := confedit.Names(data); err != nil {
		return "line " + strings.TrimSpace(err.Error())
	}
	return ""
}

// fileTree is a file's object; nil where it has none.
func fileTree(data []byte) map[string]any {
	plain, err := confedit.Plain(data)
	if err != nil {
		return nil
	}
	var out map[string]any
	_ = json.Unmarshal(plain, &out) // what is no object has no members
	return out
}

// rules are what an agent wants of the handlers in a file.
type rules struct {
	// types are the handlers' types that it knows.
	types []string
	// whole says that a timeout has to be a whole number, zero that one of 0 or less does not matter.
	whole, zero bool
	// flat says that an event's list has handlers and no groups, untyped that a handler needs no type.
	flat, untyped bool
	// loose says that handlers are not looked into: nothing is known of what would be wrong there.
	loose bool
	// only says that an event of another name breaks the file; else what stands under it does not matter.
	only bool
}

// broken tells what in the object of hooks an agent does not take.
func (r rules) broken(h *host.Host, file map[string]any) string {
	value, there := file[hooksKey]
	if !there {
		return ""
	}
	hooks, ok := value.(map[string]any)
	if !ok {
		return `"hooks" is no object`
	}
	for _, name := range slices.Sorted(maps.Keys(hooks)) {
		_, known := h.Event(name)
		switch {
		case !known && r.only:
			return fmt.Sprintf("hooks.%s is no event that %s has", name, h.Title)
		case !known:
			continue
		}
		list, ok := hooks[name].([]any)
		if !ok {
			return fmt.Sprintf("hooks.%s is no list", name)
		}
		for i, element := range list {
			if why := r.element(element); why != "" {
				return fmt.Sprintf("hooks.%s[%d] %s", name, i, why)
			}
		}
	}
	return ""
}

func (r rules) element(element any) string {
	entry, ok := element.(map[string]any)
	switch {
	case !ok:
		return "is no object"
	case r.loose:
		return ""
	}
	if m, there := entry["matcher"]; there && m != nil {
		if _, ok := m.(string); !ok {
			return "has a matcher that is no text"
		}
	}
	if r.flat {
		return r.handler(entry)
	}
	list, ok := entry[hooksKey].([]any)
	if !ok {
		return `is no group: its handlers have to be in a list "hooks"`
	}
	for i, element := range list {
		handler, ok := element.(map[string]any)
		if !ok {
			return fmt.Sprintf("has hooks[%d], which is no object", i)
		}
		if why := r.handler(handler); why != "" {
			return fmt.Sprintf("has hooks[%d], which %s", i, why)
		}
	}
	return ""
}

func (r rules) handler(h map[string]any) string {
	kind, typed := h["type"].(string)
	switch _, there := h["type"]; {
	case there && !typed, typed && len(r.types) > 0 && !slices.Contains(r.types, kind):
		return fmt.Sprintf("has the type %s, which is none of %s", compact(h["type"]), strings.Join(r.types, ", "))
	case !there && !r.untyped:
		return "has no type"
	}
	if _, ok := h["command"].(string); !ok && (kind == "command" || kind == "" && r.untyped) {
		return "has no command"
	}
	timeout, there := h["timeout"]
	if !there || timeout == nil {
		return ""
	}
	n, ok := timeout.(float64)
	switch {
	case !ok && r.zero:
		return "has a timeout that is no number"
	case !ok || n <= 0 && !r.zero:
		return "has a timeout that is no number above 0"
	case r.whole && n != float64(int64(n)):
		return "has a timeout that is no whole number"
	}
	return ""
}
