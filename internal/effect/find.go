package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// search is what find, or another program that lists files, gives.
type search struct {
	dir    word.Arg
	starts []word.Arg
	// names are patterns of which one has to be a file's name; all says that nothing is asked of the name, so that it may be any.
	names []word.Arg
	all   bool
}

// find notes what find deletes and writes itself. What it runs is a command of its own.
func (s *sheet) find(args []word.Arg) {
	_, tests := starts(args)
	deletes := false
	for i, a := range tests {
		switch a.Text {
		case "-delete":
			deletes = true
		case "-fprint", "-fprintf", "-fls", "-fprint0":
			if i+1 < len(tests) {
				s.path(tests[i+1], change{kind: policy.Overwrite})
			}
		}
	}
	if deletes {
		s.sweep(searchOf(s.Command), change{kind: policy.Delete, verb: "find", how: place.Entry})
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

// searchOf reads the arguments of find.
func searchOf(c word.Command) search {
	out := search{dir: c.Dir}
	var tests []word.Arg
	out.starts, tests = starts(c.Argv[1:])
	if len(out.starts) == 0 {
		out.starts = []word.Arg{word.Lit(".")}
	}
	not, ors := false, 0
	for i, a := range tests {
		if a.Text == "-delete" || a.Text == "-exec" || a.Text == "-execdir" || a.Text == "-ok" || a.Text == "-okdir" { // what stands behind asks later
			break
		}
		switch a.Text {
		case "!", "-not":
			not = true
			continue
		case "-o", "-or", ",":
			ors++
		case "-name", "-iname", "-path", "-ipath", "-wholename":
			if i+1 < len(tests) && !not {
				out.names = append(out.names, nameTest(tests[i+1]))
			}
		case "-empty", "-inum", "-samefile", "-regex", "-iregex", "-xtype":
			if !not {
				out.names = append(out.names, word.Lit(word.Unknown))
			}
		}
		not = false
	}
	out.all = len(out.names) <= ors
	for _, n := range out.names {
		out.all = out.all || strings.Trim(n.Text, "*.?/") == ""
	}
	return out
}

// nameTest is the pattern that -name or -path asks for, as one below the start.
func nameTest(a word.Arg) word.Arg {
	a.Text = strings.TrimPrefix(a.Text, "./")
	for strings.HasPrefix(a.Text, "*/") {
		a.Text = a.Text[len("*/"):]
	}
	return a
}

// sweep notes a change of what a search gives. By name it is some files here and there, in the project like a pattern in an rm; without
// one it is all.
func (s *sheet) sweep(found search, c change) {
	for _, start := range found.starts {
		dir := strings.TrimSuffix(start.Text, "/")
		where := s.Machine.Place(word.Arg{Text: dir + "/*", Glob: true, Many: start.Many}, found.dir, place.Follow)
		c := c
		c.recursive = c.recursive || found.all || !inside(where.Where) && where.Where != policy.Temp
		if found.all {
			s.pathIn(word.Arg{Text: dir + "/*", Glob: true, Many: start.Many}, found.dir, c)
			continue
		}
		for _, n := range found.names {
			name := n.Text
			if c.recursive && !inside(where.Where) {
				name = "*/" + name
			}
			s.pathIn(word.Arg{Text: dir + "/" + name, Glob: true, Many: start.Many}, found.dir, c)
		}
	}
}
