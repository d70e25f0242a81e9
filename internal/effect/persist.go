package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// persists notes what makes something run later.
func (s *sheet) persists(name string, args []word.Arg) {
	switch name {
	case "crontab", "fcrontab":
		s.crontab(args)
		return
	case "at", "batch":
		if !hasWord(args, "-l") && !hasWord(args, "-q") && !hasWord(args, "-V") && !hasWord(args, "-c") {
			s.add(policy.Persist, "at", joined(args))
		}
		return
	}
	for i := range lasting {
		if p := &lasting[i]; isProgram(p, name) && says(args, p.words) {
			s.add(policy.Persist, p.verb, joined(args))
			return
		}
	}
}

// crontab takes a new table from a file or from its input; -l only shows the old one.
func (s *sheet) crontab(args []word.Arg) {
	o := unit.Options(args, "u")
	if o.Has("l") && !o.Has("r") {
		return
	}
	verb := "cron"
	if o.Has("r") {
		verb = "cron-remove"
	}
	s.add(policy.Persist, verb, textOf(o.Operands, 0))
}

// lasting are the phrases that make something run later.
var lasting = [...]phrase{
	{"systemctl", "enable|link|reenable|edit|set-environment|import-environment", "systemd"}, {"systemd-run", "--on-*", "systemd"}, {"systemd-run", "--timer-property*", "systemd"},
	{"loginctl", "enable-linger", "systemd"}, {"update-rc.d", "*", "init"}, {"chkconfig", "*on", "init"}, {"rc-update", "add", "init"},
	{"launchctl", "load|bootstrap|submit|enable|setenv", "launchd"}, {"osascript", "-e *login*item*", "session"},
	{"chsh", "-s", "shell"}, {"schtasks", "/create|/change", "scheduled-task"}, {"schtasks.exe", "/create|/change", "scheduled-task"},
	{"Register-ScheduledTask", "", "scheduled-task"}, {"Register-ScheduledJob", "", "scheduled-task"}, {"New-ScheduledTask", "", "scheduled-task"},
	{"New-Service", "", "service"}, {"sc", "create", "service"}, {"sc.exe", "create", "service"}, {"nssm", "install", "service"},
	{"Register-WmiEvent", "", "wmi"}, {"Set-WmiInstance", "", "wmi"}, {"pm2", "startup", "service"},
}

// runKeys notes keys of Windows's registry from which something runs at each start.
func (s *sheet) runKeys(args []word.Arg) {
	for _, a := range args {
		t := strings.ToLower(strings.ReplaceAll(a.Text, "/", `\`))
		if strings.Contains(t, `\currentversion\run`) || strings.Contains(t, `\currentversion\winlogon`) || strings.Contains(t, `\image file execution options`) ||
			strings.Contains(t, `\currentversion\policies\explorer\run`) || strings.Contains(t, `\services\`) {
			s.add(policy.Persist, "registry-run", a.Text)
			return
		}
	}
}
