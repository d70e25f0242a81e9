package host

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/lenient"
)

// seekDepth and seekSteps bound the walk through one input; what they leave out is found as in a broken text.
const (
	seekDepth = 8
	seekSteps = 4096
)

// Lines lists the command lines that an input seems to hold, each for itself; names are the arguments that may have one.
func Lines(in lenient.Value, names []string) []string { return seek(in, names) }

// seek lists the command lines of a tool that is not known, as those of MCP servers are: what stands at any depth under a name
// that tools have for one, with the arguments beside it.
func seek(in lenient.Value, names []string) []string {
	s := seeker{names: append([]string{"command", "commands", "cmd", "command_line", "commandLine", "CommandLine"}, names...)}
	s.value(in, seekDepth, false)
	if s.steps > seekSteps || s.deep {
		for _, line := range lenient.Find(in.Raw(), s.names) {
			s.add(line)
		}
	}
	return s.lines
}

type seeker struct {
	names, lines []string
	steps        int
	deep         bool
}

func (s *seeker) add(line string) {
	if line != "" && (len(s.lines) > seekSteps || !slices.Contains(s.lines, line)) {
		s.lines = append(s.lines, line)
	}
}

// value looks into one value; command says that it stands where a command line does.
func (s *seeker) value(v lenient.Value, depth int, command bool) {
	v = Unfold(v)
	inner := v.Kind() == lenient.Object || v.Kind() == lenient.Array
	if s.steps++; inner && (depth == 0 || s.steps > seekSteps) {
		s.deep = true
		return
	}
	switch {
	case v.Kind() == lenient.Object:
		s.object(v.Members(), depth)
	case v.Kind() == lenient.Array:
		for _, e := range v.Elems() {
			s.value(e, depth-1, command)
		}
	case command:
		s.add(v.Text())
	}
}

func (s *seeker) object(m lenient.Members, depth int) {
	behind := ""
	for _, key := range []string{"args", "arguments"} {
		for _, list := range m.All(key) {
			if line, plain := line(list); plain && list.Kind() == lenient.Array {
				behind += " " + line
			}
		}
	}
	for _, member := range m {
		is := slices.ContainsFunc(s.names, func(name string) bool { return strings.EqualFold(name, member.Key) })
		text, plain := line(member.Value)
		before := len(s.lines)
		if list := Unfold(member.Value); is && plain && list.Kind() == lenient.Array {
			for _, line := range listed(list, listDepth) { // as its words are, beside as they are joined
				s.add(line)
			}
		}
		switch {
		case is && member.Key != "commands" && plain && text != "":
			s.add(text + behind)
		default:
			if s.value(member.Value, depth-1, is); is && len(s.lines) == before {
				s.add(member.Value.Text())
			}
		}
	}
}

// line is a text, or a list of words as one.
func line(v lenient.Value) (text string, plain bool) {
	v = Unfold(v)
	switch v.Kind() {
	case lenient.Object:
		return "", false
	case lenient.Array:
		for _, e := range v.Elems() {
			if e.Kind() == lenient.Object || e.Kind() == lenient.Array {
				return "", false
			}
		}
		return words(v), true
	}
	return v.Text(), true
}

// Unfold reads a text that is a JSON object or list as that.
func Unfold(v lenient.Value) lenient.Value {
	if v.Kind() != lenient.String {
		return v
	}
	if text := strings.TrimSpace(v.Text()); strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
		if p := lenient.Parse([]byte(`{"in":` + text + `}`)); p.Sound() {
			return p.Value.Members().Get("in")
		}
	}
	return v
}
