package shellcmd

import (
	"path"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// maxScripts is how many of the files that the text made are run for a path that may be any of them.
const maxScripts = 8

// vague is the key of a file whose path is known in part alone: what is written to "$tmp/x" and what is run as "$tmp/x" are one.
func vague(a word.Arg, dir string) string {
	if path.IsAbs(a.Text) || strings.HasPrefix(a.Text, word.Unknown) {
		return path.Clean(a.Text)
	}
	return path.Join(dir, a.Text)
}

// setVague keeps the content of a file whose path is known in part. Two such paths may look alike, so that what was there stays.
func (w *shell) setVague(a word.Arg, c *cell) {
	if !hasUnknown(a.Text) || c == nil {
		return
	}
	key := vague(a, w.dir().Text)
	if old := w.get(file, key); old != nil {
		c = merge(slot{file, key}, old, c)
	}
	w.setFile(key, c)
}

// scripts are the files which the text made that a path with a pattern, or with a part that is not known, may stand for.
func (w *shell) scripts(a word.Arg) []val {
	if !w.hasFiles() || !a.Glob && !hasUnknown(a.Text) || !w.bud.take(&w.bud.steps, 1+len(w.cells)/8) {
		return nil
	}
	key := vague(a, w.dir().Text)
	pattern := compile(strings.ReplaceAll(key, word.Unknown, "*"))
	bare := strings.Trim(a.Text, word.Unknown+"*/.") == ""
	var paths []string
	for at := range w.cells {
		if at.kind == file && !strings.HasPrefix(at.name, "/dev/") && (at.name == key || !hasUnknown(at.name) && pattern.match(at.name, w.bud)) {
			paths = append(paths, at.name)
		}
	}
	slices.Sort(paths)
	var out []val
	for _, p := range paths {
		for _, v := range w.get(file, p).vals {
			if v.unset || v.text == word.Unknown || bare && p != key && !looksLikeScript(p, v.text) {
				continue
			}
			if out = append(out, v); len(out) == maxScripts {
				return out
			}
		}
	}
	return out
}

// looksLikeScript tells whether a file is meant to be run, where nothing is known of the path.
func looksLikeScript(p, text string) bool {
	switch path.Ext(p) {
	case ".sh", ".bash", ".zsh", ".py", ".pl", ".rb", ".js":
		return true
	}
	return strings.HasPrefix(text, "#!")
}

// runsOneOf runs the files that a program's operand may stand for.
func (w *shell) runsOneOf(list []val, lang string, args []word.Arg, at int) {
	w.perhaps(func() {
		for _, v := range list {
			l := lang
			if l == "" {
				l = langOfScript(v.text, "sh")
			}
			w.runText(v, l, args, at)
		}
	})
}

// found is a program that the text made where the shell looks for programs: in a directory that it has put into PATH, or in one
// of a usual name.
func (w *shell) found(name string) (val, bool) {
	if !slices.Contains(w.fileNames, name) || strings.Contains(name, "/") {
		return val{}, false
	}
	set := w.get(variable, "PATH") != nil
	var best string
	for at := range w.cells {
		if at.kind == file && path.Base(at.name) == name && (set || strings.HasSuffix(path.Dir(at.name), "bin")) && (best == "" || at.name < best) {
			best = at.name
		}
	}
	if best == "" {
		return val{}, false
	}
	v := w.choose(w.get(file, best))
	return v, !v.unset
}
