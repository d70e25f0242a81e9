package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// files notes what the programs for files do, and tells whether this is one.
func (s *sheet) files(name string, args []word.Arg) bool {
	switch name {
	case "rm", "grm", "srm", "rimraf", "del-cli":
		s.remove(name, args)
	case "unlink", "gunlink", "rmdir", "grmdir", "shred", "gshred", "wipe", "scrub":
		s.unlink(strings.TrimPrefix(name, "g"), args)
	case "trash", "trash-put", "rmtrash", "gomi":
		s.paths(unit.Options(args, "").Operands, change{kind: policy.Move, verb: "trash", how: place.Entry, recursive: true})
	case "gio":
		s.gio(args)
	case "mount":
		s.mount(args)
	case "git":
		s.clone(args)
	case "find", "gfind", "bfs":
		s.find(args)
	case "fd", "fdfind":
	case "mv", "gmv", "rename":
		s.move(name, args)
	case "cp", "gcp", "install", "ginstall", "ln", "gln", "link", "ditto":
		s.copy(name, args)
	case "rsync", "scp", "rclone":
		s.sync(name, args)
	case "touch", "mkdir", "gmkdir", "mkfifo", "mknod", "gtouch":
		o := unit.Options(args, "m mode d date r reference t time Z context")
		verb := strings.TrimPrefix(name, "g")
		if verb == "touch" {
			verb = ""
		}
		s.paths(o.Operands, change{kind: policy.Write, verb: verb})
	default:
		return s.contents(name, args) || s.archives(name, args)
	}
	return true
}

// remove is rm: its options may stand behind its operands.
func (s *sheet) remove(name string, args []word.Arg) {
	o := unit.Options(args, "")
	c := change{
		kind: policy.Delete, how: place.Entry,
		recursive: o.Has("r", "R") || long(o, "recursive") || name == "rimraf",
		forced:    o.Has("f") || long(o, "force") || name == "rimraf",
	}
	if name == "srm" {
		c.verb = "shred"
	}
	s.paths(o.Operands, c)
	if len(o.Operands) == 0 && c.recursive && c.forced {
		s.vague(c)
	}
}

// long tells whether a long option of GNU's is there: it may be cut.
func long(o unit.Opts, name string) bool {
	for n := range o.Flags {
		if len(n) > 1 && strings.HasPrefix(name, n) {
			return true
		}
	}
	return false
}

func (s *sheet) unlink(name string, args []word.Arg) {
	if name == "rmdir" && (hasWord(args, "/s") || hasWord(args, "/q")) { // cmd.exe's
		on, operands := slashOptions(args)
		s.paths(operands, rd(on))
		return
	}
	o := unit.Options(args, "n iterations s size random-source")
	c := change{kind: policy.Delete, how: place.Entry}
	switch name {
	case "unlink":
	case "rmdir":
		c.verb = "rmdir" // it takes empty directories alone
	default:
		c.verb, c.how, c.forced = "shred", place.Follow, true
	}
	for _, a := range o.Operands {
		if spot := s.path(a, c); c.verb == "shred" && place.Device(spot.Path) {
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
	if n < 2 {
		return o.Operands, word.Arg{}, false
	}
	return o.Operands[:n-1], o.Operands[n-1], true
}

func (s *sheet) move(name string, args []word.Arg) {
	o := unit.Options(args, "t target-directory S suffix")
	from, to, ok := destination(o)
	if name == "rename" { // an expression, then files
		if len(o.Operands) > 1 {
			s.paths(o.Operands[1:], change{kind: policy.Move, verb: "rename", how: place.Entry})
		}
		return
	}
	c := change{kind: policy.Move, how: place.Entry, recursive: true, forced: o.Has("f") || long(o, "force")}
	if ok && s.Machine.Place(to, s.Dir, place.Follow).Stream {
		c.kind = policy.Delete
	}
	for _, f := range from {
		spot := s.path(f, c)
		if ok {
			s.trail.move(spot, s.Machine.Place(to, s.Dir, place.Entry))
		}
	}
	if ok {
		c = change{kind: policy.Overwrite}
		if o.Has("n", "no-clobber") {
			c.kind = policy.Write
		}
		s.into(from, to, c)
	}
}

// copy is cp, install and ln.
func (s *sheet) copy(name string, args []word.Arg) {
	link := strings.HasSuffix(name, "ln") || name == "link"
	o := unit.Options(args, "t target-directory S suffix m mode o owner g group")
	if mode, there := o.Value("m", "mode"); there && strings.HasSuffix(name, "install") {
		s.rights(mode.Text, o.Operands[max(len(o.Operands)-1, 0):])
	}
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
	c := change{
		kind: policy.Overwrite, recursive: o.Has("r", "R", "a") || long(o, "recursive") || long(o, "archive") || name == "ditto",
		forced: o.Has("f") || long(o, "force"),
	}
	if link {
		c.verb, c.how, c.recursive = "link", place.Entry, false
		if !c.forced {
			c.kind = policy.Write
		}
	}
	if o.Has("n", "no-clobber", "update") {
		c.kind = policy.Write
	}
	s.into(from, to, c)
	if link { // a hard link is the file itself by another name
		for _, f := range from {
			s.trail.link(s, f, to)
		}
	}
}

// into notes that files go to a place, which may be a directory or the new name.
func (s *sheet) into(from []word.Arg, to word.Arg, c change) {
	before := len(s.out)
	spot := s.path(to, c)
	switch {
	case spot.Stream, len(from) == 0, len(s.out) > before+1: // of the last it is known what the name itself is
		return
	case len(from) == 1 && !strings.HasSuffix(to.Text, "/") && base(to.Text) == base(from[0].Text):
		return
	}
	for _, f := range from {
		if name := base(f.Text); name != "" && f.Known() && !f.Glob {
			s.below(spot, name, c)
		}
	}
}

// below notes what follows from a file of a directory that may be written: only what it is matters, not that it is one more.
func (s *sheet) below(dir place.Spot, name string, c change) {
	child := word.Arg{Text: strings.TrimSuffix(dir.Path, "/") + "/" + name, Glob: dir.Glob}
	spot := s.Machine.Place(child, s.Dir, c.how)
	s.special(spot, c)
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

// textOf is a word's text, empty where there are not so many.
func textOf(args []word.Arg, i int) string {
	if i >= len(args) {
		return ""
	}
	return args[i].Text
}
