package tomledit

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var path = []string{"hooks", "state", "/home/u/.codex/hooks.json:stop:0:0", "trusted_hash"}

const table = "[hooks.state.\"/home/u/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:1\"\n"

func TestSet(t *testing.T) {
	for name, tt := range map[string]struct{ before, after string }{
		"empty":            {"", table},
		"after settings":   {"a = 1 # mine\n", "a = 1 # mine\n\n" + table},
		"no line end":      {"a = 1", "a = 1\n\n" + table},
		"CRLF":             {"a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(table, "\n", "\r\n")},
		"byte order mark":  {mark + "a = 1\n", mark + "a = 1\n\n" + table},
		"another state":    {"[hooks.state]\n\n[hooks.state.\"x\"]\ntrusted_hash = \"y\"\n", "[hooks.state]\n\n[hooks.state.\"x\"]\ntrusted_hash = \"y\"\n\n" + table},
		"another hash":     {strings.ReplaceAll(table, ":1\"", ":0\" # old"), strings.ReplaceAll(table, ":1\"", ":1\" # old")},
		"switched off":     {"[hooks.state.'/home/u/.codex/hooks.json:stop:0:0'] # why\nenabled = false\n", "[hooks.state.'/home/u/.codex/hooks.json:stop:0:0'] # why\ntrusted_hash = \"sha256:1\"\nenabled = false\n"},
		"header alone":     {"[hooks.state.'/home/u/.codex/hooks.json:stop:0:0']", "[hooks.state.'/home/u/.codex/hooks.json:stop:0:0']\ntrusted_hash = \"sha256:1\""},
		"inline state":     {"[hooks]\nstate = { x = { trusted_hash = \"y\" } } # mine\n[b]\n", "[hooks]\nstate = { x = { trusted_hash = \"y\" }, \"/home/u/.codex/hooks.json:stop:0:0\" = { trusted_hash = \"sha256:1\" } } # mine\n[b]\n"},
		"inline hooks":     {"hooks = {}\n", "hooks = { state = { \"/home/u/.codex/hooks.json:stop:0:0\" = { trusted_hash = \"sha256:1\" } } }\n"},
		"inline with hash": {"hooks.state = { \"/home/u/.codex/hooks.json:stop:0:0\" = { trusted_hash = 'z', enabled = true } }\n", "hooks.state = { \"/home/u/.codex/hooks.json:stop:0:0\" = { trusted_hash = \"sha256:1\", enabled = true } }\n"},
		"texts that lie":   {"a = \"\"\"\n[hooks.state]\n\"\"\"\"\nb = ['[hooks]', # ]\n]\n", "a = \"\"\"\n[hooks.state]\n\"\"\"\"\nb = ['[hooks]', # ]\n]\n\n" + table},
		"hooks in lists":   {"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\n", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\n\n" + table},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := Set([]byte(tt.before), path, "sha256:1")
			if err != nil || string(out) != tt.after {
				t.Fatalf("%v\n%s", err, out)
			}
			if again, err := Set(out, path, "sha256:1"); err != nil || string(again) != tt.after {
				t.Errorf("a second time: %v\n%s", err, again)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no table":    "hooks = 3\n",
		"list":        "hooks = [1]\n",
		"dotted keys": "[hooks.state]\n\"/home/u/.codex/hooks.json:stop:0:0\".enabled = false\n",
		"an array":    "[[hooks.state]]\nx = 1\n",
	} {
		if out, err := Set([]byte(text), path, "v"); !errors.Is(err, ErrShape) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	var at *SyntaxError
	if _, err := Set([]byte("a = 1\nb = = 2\n"), path, "v"); !errors.As(err, &at) || at.Line != 2 {
		t.Errorf("no TOML: %v", err)
	}
}

func TestRemove(t *testing.T) {
	for name, tt := range map[string]struct{ before, after string }{
		"its table":      {"a = 1\n\n" + table, "a = 1\n"},
		"not the others": {"a = 1\n\n" + table + "\n[z]\nb = 2\n", "a = 1\n\n[z]\nb = 2\n"},
		"another's keys": {table + "enabled = false\n", strings.Replace(table, "trusted_hash = \"sha256:1\"\n", "enabled = false\n", 1)},
		"comments":       {"a = 1\n\n" + table + "# mine\n", "a = 1\n# mine\n"},
		"first inline":   {"hooks.state = { \"" + path[2] + "\" = { trusted_hash = 'z' }, x = { y = 1 } }\n", "hooks.state = { x = { y = 1 } }\n"},
		"last inline":    {"hooks.state = { x = { y = 1 }, \"" + path[2] + "\" = { trusted_hash = 'z' } }\n", "hooks.state = { x = { y = 1 } }\n"},
		"inline member":  {"hooks.state.'" + path[2] + "' = { trusted_hash = 'z', enabled = true }\n", "hooks.state.'" + path[2] + "' = { enabled = true }\n"},
		"not there":      {"a = 1\n", "a = 1\n"},
	} {
		if out, err := Remove([]byte(tt.before), path); err != nil || string(out) != tt.after {
			t.Errorf("%s: %v\n%q\nwant\n%q", name, err, out, tt.after)
		}
	}
}

// files are made of pieces that are sound one after the other.
func files() *rapid.Generator[string] {
	pieces := []string{
		"# [hooks.state]\n", "\n", "[a]\nb = 'c' # d\n", "[hooks.state.k]\nenabled = true\n", "[[l]]\nx = [1, {y = \"]\"}]\n",
		"[t.\"q.r\"]\ns = '''\n[hooks]\n'''\n", "[hooks.other]\n  i = { j.k = 1, l = \"}\" }\n",
	}
	return rapid.Custom(func(t *rapid.T) string {
		text, used := "top = \"\\\"#\"\n", map[int]bool{}
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, len(pieces)-1), 0, 6).Draw(t, "pieces") {
			if !used[n] || n < 2 || n == 4 {
				text += pieces[n]
			}
			used[n] = true
		}
		if rapid.Bool().Draw(t, "crlf") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		return text
	})
}

func TestRemoveUndoesSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := files().Draw(t, "file")
		out := []byte(before)
		var keys [][]string
		for n := range rapid.IntRange(1, 4).Draw(t, "keys") {
			key := []string{"hooks", "state", "/a \"b\"/é:" + string(rune('a'+n)), "trusted_hash"}
			var err error
			if out, err = Set(out, key, "v"); err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
		}
		for _, key := range keys {
			var err error
			if out, err = Remove(out, key); err != nil {
				t.Fatal(err)
			}
		}
		if string(out) != before {
			t.Fatalf("%q became %q", before, out)
		}
	})
}

func FuzzSet(f *testing.F) {
	for _, text := range []string{"a = 1\n", "[hooks]\nstate = { x = { y = 'z' } }\n", "a = \"\"\"\n\"\"\"\n", table} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := Set(data, path, "v")
		if err != nil {
			return
		}
		tree, err := Tree(out)
		if got, _ := Get(tree, path...); err != nil || got != "v" {
			t.Fatalf("%v: %v in %q", err, got, out)
		}
		if _, err := Remove(out, path); err != nil && !errors.Is(err, ErrShape) {
			t.Fatal(err)
		}
	})
}
