package shellcmd

import "strings"

// dangerous are names that a pattern in a command's place may stand for.
func dangerous() []string {
	return []string{
		"rm", "dd", "mkfs", "shred", "mv", "cp", "chmod", "chown", "sh", "bash", "zsh", "dash", "python", "python3", "perl", "ruby", "node",
		"curl", "wget", "nc", "ssh", "sudo", "find", "xargs", "kill", "killall", "pkill", "reboot", "shutdown", "git", "unlink", "truncate",
		"busybox", "env", "tee", "rsync", "scp", "wipefs", "fdisk", "rmdir", "cat", "base64", "boathook",
	}
}

// globName tells of a command whose name is a pattern: which program it is only a run would tell. Those it may be are listed too.
func (w *shell) globName(in *invocation) {
	text := in.Argv[0].Text
	if ownFiles(text) {
		return
	}
	p := compile(text[strings.LastIndexByte(text, '/')+1:])
	found := 0
	for _, name := range dangerous() {
		if !p.match(name, w.bud) {
			continue
		}
		if found++; found > maxGlobNames {
			return
		}
		next := *in
		next.Argv = append(next.Argv[:0:0], next.Argv...)
		next.Argv[0].Text, next.Argv[0].Glob = name, false
		ran := w.branch(func() { w.perhaps(func() { w.program(&next) }) })
		w.meet(overlay{}, ran)
	}
}

// ownFiles tells patterns that stand for the files of a directory which is no place of programs: src/*, and *, which is whatever is first
// here. A pattern that spells a part of a program's name is none.
func ownFiles(text string) bool {
	dir, base := "", text
	if i := strings.LastIndexByte(text, '/'); i >= 0 {
		dir, base = text[:i], text[i+1:]
	}
	if strings.Trim(base, "*?") != "" {
		return false
	}
	return dir == "" || dir[0] != '/' && !strings.ContainsAny(dir, "*?[") && !strings.Contains(dir, "..")
}

// maxGlobNames is how many programs one pattern is taken for.
const maxGlobNames = 6
