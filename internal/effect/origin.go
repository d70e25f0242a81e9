package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// traced notes a change of paths that another command of the text has listed (find | xargs rm, rm $(ls), find -exec), by what that
// looks at, and tells whether that is known.
func (s *sheet) traced(a word.Arg, c change) bool {
	if c.kind == policy.Read || c.kind == policy.Write || !strings.Contains(a.Text, word.Unknown) {
		return false
	}
	if from := s.runner("find"); from >= 0 {
		found := searchOf(s.All[from])
		if found.all || strings.HasSuffix(a.Text, word.Unknown) && strings.Count(a.Text, word.Unknown) == 1 {
			s.sweep(found, c)
			return true
		}
	}
	if a.Text != word.Unknown || s.remote() {
		return false
	}
	n := 0
	for _, i := range s.origins(a) {
		if s.listed(s.All[i], c) {
			n++
		}
	}
	return n > 0
}

// listed notes a change of what a command lists.
func (s *sheet) listed(from word.Command, c change) bool {
	switch from.Name() {
	case "find", "gfind", "bfs":
		s.sweep(searchOf(from), c)
		return true
	case "grep", "egrep", "fgrep", "rg", "ag", "ack", "fd", "fdfind":
		return s.searched(from, c)
	case "ls", "eza", "exa":
		var paths []word.Arg
		for _, a := range from.Argv[1:] {
			if !strings.HasPrefix(a.Text, "-") {
				paths = append(paths, a)
			}
		}
		if len(paths) == 0 { // names of the working directory
			paths = []word.Arg{{Text: "*", Glob: true}}
		}
		for _, p := range paths {
			if p.Text != word.Unknown {
				s.pathIn(p, from.Dir, c)
			}
		}
		return true
	}
	return false
}

// searched notes a change of the files that a search of contents or names gives, where it looks outside the project: inside it is as
// everyday as a pattern.
func (s *sheet) searched(from word.Command, c change) bool {
	names := strings.HasPrefix(from.Name(), "fd")
	n := 0
	for _, a := range from.Argv[1:] {
		names = names || len(a.Text) > 1 && a.Text[0] == '-' && (strings.HasPrefix(a.Text, "--files") || a.Text[1] != '-' && strings.ContainsAny(a.Text, "lL"))
	}
	for i, a := range from.Argv[1:] {
		if !names || a.Text == "" || a.Text[0] == '-' || i == 0 && !strings.ContainsAny(a.Text, "/~") {
			continue
		}
		if spot := s.Machine.Place(a, from.Dir, place.Follow); !inside(spot.Where) && spot.Where != policy.Temp && spot.Where != policy.Nowhere {
			s.pathIn(a, from.Dir, c)
			n++
		}
	}
	return n > 0
}

// runner is the command, by its place, that runs this one as a wrapper of this name; -1 where none does.
func (s *sheet) runner(name string) int {
	n := len(s.Via)
	if n == 0 || s.Via[n-1].Kind != "wrapper" || s.Via[n-1].Detail != name {
		return -1
	}
	for i := min(s.I, len(s.All)) - 1; i >= 0; i-- {
		if s.All[i].Name() == name && len(s.All[i].Argv) > 0 {
			return i
		}
	}
	return -1
}

// maxOrigins bounds how many commands are gone back.
const maxOrigins = 32

// origins are the commands that a word which is not known comes from, behind those that only filter: by their places, the first first.
func (s *sheet) origins(a word.Arg) []int {
	next := append([]int(nil), a.By...)
	if len(next) == 0 {
		next = s.fed()
	}
	var out []int
	for i := 0; i < len(next) && i < maxOrigins; i++ {
		at := next[i]
		if at < 0 || at >= len(s.All) {
			continue
		}
		c := s.All[at]
		if len(c.Stdin.From) == 0 {
			if c.Op == "" && len(c.Argv) > 0 {
				out = append(out, at)
			}
			continue
		}
		next = append(next, c.Stdin.From...)
	}
	return out
}

// fed are the commands whose output the words of xargs, or the lines of a loop, are.
func (s *sheet) fed() []int {
	for _, v := range s.Via {
		switch {
		case v.Kind == "wrapper" && (v.Detail == "xargs" || v.Detail == "parallel"):
			for i := min(s.I, len(s.All)) - 1; i >= 0; i-- {
				if s.All[i].Piped {
					return []int{i}
				}
			}
		case v.Kind == "loop":
			return s.Stdin.From
		}
	}
	return nil
}

// killedFrom notes that the processes which are ended are an agent's, or boathook's: those that a command has looked for by name.
func (s *sheet) killedFrom(a word.Arg) {
	seen := append([]int(nil), a.By...)
	if len(seen) == 0 {
		seen = s.fed()
	}
	listed, chosen := false, false
	defer func() {
		if listed && !chosen {
			s.add(policy.Kill, "all", "")
		}
	}()
	for i := 0; i < len(seen) && i < maxOrigins; i++ {
		if seen[i] < 0 || seen[i] >= len(s.All) {
			continue
		}
		c := s.All[seen[i]]
		seen = append(seen, c.Stdin.From...)
		switch c.Name() {
		case "ps":
			listed = true
			chosen = chosen || !everyProcess(c.Argv[1:])
		case "pgrep":
			listed = true
			chosen = chosen || !(len(c.Argv) > 1 && strings.Trim(c.Argv[len(c.Argv)-1].Text, ".*^$") == "")
		case "grep", "egrep", "rg", "awk", "sed", "head", "tail":
			chosen = chosen || c.Name() != "awk" || strings.ContainsAny(textOf(c.Argv, 1), "/=<>~")
		}
		switch c.Name() {
		case "pgrep", "pidof", "ps", "grep", "egrep", "rg", "awk", "lsof", "sed":
			for _, arg := range c.Argv[1:] {
				s.watchers(arg)
			}
		}
	}
}

// everyProcess tells whether ps lists all processes.
func everyProcess(args []word.Arg) bool {
	for _, a := range args {
		switch a.Text {
		case "-C", "-p", "-u", "-U", "-G", "--pid", "--ppid", "-t":
			return false
		}
	}
	return len(args) > 0
}
