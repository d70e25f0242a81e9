package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// gits unwraps the commands that git is told to run, by its options and by settings that stand in the command.
func gits(name string, c word.Command) ([]word.Inner, bool, bool) {
	if name != "git" {
		return nil, false, false
	}
	o := parse(c.Argv[1:], form{short: "C:c:", long: "git-dir work-tree namespace exec-path? super-prefix config-env attr-source list-cmds?"})
	var out []word.Inner
	for _, v := range o.values("c") {
		out = append(out, gitSetting(v, o.rest)...)
	}
	for _, v := range gitVariables(c.Assigns, o.values("config-env")) {
		out = append(out, gitSetting(v, o.rest)...)
	}
	if len(o.rest) == 0 {
		return out, true, true
	}
	return append(out, gitVerb(o.rest[0].Text, o.rest[1:])...), true, true
}

// gitSetting is what a setting of -c key=value makes git run.
func gitSetting(v word.Arg, rest []word.Arg) []word.Inner {
	key, value, _ := strings.Cut(v.Text, "=")
	return gitKey(strings.ToLower(key), part(v, value), rest)
}

// gitKey is what a setting makes git run. rest is the command whose alias it may be.
func gitKey(key string, value word.Arg, rest []word.Arg) []word.Inner {
	if alias, ok := strings.CutPrefix(key, "alias."); ok {
		return gitAlias(alias, value, rest)
	}
	shell := false
	switch key {
	case "core.pager", "core.editor", "core.sshcommand", "core.askpass", "core.fsmonitor", "core.gitproxy", "sequence.editor", "diff.external",
		"gpg.program", "gpg.ssh.program", "gpg.ssh.defaultkeycommand", "interactive.difffilter", "uploadpack.packobjectshook", "sendemail.smtpserver":
		shell = value.Text != "true" && value.Text != "false" && value.Text != ""
	case "credential.helper":
		value.Text, shell = strings.CutPrefix(value.Text, "!")
	default:
		section, _, _ := strings.Cut(key, ".")
		last := key[strings.LastIndexByte(key, '.')+1:]
		switch section {
		case "pager", "man", "browser", "difftool", "mergetool":
			shell = last != "prompt" && last != "keepbackup" && value.Text != "true" && value.Text != "false"
		case "filter", "diff", "merge", "trailer", "credential":
			shell = oneOf(last, "clean", "smudge", "process", "textconv", "command", "driver", "cmd")
			if last == "helper" {
				value.Text, shell = strings.CutPrefix(value.Text, "!")
			}
		}
	}
	if !shell {
		return nil
	}
	in := text("sh", value)
	in.Maybe = true
	return []word.Inner{in}
}

// gitAlias is a command of an alias that the same command defines; ! makes it a shell's.
func gitAlias(name string, value word.Arg, rest []word.Arg) []word.Inner {
	var args []word.Arg
	used := len(rest) > 0 && strings.EqualFold(rest[0].Text, name)
	if used {
		args = rest[1:]
	}
	if t, ok := strings.CutPrefix(value.Text, "!"); ok {
		for _, a := range args {
			t += " " + shellWord(a.Text)
		}
		in := text("sh", part(value, t))
		in.Maybe = !used
		return []word.Inner{in}
	}
	return []word.Inner{{Argv: append(append(word.Lits("git"), splitWords(value.Text)...), args...), Maybe: !used}}
}

// gitVerb is what a command of git runs by its own arguments.
func gitVerb(verb string, args []word.Arg) []word.Inner {
	switch verb {
	case "rebase":
		return texts(parse(args, form{short: "x:s:X:C:", long: "exec onto strategy strategy-option", permute: true}).values("x", "exec"))
	case "bisect":
		if len(args) > 1 && args[0].Text == "run" {
			return run(args[1:])
		}
	case "submodule":
		for i, a := range args {
			if a.Text == "foreach" {
				o := parse(args[i+1:], form{})
				return textOrWords(o.rest)
			}
		}
	case "filter-branch":
		o := parse(args, form{
			short: "d:f", long: "env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter subdirectory-filter original setup state-branch", permute: true,
		})
		return texts(o.values("env-filter", "tree-filter", "index-filter", "parent-filter", "msg-filter", "commit-filter", "tag-name-filter", "setup"))
	case "difftool", "mergetool":
		return texts(parse(args, form{short: "x:t:", long: "extcmd tool", permute: true}).values("x", "extcmd"))
	case "for-each-repo":
		return nil
	case "grep":
		return texts(parse(args, form{short: "O?e:f:A:B:C:m:", long: "open-files-in-pager?", permute: true}).values("O", "open-files-in-pager"))
	case "clone", "fetch", "pull", "push", "ls-remote", "archive", "fetch-pack", "send-pack":
		return gitRemote(verb, args)
	case "config":
		return gitConfig(args)
	}
	return nil
}

// gitRemote are programs for the other side, which for a path is this machine, and the helper ext.
func gitRemote(verb string, args []word.Arg) []word.Inner {
	short := "c:o:b:j:"
	if verb == "clone" {
		short += "u:"
	}
	o := parse(args, form{short: short, long: "upload-pack receive-pack exec config depth branch origin reference template jobs", permute: true})
	out := texts(o.values("u", "upload-pack", "receive-pack", "exec"))
	for _, v := range o.values("c", "config") {
		out = append(out, gitSetting(v, nil)...)
	}
	for _, a := range o.rest {
		if t, ok := strings.CutPrefix(a.Text, "ext::"); ok {
			out = append(out, text("sh", part(a, strings.ReplaceAll(t, "% ", `\ `))))
		}
	}
	return out
}

// gitConfig is a setting that is kept: what it makes git run may run from now on.
func gitConfig(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "f:", long: "file blob type default value comment", permute: true})
	if o.has("get", "get-all", "unset", "unset-all", "list", "l", "get-regexp", "remove-section", "rename-section") {
		return nil
	}
	rest := o.rest
	if len(rest) > 0 && rest[0].Text == "set" {
		rest = rest[1:]
	}
	if len(rest) < 2 {
		return nil
	}
	inner := gitKey(strings.ToLower(rest[0].Text), rest[1], nil)
	for i := range inner {
		inner[i].Maybe = true
	}
	return inner
}

// texts are texts for a shell.
func texts(args []word.Arg) []word.Inner {
	var out []word.Inner
	for _, a := range args {
		out = append(out, text("sh", a))
	}
	return out
}

// textOrWords is one word that a shell reads, or a command.
func textOrWords(args []word.Arg) []word.Inner {
	if len(args) == 1 {
		return texts(args)
	}
	return run(args)
}
