package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// mentions notes kept files that a program is given as an operand of which nobody knows what it does with them: one that only reads is
// known. What a project has is judged where a program is known to write it.
func (s *sheet) mentions(name string, args []word.Arg) {
	if s.remote() || reads(strings.ToLower(name)) {
		return
	}
	if interpreter(name) { // the first operand is what it runs
		for i, a := range args {
			if !strings.HasPrefix(a.Text, "-") {
				args = args[i+1:]
				break
			}
		}
	}
	near := hints(s.Dir.Text)
	for _, a := range args {
		text := a.Text
		if strings.HasPrefix(text, "-") {
			_, text, _ = strings.Cut(text, "=")
		}
		if text == "" || len(text) > maxName || !near && !hints(text) && len(s.Machine.Agents) == 0 {
			continue
		}
		a.Text = text
		if spot := s.Machine.Place(a, s.Dir, place.Follow); !inside(spot.Where) && spot.Where != policy.Nowhere {
			s.tampers(spot, change{kind: policy.Write})
		}
	}
}

// maxName is more than a path has.
const maxName = 4096

// hints tells whether a text could name a kept file.
func hints(text string) bool {
	if strings.Contains(text, "boathook") || strings.Contains(text, ".codeium") || strings.Contains(text, "opencode") || strings.Contains(text, "amp/") {
		return true
	}
	for i := strings.IndexByte(text, '.'); i >= 0; {
		rest := text[i+1:]
		for _, n := range [...]string{"claude", "gemini", "codex", "cursor", "windsurf", "qwen", "copilot", "cline", "amp", "agents", "github/"} {
			if len(rest) >= len(n) && strings.EqualFold(rest[:len(n)], n) {
				return true
			}
		}
		next := strings.IndexByte(rest, '.')
		if next < 0 {
			break
		}
		i += next + 1
	}
	return strings.Contains(text, "claude-code") || strings.Contains(text, "ClaudeCode") || strings.Contains(text, "gemini-cli") || strings.Contains(text, "qwen-code")
}

// reads tells whether a program does nothing to its operands but read them, or leaves the rest to those who know it.
func reads(name string) bool {
	switch name {
	case "cat", "less", "more", "head", "tail", "grep", "egrep", "fgrep", "rg", "ag", "ack", "ls", "ll", "la", "eza", "exa", "lsd", "tree", "stat", "file",
		"wc", "diff", "cmp", "comm", "uniq", "cut", "jq", "xxd", "od", "hexdump", "strings", "bat", "batcat", "echo", "printf", "test", "[", "[[", "cd",
		"pushd", "popd", "git", "gh", "realpath", "readlink", "basename", "dirname", "du", "df", "find", "fd", "md5sum", "sha1sum", "sha256sum", "shasum",
		"cksum", "b2sum", "source", ".", "export", "declare", "local", "readonly", "typeset", "set", "read", "alias", "which", "command", "hash",
		"bash", "sh", "zsh", "dash", "ksh", "fish", "open", "xdg-open", "code", "boathook", "claude", "gemini", "codex", "qwen", "opencode", "amp",
		"copilot", "cursor-agent", "column", "fold", "nl", "tac", "paste", "getfacl", "lsattr", "getfattr", "namei", "lsof", "fuser", "diffstat", "delta",
		"difft", "colordiff", "vimdiff", "base64", "gzcat", "zcat", "yamllint", "jsonlint", "shellcheck", "get-content", "get-childitem", "get-item",
		"test-path", "type", "select-object", "measure-object", "convertfrom-json", "import-csv", "get-acl", "compare-object", "format-hex", "select-string", "resolve-path", "get-filehash", "dir", "findstr", "where", "curl", "wget", "awk", "gawk", "mawk", "sed", "gsed",
		"perl", "ruby", "cp", "tar", "zip", "scp", "rsync", "sort", "ssh", "docker", "podman", "kubectl", "go", "make", "true", "false", ":", "kill", "pkill",
		"pgrep", "ps", "env", "sudo", "mkdir", "rmdir", "timeout", "xargs", "watch", "inotifywait", "entr", "dirs", "wait", "exit", "return", "trap":
		return true
	}
	return false
}

// code notes a program's text that names a kept file and writes: what it does exactly nobody reads here.
func (s *sheet) code(name string, args []word.Arg) {
	if !interpreter(name) && !scripted(name) || s.remote() {
		return
	}
	for _, a := range args {
		s.codeText(a.Text)
	}
	s.codeText(s.Stdin.Text)
}

// scripted tells whether a program is none of a language, but takes commands by which it writes files.
func scripted(name string) bool {
	switch name {
	case "vi", "vim", "nvim", "ex", "ed", "emacs", "sqlite3", "duckdb", "psql", "mysql", "gdb", "lldb", "expect", "sed", "gsed", "m4", "bc", "dc", "socat",
		"tclsh", "jshell", "redis-cli", "mongosh":
		return true
	}
	return false
}

func (s *sheet) codeText(text string) {
	if len(text) < len(".amp/plugins") || len(text) > maxCode || !hints(text) || !writes(text) {
		return
	}
	flat := flattened(text)
	for _, k := range guardHome {
		if strings.Contains(flat, flattened(k.path)) {
			s.add(policy.TamperGuard, k.verb, k.path)
		}
	}
	if strings.Contains(flat, ".boathook") {
		s.add(policy.TamperGuard, "policy", ".boathook")
	}
	for _, all := range [...][]kept{keptHome[:], keptProject[:], keptMachine[:]} {
		for _, k := range all {
			if strings.Contains(flat, flattened(k.path)) {
				s.add(policy.TamperAgent, k.verb, k.path)
				return
			}
		}
	}
}

// flattened is text without what stands between the parts of a path in code: 'a', 'b' and a/b are one.
func flattened(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("'\"`, \t\n()[]+/\\", r) {
			return -1
		}
		return r
	}, text)
}

// writes tells whether code has a word by which files are changed.
func writes(code string) bool {
	for _, w := range [...]string{
		"write", "Write", "'w", "\"w", "'a'", "\"a\"", "r+", "dump", "unlink", "remove", "rename", "rmtree", "replace(", "truncate", "copy", "move",
		"chmod", "append", "symlink", "delete", "Delete", "rm ", "rm(", "rmSync", "> ", ">>", "sed -i", "system(", "exec", "w!", ":w", "w ", "output", "once", "OUTFILE", "\\o ", "!",
	} {
		if strings.Contains(code, w) {
			return true
		}
	}
	return false
}
