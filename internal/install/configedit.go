package install

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/boathook/boathook/internal/config"
)

// setTOML gives one key a value and leaves every other byte alone. There are several ways in which a file may be written;
// the first edit that parses, and changes that key and no other, is taken.
func setTOML(text []byte, k config.Key, value any) ([]byte, error) {
	var before map[string]any
	if err := toml.Unmarshal(text, &before); err != nil {
		return nil, fmt.Errorf("read it: %w", err)
	}
	table, name := "", k.Name
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		table, name = name[:at], name[at+1:]
	}
	line := name + " = " + tomlValue(k, value)
	want, err := parseTree([]byte(k.Name + " = " + tomlValue(k, value)))
	if err != nil {
		return nil, fmt.Errorf("%s can't be written", k.Name)
	}
	for _, edit := range []func() []byte{
		func() []byte { return replaceLine(text, table, name, line+" #") },
		func() []byte { return replaceLine(text, table, name, line) },
		func() []byte {
			return replaceLine(text, "", regexp.QuoteMeta(k.Name), k.Name+" = "+tomlValue(k, value))
		},
		func() []byte { return replaceLine(text, table, `#\s*`+name, line) },
		func() []byte { return behindHead(text, table, line) },
		func() []byte { return append(ended(text), "\n["+table+"]\n"+line+"\n"...) },
		func() []byte { return append([]byte(k.Name+" = "+tomlValue(k, value)+"\n"), text...) },
	} {
		out := edit()
		after, err := parseTree(out)
		if err == nil && out != nil && reflect.DeepEqual(take(after, k.Name), take(want, k.Name)) {
			old, _ := parseTree(text)
			take(old, k.Name)
			if reflect.DeepEqual(prune(old), prune(after)) {
				return out, nil
			}
		}
	}
	return nil, fmt.Errorf("%s is written there in a way that can't be changed without touching more", k.Name)
}

func parseTree(text []byte) (map[string]any, error) {
	tree := map[string]any{}
	return tree, toml.Unmarshal(text, &tree)
}

// take removes a dotted key from a tree and returns its value.
func take(tree map[string]any, dotted string) any {
	head, rest, deeper := strings.Cut(dotted, ".")
	v := tree[head]
	if below, ok := v.(map[string]any); ok && deeper {
		return take(below, rest)
	}
	if deeper {
		return nil
	}
	delete(tree, head)
	return v
}

// prune leaves out empty tables.
func prune(tree map[string]any) map[string]any {
	for name, v := range tree {
		if below, ok := v.(map[string]any); ok && len(prune(below)) == 0 {
			delete(tree, name)
		}
	}
	return tree
}

// replaceLine puts line in the place of the first in a table that sets what name, a regular expression, says.
func replaceLine(text []byte, table, name, line string) []byte {
	sets, in, done := regexp.MustCompile(`^\s*`+name+`\s*=`), table == "", false
	var out [][]byte
	for _, l := range bytes.SplitAfter(text, []byte("\n")) {
		switch {
		case bytes.HasPrefix(bytes.TrimSpace(l), []byte("[")):
			in = table != "" && isHead(l, table)
		case in && !done && sets.Match(l):
			l, done = withEnd(line, l), true
		}
		out = append(out, l)
	}
	if !done {
		return nil
	}
	return bytes.Join(out, nil)
}

// behindHead puts line right behind a table's head.
func behindHead(text []byte, table, line string) []byte {
	var out [][]byte
	done := false
	for _, l := range bytes.SplitAfter(text, []byte("\n")) {
		out = append(out, l)
		if !done && table != "" && isHead(l, table) {
			out[len(out)-1] = ended(l)
			out, done = append(out, []byte(line+"\n")), true
		}
	}
	if !done {
		return nil
	}
	return bytes.Join(out, nil)
}

func isHead(line []byte, table string) bool {
	return regexp.MustCompile(`^\s*\[\s*` + regexp.QuoteMeta(table) + `\s*\]`).Match(line)
}

// withEnd is line with the line break of another, and where line ends in # with that one's comment.
func withEnd(line string, like []byte) []byte {
	body := bytes.TrimRight(like, "\r\n")
	end := like[len(body):]
	if bare, wants := strings.CutSuffix(line, " #"); wants {
		line = bare
		if at := bytes.LastIndexByte(body, '#'); at >= 0 { // in a text it breaks the value, and the next edit is taken
			line += " " + string(body[at:])
		}
	}
	return append([]byte(line), end...)
}

// ended is a text that ends in a line break.
func ended(text []byte) []byte {
	if len(text) == 0 || bytes.HasSuffix(text, []byte("\n")) {
		return bytes.Clone(text)
	}
	return append(bytes.Clone(text), '\n')
}
