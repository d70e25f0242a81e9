package judge

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/policy"
)

// Apply makes edits in a text. Those that overlap, or are not in it, are none.
func Apply(text string, edits []policy.Edit) (string, bool) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b policy.Edit) int { return a.From - b.From })
	var out strings.Builder
	at := 0
	for _, e := range edits {
		if e.From < at || e.To < e.From || e.To > len(text) {
			return "", false
		}
		out.WriteString(text[at:e.From] + e.Text)
		at = e.To
	}
	out.WriteString(text[at:])
	return out.String(), len(edits) > 0
}

// Splice gives a tool's input another command line: the one argument that has the old is replaced, all other bytes stay. It fails
// where no argument has it, or more than one and names do not tell which.
func Splice(input json.RawMessage, names []string, old, line string) (json.RawMessage, bool) {
	found := holding(input, old)
	if len(found) > 1 {
		found = slices.DeleteFunc(found, func(a argument) bool { return !slices.Contains(names, a.name) })
	}
	if len(found) != 1 {
		return nil, false
	}
	var b bytes.Buffer
	b.Write(input[:found[0].from])
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(line) != nil {
		return nil, false
	}
	b.Truncate(b.Len() - 1) // the encoder's line break
	b.Write(input[found[0].to:])
	return b.Bytes(), json.Valid(b.Bytes())
}

// argument is one member of an input, with the bytes of its value.
type argument struct {
	name     string
	from, to int
}

// holding finds the members of an object that are this text.
func holding(input []byte, text string) []argument {
	dec := json.NewDecoder(bytes.NewReader(input))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []argument
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil
		}
		to := int(dec.InputOffset())
		var value string
		key, _ := name.(string)
		if json.Unmarshal(raw, &value) == nil && value == text {
			out = append(out, argument{key, to - len(raw), to})
		}
	}
	return out
}

// WithInput is an event as it would be with another input; commands name the arguments that hold a command line.
func WithInput(ev canon.Event, input json.RawMessage, commands []string) canon.Event {
	if ev.Tool == nil {
		return ev
	}
	lines := slices.Clone(commands)
	for _, name := range []string{"command", "cmd", "CommandLine"} {
		lines = addNew(lines, name)
	}
	row := host.Tool{HostName: ev.Tool.HostName, Name: ev.Tool.Name, Kind: ev.Tool.Kind}
	t := host.NewTool([]host.Tool{row}, []lenient.Value{lenient.Parse(input).Value}, host.Args{
		Command: lines,
		Paths: []string{
			"file_path", "filePath", "path", "paths", "absolute_path", "dir_path", "directory", "notebook_path", "AbsolutePath", "TargetFile", "DirectoryPath",
		},
		URLs: []string{"url", "urls", "Url"},
		Text: []string{"prompt"},
	})
	t.MCP = ev.Tool.MCP
	ev.Tool = t
	return ev
}
