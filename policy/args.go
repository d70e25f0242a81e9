package policy

import (
	"encoding/json"
	"strconv"
	"strings"
)

// argTree is a tool's arguments, decoded when a rule first asks.
type argTree struct {
	read  bool
	value any
}

// arg matches one argument of the tool; of a list one of its elements.
func (j *judging) arg(a *ArgPattern) tri {
	if !j.args.read {
		j.args.read = true
		if json.Unmarshal(j.call.Args, &j.args.value) != nil {
			j.args.value = nil
		}
	}
	return j.below(j.args.value, a.Name, a.Patterns)
}

func (j *judging) below(v any, name string, patterns []string) tri {
	if j.steps--; j.steps < 0 {
		return maybe
	}
	if list, ok := v.([]any); ok {
		found := no
		for _, one := range list {
			if found = max(found, j.below(one, name, patterns)); found == yes {
				break
			}
		}
		return found
	}
	if name == "" {
		return j.scalar(v, patterns)
	}
	members, ok := v.(map[string]any)
	if !ok {
		return no
	}
	if whole, ok := members[name]; ok { // a name with dots of its own
		return j.below(whole, "", patterns)
	}
	first, rest, _ := strings.Cut(name, ".")
	one, ok := members[first]
	if !ok {
		return no
	}
	return j.below(one, rest, patterns)
}

func (j *judging) scalar(v any, patterns []string) tri {
	switch v := v.(type) {
	case string:
		return j.any(patterns, v, glob)
	case bool:
		return j.any(patterns, strconv.FormatBool(v), glob)
	case float64:
		return j.any(patterns, strconv.FormatFloat(v, 'f', -1, 64), glob)
	}
	return no
}
