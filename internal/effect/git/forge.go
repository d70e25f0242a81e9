package git

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// ofGH are the effects of GitHub's client.
func ofGH(args []word.Arg) []policy.Effect {
	o := unit.Options(args, "R repo X method f F H q jq t template visibility raw-field field header")
	if unit.Help(args) || o.Has("help") || len(o.Operands) == 0 {
		return nil
	}
	first, second, rest := o.Operands[0].Text, "", []word.Arg(nil)
	if len(o.Operands) > 1 {
		second, rest = o.Operands[1].Text, o.Operands[2:]
	}
	switch first + " " + second {
	case "repo delete", "release delete", "repo archive", "secret delete", "secret remove", "variable delete", "gist delete", "issue delete",
		"run delete", "ssh-key delete", "gpg-key delete", "codespace delete", "project delete", "ruleset delete":
		return remote(first+"-"+strings.Replace(second, "remove", "delete", 1), join(rest))
	case "repo edit":
		if v, ok := o.Value("visibility"); ok && v.Text == "public" {
			return remote("repo-public", join(rest))
		}
	case "ssh-key add", "gpg-key add", "repo deploy-key":
		return persist("forge-key", join(rest))
	case "gist create":
		return []policy.Effect{{Kind: policy.Send, Verb: "gist", Target: "gist.github.com", Flags: []string{"file"}}}
	}
	if first == "api" {
		if m, ok := o.Value("X", "method"); ok && strings.EqualFold(m.Text, "DELETE") {
			return remote("api-delete", second)
		}
	}
	return nil
}

// ofGlab are those of GitLab's.
func ofGlab(args []word.Arg) []policy.Effect {
	o := unit.Options(args, "R repo X method F f H field header")
	if unit.Help(args) || len(o.Operands) < 2 {
		return nil
	}
	first, second := o.Operands[0].Text, o.Operands[1].Text
	switch first {
	case "repo", "project", "release", "variable", "issue", "mr", "ssh-key":
		if second == "delete" || first == "repo" && second == "archive" {
			return remote(first+"-"+second, join(o.Operands[2:]))
		}
	case "snippet":
		if second == "create" {
			return []policy.Effect{{Kind: policy.Send, Verb: "gist", Target: "gitlab.com", Flags: []string{"file"}}}
		}
	case "api":
		if m, ok := o.Value("X", "method"); ok && strings.EqualFold(m.Text, "DELETE") {
			return remote("api-delete", second)
		}
	}
	return nil
}

// ofHg are Mercurial's and Sapling's.
func ofHg(args []word.Arg) []policy.Effect {
	o := unit.Options(args, "R cwd config r rev I X")
	if unit.Help(args) || o.Has("help", "dry-run", "n") || len(o.Operands) == 0 {
		return nil
	}
	switch sub := o.Operands[0].Text; sub {
	case "update", "up", "checkout", "co", "goto":
		if o.Has("C", "clean") {
			return loss("update-clean", "forced")
		}
	case "purge", "clean":
		if !o.Has("p", "print") {
			return loss("clean", "forced")
		}
	case "strip", "rollback":
		return loss(sub)
	case "revert":
		if o.Has("C", "no-backup") {
			return loss("restore")
		}
	case "push":
		if o.Has("f", "force") {
			return remote("push-force", join(o.Operands[1:]), "forced")
		}
	}
	return nil
}

// ofSvn are Subversion's.
func ofSvn(args []word.Arg) []policy.Effect {
	o := unit.Options(args, "m r username password")
	if unit.Help(args) || len(o.Operands) == 0 {
		return nil
	}
	switch o.Operands[0].Text {
	case "revert":
		return []policy.Effect{{Kind: policy.GitLoss, Verb: "restore", Target: join(o.Operands[1:])}}
	case "cleanup":
		if o.Has("remove-unversioned", "remove-ignored") {
			return loss("clean")
		}
	case "delete", "del", "remove", "rm":
		for _, a := range o.Operands[1:] {
			if strings.Contains(a.Text, "://") {
				return remote("svn-delete", a.Text)
			}
		}
	}
	return nil
}
