package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// find notes what find deletes and writes itself. What it runs is a command of its own.
func (s *sheet) find(args []word.Arg) {
	starts, tests := starts(args)
	names, narrow := []word.Arg(nil), false
	deletes := false
	for i, a := range tests {
		switch a.Text {
		case "-delete":
			deletes = true
		case "-name", "-iname":
			if i+1 < len(tests) {
				names = append(names, tests[i+1])
			}
		case "-path", "-ipath", "-wholename", "-regex", "-iregex", "-empty", "-inum", "-samefile", "-maxdepth":
			narrow = true
		case "-fprint", "-fprintf", "-fls", "-fprint0":
			if i+1 < len(tests) {
				s.path(tests[i+1], change{kind: policy.Overwrite})
			}
		}
	}
	if !deletes {
		return
	}
	if len(starts) == 0 {
		starts = []word.Arg{word.Lit(".")}
	}
	for _, start := range starts {
		s.sweep(start, names, narrow)
	}
}

// starts are the paths of find, in front of its tests.
func starts(args []word.Arg) (paths, tests []word.Arg) {
	for i, a := range args {
		switch {
		case a.Text == "-H" || a.Text == "-L" || a.Text == "-P" || strings.HasPrefix(a.Text, "-O") || a.Text == "-D" || a.Text == "-E" || a.Text == "-X":
			continue
		case strings.HasPrefix(a.Text, "-") || a.Text == "(" || a.Text == "!":
			return paths, args[i:]
		}
		paths = append(paths, a)
	}
	return paths, nil
}

// sweep notes the deletion of what find finds below a start. By name it takes some files here and there, in the project like an
// rm of a pattern; without a name it takes all.
func (s *sheet) sweep(start word.Arg, names []word.Arg, narrow bool) {
	dir := strings.TrimSuffix(start.Text, "/")
	c := change{kind: policy.Delete, verb: "find", how: place.Entry}
	everywhere := len(names) == 0 && !narrow
	for _, n := range names {
		everywhere = everywhere || strings.Trim(n.Text, "*.?") == "" && n.Known() || !n.Known()
	}
	where := s.Machine.Place(word.Arg{Text: dir + "/*", Glob: true, Many: start.Many}, s.Dir, place.Follow)
	c.recursive = everywhere || !inside(where.Where) && where.Where != policy.Temp
	if everywhere || len(names) == 0 {
		s.path(word.Arg{Text: dir + "/*", Glob: true, Many: start.Many}, c)
		return
	}
	for _, n := range names {
		pattern := n.Text
		if c.recursive {
			pattern = "*/" + pattern
		}
		s.path(word.Arg{Text: dir + "/" + pattern, Glob: true, Many: start.Many}, c)
	}
}
