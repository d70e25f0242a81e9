package network

import (
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
	switch {
	case name == "":
		from = s.Argv[0].By // $(curl …)
	case len(s.Argv[0].By) > 0 && strings.ContainsAny(s.Argv[0].Text, `/\`):
		from = s.Argv[0].By // ./x that was downloaded
	case name == "eval" || name == "Invoke-Expression" || name == "iex":
		for _, a := range s.Args() {
			from = append(from, a.By...)
		}
		from = append(from, s.Stdin.From...)
	case name == "." || name == "source":
		if len(s.Argv) > 1 {
			from = s.Argv[1].By
			if isInput(s.Argv[1].Text) {
				from = s.Stdin.From
			}
		}
	default:
		from = s.code(name)
	}
	if len(from) == 0 {
		return
	}
	c, ok := s.fetched(from)
	if !ok {
		return
	}
	url := urlOf(c)
	s.add(policy.DownloadRun, strings.ToLower(name), url, nearFlags(hostOf(url))...)
}

// code are the commands that the code of an interpreter comes from.
func (s *scan) code(name string) []int {
	inline, other, ok := interpreter(name)
	if !ok {
		return nil
	}
	args := s.Args()
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case text == "-" || isInput(text):
			return s.Stdin.From
		case len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.ContainsAny(text[1:], inline) && lettersOnly(text[1:]):
			if i+1 < len(args) {
				return args[i+1].By // python -c "$(curl …)"
			}
			return nil
		case isShell(name) && strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && strings.Contains(text, "s"):
			return s.Stdin.From
		case text == "--command" || text == "--eval" || text == "--print" || strings.EqualFold(text, "-command") || strings.EqualFold(text, "-encodedcommand"):
			if i+1 < len(args) {
				return args[i+1].By
			}
		case len(text) > 1 && text[0] == '-' && strings.ContainsAny(text[1:2], other) && len(text) == 2:
			return nil // python -m json.tool reads data
		case strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+"):
			if text == "-o" || text == "+o" || text == "-O" || text == "-W" || text == "-X" || text == "-I" || text == "-r" || text == "--rcfile" {
				i++
			}
		case name == "deno" && text == "run":
		default:
			return args[i].By // a script: <(curl …), or a file that was downloaded
		}
	}
	return s.Stdin.From
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
