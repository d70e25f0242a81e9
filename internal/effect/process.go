package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// processes notes what is ended: processes, all of them, the machine. It tells whether this is a program for that.
func (s *sheet) processes(name string, args []word.Arg) bool {
	switch name {
	case "kill":
		s.kill(args)
	case "killall5":
		s.add(policy.Kill, "all", "")
	case "pkill", "killall", "skill", "taskkill":
		s.killByName(name, args)
	case "shutdown", "reboot", "halt", "poweroff":
		if !hasWord(args, "-c") && !hasWord(args, "-k") && !hasWord(args, "/a") && !hasWord(args, "--show") && !hasWord(args, "-w") {
			s.add(policy.Kill, "shutdown", name)
		}
	case "init", "telinit":
		if level := textOf(args, 0); level != "" && strings.Contains("0 6 1 s S", level) {
			s.add(policy.Kill, "shutdown", name)
		}
	case "systemctl", "loginctl":
		return s.units(args)
	case "osascript":
		for _, a := range args {
			if t := strings.ToLower(a.Text); strings.Contains(t, "shut down") || strings.Contains(t, "restart") && strings.Contains(t, "system events") {
				s.add(policy.Kill, "shutdown", name)
			}
		}
	default:
		return false
	}
	return true
}

// units is systemctl, where it ends the machine; what it does to services is another matter.
func (s *sheet) units(args []word.Arg) bool {
	o := unit.Options(args, "t type p property H host M machine n lines o output s signal job-mode root state")
	switch textOf(o.Operands, 0) {
	case "poweroff", "reboot", "halt", "kexec", "exit", "rescue", "emergency", "suspend", "hibernate", "hybrid-sleep", "soft-reboot", "default":
		if !o.Has("user") {
			s.add(policy.Kill, "shutdown", textOf(o.Operands, 0))
			return true
		}
	case "isolate":
		s.add(policy.Kill, "shutdown", textOf(o.Operands, 1))
		return true
	case "terminate-user", "kill-user", "terminate-session", "kill-session":
		s.add(policy.Kill, "user", textOf(o.Operands, 1))
		return true
	}
	return false
}

func (s *sheet) kill(args []word.Arg) {
	operands := args
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		operands = args[i+1:]
		switch {
		case t == "-l" || t == "-L" || t == "--list" || strings.HasPrefix(t, "-l"):
			return
		case t == "-s" || t == "-n" || t == "--signal" || t == "-q":
			i++
			operands = args[min(i+1, len(args)):]
			continue
		case strings.HasPrefix(t, "--signal="):
			continue
		case t == "--":
		case len(t) > 1 && t[0] == '-' && i == 0:
			continue // a signal stands first
		default:
			operands = args[i:]
		}
		break
	}
	for _, a := range operands {
		s.killed(a)
	}
}

func (s *sheet) killed(a word.Arg) {
	if !a.Known() {
		s.killedFrom(a)
	}
	switch {
	case a.Text == "-1":
		s.add(policy.Kill, "all", a.Text)
	case a.Text == "1":
		s.add(policy.Kill, "init", a.Text)
	case !a.Known():
		s.add(policy.Kill, "process", a.Text, "dynamic")
	default:
		s.add(policy.Kill, "process", a.Text)
	}
}

// killByName is pkill and its like.
func (s *sheet) killByName(name string, args []word.Arg) {
	o := unit.Options(signalless(args), "s signal u user euid U uid G group g pgroup P parent t terminal ns y o Y younger-than older-than")
	if o.Has("l", "L", "0") && name != "pkill" {
		return
	}
	operands := o.Operands
	if name == "taskkill" {
		operands = taskNames(args)
	}
	switch {
	case name == "pkill" && o.Has("v", "inverse"):
		s.add(policy.Kill, "all", textOf(operands, 0))
	case len(operands) > 0:
		for _, a := range operands {
			s.killedName(a)
		}
	case o.Has("u", "U", "user", "euid", "uid"):
		v, _ := o.Value("u", "U", "user", "euid", "uid")
		s.add(policy.Kill, "user", v.Text)
	}
}

// signalless leaves out signals: -9, -KILL, -SIGTERM, which have a dash as options have.
func signalless(args []word.Arg) []word.Arg {
	for i, a := range args {
		t := a.Text
		if len(t) > 1 && t[0] == '-' && (t[1] >= '0' && t[1] <= '9' || t[1] >= 'A' && t[1] <= 'Z' && len(t) > 3) {
			return append(append([]word.Arg{}, args[:i]...), args[i+1:]...)
		}
	}
	return args
}

func taskNames(args []word.Arg) []word.Arg {
	var out []word.Arg
	for i, a := range args {
		if (strings.EqualFold(a.Text, "/im") || strings.EqualFold(a.Text, "/pid") || strings.EqualFold(a.Text, "/fi")) && i+1 < len(args) {
			out = append(out, args[i+1])
		}
	}
	return out
}

func (s *sheet) killedName(a word.Arg) {
	if strings.Trim(a.Text, ".*^$+\\") == "" && a.Text != "" {
		s.add(policy.Kill, "all", a.Text)
		return
	}
	s.watchers(a)
	if a.Known() {
		s.add(policy.Kill, "process", a.Text)
	} else {
		s.add(policy.Kill, "process", a.Text, "dynamic")
	}
}

// watchers notes that a pattern of processes means an agent, or boathook.
func (s *sheet) watchers(a word.Arg) {
	pattern := strings.ToLower(a.Text)
	switch {
	case containsName(pattern, "boathook"):
		s.add(policy.TamperGuard, "process", a.Text)
	default:
		for _, agent := range agentPrograms {
			if containsName(pattern, agent) {
				s.add(policy.TamperAgent, "process", a.Text)
				break
			}
		}
	}
}

// agentPrograms are the names that the agents' processes have.
var agentPrograms = [...]string{
	"claude", "gemini", "codex", "cursor", "cursor-agent", "windsurf", "copilot", "cline", "amp", "qwen", "opencode", "agy", "antigravity",
}

// containsName tells whether a pattern names a program: as a word of its own, whatever stands around it.
func containsName(pattern, name string) bool {
	for at := 0; ; {
		i := strings.Index(pattern[at:], name)
		if i < 0 {
			return false
		}
		from := at + i
		to := from + len(name)
		if (from == 0 || !partOfName(pattern[from-1])) && (to == len(pattern) || !partOfName(pattern[to])) {
			return true
		}
		at = to
	}
}

func partOfName(c byte) bool { return letter(c) || c >= '0' && c <= '9' || c == '-' || c == '_' }

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
