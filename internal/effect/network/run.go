package network

import (
	"path"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// fetches tells whether a command prints or keeps what comes from the network.
func fetches(c word.Command) bool {
	if c.Op == "fetch" || c.Op == "connect" {
		return true
	}
	args := c.Argv[min(1, len(c.Argv)):]
	switch (unit.Unit{Command: c}).Program() {
	case "curl", "curlie", "wget", "wget2", "http", "https", "xh", "xhs", "aria2c", "axel", "fetch", "lynx", "w3m", "GET", "lwp-request", "ftp", "lftp", "nc", "ncat",
		"netcat", "telnet", "socat", "Invoke-WebRequest", "Invoke-RestMethod", "Start-BitsTransfer", "scp", "certutil", "bitsadmin", "wcurl":
		return true
	case "openssl":
		return len(args) > 0 && args[0].Text == "s_client"
	case "gh":
		return len(args) > 0 && (args[0].Text == "api" || len(args) > 1 && args[0].Text == "release" && args[1].Text == "download")
	case "aws", "gsutil", "gcloud":
		return slices.ContainsFunc(args, func(a word.Arg) bool { return a.Text == "cp" })
	case "git":
		return slices.ContainsFunc(args, func(a word.Arg) bool {
			return a.Text == "clone" || a.Text == "archive" && len(args) > 1 && strings.HasPrefix(args[1].Text, "--remote")
		})
	case "dig", "nslookup":
		return slices.ContainsFunc(args, func(a word.Arg) bool { return strings.EqualFold(a.Text, "txt") })
	}
	return false
}

// fetched finds the nearest command of those that data comes from which gets it from the network.
func (s *scan) fetched(from []int) (word.Command, bool) {
	seen := make([]int, 0, 8)
	queue := slices.Clone(from)
	for len(queue) > 0 && len(seen) < maxOrigins {
		i := queue[0]
		queue = queue[1:]
		if i < 0 || i >= len(s.All) || i == s.I || slices.Contains(seen, i) {
			continue
		}
		seen = append(seen, i)
		c := s.All[i]
		if fetches(c) {
			return c, true
		}
		queue = append(queue, c.Stdin.From...)
		for _, a := range c.Argv {
			if queue = append(queue, a.By...); len(queue) > 4*maxOrigins {
				break
			}
		}
	}
	return word.Command{}, false
}

// runs finds code from the network that is run.
func (s *scan) runs(name string) {
	var from []int
	var script word.Arg
	switch {
	case name == "":
		from = s.Argv[0].By // $(curl …)
	case strings.ContainsAny(s.Argv[0].Text, `/\`) && !isShell(name):
		from, script = s.Argv[0].By, s.Argv[0] // ./x that was downloaded
	case name == "eval" || name == "Invoke-Expression" || name == "iex":
		for _, a := range s.Args() {
			from = append(from, a.By...)
		}
		from = append(from, s.Stdin.From...)
	case name == "." || name == "source":
		from = s.Stdin.From // fish reads it so
		if len(s.Argv) > 1 {
			from, script = s.Argv[1].By, s.Argv[1]
			if isInput(script.Text) {
				from = s.Stdin.From
			}
		}
	}
	if len(from) == 0 && name != "" {
		if more, file := s.code(name); len(more) > 0 || file.Text != "" {
			from, script = more, file
		}
	}
	c, ok := s.fetched(from)
	if !ok {
		if c, ok = s.savedAs(script.Text); !ok {
			return
		}
	}
	url := urlOf(c)
	s.add(policy.DownloadRun, runner(name), url, nearFlags(hostOf(url))...)
}

// runner is what runs the code: a shell or a language by its name, or else the code itself.
func runner(name string) string {
	switch {
	case name == "":
		return "command"
	case name == ".":
		return "source"
	case strings.HasPrefix(name, "python3"):
		return "python3"
	}
	switch lower := strings.TrimSuffix(strings.ToLower(name), ".exe"); lower {
	case "sh", "bash", "zsh", "dash", "ksh", "eval", "source", "iex", "invoke-expression", "python", "node", "perl", "ruby", "php", "lua", "powershell", "pwsh":
		return lower
	}
	if _, _, ok := interpreter(name); ok {
		return "code"
	}
	return "file"
}

// savedAs finds the download that has left a file of this name: curl -O and wget name it as the address does.
func (s *scan) savedAs(file string) (word.Command, bool) {
	file = path.Base(file)
	if file == "." || file == "/" || !known(file) {
		return word.Command{}, false
	}
	for i := min(s.I, len(s.All)) - 1; i >= 0 && i >= s.I-maxOrigins; i-- {
		c := s.All[i]
		if c.Op != "" || !fetches(c) {
			continue
		}
		for _, a := range c.Argv[1:] {
			if url, _, _ := strings.Cut(a.Text, "?"); strings.Contains(url, "/") && path.Base(url) == file && !strings.HasPrefix(url, "/") && !strings.HasPrefix(url, ".") {
				return c, true
			}
		}
	}
	return word.Command{}, false
}

// Code tells of code that is made at run time whether it comes from the network, as far as it looks so: text is its beginning, command
// the place of the interpreter, or -1.
func Code(all []word.Command, command int, text string) (url string, ok bool) {
	lower := strings.ToLower(text)
	runs := false
	for _, word := range [...]string{"exec", "eval", "iex", "invoke-expression", "function(", "system(", "popen", "compile(", "vm.run", "runin", "load("} {
		runs = runs || strings.Contains(lower, word)
	}
	if !runs {
		return "", false
	}
	for i := max(0, command); i < min(len(all), max(0, command)+maxOrigins); i++ {
		c := all[i]
		if c.Op == "fetch" || c.Op == "" && strings.HasPrefix(c.Name(), "Invoke-") && fetches(c) {
			return urlOf(c), true
		}
	}
	return "", false
}

// code are the commands that the code of an interpreter comes from, and the file that it stands in.
func (s *scan) code(name string) (from []int, script word.Arg) {
	inline, other, ok := interpreter(name)
	if !ok {
		return nil, word.Arg{}
	}
	args := s.Args()
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case text == "-" || isInput(text):
			return s.Stdin.From, word.Arg{}
		case len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.ContainsAny(text[1:], inline) && lettersOnly(text[1:]):
			if i+1 < len(args) {
				return args[i+1].By, word.Arg{} // python -c "$(curl …)"
			}
			return nil, word.Arg{}
		case isShell(name) && strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && strings.Contains(text, "s"):
			return s.Stdin.From, word.Arg{}
		case text == "--command" || text == "--eval" || text == "--print" || strings.EqualFold(text, "-command") || strings.EqualFold(text, "-encodedcommand"):
			if i+1 < len(args) {
				return args[i+1].By, word.Arg{}
			}
		case len(text) > 1 && text[0] == '-' && strings.ContainsAny(text[1:2], other) && len(text) == 2:
			return nil, word.Arg{} // python -m json.tool reads data
		case strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+"):
			if text == "-o" || text == "+o" || text == "-O" || text == "-W" || text == "-X" || text == "-I" || text == "-r" || text == "--rcfile" {
				i++
			}
		case name == "deno" && text == "run":
		default:
			return args[i].By, args[i] // a script: <(curl …), or a file that was downloaded
		}
	}
	return s.Stdin.From, word.Arg{}
}

// lettersOnly tells a bundle of options from one with a value attached.
func lettersOnly(s string) bool {
	for _, c := range s {
		if (c|0x20) < 'a' || (c|0x20) > 'z' {
			return false
		}
	}
	return len(s) <= 4
}

func isInput(path string) bool {
	return path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0"
}

// interpreter tells programs that run code: by which letters it stands in the next word, and by which they run something else.
func interpreter(name string) (inline, other string, ok bool) {
	switch {
	case isShell(name):
		return "c", "", true
	case strings.HasPrefix(name, "python"), strings.HasPrefix(name, "pypy"):
		return "c", "m", true
	}
	switch name {
	case "node", "nodejs", "deno", "bun", "tsx", "ts-node":
		return "ep", "", true
	case "perl", "ruby":
		return "eE", "", true
	case "php":
		return "r", "fS", true
	case "lua", "luajit", "Rscript", "osascript", "julia", "groovy", "elixir":
		return "e", "", true
	case "tclsh", "expect", "R", "at", "batch", "nu":
		return "c", "f", true
	}
	return "", "", false
}

// urlOf is what a command fetches.
func urlOf(c word.Command) string {
	for _, a := range c.Argv[min(1, len(c.Argv)):] {
		if strings.Contains(a.Text, "://") {
			return a.Text
		}
	}
	if c.Op != "" && len(c.Argv) > 0 {
		return c.Argv[0].Text
	}
	for _, a := range c.Argv[min(1, len(c.Argv)):] {
		if a.Text != "" && a.Text[0] != '-' && strings.Contains(a.Text, ".") {
			return a.Text
		}
	}
	return targetOf(c.Argv[min(1, len(c.Argv)):])
}
