package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// terminals unwraps what opens a window, or a pane of one, for a command.
func terminals(name string, c word.Command) ([]word.Inner, bool, bool) {
	args := c.Argv[1:]
	switch name {
	case "xterm", "uxterm", "rxvt", "urxvt", "st", "konsole", "alacritty", "terminator", "tilix", "xfce4-terminal", "lxterminal", "mate-terminal",
		"qterminal", "terminology", "x-terminal-emulator", "cool-retro-term", "aterm", "eterm", "mlterm", "roxterm", "ghostty", "deepin-terminal":
		return terminal(args), true, true
	case "gnome-terminal", "kgx", "ptyxis", "gnome-console":
		if inner := terminal(args); len(inner) > 0 {
			return inner, true, true
		}
		if rest := afterDashes(args); len(rest) < len(args) {
			return run(rest), true, true
		}
		return nil, true, true
	case "kitty", "foot", "footclient":
		return run(parse(args, form{
			short: "o:c:d:T:a:t:W:w:", long: "config override title class name directory session instance-group listen-on start-as app-id working-directory " +
				"window-size-chars window-size-pixels term font",
		}).rest), true, true
	case "wezterm":
		if len(args) > 1 && oneOf(args[0].Text, "start", "cli", "ssh") {
			return run(afterDashes(args[1:])), true, true
		}
		return nil, true, true
	case "zellij":
		return zellij(args), true, true
	case "byobu":
		return append(tmux(args), screen(args)...), true, true
	}
	return nil, false, false
}

// terminal runs the words behind -e or -x, or the line that -e is: terminals differ in which.
func terminal(args []word.Arg) []word.Inner {
	for i, a := range args {
		switch {
		case oneOf(a.Text, "-e", "-x", "--execute") && i+1 < len(args):
			return textOrWords(args[i+1:])
		case oneOf(a.Text, "--command", "-command") && i+1 < len(args):
			return texts(args[i+1 : i+2])
		case strings.HasPrefix(a.Text, "--command="):
			return texts([]word.Arg{part(a, a.Text[len("--command="):])})
		case strings.HasPrefix(a.Text, "-e") && len(a.Text) > 3 && strings.Contains(a.Text, " "):
			return texts([]word.Arg{part(a, a.Text[2:])})
		}
	}
	return nil
}

// zellij runs a command in a pane, or has one typed there.
func zellij(args []word.Arg) []word.Inner {
	rest := parse(args, form{short: "s:l:c:", long: "session layout config config-dir"}).rest
	if len(rest) == 0 {
		return nil
	}
	switch verb, rest := rest[0].Text, rest[1:]; {
	case oneOf(verb, "run", "r"):
		return run(parse(rest, form{short: "d:n:x:y:", long: "direction name cwd width height x y"}).rest)
	case verb == "action" && len(rest) > 1 && oneOf(rest[0].Text, "write-chars", "new-pane"):
		return textOrWords(afterDashes(rest[1:]))
	}
	return nil
}
