package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// containers unwraps what runs a command in a container or a pod.
func containers(name string, c word.Command) ([]word.Inner, bool, bool) {
	args := c.Argv[1:]
	switch name {
	case "docker", "podman", "nerdctl", "finch", "lxc", "incus":
		return docker(name, args), true, true
	case "docker-compose", "podman-compose":
		return compose(args), true, true
	case "kubectl", "oc", "k", "microk8s.kubectl", "k3s":
		if name == "k3s" && len(args) > 0 && args[0].Text == "kubectl" {
			args = args[1:]
		}
		return kubectl(args), true, true
	case "crictl", "ctr":
		return nil, true, true
	case "systemd-run":
		return run(parse(args, form{short: "p:u:E:M:H:G:d:", long: "unit property description slice service-type uid gid nice working-directory setenv on-active on-boot on-startup on-unit-active on-calendar timer-property machine host background"}).rest), true, true
	case "systemd-nspawn", "distrobox", "toolbox":
		return nil, true, true
	case "bwrap":
		return bwrap(args), true, true
	case "proot":
		o := parse(args, form{short: "r:b:m:q:w:k:R:S:", long: "rootfs bind mount qemu pwd cwd"})
		return run(o.rest), true, true
	}
	return nil, false, false
}

// dockerForm are docker's options before its command.
func dockerForm() form {
	return form{short: "H:c:l:", long: "host context config log-level tlscacert tlscert tlskey url connection root namespace address"}
}

// docker runs a command in a new container, or in one that runs.
func docker(name string, args []word.Arg) []word.Inner {
	rest := parse(args, dockerForm()).rest
	if len(rest) > 0 && rest[0].Text == "container" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return nil
	}
	verb, rest := rest[0].Text, rest[1:]
	switch verb {
	case "compose":
		return compose(rest)
	case "exec":
		o := parse(rest, form{short: "e:u:w:", long: "env env-file user workdir detach-keys cwd"})
		if name == "lxc" || name == "incus" {
			o.rest = dashes(o.rest)
		}
		return contained(o.rest, o, nil)
	case "run", "create":
		o := parse(rest, runForm())
		return contained(o.rest, o, mounts(o))
	}
	return nil
}

// runForm are the options of docker run.
func runForm() form {
	return form{
		short: "a:c:e:h:l:m:p:u:v:w:", long: "add-host annotation attach blkio-weight blkio-weight-device cap-add cap-drop cgroup-parent cgroupns " +
			"cidfile cpu-period cpu-quota cpu-shares cpus cpuset-cpus cpuset-mems detach-keys device device-cgroup-rule dns dns-option dns-search " +
			"domainname entrypoint env env-file expose gpus group-add health-cmd health-interval health-retries health-timeout hostname ip ip6 " +
			"ipc isolation kernel-memory label label-file link log-driver log-opt mac-address memory memory-reservation memory-swap mount name " +
			"network net network-alias oom-score-adj pid pids-limit platform publish pull restart runtime security-opt shm-size stop-signal " +
			"stop-timeout storage-opt sysctl tmpfs ulimit user userns uts volume volume-driver volumes-from workdir pod arch os variant secret",
	}
}

// contained is the command after a container's or image's name.
func contained(rest []word.Arg, o options, m []word.Mount) []word.Inner {
	if len(rest) == 0 {
		return nil
	}
	argv := rest[1:]
	if e, ok := o.value("entrypoint"); ok && e.Text != "" {
		argv = append([]word.Arg{e}, argv...)
	}
	if len(argv) == 0 {
		return nil
	}
	in := word.Inner{Argv: argv, Host: "container", Mounts: m}
	if d, ok := o.value("w", "workdir", "cwd"); ok {
		in.Dir = &d
	}
	return []word.Inner{in}
}

// dashes drops the -- that stands after a container's name.
func dashes(args []word.Arg) []word.Arg {
	for i, a := range args {
		if a.Text == "--" {
			return append(clip(args[:i]), args[i+1:]...)
		}
	}
	return args
}

