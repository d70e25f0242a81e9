package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/policy"
)

// startHome are files and directories below a home from which something runs later.
var startHome = [...]kept{
	{".bashrc", "shell"}, {".bash_profile", "shell"}, {".bash_login", "shell"}, {".bash_logout", "shell"}, {".bash_aliases", "shell"},
	{".profile", "shell"}, {".zshrc", "shell"}, {".zprofile", "shell"}, {".zshenv", "shell"}, {".zlogin", "shell"}, {".zlogout", "shell"},
	{".kshrc", "shell"}, {".cshrc", "shell"}, {".tcshrc", "shell"}, {".login", "shell"}, {".config/fish", "shell"}, {".zsh", "shell"},
	{".oh-my-zsh/custom", "shell"}, {".config/zsh", "shell"}, {".config/nushell", "shell"}, {".config/powershell", "shell"},
	{"Documents/PowerShell", "shell"}, {"Documents/WindowsPowerShell", "shell"},
	{".xprofile", "session"}, {".xinitrc", "session"}, {".xsession", "session"}, {".xsessionrc", "session"}, {".pam_environment", "session"},
	{".config/autostart", "session"}, {".config/environment.d", "session"}, {".config/plasma-workspace", "session"},
	{"AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup", "session"},
	{".config/systemd", "systemd"}, {".local/share/systemd", "systemd"}, {"Library/LaunchAgents", "launchd"},
	{".local/share/dbus-1/services", "session"},
	{".ssh/authorized_keys", "authorized-keys"}, {".ssh/authorized_keys2", "authorized-keys"}, {".ssh/rc", "ssh-config"},
	{".ssh/environment", "ssh-config"}, {".ssh/config", "ssh-config"}, {".ssh/config.d", "ssh-config"},
	{".gitconfig", "git-config"}, {".config/git/config", "git-config"}, {".config/git/hooks", "git-hook"}, {".git-templates", "git-hook"},
	{".crontab", "cron"},
}

// startMachine are the machine's own.
var startMachine = [...]kept{
	{"/etc/profile", "shell"}, {"/etc/profile.d", "shell"}, {"/etc/bash.bashrc", "shell"}, {"/etc/bashrc", "shell"}, {"/etc/zshrc", "shell"},
	{"/etc/zshenv", "shell"}, {"/etc/zprofile", "shell"}, {"/etc/zsh", "shell"}, {"/etc/fish", "shell"}, {"/etc/environment", "session"},
	{"/etc/xdg/autostart", "session"}, {"/etc/crontab", "cron"}, {"/etc/cron.d", "cron"}, {"/etc/cron.daily", "cron"},
	{"/etc/cron.hourly", "cron"}, {"/etc/cron.weekly", "cron"}, {"/etc/cron.monthly", "cron"}, {"/etc/anacrontab", "cron"},
	{"/var/spool/cron", "cron"}, {"/var/spool/at", "cron"}, {"/var/at", "cron"}, {"/usr/lib/cron", "cron"},
	{"/etc/systemd", "systemd"}, {"/usr/lib/systemd", "systemd"}, {"/lib/systemd", "systemd"}, {"/run/systemd", "systemd"},
	{"/usr/local/lib/systemd", "systemd"}, {"/etc/init.d", "init"}, {"/etc/rc.local", "init"}, {"/etc/inittab", "init"},
	{"/etc/rc.d", "init"}, {"/etc/init", "init"}, {"/Library/LaunchDaemons", "launchd"}, {"/Library/LaunchAgents", "launchd"},
	{"/System/Library/LaunchDaemons", "launchd"}, {"/System/Library/LaunchAgents", "launchd"}, {"/Library/StartupItems", "launchd"},
	{"/etc/ld.so.preload", "preload"}, {"/etc/ld.so.conf", "preload"}, {"/etc/ld.so.conf.d", "preload"}, {"/etc/udev/rules.d", "udev"},
	{"/etc/gitconfig", "git-config"}, {"/etc/modules-load.d", "module"}, {"/etc/modprobe.d", "module"}, {"/etc/apt/apt.conf.d", "packages"},
	{"/etc/update-motd.d", "session"}, {"/etc/NetworkManager/dispatcher.d", "session"}, {"/etc/ssh/ssh_config", "ssh-config"},
	{"C:/ProgramData/Microsoft/Windows/Start Menu/Programs/Startup", "session"}, {"C:/Windows/System32/Tasks", "cron"},
}

