package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// settings are the commands that variables of a command name: GIT_PAGER='…' git log.
func settings(c word.Command) []word.Inner {
	var out []word.Inner
	for _, a := range c.Assigns {
		if a.Value.Text == "" || !strings.ContainsAny(a.Value.Text, " \t;|&`$("+word.Unknown) || a.Value.Text == word.Unknown || len(out) == most {
			continue
		}
		switch a.Name {
		case "PAGER", "GIT_PAGER", "MANPAGER", "SYSTEMD_PAGER", "DELTA_PAGER", "BAT_PAGER", "GH_PAGER", "PSQL_PAGER", "AWS_PAGER",
			"EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "SUDO_EDITOR", "FCEDIT", "KUBE_EDITOR", "HGEDITOR", "SVN_EDITOR",
			"GIT_SSH_COMMAND", "GIT_SSH", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS",
			"RSYNC_RSH", "RSYNC_CONNECT_PROG", "CVS_RSH", "BROWSER", "PROMPT_COMMAND", "MAKE", "TAR_RSH", "FZF_DEFAULT_COMMAND", "GIT_TEST_CMD":
			in := text("sh", a.Value)
			in.Maybe, in.Via = true, word.Via{Kind: "wrapper", Detail: a.Name}
			out = append(out, in)
		case "LESSOPEN", "LESSCLOSE":
			in := text("sh", part(a.Value, strings.TrimLeft(a.Value.Text, "|-")))
			in.Maybe, in.Via = true, word.Via{Kind: "wrapper", Detail: a.Name}
			out = append(out, in)
		case "BASH_ENV", "ENV", "PS4", "PS1", "PS0":
			// The shell expands these, and what is substituted in them runs.
			if strings.ContainsAny(a.Value.Text, "`(") {
				in := text("sh", part(a.Value, `: "`+strings.ReplaceAll(a.Value.Text, `"`, `\"`)+`"`))
				in.Maybe, in.Via = true, word.Via{Kind: "wrapper", Detail: a.Name}
				out = append(out, in)
			}
		case "TAR_OPTIONS":
			out = append(out, tar(splitWords(a.Value.Text))...)
		}
	}
	return out
}
