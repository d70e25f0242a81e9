package cloud

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// ofRun tells whether a container that is started can reach the machine around it: all its rights, its root directory, its processes,
// the daemon's socket.
func ofRun(u unit.Unit) []policy.Effect {
	args := u.Args()
	var sub string
	for len(args) > 0 {
		text := args[0].Text
		args = args[1:]
		if text == "run" || text == "create" {
			sub = text
			break
		}
		if text == "container" || strings.HasPrefix(text, "-") {
			continue
		}
		if sub == "" && text != "compose" {
			// the value of an option such as --context, or another command
			if len(args) > 0 && (args[0].Text == "run" || args[0].Text == "create") {
				continue
			}
			return nil
		}
	}
	if sub == "" {
		return nil
	}
	var flags []string
	for i := 0; i < len(args) && i < 256; i++ {
		name, value, has := strings.Cut(args[i].Text, "=")
		if !strings.HasPrefix(name, "-") {
			if i > 0 && takesValue(args[i-1]) {
				continue
			}
			break // the image
		}
		if !has && i+1 < len(args) {
			value = args[i+1].Text
		}
		if strings.HasPrefix(name, "-v") && len(name) > 2 && name[2] != 'e' {
			name, value = "-v", args[i].Text[2:]
		}
		if f := reach(name, value, has); f != "" {
			flags = append(flags, f)
		}
	}
	if len(flags) == 0 {
		return nil
	}
	return []policy.Effect{{Kind: policy.Privilege, Verb: "container-escape", Target: flags[0], Flags: flags, Command: u.I}}
}

// takesValue tells whether an option's value is the next word.
func takesValue(a word.Arg) bool {
	if strings.Contains(a.Text, "=") || !strings.HasPrefix(a.Text, "-") {
		return false
	}
	switch a.Text {
	case "--privileged", "--rm", "--detach", "-d", "-it", "-i", "-t", "-ti", "-dit", "-itd", "--interactive", "--tty", "--init", "--read-only", "--no-healthcheck",
		"--publish-all", "-P", "--quiet", "-q", "--sig-proxy", "--oom-kill-disable":
		return false
	}
	return true
}

// reach is what an option lets a container do to the machine around it.
func reach(name, value string, has bool) string {
	switch name {
	case "--privileged":
		if !has || value != "false" {
			return "privileged"
		}
	case "--pid", "--userns", "--ipc", "--uts":
		if value == "host" && name == "--pid" {
			return "host-pid"
		}
	case "--cap-add":
		switch strings.TrimPrefix(strings.ToUpper(value), "CAP_") {
		case "ALL", "SYS_ADMIN", "SYS_MODULE", "SYS_PTRACE", "SYS_RAWIO", "DAC_READ_SEARCH":
			return "capability"
		}
	case "--device":
		if strings.HasPrefix(value, "/dev/sd") || strings.HasPrefix(value, "/dev/nvme") || strings.HasPrefix(value, "/dev/mem") {
			return "device"
		}
	case "-v", "--volume", "--mount":
		return mounted(value, name == "--mount")
	}
	return ""
}

func mounted(value string, long bool) string {
	from, _, _ := strings.Cut(value, ":")
	if long {
		from = ""
		for part := range strings.SplitSeq(value, ",") {
			k, v, _ := strings.Cut(part, "=")
			if k == "source" || k == "src" {
				from = v
			}
		}
	}
	switch from = strings.TrimRight(from, "/"); from {
	case "":
		if strings.HasPrefix(value, "/") || strings.Contains(value, "=/,") || strings.HasSuffix(value, "=/") {
			return "host-root"
		}
	case "/etc", "/root", "/boot", "/dev", "/proc", "/sys", "/var", "/usr", "/var/lib", "/home":
		return "host-directory"
	case "/var/run/docker.sock", "/run/docker.sock", "/run/podman/podman.sock", "/var/run":
		return "daemon-socket"
	}
	return ""
}
