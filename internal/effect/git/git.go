// Package git tells what git (and gh, hg, jj, svn where they do the same) loses or rewrites.
package git

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// Effects are those of one command; none for a program that is not this package's.
func Effects(u unit.Unit) []policy.Effect {
	var out []policy.Effect
	name := u.Program()
	switch name {
	case "git", "git.cmd":
		out = ofGit(u)
	case "bfg":
		if len(u.Argv) > 1 && !unit.Help(u.Args()) {
			out = loss("bfg")
		}
	case "gh":
		out = ofGH(u.Args())
	case "glab":
		out = ofGlab(u.Args())
	case "hg", "sl", "chg":
		out = ofHg(u.Args())
	case "svn":
		out = ofSvn(u.Args())
	default:
		// git-reset is git reset, as git itself calls it.
		if sub, ok := strings.CutPrefix(name, "git-"); ok {
			out = ofSub(line{sub: sub, args: u.Args()}, u)
		}
	}
	return u.Marked(out)
}

// loss is one loss of work or history.
func loss(verb string, flags ...string) []policy.Effect {
	return []policy.Effect{{Kind: policy.GitLoss, Verb: verb, Flags: flags}}
}

// remote is one change of a remote.
func remote(verb, target string, flags ...string) []policy.Effect {
	return []policy.Effect{{Kind: policy.GitRemote, Verb: verb, Target: target, Flags: flags}}
}

func ofGit(u unit.Unit) []policy.Effect {
	l := global(u.Args())
	if l.help {
		return nil
	}
	var out []policy.Effect
	for _, s := range l.settings {
		key, value, has := strings.Cut(s.Text, "=")
		if !has {
			value = "true"
		}
		out = append(out, setting(key, value, true)...)
	}
	l = l.unalias()
	if unit.Help(l.args) {
		return out
	}
	out = slices.DeleteFunc(append(out, ofSub(l, u)...), func(e policy.Effect) bool { return e.Verb == "worktree-remove-force" && scratch(e.Target, u) })
	if len(out) > 0 && u.Machine != nil && u.Host == "" {
		where := l.where(u)
		for i := range out {
			if out[i].Kind == policy.GitLoss {
				out[i].Where = where
			}
		}
	}
	return out
}

// scratch tells whether a working tree is one in a temporary directory.
func scratch(tree string, u unit.Unit) bool {
	return u.Machine != nil && u.Host == "" && !strings.Contains(tree, " ") && u.Machine.Place(word.Lit(tree), u.Dir, place.Follow).Where == policy.Temp
}

// where is the place of the repository: a scratch one in a temporary directory is nobody's work.
func (l line) where(u unit.Unit) policy.Where {
	at := l.dir
	if at.Text == "" {
		at = word.Lit(".")
	}
	return u.Machine.Place(at, u.Dir, place.Follow).Where
}

// join names what operands name, for Effect.Target.
func join(args []word.Arg) string {
	const most = 8
	if len(args) > most {
		args = args[:most]
	}
	return strings.Join(word.Texts(args), " ")
}
