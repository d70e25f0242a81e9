package inline

import (
	"path"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// overlooked tells of texts in code that would delete where a shell or a function ran them, and of names of such functions that stand in
// texts, where nothing of it has been seen to run although the code runs or calls something by a name that is made: it can hide in too
// many ways for each to be read.
func (r *reader) overlooked(toks []token, code string) {
	if r.unsure || r.depth > 0 {
		return
	}
	program, flag := "", false
	runs := false
	for i, t := range toks {
		if t.kind != 's' && t.kind != 'c' || len(t.parts) != 1 || t.parts[0].code {
			continue
		}
		s := strings.TrimSpace(t.parts[0].text)
		switch {
		case functionName(s) && i > 0 && (toks[i-1].text == "[" || toks[i-1].text == "{"):
			runs = true
		case destroys(s) && !r.has(s):
			program = s
		case removes(path.Base(s)) && !r.has(s):
			program = s
		}
		flag = flag || strings.HasPrefix(s, "-r") || strings.HasPrefix(s, "-R") || strings.HasPrefix(s, "-f")
	}
	if runs && len(r.out) == 0 || program != "" && (destroys(program) || flag) && suspicious(strings.ReplaceAll(code, program, "")) {
		r.unsure = true
	}
}

// has tells whether a text is in what has been seen to run.
func (r *reader) has(s string) bool {
	if i := strings.IndexAny(s, "%{#"); i > 0 { // what is put in there is not in the text
		s = strings.TrimSpace(s[:i])
	}
	for _, in := range r.out {
		if in.Text != nil && strings.Contains(in.Text.Text, s) {
			return true
		}
		if strings.Contains(strings.Join(word.Texts(in.Argv), " "), s) {
			return true
		}
	}
	return false
}

// destroys tells whether a text begins as a command line does that deletes.
func destroys(s string) bool {
	first, rest, ok := strings.Cut(s, " ")
	if first == "sudo" {
		first, rest, ok = strings.Cut(strings.TrimSpace(rest), " ")
	}
	rest = strings.TrimSpace(rest)
	if !ok || len(s) > 1<<12 || rest == "" {
		return false
	}
	switch path.Base(first) {
	case "rm", "shred":
		return strings.HasPrefix(rest, "-") || strings.ContainsAny(rest, "/~$")
	case "dd":
		return strings.Contains(rest, "of=")
	case "find":
		return strings.Contains(rest, "-delete")
	}
	return strings.HasPrefix(path.Base(first), "mkfs")
}

// removes tells programs that delete.
func removes(s string) bool { return s == "rm" || s == "shred" || s == "unlink" }

// functionName tells functions that delete or run, by the names that languages have for them.
func functionName(s string) bool {
	switch s {
	case "system", "popen", "rmtree", "unlink", "remove", "removedirs", "rmdir", "execv", "execvp", "spawn", "exec", "rmSync", "unlinkSync", "rmdirSync", "execSync",
		"spawnSync", "execFileSync", "remove_tree", "rm_rf", "rm_r", "shell_exec", "passthru", "execute", "writeFileSync", "Popen", "check_output", "os", "subprocess",
		"child_process", "shutil":
		return true
	}
	return false
}

// deletesHome tells whether the source of a program that is compiled has both a call that deletes or runs and a place that it may be about:
// more is not read of it.
func deletesHome(code string) bool {
	calls, places := false, false
	for _, w := range [...]string{"RemoveAll", "remove_dir_all", "system(", "exec.Command", "Command::new", "ProcessBuilder", ".exec(", "execl", "execv", "popen(", "unlink(", "os.Remove(",
		"remove_all(", "deleteRecursively", "Process.Start", "Files.delete"} {
		calls = calls || strings.Contains(code, w)
	}
	for _, w := range [...]string{"\"/home", "\"/Users", "\"/etc", "\"/\"", "~", "rm -", "HOME", "UserHomeDir", "home_dir", "user.home", "\"/root", "\"/usr", "curl ", "mkfs"} {
		places = places || strings.Contains(code, w)
	}
	return calls && places
}
