package verify

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
)

// keysets are the fields that each version of an agent was seen to send: keysets/AGENT-VERSION.json. A member of "common"
// or of an event is a field and its JSON type, or types with | between. A dot leads into an object, whose fields are then
// known one and all; an object without such members may hold anything. A field with ? at its end may be missing; fields
// below one that may be missing are wanted where it is there.
//
//go:embed keysets/*.json
var keysets embed.FS

// KeySet is what one version of an agent sends.
type KeySet struct {
	Agent   string `json:"agent"`
	Version string `json:"version"`
	// Source says where the fields were seen.
	Source string                       `json:"source"`
	Common map[string]string            `json:"common"`
	Events map[string]map[string]string `json:"events"`

	shapes map[string]shape
}

// shape is one object's known fields.
type shape map[string]field

// field is a known field. Below is nil where an object may hold anything.
type field struct {
	types    []string
	optional bool
	below    shape
}

// KeySetOf is the newest key set of an agent; nil where none was recorded.
func KeySetOf(agent string) *KeySet {
	for _, k := range slices.Backward(allKeySets()) {
		if k.Agent == agent {
			return k
		}
	}
	return nil
}

// Hosts are the agents that can be verified: those of which there is a key set.
func Hosts() []*host.Host {
	return slices.DeleteFunc(registry.Hosts(), func(h *host.Host) bool { return KeySetOf(h.ID) == nil })
}

// allKeySets reads the embedded files in the order of their names. A test holds that they can be read.
var allKeySets = sync.OnceValue(func() []*KeySet {
	files, _ := keysets.ReadDir("keysets")
	var out []*KeySet
	for _, f := range files {
		text, err := keysets.ReadFile(path.Join("keysets", f.Name()))
		if err != nil {
			continue
		}
		if k, err := parseKeySet(text); err == nil {
			out = append(out, k)
		}
	}
	return out
})

func parseKeySet(text []byte) (*KeySet, error) {
	k := &KeySet{shapes: map[string]shape{}}
	if err := json.Unmarshal(text, k); err != nil {
		return nil, fmt.Errorf("read key set: %w", err)
	}
	for event, fields := range k.Events {
		s := shape{}
		for _, of := range []map[string]string{k.Common, fields} {
			for name, types := range of {
				if err := s.add(name, types); err != nil {
					return nil, fmt.Errorf("read key set %s %s: %s: %w", k.Agent, k.Version, event, err)
				}
			}
		}
		k.shapes[event] = s
	}
	return k, nil
}

// add puts a field at its path. The objects on the way may come before or after it.
func (s shape) add(name, types string) error {
	head, rest, nested := strings.Cut(name, ".")
	optional := strings.HasSuffix(head, "?")
	head = strings.TrimSuffix(head, "?")
	f := s[head]
	if nested {
		if f.below == nil {
			f.below = shape{}
		}
		s[head] = f
		return f.below.add(rest, types)
	}
	f.optional, f.types = optional, strings.Split(types, "|")
	for _, t := range f.types {
		if !slices.Contains([]string{"string", "number", "boolean", "object", "array", "null"}, t) {
			return fmt.Errorf("field %s: %q is no JSON type", name, t)
		}
	}
	s[head] = f
	return nil
}
