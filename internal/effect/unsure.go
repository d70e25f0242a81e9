package effect

import (
	"path"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/effect/network"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// unsure are the effects of what only a run would tell. A program that is not known counts where what it is given looks dangerous.
func unsure(r shellcmd.Result, m *place.Machine) []policy.Effect {
	var out []policy.Effect
	for _, u := range r.Unsure {
		switch u.Kind {
		case "parse", "limit", "code":
			out = append(out, policy.Effect{Kind: policy.Dynamic, Verb: u.Kind, Target: u.Text, Command: u.Command})
			if url, ok := network.Code(r.Commands, u.Command, u.Text); ok && u.Kind == "code" {
				out = append(out, policy.Effect{Kind: policy.DownloadRun, Verb: "code", Target: url, Command: u.Command})
			}
		case "command":
			if u.Command < 0 || u.Command >= len(r.Commands) {
				continue
			}
			if c := r.Commands[u.Command]; dangerous(c, m) {
				out = append(out, policy.Effect{Kind: policy.Dynamic, Verb: "command", Target: u.Text, Command: u.Command})
			}
		}
	}
	said := len(out)
	for i, c := range r.Commands { // such as nobody has said it of
		if slices.ContainsFunc(out[:said], func(e policy.Effect) bool { return e.Command == i }) {
			continue
		}
		if c.Op == "" && len(c.Argv) > 1 && (!c.Argv[0].Known() || c.Argv[0].Glob) && dangerous(c, m) {
			out = append(out, policy.Effect{Kind: policy.Dynamic, Verb: "command", Target: c.Argv[0].Text, Command: i})
		}
	}
	return out
}

// dangerous tells whether the arguments of a program that is not known would be dangerous for one that is.
func dangerous(c word.Command, m *place.Machine) bool {
	if len(c.Argv) < 2 {
		return false
	}
	args := c.Argv[1:]
	if isScript(args[0].Text) {
		return false // what follows is the script's own
	}
	removes, recursive, outside, unknown, hard, force, push := false, false, false, false, false, false, false
	for i, a := range args {
		t := a.Text
		switch {
		case t == "-rf" || t == "-fr" || t == "-r" || t == "-R" || t == "--recursive" || t == "-Rf" || t == "-fR" || t == "-f" || t == "--force" || bundle(t):
			removes = true
			force = force || t == "-f" || t == "--force" || bundle(t)
			recursive = recursive || t != "-f" && t != "--force"
		case strings.HasPrefix(t, "of=/dev/") && !strings.HasPrefix(t, "of=/dev/null"):
			return true
		case t == "--hard", t == "--no-preserve-root", t == "--delete" && i == 0:
			hard = true
		case t == "reset" || t == "clean" || t == "push":
			push = true
		case t == "-delete":
			hard = true
		case strings.HasPrefix(t, "-") || t == "":
		case place.Device(t):
			return true
		default:
			out, sure := away(a, c.Dir, m)
			outside, unknown = outside || out && sure, unknown || out && !sure
		}
	}
	return hard || removes && outside || recursive && force && unknown || push && force
}

// isScript tells a name that an interpreter would be given first.
func isScript(name string) bool {
	switch path.Ext(name) {
	case ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".jar", ".sh", ".lua":
		return true
	}
	return false
}

// bundle tells whether a word has r and f among bundled options.
func bundle(t string) bool {
	return len(t) > 2 && t[0] == '-' && t[1] != '-' && len(t) < 7 && strings.ContainsAny(t, "rR") && strings.Contains(t, "f") && strings.Trim(t[1:], "rRfvid") == ""
}

// away tells whether a word leads, or may lead, to a place where a deletion is no everyday matter; sure says that it does.
func away(a word.Arg, dir word.Arg, m *place.Machine) (out, sure bool) {
	if strings.Contains(a.Text, "://") {
		return false, false
	}
	s := m.Place(a, dir, place.Entry)
	switch s.Where {
	case policy.Root, policy.Home, policy.System, policy.User, policy.Elsewhere, policy.Project, policy.VCS:
		return !s.Stream, true
	case policy.Nowhere:
		return strings.Contains(a.Text, "/"), false
	}
	return false, false
}
