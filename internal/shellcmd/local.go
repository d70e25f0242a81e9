package shellcmd

import (
	"path"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// maxFilters is how many programs behind each other are followed to the file that they read.
const maxFilters = 8

// printsFile tells whether a command prints a file of this machine, or what such a file gives through filters: cat x | sh runs x no
// otherwise than sh x does.
func (w *shell) printsFile(i, depth int) bool {
	if i < 0 || i >= len(w.r.Commands) || depth > maxFilters {
		return false
	}
	c := w.r.Commands[i]
	if c.Op != "" || len(c.Argv) == 0 || c.Host != "" {
		return false
	}
	lead := 0
	switch c.Name() {
	case "cat", "head", "tail", "tac", "sort", "uniq", "envsubst", "dos2unix":
	case "grep", "egrep", "fgrep", "sed", "cut", "tr":
		lead = 1
		if c.Name() == "cut" {
			lead = 0
		}
	default:
		return false
	}
	files := 0
	for n, a := range c.Argv[1:] {
		if !a.Known() || len(a.By) > 0 {
			return false
		}
		if strings.HasPrefix(a.Text, "-") && a.Text != "-" {
			if a.Text == "-e" || strings.HasPrefix(a.Text, "--") || c.Name() != "cat" && strings.ContainsAny(a.Text, "fi") && c.Name() != "cut" {
				return false // an option that would have to be known
			}
			continue
		}
		if lead > 0 || n > 0 && takesValue(c.Argv[n].Text) {
			lead = 0
			continue
		}
		if !w.lies(a) {
			return false
		}
		files++
	}
	return files > 0 || w.inputLies(c, depth)
}

// takesValue tells whether what follows an option of head, tail, cut or sort is its value.
func takesValue(option string) bool {
	switch option {
	case "-n", "-c", "-d", "-f", "-k", "-t":
		return true
	}
	return false
}

// inputLies tells whether a command's input is a file of this machine.
func (w *shell) inputLies(c word.Command, depth int) bool {
	for _, r := range c.Redirects {
		if r.Op == "<" && (r.FD == "" || r.FD == "0") {
			return w.lies(r.Target)
		}
	}
	for _, from := range c.Stdin.From {
		if !w.printsFile(from, depth+1) {
			return false
		}
	}
	return len(c.Stdin.From) > 0
}

// script tells whether a file may be code by its name: what runs a text or a log hides something.
func script(name string) bool {
	switch path.Ext(name) {
	case ".txt", ".md", ".log", ".json", ".csv", ".dat", ".data", ".out", ".bin", ".png", ".jpg", ".html", ".xml", ".pdf":
		return false
	}
	return true
}

// lies tells whether a path is that of a plain file which this text has not made: not a device, nor a pipe that it feeds.
func (w *shell) lies(a word.Arg) bool {
	if !a.Known() || a.Glob {
		return false
	}
	p, ok := w.path(a)
	if !ok || p == "" || !script(p) || strings.HasPrefix(p, "/dev/") || strings.HasPrefix(p, "/proc/") || w.get(file, p) != nil {
		return false
	}
	for _, c := range w.r.Commands {
		switch c.Name() {
		case "mkfifo", "mknod", "mount", "curl", "wget":
			return false
		}
	}
	return true
}
