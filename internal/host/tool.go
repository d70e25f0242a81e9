package host

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/lenient"
)

// Args names the arguments by which one agent's tools say what they touch.
type Args struct {
	Command []string
	Paths   []string
	URLs    []string
	// Text arguments are searched for URLs.
	Text []string
}

// NewTool describes a tool call from the rows of its names and from every input that the payload holds for it (more than
// one of either only where a payload repeats keys). The last of each is what the host uses; commands, paths and URLs are
// taken from all inputs, whatever shape they have.
func NewTool(rows []Tool, inputs []lenient.Value, args Args) *canon.Tool {
	row := rows[len(rows)-1]
	t := &canon.Tool{Name: row.Name, HostName: row.HostName, Kind: row.Kind}
	var commands []string
	shell, stranger := mayRun(rows)
	for _, in := range inputs {
		t.Input = in.Clean()
		fields, found := shape(in, args.Command)
		switch {
		case stranger:
			commands = appendNew(append(commands, found...), seek(in, args.Command))
		case shell:
			found = append(found, lines(fields, args.Command)...)
			if len(found) == 0 {
				found = seek(in, args.Command) // no tool of the agent's takes it so; who knows who does
			}
			commands = append(commands, found...)
		}
		t.Paths = append(t.Paths, texts(fields, args.Paths)...)
		t.URLs = append(t.URLs, texts(fields, args.URLs)...)
		for _, s := range texts(fields, args.Text) {
			t.URLs = append(t.URLs, url().FindAllString(s, -1)...)
		}
		t.Paths = append(t.Paths, patched(in, fields)...)
	}
	t.Command = strings.Join(commands, "\n")
	return t
}

// shape gives an input's fields and, where it is no object as it should be, the command lines that it seems to hold.
func shape(in lenient.Value, names []string) (lenient.Members, []string) {
	switch in.Kind() {
	case lenient.Object:
		return in.Members(), nil
	case lenient.String: // an object as a JSON text, or the command line itself
		text := in.Text()
		if inner := lenient.Parse([]byte(text)).Value; inner.Kind() == lenient.Object {
			return inner.Members(), nil
		}
		return nil, appendText(nil, in)
	case lenient.Array:
		found := lenient.Find(in.Raw(), names)
		if len(found) == 0 {
			found = listed(in, listDepth)
		}
		return nil, found
	}
	return nil, nil
}

// mayRun tells whether a call could run a command line: as a shell, by any name that the payload gives it, or as a tool of which
// nobody knows what it does, an MCP server's or one that no table has.
func mayRun(rows []Tool) (shell, stranger bool) {
	for _, row := range rows {
		shell = shell || row.Kind == "shell"
		stranger = stranger || row.Kind == "other" || row.Kind == "mcp"
	}
	return shell, stranger
}

// appendNew adds the lines that are not there yet.
func appendNew(lines, more []string) []string {
	old := lines
	for _, line := range more {
		if !slices.Contains(old, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// url finds what a person would call a link. It is not a validator: a guard wants to see too many rather than too few.
var url = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bhttps?://[^\s"'<>` + "`" + `]+`)
})

// texts lists the non-empty texts of the keys, looking into lists.
func texts(m lenient.Members, keys []string) []string {
	var out []string
	for _, key := range keys {
		for _, v := range m.All(key) {
			if v.Kind() != lenient.Array {
				out = appendText(out, v)
				continue
			}
			for _, e := range v.Elems() {
				out = appendText(out, e)
			}
		}
	}
	return out
}

// lines lists the command lines of the keys; one given as a list of words is one line.
func lines(m lenient.Members, keys []string) []string {
	var out []string
	for _, key := range keys {
		for _, v := range m.All(key) {
			switch v.Kind() {
			case lenient.Array:
				out = append(out, listed(v, listDepth)...)
			case lenient.Object:
				out = append(out, seek(v, keys)...)
			default:
				out = appendText(out, v)
			}
		}
	}
	return out
}

// words joins a list to one line.
func words(list lenient.Value) string {
	var out []string
	for _, e := range list.Elems() {
		out = appendText(out, e)
	}
	return strings.Join(out, " ")
}

func appendText(out []string, v lenient.Value) []string {
	if s := v.Text(); s != "" {
		out = append(out, s)
	}
	return out
}

// Raw is the payload as it is kept: its own object, or an object around what was no object.
func Raw(payload lenient.Value) []byte {
	switch payload.Kind() {
	case lenient.Object:
		return payload.Clean()
	case lenient.Missing:
		return nil
	}
	return append(append([]byte(`{"_payload":`), payload.Clean()...), '}')
}
