package git

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// ofSub are the effects of one subcommand.
func ofSub(l line, u unit.Unit) []policy.Effect {
	switch l.sub {
	case "reset":
		return ofReset(l.args)
	case "clean":
		return ofClean(l)
	case "checkout":
		return ofCheckout(l.args, u)
	case "restore":
		return ofRestore(l.args)
	case "switch":
		return ofSwitch(l.args)
	case "stash":
		return ofStash(l.args)
	case "branch":
		return ofBranch(l.args)
	case "tag":
		if o := options(l.args, "delete list", "m F u"); o.Has("d", "delete") {
			return []policy.Effect{{Kind: policy.GitLoss, Verb: "tag-delete", Target: join(o.Operands)}}
		}
	case "push":
		return ofPush(l.args)
	case "remote":
		return ofRemote(l.args)
	case "config":
		return ofConfig(l.args)
	case "clone", "fetch", "pull", "ls-remote":
		return ofFetch(l.args)
	case "rm":
		return ofRm(l.args)
	}
	if strings.Contains(l.sub, word.Unknown) {
		return ofUnknown(l.args)
	}
	return ofPlumbing(l)
}

// ofUnknown are those of a subcommand that is not known, by options that only dangerous ones have.
func ofUnknown(args []word.Arg) []policy.Effect {
	o := unit.Options(args, "")
	switch {
	case o.Has("hard"):
		return loss("reset-hard", "dynamic")
	case o.Has("mirror", "force"):
		return remote("push-force", "", "dynamic")
	}
	return nil
}

func ofReset(args []word.Arg) []policy.Effect {
	o := options(args, "hard merge keep soft mixed quiet patch intent-to-add pathspec-from-file= pathspec-file-nul recurse-submodules", "U")
	switch {
	case o.Has("hard"):
		return []policy.Effect{{Kind: policy.GitLoss, Verb: "reset-hard", Target: join(o.Operands)}}
	case o.Has("merge"):
		return loss("reset-merge")
	}
	return nil
}

func ofClean(l line) []policy.Effect {
	o := options(l.args, "force dry-run interactive quiet exclude=", "e")
	free := false // clean.requireForce=false
	for _, s := range l.settings {
		free = free || strings.EqualFold(s.Text, "clean.requireforce=false") || strings.EqualFold(s.Text, "clean.requireforce=0")
	}
	if o.Has("n", "dry-run", "i", "interactive") || !o.Has("f", "force") && !free {
		return nil
	}
	e := policy.Effect{Kind: policy.GitLoss, Verb: "clean", Target: join(o.Operands), Flags: []string{"forced"}}
	if o.Has("d") {
		e.Flags = append(e.Flags, "recursive")
	}
	if o.Has("x", "X") {
		e.Flags = append(e.Flags, "ignored")
	}
	return []policy.Effect{e}
}

func ofRestore(args []word.Arg) []policy.Effect {
	o := options(args, "worktree staged source= patch progress quiet ours theirs merge conflict= ignore-unmerged "+
		"ignore-skip-worktree-bits recurse-submodules overlay no-overlay pathspec-from-file= pathspec-file-nul", "s U")
	switch {
	case o.Has("p", "patch", "ours", "theirs", "m", "merge"):
		return nil
	case o.Has("S", "staged") && !o.Has("W", "worktree"):
		return nil
	case len(o.Operands) == 0 && !o.Has("pathspec-from-file"):
		return nil
	}
	return []policy.Effect{{Kind: policy.GitLoss, Verb: "restore", Target: join(o.Operands)}}
}

func ofSwitch(args []word.Arg) []policy.Effect {
	o := options(args, "discard-changes force create= force-create= orphan= conflict= merge detach guess track quiet progress "+
		"recurse-submodules ignore-other-worktrees", "c C")
	if o.Has("f", "force", "discard-changes") {
		return loss("switch-discard")
	}
	return nil
}

func ofStash(args []word.Arg) []policy.Effect {
	if len(args) == 0 {
		return nil
	}
	switch args[0].Text {
	case "drop":
		return []policy.Effect{{Kind: policy.GitLoss, Verb: "stash-drop", Target: join(args[1:])}}
	case "clear":
		return loss("stash-clear", "all")
	}
	return nil
}

func ofBranch(args []word.Arg) []policy.Effect {
	o := options(args, "delete force move copy list set-upstream-to= unset-upstream track no-track remotes all contains= no-contains= "+
		"merged no-merged points-at= format= sort= color column edit-description quiet verbose abbrev= show-current create-reflog", "u")
	forced := o.Has("f", "force")
	switch {
	case o.Has("D"), forced && o.Has("d", "delete"):
		if o.Has("r", "remotes") {
			return nil // only the memory of a remote's branch
		}
		return []policy.Effect{{Kind: policy.GitLoss, Verb: "branch-delete-force", Target: join(o.Operands), Flags: []string{"forced"}}}
	case forced && !o.Has("m", "move", "c", "copy", "M", "C"):
		return []policy.Effect{{Kind: policy.GitLoss, Verb: "branch-force", Target: join(o.Operands), Flags: []string{"forced"}}}
	}
	return nil
}

func ofRm(args []word.Arg) []policy.Effect {
	o := options(args, "force cached dry-run quiet ignore-unmatch sparse pathspec-from-file= pathspec-file-nul", "")
	if !o.Has("f", "force") || o.Has("cached", "n", "dry-run") {
		return nil
	}
	if !o.Has("r") && !slices.ContainsFunc(o.Operands, func(a word.Arg) bool { return a.Glob || !a.Known() || strings.ContainsAny(a.Text, "*?:") }) {
		return nil // files by their names, as with rm
	}
	return []policy.Effect{{Kind: policy.GitLoss, Verb: "rm-force", Target: join(o.Operands), Flags: []string{"forced"}}}
}
