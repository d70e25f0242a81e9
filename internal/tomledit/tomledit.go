// Package tomledit splices texts into a user's TOML file: every other byte stays as it is. What it writes is parsed again
// and compared, so that a file which it does not understand is refused, not damaged. The installer calls it, for an agent
// that keeps its settings in TOML; it imports nothing of boathook.
package tomledit

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// ErrShape says that the file has what is to be set in a form that cannot be edited without a rewrite.
var ErrShape = errors.New("it is written there in a form that can't be edited; write it as a table of its own")

// SyntaxError says where a file is no TOML.
type SyntaxError struct {
	Line, Column int
	Text         string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

// Tree is a file's values.
func Tree(data []byte) (map[string]any, error) {
	out := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(data, []byte(mark)), &out)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return nil, &SyntaxError{Line: line, Column: column, Text: "no TOML (" + strings.TrimPrefix(at.Error(), "toml: ") + ")"}
	}
	return out, err
}

// Get finds a value.
func Get(tree map[string]any, path ...string) (any, bool) {
	var v any = tree
	for _, name := range path {
		table, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = table[name]; !ok {
			return nil, false
		}
	}
	return v, true
}

// Set gives the file with a text at a path of names. There has to be a table's name before the last one.
func Set(data []byte, path []string, value string) ([]byte, error) {
	tree, err := Tree(data)
	if err != nil {
		return nil, err
	}
	if have, there := Get(tree, path...); there && have == value {
		return data, nil
	}
	out := set(data, scan(data), path, value)
	if !plant(tree, path, value) {
		return nil, ErrShape
	}
	return verified(out, tree)
}

// Remove takes a value out, and the table that it was alone in. A file that has not got it stays as it is.
func Remove(data []byte, path []string) ([]byte, error) {
	tree, err := Tree(data)
	if err != nil {
		return nil, err
	}
	if _, there := Get(tree, path...); !there {
		return data, nil
	}
	out, whole, err := remove(data, scan(data), path)
	if err != nil {
		return nil, err
	}
	uproot(tree, path)
	if up := path[:len(path)-1]; whole {
		uproot(tree, up)
	}
	return verified(out, tree)
}

// verified lets an edit through that says what was meant, and nothing else.
func verified(out []byte, want map[string]any) ([]byte, error) {
	got, err := Tree(out)
	if err != nil || !reflect.DeepEqual(prune(got), prune(want)) {
		return nil, ErrShape
	}
	return out, nil
}

// plant sets a value in a tree.
func plant(tree map[string]any, path []string, value string) bool {
	for _, name := range path[:len(path)-1] {
		below, there := tree[name]
		if !there {
			below = map[string]any{}
			tree[name] = below
		}
		table, ok := below.(map[string]any)
		if !ok {
			return false
		}
		tree = table
	}
	tree[path[len(path)-1]] = value
	return true
}

func uproot(tree map[string]any, path []string) {
	if up, ok := Get(tree, path[:len(path)-1]...); ok {
		if table, ok := up.(map[string]any); ok {
			delete(table, path[len(path)-1])
		}
	}
}

// prune leaves empty tables out, which come and go with what is in them.
func prune(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, below := range v {
			p := prune(below)
			if table, ok := p.(map[string]any); !ok || len(table) > 0 {
				out[name] = p
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, below := range v {
			out[i] = prune(below)
		}
		return out
	}
	return v
}
