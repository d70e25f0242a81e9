package host

import (
	"regexp"
	"strings"
	"sync"

	"github.com/boathook/boathook/hook"
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

// NewTool describes a tool call from its row and every input that the payload holds for it (more than one only where a
// payload repeats the key). The last input is the one that the host uses; commands, paths and URLs are taken from all.
func NewTool(row Tool, inputs []lenient.Value, args Args) *hook.Tool {
	t := &hook.Tool{Name: row.Name, HostName: row.HostName, Kind: row.Kind}
	var commands []string
	for _, in := range inputs {
		t.Input = in.Clean()
		fields := in.Members()
		if in.Kind() == lenient.String {
			text := in.Text()
			inner, _ := lenient.Parse([]byte(text))
			if fields = inner.Members(); fields == nil {
				commands = append(commands, text)
			}
		}
		commands = append(commands, lines(fields, args.Command)...)
		t.Paths = append(t.Paths, texts(fields, args.Paths)...)
		t.URLs = append(t.URLs, texts(fields, args.URLs)...)
		for _, s := range texts(fields, args.Text) {
			t.URLs = append(t.URLs, url().FindAllString(s, -1)...)
		}
	}
	if row.Kind == "shell" || row.Kind == "other" {
		t.Command = strings.Join(commands, "\n")
	}
	return t
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
			if v.Kind() != lenient.Array {
				out = appendText(out, v)
				continue
			}
			var words []string
			for _, e := range v.Elems() {
				words = appendText(words, e)
			}
			out = append(out, strings.Join(words, " "))
		}
	}
	return out
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
