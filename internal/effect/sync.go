package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// sync is rsync, scp and rclone, as far as they write and delete on this machine.
func (s *sheet) sync(name string, args []word.Arg) {
	o := unit.Options(args, "e rsh f filter T temp-dir B block-size M remote-option exclude include exclude-from include-from files-from "+
		"compare-dest copy-dest link-dest log-file password-file port rsync-path backup-dir suffix chmod chown bwlimit max-size min-size timeout "+
		"P i F J l o S c D X")
	if o.Has("n", "dry-run") && name != "scp" {
		return
	}
	operands := o.Operands
	verb := ""
	if name == "rclone" && len(operands) > 0 {
		verb, operands = operands[0].Text, operands[1:]
		if verb == "purge" || verb == "delete" || verb == "deletefile" || verb == "rmdirs" {
			s.local(operands, change{kind: policy.Delete, recursive: true})
			return
		}
	}
	if len(operands) < 2 {
		return
	}
	from, to := operands[:len(operands)-1], operands[len(operands)-1]
	if o.Has("remove-source-files") || verb == "move" || verb == "moveto" {
		s.local(from, change{kind: policy.Move, recursive: true})
	}
	if elsewhere(to.Text) {
		return
	}
	if verb == "sync" || deletes(o) && name == "rsync" {
		s.path(word.Arg{Text: strings.TrimSuffix(to.Text, "/") + "/*", Glob: true, Many: to.Many}, change{kind: policy.Delete, verb: "sync", recursive: true})
	}
	c := change{kind: policy.Overwrite, recursive: name != "scp" || o.Has("r")}
	s.into(from, to, c)
}

// deletes tells whether rsync takes away what the source has not.
func deletes(o unit.Opts) bool {
	for n := range o.Flags {
		if n == "del" || strings.HasPrefix(n, "delete") {
			return true
		}
	}
	return false
}

// local notes a change of those paths that are on this machine.
func (s *sheet) local(args []word.Arg, c change) {
	c.how = place.Entry
	for _, a := range args {
		if !elsewhere(a.Text) {
			s.path(a, c)
		}
	}
}

// elsewhere tells whether an operand of rsync or scp is on another machine.
func elsewhere(path string) bool {
	host, _, ok := strings.Cut(path, ":")
	return ok && !strings.Contains(host, "/") && len(host) > 1
}