// mounts are this machine's directories that a container sees.
func mounts(o options) []word.Mount {
	var out []word.Mount
	for _, v := range o.values("v", "volume") {
		source, rest, ok := strings.Cut(v.Text, ":")
		if len(source) == 1 && ok && strings.HasPrefix(rest, `\`) {
			// C:\dir:/target
			more, after, _ := strings.Cut(rest, ":")
			source, rest = source+":"+more, after
		}
		target, _, _ := strings.Cut(rest, ":")
		if ok && strings.ContainsAny(source, `/\.~`+word.Unknown) {
			out = append(out, word.Mount{Source: source, Target: target})
		}
	}
	for _, v := range o.values("mount") {
		m := word.Mount{}
		for f := range strings.SplitSeq(v.Text, ",") {
			k, val, _ := strings.Cut(f, "=")
			switch k {
			case "source", "src":
				m.Source = val
			case "target", "destination", "dst":
				m.Target = val
			}
		}
		if strings.ContainsAny(m.Source, `/\.~`+word.Unknown) && m.Target != "" {
			out = append(out, m)
		}
	}
	return out
}

// compose runs a command in a service's container.
func compose(args []word.Arg) []word.Inner {
	rest := parse(args, form{short: "f:p:", long: "file project-name profile env-file project-directory ansi parallel progress"}).rest
	if len(rest) == 0 || rest[0].Text != "exec" && rest[0].Text != "run" {
		return nil
	}
	o := parse(rest[1:], form{short: "e:u:w:p:v:l:", long: "env user workdir index publish volume label name entrypoint env-from-file"})
	return contained(o.rest, o, mounts(o))
}

// kubectl runs what follows -- in a pod.
func kubectl(args []word.Arg) []word.Inner {
	verb := ""
	for i, a := range args {
		switch {
		case a.Text == "exec" || a.Text == "run" || a.Text == "debug":
			verb = a.Text
		case a.Text == "--" && verb != "":
			if i+1 == len(args) {
				return nil
			}
			return []word.Inner{{Argv: args[i+1:], Host: "container"}}
		}
	}
	if verb != "exec" {
		return nil
	}
	// The old form has no --.
	o := parse(args, form{short: "n:c:f:", long: "namespace container context cluster kubeconfig filename", permute: true})
	if len(o.rest) > 2 {
		return []word.Inner{{Argv: o.rest[2:], Host: "container"}}
	}
	return nil
}

// bwrap runs a command in a sandbox that is made of this machine's directories.
func bwrap(args []word.Arg) []word.Inner {
	var m []word.Mount
	for len(args) > 0 {
		t := args[0].Text
		if !strings.HasPrefix(t, "--") || t == "--" {
			break
		}
		n := 1
		switch t {
		case "--bind", "--bind-try", "--dev-bind", "--dev-bind-try":
			if len(args) > 2 {
				m = append(m, word.Mount{Source: args[1].Text, Target: args[2].Text})
			}
			n = 3
		case "--ro-bind", "--ro-bind-try", "--symlink", "--setenv", "--file", "--bind-data", "--ro-bind-data", "--chmod", "--overlay":
			n = 3
		case "--chdir", "--unsetenv", "--lock-file", "--sync-fd", "--remount-ro", "--proc", "--dev", "--tmpfs", "--mqueue", "--dir", "--seccomp",
			"--exec-label", "--file-label", "--hostname", "--uid", "--gid", "--cap-add", "--cap-drop", "--info-fd", "--json-status-fd", "--args",
			"--userns", "--userns2", "--pidns", "--perms", "--size", "--argv0", "--overlay-src", "--tmp-overlay", "--ro-overlay":
			n = 2
		}
		args = args[min(n, len(args)):]
	}
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil
	}
	return []word.Inner{{Argv: args, Host: "container", Mounts: m}}
}