// rights are files that say who may do what; protections those that switch a protection on, or keep what was done.
var (
	rights = [...]kept{
		{"/etc/sudoers", "sudoers"}, {"/etc/sudoers.d", "sudoers"}, {"/etc/doas.conf", "sudoers"}, {"/etc/polkit-1", "polkit"},
		{"/etc/passwd", "accounts"}, {"/etc/shadow", "accounts"}, {"/etc/group", "accounts"}, {"/etc/gshadow", "accounts"},
		{"/etc/pam.d", "pam"}, {"/etc/pam.conf", "pam"}, {"/etc/security", "pam"}, {"/private/etc/sudoers", "sudoers"},
	}
	protections = [...]kept{
		{"/etc/selinux", "selinux"}, {"/etc/apparmor.d", "apparmor"}, {"/etc/audit", "audit"}, {"/etc/iptables", "firewall"},
		{"/etc/nftables.conf", "firewall"}, {"/etc/ufw", "firewall"}, {"/etc/firewalld", "firewall"}, {"/etc/ssh/sshd_config", "sshd"},
		{"/etc/ssh/sshd_config.d", "sshd"}, {"/etc/fail2ban", "fail2ban"}, {"/etc/pf.conf", "firewall"}, {"/etc/rsyslog.conf", "logs"},
		{"/etc/ssl/certs", "trust-store"}, {"/etc/pki/ca-trust", "trust-store"}, {"/usr/local/share/ca-certificates", "trust-store"},
	}
	logs = [...]kept{
		{"/var/log/audit", "logs"}, {"/var/log/auth.log", "logs"}, {"/var/log/secure", "logs"}, {"/var/log/wtmp", "logs"},
		{"/var/log/btmp", "logs"}, {"/var/log/lastlog", "logs"}, {"/var/log/syslog", "logs"}, {"/var/log/messages", "logs"},
		{"/var/log/journal", "logs"}, {"/var/log/sudo.log", "logs"}, {"/var/log/faillog", "logs"}, {"/run/utmp", "logs"},
	}
	histories = [...]kept{
		{".bash_history", "history"}, {".zsh_history", "history"}, {".zhistory", "history"}, {".histfile", "history"},
		{".local/share/fish/fish_history", "history"}, {".sh_history", "history"}, {".ash_history", "history"},
		{"AppData/Roaming/Microsoft/Windows/PowerShell/PSReadLine", "history"},
	}
)

// special notes what a change means beside itself, by the path that it is of.
func (s *sheet) special(spot place.Spot, c change) {
	if c.kind == policy.Read {
		return
	}
	s.tampers(spot, c)
	if place.Device(spot.Real) && (c.kind == policy.Overwrite || c.kind == policy.Write) {
		s.put(policy.Effect{Kind: policy.Device, Verb: "write", Target: spot.Real})
	}
	if c.kind == policy.Overwrite || c.kind == policy.Write {
		s.kernel(spot.Real)
	}
	w := watch{m: s.Machine, path: spot.Real, glob: spot.Glob, spot: spot, c: c}
	home, ofHome := s.Machine.OfHome(spot.Real)
	switch c.kind {
	case policy.Write, policy.Overwrite:
		s.later(w, home, ofHome)
		s.when(policy.Privilege, w.within(spot.Real, rights[:]), spot)
		s.when(policy.Security, w.within(spot.Real, protections[:]), spot)
	case policy.Chmod:
		if c.runs {
			s.when(policy.Persist, hooked(w.path), spot)
		}
	case policy.Delete, policy.Move:
		s.when(policy.Privilege, w.within(spot.Real, rights[:]), spot)
		s.when(policy.Security, w.within(spot.Real, protections[:]), spot)
	}
	if c.kind == policy.Overwrite || c.kind == policy.Delete || c.kind == policy.Move {
		if ofHome && home != "" && spot.Where != policy.Inside {
			s.when(policy.Security, w.within(home, histories[:]), spot)
		}
		s.when(policy.Security, w.within(spot.Real, logs[:]), spot)
	}
}

// later notes that a file is written from which something runs later.
func (s *sheet) later(w watch, home string, ofHome bool) {
	if ofHome && home != "" && !inside(w.spot.Where) {
		s.when(policy.Persist, w.within(home, startHome[:]), w.spot)
	}
	if w.spot.Where == policy.System {
		s.when(policy.Persist, w.within(w.path, startMachine[:]), w.spot)
	}
	s.when(policy.Persist, hooked(w.path), w.spot)
}

// within is as among, but for a directory that holds one.
func (w watch) within(path string, all []kept) string {
	for _, k := range all {
		if w.m.Relate(path, w.glob, k.path) == place.Within {
			return k.verb
		}
	}
	return ""
}

// when notes an effect if there is a verb for it.
func (s *sheet) when(kind policy.Kind, verb string, spot place.Spot) {
	if verb != "" {
		s.put(policy.Effect{Kind: kind, Verb: verb, Target: spot.Path, Where: spot.Where})
	}
}

// hooked tells whether a path is one of git's hooks or of what an interpreter runs at its start, in any directory.
func hooked(path string) string {
	at := strings.LastIndex(path, ".git/")
	switch {
	case at >= 0 && (at == 0 || path[at-1] == '/'):
		rest := path[at+len(".git/"):]
		if i := strings.LastIndex(rest, "modules/"); i >= 0 {
			_, rest, _ = strings.Cut(rest[i+len("modules/"):], "/")
		}
		switch {
		case rest == "hooks" || strings.HasPrefix(rest, "hooks/") && strings.Count(rest, "/") == 1 && !strings.HasSuffix(rest, ".sample"):
			return "git-hook"
		case rest == "config" || rest == "config.worktree":
			return "git-config"
		}
	case strings.Contains(path, "site-packages/") || strings.Contains(path, "dist-packages/"):
		if name := base(path); strings.HasSuffix(name, ".pth") || name == "sitecustomize.py" || name == "usercustomize.py" {
			return "python-start"
		}
	}
	return ""
}

// kernel notes what the kernel does when these files are written.
func (s *sheet) kernel(path string) {
	switch {
	case path == "/proc/sysrq-trigger" || path == "/sys/power/state":
		s.add(policy.Kill, "shutdown", path)
	case strings.HasPrefix(path, "/proc/sys/"):
		s.add(policy.Privilege, "kernel", path)
	}
}
