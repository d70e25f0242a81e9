package git

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// ofConfig are the effects of git config where it sets something.
func ofConfig(args []word.Arg) []policy.Effect {
	o := options(args, "global system local worktree file= blob= get get-all get-regexp get-urlmatch unset unset-all list add replace-all "+
		"rename-section remove-section edit type= bool int path default= null name-only show-origin show-scope includes fixed-value "+
		"value= comment=", "f")
	if o.Has("get", "get-all", "get-regexp", "get-urlmatch", "unset", "unset-all", "list", "l", "remove-section", "rename-section", "e", "edit") {
		return nil
	}
	rest := o.Operands
	if len(rest) > 0 {
		switch rest[0].Text {
		case "get", "list", "unset", "edit", "remove-section", "rename-section":
			return nil
		case "set":
			rest = rest[1:]
		}
	}
	if len(rest) < 2 {
		return nil
	}
	return setting(rest[0].Text, rest[1].Text, false)
}

// setting is what a value of git's configuration does. once says that it holds for one command only.
func setting(key, value string, once bool) []policy.Effect {
	key = strings.ToLower(key)
	off := strings.EqualFold(value, "false") || value == "0" || strings.EqualFold(value, "no") || strings.EqualFold(value, "off")
	switch {
	case key == "http.sslverify", strings.HasPrefix(key, "http.") && strings.HasSuffix(key, ".sslverify"):
		if off {
			return []policy.Effect{{Kind: policy.Security, Verb: "tls-verify-off", Target: "git"}}
		}
	case key == "core.hookspath":
		if value == "/dev/null" || value == "" {
			return []policy.Effect{{Kind: policy.Security, Verb: "git-hooks-off", Target: "git"}}
		}
		if value == ".husky" || value == ".husky/_" {
			return nil // as husky does itself
		}
		return persist("git-hooks-path", value)
	case strings.HasPrefix(key, "alias."):
		if strings.HasPrefix(value, "!") && !once {
			return persist("git-alias", value)
		}
	case key == "credential.helper", strings.HasPrefix(key, "credential.") && strings.HasSuffix(key, ".helper"):
		return ofHelper(value)
	case key == "core.sshcommand", key == "core.fsmonitor", key == "core.gitproxy", key == "diff.external", key == "gpg.program",
		key == "core.askpass", strings.HasPrefix(key, "filter.") && !strings.HasSuffix(key, ".required"):
		if off || strings.EqualFold(value, "true") || strings.HasPrefix(value, "git-lfs ") {
			return nil
		}
		if once {
			return nil
		}
		return persist("git-command", value)
	}
	return nil
}

// ofHelper tells helpers that git and its hosts ship from commands of someone's own.
func ofHelper(value string) []policy.Effect {
	name, _, _ := strings.Cut(value, " ")
	switch name {
	case "", "cache", "osxkeychain", "manager", "manager-core", "wincred", "libsecret", "gnome-keyring", "gcloud.sh":
		return nil
	case "store":
		return persist("git-credentials-plain", value)
	}
	if strings.Contains(value, "gh auth git-credential") || strings.Contains(value, "aws codecommit") {
		return nil
	}
	return persist("git-credential-helper", value)
}

func persist(verb, target string) []policy.Effect {
	return []policy.Effect{{Kind: policy.Persist, Verb: verb, Target: target}}
}

// ofPlumbing are the effects of what is seldom typed.
func ofPlumbing(l line) []policy.Effect {
	first := ""
	if len(l.args) > 0 {
		first = l.args[0].Text
	}
	o := unit.Options(l.args, "m")
	switch l.sub {
	case "reflog":
		if (first == "expire" || first == "delete") && !o.Has("n", "dry-run") {
			return loss("reflog-" + first)
		}
	case "gc":
		return ofGC(l)
	case "prune":
		if !o.Has("n", "dry-run") {
			return loss("prune")
		}
	case "filter-branch", "filter-repo":
		if !o.Has("analyze", "dry-run") {
			return loss(l.sub, "all")
		}
	case "update-ref":
		if o.Has("d") || o.Has("stdin") {
			return []policy.Effect{{Kind: policy.GitLoss, Verb: "update-ref-delete", Target: join(o.Operands)}}
		}
	case "symbolic-ref":
		if o.Has("d", "delete") {
			return []policy.Effect{{Kind: policy.GitLoss, Verb: "symbolic-ref-delete", Target: join(o.Operands)}}
		}
	case "worktree", "submodule":
		return ofTrees(l.sub, first, l.args)
	case "lfs":
		if first == "prune" && !o.Has("d", "dry-run") {
			return loss("lfs-prune")
		}
	case "checkout-index":
		if o.Has("f", "force") {
			return loss("checkout-index-force", "forced")
		}
	case "read-tree":
		if o.Has("reset") && o.Has("u") {
			return loss("read-tree-reset")
		}
	}
	return nil
}

func ofTrees(sub, first string, args []word.Arg) []policy.Effect {
	o := options(args, "force all init recursive remote reference= depth=", "b B")
	if !o.Has("f", "force") {
		return nil
	}
	switch sub + " " + first {
	case "worktree remove", "submodule deinit", "submodule update":
		return []policy.Effect{{Kind: policy.GitLoss, Verb: sub + "-" + first + "-force", Target: join(o.Operands[1:]), Flags: []string{"forced"}}}
	}
	return nil
}

// ofGC finds a collection that leaves no time to think again.
func ofGC(l line) []policy.Effect {
	o := options(l.args, "prune aggressive auto quiet force keep-largest-pack cruft", "")
	soon := func(v string) bool { return v == "now" || v == "all" || strings.HasPrefix(v, "0") }
	if v, ok := o.Value("prune"); ok && soon(v.Text) {
		return loss("gc-prune")
	}
	for _, s := range l.settings {
		key, value, _ := strings.Cut(strings.ToLower(s.Text), "=")
		if (key == "gc.pruneexpire" || key == "gc.reflogexpire" || key == "gc.reflogexpireunreachable") && soon(value) {
			return loss("gc-prune")
		}
	}
	return nil
}
