package effect

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/effect/database"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// Bounds of the arguments that are looked through.
const (
	maxArgs     = 500
	maxArgDepth = 6
)

// toolArgs are what the arguments of a tool that no agent has itself tell, wherever in them it stands.
type toolArgs struct {
	from, to, paths, sql []string
	n                    int
}

// argsOf looks through the arguments by their names.
func argsOf(t canon.Tool) toolArgs {
	var a toolArgs
	a.walk(lenient.Parse(t.Input).Value, "", 0)
	return a
}

func (a *toolArgs) walk(v lenient.Value, name string, depth int) {
	if a.n++; a.n > maxArgs || depth > maxArgDepth {
		return
	}
	switch v.Kind() {
	case lenient.Object:
		for _, m := range v.Members() {
			a.walk(m.Value, m.Key, depth+1)
		}
	case lenient.Array:
		for _, e := range v.Elems() {
			a.walk(e, name, depth+1)
		}
	case lenient.String:
		a.text(strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)), v.Text())
	}
}

// text sorts one text by the name of its argument.
func (a *toolArgs) text(name, text string) {
	if text == "" {
		return
	}
	switch name {
	case "sql", "query", "statement", "statements", "queries", "sqlquery", "rawsql":
		a.sql = append(a.sql, text)
		return
	}
	if len(text) > maxName || strings.ContainsAny(text, "\n") {
		return
	}
	switch name {
	case "source", "src", "from", "oldpath", "sourcepath", "srcpath", "frompath":
		a.from = append(a.from, text)
	case "destination", "dest", "dst", "to", "newpath", "destinationpath", "destpath", "topath", "target", "targetpath", "output", "outputpath":
		a.to = append(a.to, text)
	case "path", "paths", "file", "files", "filepath", "filepaths", "filename", "directory", "dir", "folder", "uri", "absolutepath", "relativepath", "location":
		a.paths = append(a.paths, text)
	}
}

// looksLikePath tells a path from an argument of the same name that is something else.
func looksLikePath(p string) bool {
	return strings.ContainsAny(p, `/\`) && !strings.Contains(p, "://") && !strings.ContainsAny(p, " \t<>") || strings.HasPrefix(p, "~") || strings.HasPrefix(p, ".")
}

// arguments notes what a tool's arguments lead to beyond the paths that are known by its protocol.
func (s *sheet) arguments(name string, t canon.Tool) toolArgs {
	a := argsOf(t)
	for _, list := range []*[]string{&a.from, &a.to, &a.paths} {
		*list = slices.DeleteFunc(*list, func(p string) bool { return !looksLikePath(p) })
	}
	for _, text := range a.sql {
		u := unit.Unit{Command: word.Command{Argv: word.Lits("psql", "-c", text), Dir: s.Dir}, Machine: s.Machine}
		for _, e := range database.Effects(u) {
			e.Command = s.I
			s.out = append(s.out, e)
		}
	}
	if purpose(name) == "move" || purpose(name) == "copy" {
		return a
	}
	for _, p := range slices.Concat(a.paths, a.from, a.to) {
		if !slices.Contains(t.Paths, p) {
			s.mayTamper(p)
		}
	}
	return a
}

// mayTamper notes that a tool of which nobody knows what it does is given a kept file.
func (s *sheet) mayTamper(path string) {
	if purpose(s.toolName) != "read" {
		s.tampers(s.Machine.Place(word.Lit(path), s.Dir, 0), change{kind: policy.Write})
	}
}
