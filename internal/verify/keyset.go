package verify

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// KeySetOf is the key set for a version of an agent: of those that are not newer the newest, else the oldest. An empty version
// is any. What documents say counts where nothing was recorded. It is nil where there is none at all.
func KeySetOf(agent, version string) *KeySet {
	var best *KeySet
	for _, k := range allKeySets() {
		if k.Agent == agent && (best == nil || k.suits(version, best)) {
			best = k
		}
	}
	return best
}

// suits tells whether a key set is a better one than another for a version.
func (k *KeySet) suits(version string, other *KeySet) bool {
	mine, others := k.Version, other.Version
	switch {
	case mine == documented || others == documented:
		return mine != documented
	case version == "":
		return compareVersions(mine, others) > 0
	}
	mineIsOld, othersIsOld := compareVersions(mine, version) <= 0, compareVersions(others, version) <= 0
	if mineIsOld != othersIsOld {
		return mineIsOld
	}
	return (compareVersions(mine, others) > 0) == mineIsOld
}

// documented stands in place of a version where the documents are all that is known.
const documented = "documented"

// compareVersions goes by the numbers in two versions.
func compareVersions(a, b string) int {
	return slices.Compare(numbers(a), numbers(b))
}

func numbers(version string) []int {
	var out []int
	for part := range strings.SplitSeq(version, ".") {
		end := strings.IndexFunc(part, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(part)
		}
		n, _ := strconv.Atoi(part[:end]) // none counts as zero
		out = append(out, n)
	}
	return out
}

// known compares a payload with a key set. What another version of the agent was seen to send just so is no difference: more
// than one may be in use.
func (k *KeySet) known(event string, payload []byte) (out []Difference, ok bool) {
	out, ok = k.Compare(event, payload)
	if ok && len(out) == 0 {
		return nil, true
	}
	for _, other := range allKeySets() {
		if other.Agent != k.Agent || other == k {
			continue
		}
		if differences, judged := other.Compare(event, payload); judged && len(differences) == 0 {
			return nil, true
		}
	}
	return out, ok
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
