package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// archives notes what programs for archives write and take away, and tells whether this is one.
func (s *sheet) archives(name string, args []word.Arg) bool {
	switch name {
	case "tar", "gtar", "bsdtar":
		s.tar(args)
	case "unzip":
		o := unit.Options(args, "d x P")
		if !o.Has("l", "t", "v", "p", "Z", "z") {
			s.extract(o, "d")
		}
	case "7z", "7za", "7zz", "unrar":
		if mode := textOf(args, 0); mode == "x" || mode == "e" {
			s.extract(unit.Options(args[1:], "o p"), "o")
		}
	case "cpio", "pax":
		o := unit.Options(args, "D directory F file I O f s")
		if o.Has("i", "extract", "r", "p", "pass-through") {
			s.extract(o, "D", "directory")
		}
	case "zip":
		o := unit.Options(args, "x i P b t tt n")
		if len(o.Operands) > 0 {
			s.path(o.Operands[0], change{kind: policy.Overwrite})
			if o.Has("m", "move") {
				s.paths(o.Operands[1:], change{kind: policy.Delete, how: place.Entry, recursive: true})
			}
		}
	default:
		return false
	}
	return true
}

// extract notes that an archive is unpacked into the directory that one of these options names, else into the working directory.
func (s *sheet) extract(o unit.Opts, names ...string) {
	at, ok := o.Value(names...)
	if !ok {
		at = word.Lit(".")
	}
	s.path(at, change{kind: policy.Overwrite, verb: "extract", recursive: true})
}

func (s *sheet) tar(args []word.Arg) {
	if len(args) > 0 && args[0].Text != "" && args[0].Text[0] != '-' { // its old form has no dash
		first := args[0]
		first.Text = "-" + first.Text
		args = append([]word.Arg{first}, args[1:]...)
	}
	args = oldBundle(args)
	o := unit.Options(args, "f file C directory X exclude-from T files-from b I use-compress-program g exclude transform owner group mode strip-components to-command checkpoint-action")
	switch {
	case o.Has("x") || long(o, "extract") || o.Has("get"):
		if !o.Has("O") && !long(o, "to-stdout") {
			s.extract(o, "C", "directory")
		}
	case o.Has("c", "create", "r", "append", "u", "update"):
		if f, ok := o.Value("f", "file"); ok && f.Text != "-" && !elsewhere(f.Text) {
			s.path(f, change{kind: policy.Overwrite})
		}
		if o.Has("remove-files") {
			s.paths(o.Operands, change{kind: policy.Delete, how: place.Entry, recursive: true})
		}
	}
}

// oldBundle puts f last in tar's bundled options, as in -xfz: tar takes their values in order from the words behind them.
func oldBundle(args []word.Arg) []word.Arg {
	if len(args) < 2 || len(args[0].Text) < 3 || args[0].Text[1] == '-' {
		return args
	}
	at := strings.IndexByte(args[0].Text, 'f')
	if at < 0 || at == len(args[0].Text)-1 || strings.ContainsAny(args[0].Text, "CXTbgI") {
		return args
	}
	if strings.Trim(args[0].Text[at+1:], "cxtzjJvpkrua") != "" {
		return args
	}
	first := args[0]
	first.Text = first.Text[:at] + first.Text[at+1:] + "f"
	return append([]word.Arg{first}, args[1:]...)
}
