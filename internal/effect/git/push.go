package git

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

const pushOptions = "force mirror delete prune force-with-lease force-if-includes all branches tags follow-tags atomic dry-run " +
	"porcelain signed receive-pack= exec= repo= set-upstream thin no-thin quiet verbose progress recurse-submodules= verify no-verify " +
	"push-option= ipv4 ipv6"

// ofPush are the effects of a push: on the history there, and that it leaves at all, where it goes to no named remote.
func ofPush(args []word.Arg) []policy.Effect {
	o := options(args, pushOptions, "o")
	if o.Has("n", "dry-run") {
		return nil
	}
	var out []policy.Effect
	to, refs := "", o.Operands
	if r, ok := o.Value("repo"); ok {
		to = r.Text
	} else if len(refs) > 0 {
		to, refs = refs[0].Text, refs[1:]
	}
	if strings.Contains(to, "://") || strings.Contains(to, "@") && strings.Contains(to, ":") {
		out = append(out, policy.Effect{Kind: policy.Send, Verb: "git-push", Target: to})
	}
	target := strings.TrimSpace(to + " " + join(refs))
	switch {
	case o.Has("mirror"):
		out = append(out, remote("push-mirror", target, "forced")...)
	case o.Has("d", "delete"):
		out = append(out, remote("push-delete", target)...)
	case forced(o):
		out = append(out, remote("push-force", target, "forced")...)
	case o.Has("force-with-lease"):
		out = append(out, remote("push-force-with-lease", target)...)
	}
	if o.Has("prune") {
		out = append(out, remote("push-prune", target)...)
	}
	return append(out, ofRefs(to, refs)...)
}

// ofRefs are those that refspecs have without any option: +ref forces, :ref deletes.
func ofRefs(to string, refs []word.Arg) []policy.Effect {
	var out []policy.Effect
	for _, r := range refs {
		switch {
		case len(r.Text) > 1 && r.Text[0] == ':':
			out = append(out, remote("push-delete", to+" "+r.Text[1:])...)
		case len(r.Text) > 1 && r.Text[0] == '+':
			out = append(out, remote("push-force", to+" "+r.Text[1:], "forced")...)
		}
	}
	if len(out) > 8 {
		out = out[:8]
	}
	return out
}

// forced tells whether a push has --force; an option that only begins so, and that no git has, is taken for it.
func forced(o unit.Opts) bool {
	if o.Has("f", "force") {
		return true
	}
	for name := range o.Flags {
		if strings.HasPrefix(name, "force") && name != "force-with-lease" && name != "force-if-includes" {
			return true
		}
	}
	return false
}

func ofRemote(args []word.Arg) []policy.Effect {
	o := unit.Options(args, "t m")
	if len(o.Operands) < 2 {
		return nil
	}
	switch o.Operands[0].Text {
	case "remove", "rm":
		return remote("remote-remove", o.Operands[1].Text)
	case "set-url":
		return remote("remote-set-url", join(o.Operands[1:]))
	}
	return nil
}

// ofFetch finds what runs a command in place of a transport.
func ofFetch(args []word.Arg) []policy.Effect {
	for _, a := range args {
		if strings.HasPrefix(a.Text, "ext::") {
			return []policy.Effect{{Kind: policy.Dynamic, Verb: "code", Target: a.Text}}
		}
	}
	return nil
}
