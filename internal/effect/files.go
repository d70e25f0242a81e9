package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// files notes what the programs for files do.
func (s *sheet) files(name string, args []word.Arg) {
	switch name {
	case "rm", "grm", "srm":
		s.remove(args)
	case "unlink", "rmdir", "shred", "wipe", "scrub":
		s.unlink(name, args)
	case "mv", "gmv":
		s.move(args)
	case "cp", "gcp", "install", "ginstall", "ln", "gln", "link":
		s.copy(name, args)
	case "tee", "sponge":
		s.tee(args)
	case "touch", "mkdir", "mkfifo", "mknod":
		o := unit.Options(args, "m mode d date r reference t time Z context")
		verb := ""
		if name != "touch" {
			verb = name
		}
		s.paths(o.Operands, change{kind: policy.Write, verb: verb})
	}
}

// remove is rm: its options may stand behind its operands, but where POSIXLY_CORRECT says otherwise.
func (s *sheet) remove(args []word.Arg) {
	o := unit.Options(args, "")
	c := change{
		kind: policy.Delete, how: place.Entry,
		recursive: o.Has("r", "R", "recursive"), forced: o.Has("f", "force"),
	}
	for _, a := range o.Operands {
		s.path(a, c)
	}
	if len(o.Operands) == 0 && c.recursive && c.forced {
		s.vague(c)
	}
}

func (s *sheet) unlink(name string, args []word.Arg) {
	o := unit.Options(args, "n iterations s size random-source p pattern")
	c := change{kind: policy.Delete, how: place.Entry}
	if name != "unlink" && name != "rmdir" {
		c.verb, c.how, c.forced = "shred", place.Follow, true
	}
	if name == "rmdir" {
		c.verb = "rmdir" // it takes empty directories alone
	}
	for _, a := range o.Operands {
		if spot := s.path(a, c); name == "shred" && place.Device(spot.Path) {
			s.add(policy.Device, "shred", spot.Path)
		}
	}
}

// destination takes the place where files go from the operands: that of -t, else the last.
func destination(o unit.Opts) (from []word.Arg, to word.Arg, ok bool) {
	if v, there := o.Value("t", "target-directory"); there {
		return o.Operands, v, true
	}
	n := len(o.Operands)
	if n == 0 {
		return nil, word.Arg{}, false
	}
	if n == 1 {
		return o.Operands, word.Arg{}, false
	}
	return o.Operands[:n-1], o.Operands[n-1], true
}

func (s *sheet) move(args []word.Arg) {
	o := unit.Options(args, "t target-directory S suffix")
	from, to, ok := destination(o)
	c := change{kind: policy.Move, how: place.Entry, recursive: true, forced: o.Has("f", "force")}
	if ok && s.Machine.Place(to, s.Dir, place.Follow).Stream {
		c.kind = policy.Delete
	}
	s.paths(from, c)
	if ok {
		s.into(from, to, change{kind: policy.Overwrite})
	}
}

// copy is cp, install and ln.
func (s *sheet) copy(name string, args []word.Arg) {
	link := strings.HasSuffix(name, "ln") || name == "link"
	o := unit.Options(args, "t target-directory S suffix m mode o owner g group")
	if strings.HasSuffix(name, "install") && o.Has("d", "directory") {
		s.paths(o.Operands, change{kind: policy.Write, verb: "mkdir"})
		return
	}
	from, to, ok := destination(o)
	if !ok && link && len(from) == 1 { // into the working directory
		to, ok = word.Lit("."), true
	}
	if !ok {
		return
	}
	c := change{kind: policy.Overwrite, recursive: o.Has("r", "R", "a", "recursive", "archive"), forced: o.Has("f", "force")}
	if link {
		c.verb, c.how = "link", place.Entry
		if !c.forced {
			c.kind = policy.Write
		}
	}
	if o.Has("n", "no-clobber") {
		c.kind = policy.Write
	}
	s.into(from, to, c)
}

// into notes that files go to a place, which may be a directory or the new name.
func (s *sheet) into(from []word.Arg, to word.Arg, c change) {
	spot := s.path(to, c)
	if spot.Stream || !s.directory(spot, to, from) {
		return
	}
	for _, f := range from {
		if name := base(f.Text); name != "" && f.Known() && !f.Glob {
			s.path(word.Arg{Text: strings.TrimSuffix(to.Text, "/") + "/" + name, Many: to.Many, Glob: to.Glob}, c)
		}
	}
}

// directory guesses whether files go below a place, so that their new paths matter.
func (s *sheet) directory(spot place.Spot, to word.Arg, from []word.Arg) bool {
	return len(from) > 0 && (len(from) > 1 || strings.HasSuffix(to.Text, "/") || base(to.Text) != base(from[0].Text))
}

// base is the last part of a path, without what stands for no name.
func base(path string) string {
	path = strings.TrimRight(path, "/")
	path = path[strings.LastIndexByte(path, '/')+1:]
	if path == "." || path == ".." {
		return ""
	}
	return path
}

func (s *sheet) tee(args []word.Arg) {
	o := unit.Options(args, "output-error")
	c := change{kind: policy.Overwrite}
	if o.Has("a", "append") {
		c = change{kind: policy.Write, verb: "append"}
	}
	s.paths(o.Operands, c)
}

// textOf is a word's text, empty where there are not so many.
func textOf(args []word.Arg, i int) string {
	if i >= len(args) {
		return ""
	}
	return args[i].Text
}
