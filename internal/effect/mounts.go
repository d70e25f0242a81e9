package effect

import (
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// mount puts something over a directory: what was there is out of sight.
func (s *sheet) mount(args []word.Arg) {
	o := unit.Options(args, "t types o options L U source target")
	n := len(o.Operands)
	if n < 2 || s.remote() {
		return
	}
	s.path(o.Operands[n-1], change{kind: policy.Overwrite, verb: "mount"})
	if o.Has("bind", "rbind", "B", "R") {
		s.trail.link(s, o.Operands[0], o.Operands[1])
	}
}

// clone is a repository that becomes a directory: its files are whoever's.
func (s *sheet) clone(args []word.Arg) {
	o := unit.Options(args, "b branch depth o origin c config C git-dir work-tree u upload-pack reference separate-git-dir template filter j jobs")
	if textOf(o.Operands, 0) != "clone" || len(o.Operands) < 3 || s.remote() {
		return
	}
	spot := s.Machine.Place(o.Operands[2], s.Dir, place.Follow)
	s.tampers(spot, change{kind: policy.Overwrite, verb: "link"})
}

// gio is GNOME's program for files.
func (s *sheet) gio(args []word.Arg) {
	o := unit.Options(args, "")
	if len(o.Operands) < 2 {
		return
	}
	rest := o.Operands[1:]
	switch o.Operands[0].Text {
	case "remove":
		s.paths(rest, change{kind: policy.Delete, how: place.Entry, forced: o.Has("f", "force")})
	case "trash":
		s.paths(rest, change{kind: policy.Move, verb: "trash", how: place.Entry, recursive: true})
	case "move":
		s.move("mv", rest)
	case "copy":
		s.copy("cp", rest)
	case "save":
		s.paths(rest, change{kind: policy.Overwrite})
	}
}
