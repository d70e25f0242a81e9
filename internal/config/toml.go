package config

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// maxBroken is how many lines of one file may be broken before it is given up.
const maxBroken = 64

// parseTOML reads a file that may be broken: a line that does not parse is mended or dropped, and reported; the rest counts. A guard
// must not vanish because of a typing error in another line.
func parseTOML(path string, data []byte) (map[string]any, []string) {
	var problems []string
	last := 0
	for range maxBroken {
		var tree map[string]any
		err := toml.Unmarshal(data, &tree)
		if err == nil {
			return tree, problems
		}
		var at *toml.DecodeError
		if !errors.As(err, &at) {
			return nil, append(problems, fmt.Sprintf("%s: %v; the file is ignored", path, err))
		}
		row, _ := at.Position()
		mended, ok := mendLine(data, row)
		if !ok {
			return nil, append(problems, fmt.Sprintf("%s:%d: %v; the file is ignored", path, row, err))
		}
		if row != last { // once a line, mended or not
			problems = append(problems, fmt.Sprintf("%s:%d: %v; the line is mended or ignored", path, row, err))
		}
		last = row
		data = mended
	}
	return nil, append(problems, fmt.Sprintf("%s: more than %d broken lines; the file is ignored", path, maxBroken))
}

var tableHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*\[+\s*([A-Za-z0-9_.-]+)`)
})

// bareValue is a line whose value lacks its quotes, the commonest slip: fail = closed, endpoint = http://….
var bareValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\s*[A-Za-z0-9_.-]+\s*=\s*)["']?([^"'#\[\]{}]+?)["']?\s*(?:#.*)?$`)
})

// mendLine repairs line row (from 1) or, where that cannot be done, blanks it. A broken table head is mended since the
// keys below it would otherwise fall into the table above; a value without quotes since it may be the one that matters.
func mendLine(data []byte, row int) ([]byte, bool) {
	lines := bytes.Split(data, []byte("\n"))
	if row < 1 || row > len(lines) || len(bytes.TrimSpace(lines[row-1])) == 0 {
		return nil, false
	}
	line, mended := lines[row-1], []byte(nil)
	if head := tableHead().FindSubmatch(line); head != nil {
		mended = append(append([]byte("["), head[1]...), ']')
	} else if pair := bareValue().FindSubmatch(line); pair != nil {
		mended = append(append(append(append([]byte(nil), pair[1]...), '\''), pair[2]...), '\'')
	}
	if bytes.Equal(mended, line) { // it was mended before and is broken all the same
		mended = nil
	}
	lines[row-1] = mended
	return bytes.Join(lines, []byte("\n")), true
}

// unknown lists the dotted names in a tree that are no key.
func unknown(tree map[string]any, prefix string) []string {
	var out []string
	for name, v := range tree {
		full := prefix + name
		known, table := isKey(full)
		if known {
			continue
		}
		if below, ok := v.(map[string]any); ok && table {
			out = append(out, unknown(below, full+".")...)
			continue
		}
		out = append(out, full)
	}
	sort.Strings(out)
	return out
}

// isKey tells whether a dotted name is a key, or the table of some.
func isKey(name string) (key, table bool) {
	for _, k := range Keys() {
		if k.Name == name {
			return true, false
		}
		table = table || strings.HasPrefix(k.Name, name+".")
	}
	return false, table
}

// lookup finds a dotted key in a TOML tree.
func lookup(tree map[string]any, dotted string) (any, bool) {
	rest := dotted
	for {
		head, tail, more := cut(rest)
		v, ok := tree[head]
		if !ok {
			return nil, false
		}
		if !more {
			return v, true
		}
		if tree, ok = v.(map[string]any); !ok {
			return nil, false
		}
		rest = tail
	}
}

func cut(s string) (head, tail string, more bool) {
	for i := range len(s) {
		if s[i] == '.' {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}
