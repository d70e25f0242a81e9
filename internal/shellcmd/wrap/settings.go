package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// settings are the commands that variables of a command name: GIT_PAGER='…' git log.
func settings(c word.Command) []word.Inner {
	var out []word.Inner
	for _, a := range c.Assigns {
		if len(out) < most {
			out = append(out, Setting(a)...)
		}
	}
	return out
}

// Setting is what a variable makes programs run that look at it.
func Setting(a word.Assign) []word.Inner {
	v := a.Value
	if v.Text == "" || v.Text == word.Unknown {
		return nil
	}
	if strings.HasPrefix(a.Name, "BASH_FUNC_") { // a function of every bash
		return setting(a.Name, part(v, "f "+v.Text+"; f"))
	}
	switch a.Name {
	case "PAGER", "GIT_PAGER", "MANPAGER", "SYSTEMD_PAGER", "DELTA_PAGER", "BAT_PAGER", "GH_PAGER", "PSQL_PAGER", "AWS_PAGER",
		"EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "SUDO_EDITOR", "FCEDIT", "KUBE_EDITOR", "HGEDITOR", "SVN_EDITOR",
		"GIT_SSH_COMMAND", "GIT_SSH", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS",
		"RSYNC_RSH", "RSYNC_CONNECT_PROG", "CVS_RSH", "BROWSER", "PROMPT_COMMAND", "MAKE", "TAR_RSH", "FZF_DEFAULT_COMMAND", "GIT_TEST_CMD":
		if strings.ContainsAny(v.Text, " \t;|&`$("+word.Unknown) {
			return setting(a.Name, v)
		}
	case "LESSOPEN", "LESSCLOSE":
		return setting(a.Name, part(v, strings.TrimLeft(v.Text, "|-")))
	case "BASH_ENV", "ENV":
		// A shell reads the file of this name, and expands the name before.
		if strings.ContainsAny(v.Text, "`(/") {
			return setting(a.Name, part(v, `. "`+strings.ReplaceAll(v.Text, `"`, `\"`)+`"`))
		}
	case "PS4", "PS1", "PS0":
		// The shell expands these, and what is substituted in them runs.
		if strings.ContainsAny(v.Text, "`(") {
			return setting(a.Name, part(v, `: "`+strings.ReplaceAll(v.Text, `"`, `\"`)+`"`))
		}
	case "PYTHONSTARTUP":
		return setting(a.Name, part(v, "python3 "+shellWord(v.Text)))
	case "NODE_OPTIONS", "PERL5OPT", "RUBYOPT":
		return preloads(a)
	case "TAR_OPTIONS":
		return tar(splitWords(v.Text))
	case "GIT_CONFIG_PARAMETERS":
		var out []word.Inner
		for _, w := range splitWords(v.Text) {
			out = append(out, gitSetting(w, nil)...)
		}
		return out
	case "MAKEFLAGS", "GNUMAKEFLAGS":
		return makes(word.Command{Argv: append(word.Lits("make"), splitWords(v.Text)...)})
	}
	return nil
}

// preloads are the files that a language's options name to be run first.
func preloads(a word.Assign) (out []word.Inner) {
	program := "node"
	if a.Name != "NODE_OPTIONS" {
		program = strings.ToLower(a.Name[:4])
	}
	words := splitWords(a.Value.Text)
	for i, w := range words {
		if (w.Text == "-r" || w.Text == "--require" || w.Text == "--import") && i+1 < len(words) {
			out = append(out, setting(a.Name, part(a.Value, program+" "+shellWord(words[i+1].Text)))...)
		} else if t, ok := strings.CutPrefix(w.Text, "-r"); ok && t != "" {
			out = append(out, setting(a.Name, part(a.Value, program+" "+shellWord(t)))...)
		}
	}
	return out
}

func setting(name string, v word.Arg) []word.Inner {
	in := text("sh", v)
	in.Maybe, in.Via = true, word.Via{Kind: "wrapper", Detail: name}
	return []word.Inner{in}
}

// gitVariables are the settings that git takes from variables: GIT_CONFIG_KEY_0 with GIT_CONFIG_VALUE_0, and those of --config-env.
func gitVariables(assigns []word.Assign, named []word.Arg) []word.Arg {
	value := func(name string) word.Arg {
		for _, a := range assigns {
			if a.Name == name {
				return a.Value
			}
		}
		return word.Arg{Text: word.Unknown}
	}
	var out []word.Arg
	for _, a := range assigns {
		if n, ok := strings.CutPrefix(a.Name, "GIT_CONFIG_KEY_"); ok && len(out) < most {
			v := value("GIT_CONFIG_VALUE_" + n)
			v.Text = a.Value.Text + "=" + v.Text
			out = append(out, v)
		}
	}
	for _, a := range named {
		if key, name, ok := strings.Cut(a.Text, "="); ok && len(out) < most {
			v := value(name)
			v.Text = key + "=" + v.Text
			out = append(out, v)
		}
	}
	return out
}
