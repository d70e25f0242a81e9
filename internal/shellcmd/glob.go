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

// maxGlobNames is how many programs one pattern is taken for.
const maxGlobNames = 6
