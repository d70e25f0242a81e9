package judge

import (
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/policy"
)

// text is one command line, with the dialects in which it may be read. lax says that it need not be one at all: then that it is none
// says nothing.
type text struct {
	text     string
	dialects []string
	lax      bool
}

// maxTexts bounds how many command lines of one broken payload are read for themselves; the rest is read as one text.
const maxTexts = 64

// texts are the command lines of a call. Those of a shell are one text, since a line of it may go on in the next. What the arguments
// of an unknown tool have under a name for one is read as one text and, where that is more than a line, line by line, so that a quote
// in one hides none of the others.
func texts(ev canon.Event, more []string) []text {
	t := ev.Tool
	d := dialects(ev.Agent, t.HostName)
	var out []text
	add := func(s string, lax bool) {
		for _, have := range out {
			if have.text == s {
				return
			}
		}
		if strings.TrimSpace(s) != "" {
			out = append(out, text{s, d, lax})
		}
	}
	shell := t.Kind == "shell"
	add(t.Command, !shell || typed(t.HostName))
	if t.Command == "" && (shell || types(t.HostName)) {
		for _, s := range stdin(t.Input) {
			add(keys(s), true)
		}
	}
	if strings.ContainsAny(t.Command, "\r\x00") {
		add(keys(t.Command), true) // where it is typed, or read from a pipe
	}
	if lines := strings.Split(t.Command, "\n"); !shell && len(lines) > 1 && len(lines) <= maxTexts {
		more = append(lines, more...)
	}
	if len(more) > maxTexts {
		more = append(more[:maxTexts:maxTexts], strings.Join(more[maxTexts:], "\n"))
	}
	for _, s := range more {
		add(s, !shell)
	}
	if !shell {
		for _, s := range codes(*t) {
			add(s, true)
		}
	}
	return out
}

// codes are the commands that would run what a tool is given as code of a language: no agent has such a tool itself, but servers and
// notebooks do.
func codes(t canon.Tool) []string {
	m := lenient.Parse(t.Input).Value.Members()
	lang := strings.ToLower(m.Text("language") + m.Text("lang") + m.Text("kernel") + m.Text("runtime") + " " + t.HostName)
	program := ""
	for _, l := range [...]struct{ part, program string }{
		{"python", "python3 -c"}, {"jupyter", "python3 -c"}, {"ipython", "python3 -c"}, {"node", "node -e"}, {"javascript", "node -e"}, {"typescript", "node -e"},
		{"ruby", "ruby -e"}, {"perl", "perl -e"}, {"php", "php -r"}, {"powershell", "pwsh -c"}, {"bash", "bash -c"}, {"shell", "sh -c"}, {"zsh", "zsh -c"},
		{"code", "python3 -c"}, {"repl", "python3 -c"}, {"script", "sh -c"}, {"exec", "sh -c"}, {"run", "sh -c"},
	} {
		if strings.Contains(lang, l.part) {
			program = l.program
			break
		}
	}
	if program == "" {
		return nil
	}
	var out []string
	for _, name := range []string{"code", "script", "source", "snippet", "program", "cell", "expression"} {
		for _, v := range m.All(name) {
			if v.Kind() == lenient.String && v.Text() != "" {
				out = append(out, program+" '"+strings.ReplaceAll(v.Text(), "'", `'\''`)+"'")
			}
		}
	}
	return out
}

// typed tells whether a tool types into a shell or program that runs already: an answer to a question is no command then.
func typed(hostName string) bool {
	name := strings.ToLower(hostName)
	return strings.HasPrefix(name, "write_") || strings.Contains(name, "stdin") || name == "manage_task"
}

// types tells whether a tool that is none of the agent's own types into a terminal, by its name.
func types(hostName string) bool {
	name := strings.ToLower(hostName)
	for _, part := range []string{"stdin", "terminal", "pty", "send_input", "send_keys", "sendinput", "sendkeys", "shell", "bash"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// keys is what a shell reads of what is typed: the return key ends a line, whatever it is written as, and a shell drops what is no
// character. A backspace takes the last one back.
func keys(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "{enter}", "\n", "{Enter}", "\n", "{ENTER}", "\n", "\x00", "",
		"\x1b[200~", "", "\x1b[201~", "", "\x03", "\n", "\x04", "\n", "\x15", "\n").Replace(s)
	if !strings.ContainsAny(s, "\b\x7f") {
		return s
	}
	var out []rune
	for _, r := range s {
		switch {
		case r != '\b' && r != 0x7f:
			out = append(out, r)
		case len(out) > 0 && out[len(out)-1] != '\n':
			out = out[:len(out)-1]
		}
	}
	return string(out)
}

// stdin is what a tool without a command line types into a shell, under the names that agents have for it.
func stdin(input []byte) []string {
	m := lenient.Parse(input).Value.Members()
	var out []string
	for _, name := range []string{"input", "chars", "stdin", "data", "text", "keys", "Input"} {
		for _, v := range m.All(name) {
			if v.Kind() == lenient.String {
				out = append(out, v.Text())
			}
		}
	}
	return out
}

// toolDir is where a tool runs by its own arguments, else where the session works.
func toolDir(input []byte, m *place.Machine) string {
	fields := lenient.Parse(input).Value.Members()
	for _, name := range []string{"directory", "dir_path", "workdir", "cwd", "Cwd", "working_directory", "workingDirectory"} {
		if dir := fields.Text(name); dir != "" {
			return absolute(dir, m)
		}
	}
	return m.Dir
}

// absolute is a path as a tool means it. One that can't be placed stays as it is.
func absolute(path string, m *place.Machine) string {
	switch {
	case path == "~":
		return m.Home
	case strings.HasPrefix(path, "~/") && m.Home != "":
		return filepath.Join(m.Home, path[2:])
	case strings.HasPrefix(path, "file://"):
		path = strings.TrimPrefix(path, "file://")
	}
	if filepath.IsAbs(path) || strings.HasPrefix(path, "/") || m.Dir == "" {
		return filepath.Clean(path)
	}
	return filepath.Join(m.Dir, path)
}

// places fills the paths and URLs that rules look at: those of the tool's arguments, and what the effects are about.
func places(c *policy.Call, t canon.Tool, m *place.Machine) {
	for _, p := range t.Paths {
		c.Paths = addNew(c.Paths, absolute(p, m))
	}
	for _, e := range c.Effects {
		switch {
		case len(c.Paths)+len(c.URLs) > maxPlaces:
			return
		case e.Target == "":
		case e.Kind == policy.Send || e.Kind == policy.Fetch || e.Kind == policy.DownloadRun:
			c.URLs = addNew(c.URLs, e.Target)
		case e.Where != "" && e.Where != policy.Nowhere:
			c.Paths = addNew(c.Paths, e.Target)
		}
	}
}

// maxPlaces bounds the lists, whose members are compared with each other.
const maxPlaces = 512
