package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// phrase is a program with words that its arguments have, in this order: * at the end stands for any rest, | for either.
type phrase struct{ program, words, verb string }

// security notes protections that are switched off, and traces that are removed.
func (s *sheet) security(name string, args []word.Arg) {
	for i := range unprotecting {
		if p := &unprotecting[i]; isProgram(p, name) && says(args, p.words) {
			if p.verb != "" {
				s.add(policy.Security, p.verb, joined(args))
			}
			return
		}
	}
	switch name {
	case "systemctl", "service", "rc-service", "launchctl", "sc", "sc.exe", "net", "Stop-Service", "Set-Service", "stop-service", "set-service":
		s.services(name, args)
	case "unset":
		if hasWord(args, "HISTFILE") || hasWord(args, "HISTSIZE") || hasWord(args, "PROMPT_COMMAND") && hasWord(args, "HISTFILE") {
			s.add(policy.Security, "history", joined(args))
		}
	}
	s.assigned()
}

// assigned notes variables by which a shell keeps no history any more.
func (s *sheet) assigned() {
	for _, a := range s.Assigns {
		if a.Name == "HISTFILE" && (a.Value.Text == "" || a.Value.Text == "/dev/null") || (a.Name == "HISTSIZE" || a.Name == "HISTFILESIZE") && a.Value.Text == "0" {
			s.add(policy.Security, "history", a.Name)
		}
		if (a.Name == "NODE_TLS_REJECT_UNAUTHORIZED" || a.Name == "PYTHONHTTPSVERIFY") && a.Value.Text == "0" || a.Name == "GIT_SSL_NO_VERIFY" && a.Value.Text != "" {
			s.add(policy.Security, "tls-verify-off", a.Name)
		}
	}
}

// services notes protections that are stopped as services.
func (s *sheet) services(name string, args []word.Arg) {
	verb := false
	for _, a := range args {
		switch strings.ToLower(a.Text) {
		case "stop", "disable", "mask", "kill", "unload", "bootout", "remove", "config", "delete":
			verb = true
		}
	}
	if !verb && !strings.Contains(name, "-") {
		return
	}
	for _, a := range args {
		unit := strings.ToLower(base(a.Text))
		for _, suffix := range [...]string{".service", ".socket", ".plist", ".timer"} {
			unit = strings.TrimSuffix(unit, suffix)
		}
		if protects(unit) {
			s.add(policy.Security, "service", a.Text)
			return
		}
	}
}

// protects tells whether a service of this name watches over a machine.
func protects(unit string) bool {
	switch unit {
	case "auditd", "firewalld", "ufw", "iptables", "ip6tables", "nftables", "apparmor", "selinux", "fail2ban", "falcon-sensor", "falcond",
		"crowdstrike", "clamav-daemon", "clamd", "clamav-freshclam", "osqueryd", "wazuh-agent", "ossec", "sysmon", "rsyslog", "syslog", "syslog-ng",
		"systemd-journald", "mdatp", "sentinelone", "sentinelagent", "cbdaemon", "cbagentd", "carbonblack", "tripwire", "aide", "samhain",
		"auoms", "esets", "eset", "sophos", "sav-protect", "mcafee", "nessusagent", "qualys-cloud-agent", "snort", "suricata", "falco", "tetragon",
		"windefend", "wdnissvc", "securityhealthservice", "mpssvc", "wscsvc", "eventlog", "sense", "com.apple.alf", "com.apple.auditd",
		"com.crowdstrike.falcond", "santad", "com.google.santad", "teleport", "datadog-agent-security":
		return true
	}
	return strings.HasPrefix(unit, "com.crowdstrike") || strings.HasPrefix(unit, "com.sentinelone") || strings.HasPrefix(unit, "com.jamf")
}

// isProgram compares names; those of PowerShell and Windows count in any case.
func isProgram(p *phrase, name string) bool {
	return len(p.program) == len(name) && strings.EqualFold(p.program, name)
}

// says tells whether arguments have these words, in their order.
func says(args []word.Arg, words string) bool {
	at := 0
	for w := range strings.FieldsSeq(words) {
		found := false
		for ; at < len(args) && !found; at++ {
			for one := range strings.SplitSeq(w, "|") {
				found = found || like(args[at].Text, one)
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func like(text, w string) bool {
	if head, ok := strings.CutSuffix(w, "*"); ok {
		return len(text) >= len(head) && strings.EqualFold(text[:len(head)], head)
	}
	return strings.EqualFold(text, w)
}

// joined are arguments as one text, cut.
func joined(args []word.Arg) string {
	const most = 200
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a.Text)
		if b.Len() > most {
			break
		}
	}
	return strings.ToValidUTF8(b.String()[:min(most, b.Len())], "")
}

// unprotecting are the phrases that switch a protection off.
var unprotecting = [...]phrase{
	{"ufw", "disable|reset", "firewall"}, {"iptables", "-F|--flush|-X|--delete-chain", "firewall"}, {"ip6tables", "-F|--flush|-X|--delete-chain", "firewall"},
	{"iptables", "-P|--policy INPUT|FORWARD|OUTPUT ACCEPT", "firewall"}, {"nft", "flush|delete|destroy ruleset|table|chain", "firewall"},
	{"pfctl", "-d|-F*", "firewall"}, {"firewall-cmd", "--panic-off", "firewall"}, {"ipfw", "flush", "firewall"}, {"ipfw", "-f flush", "firewall"},
	{"socketfilterfw", "--setglobalstate off", "firewall"}, {"netsh", "advfirewall set state off", "firewall"},
	{"netsh", "firewall set opmode disable", "firewall"}, {"Set-NetFirewallProfile", "-Enabled False|$false|0", "firewall"},
	{"Disable-NetFirewallRule", "", "firewall"},
	{"setenforce", "0|permissive", "selinux"}, {"aa-teardown", "", "apparmor"}, {"aa-disable", "", "apparmor"}, {"aa-complain", "", "apparmor"},
	{"semanage", "permissive -a", "selinux"}, {"mokutil", "--disable-validation", "secure-boot"},
	{"spctl", "--master-disable|--global-disable", "gatekeeper"}, {"csrutil", "disable|authenticated-root", "sip"}, {"fdesetup", "disable", "disk-encryption"},
	{"nvram", "boot-args=*", "sip"}, {"defaults", "write *LaunchServices LSQuarantine -bool NO|false|0", "gatekeeper"},
	{"tmutil", "disable|disablelocal|deletelocalsnapshots|delete|thinlocalsnapshots", "backup"}, {"tccutil", "reset", "privacy"},
	{"auditctl", "-e 0", "audit"}, {"auditctl", "-D", "audit"}, {"audit", "-t", "audit"}, {"log", "erase", "logs"},
	{"history", "-c|-cw|-d|-wc", "history"}, {"fc", "-W", "history"}, {"set", "+o history", "history"}, {"Clear-History", "", "history"},
	{"Set-PSReadlineOption", "-HistorySaveStyle SaveNothing", "history"}, {"journalctl", "--vacuum-time=1s|--vacuum-size=1|--vacuum-time=0*", "logs"},
	{"npm", "config|c set strict-ssl false", "tls-verify-off"}, {"npm", "config|c set strict-ssl=false", "tls-verify-off"}, {"npm", "set strict-ssl false", "tls-verify-off"},
	{"pnpm", "config set strict-ssl false", "tls-verify-off"}, {"yarn", "config set strict-ssl|enableStrictSsl false", "tls-verify-off"},
	{"conda", "config --set ssl_verify false", "tls-verify-off"}, {"composer", "config disable-tls true", "tls-verify-off"}, {"composer", "config secure-http false", "tls-verify-off"},
	{"security", "add-trusted-cert", "trust-store"}, {"certutil", "-addstore|-A", "trust-store"}, {"Import-Certificate", "*Root*", "trust-store"},
	{"Set-MpPreference", "-Disable*", "antivirus"}, {"Add-MpPreference", "-Exclusion*", "antivirus"}, {"Uninstall-WindowsFeature", "Windows-Defender*", "antivirus"},
	{"Set-ExecutionPolicy", "-Scope Process", ""}, // only until this shell ends
	{"Set-ExecutionPolicy", "Unrestricted|Bypass", "execution-policy"}, {"bcdedit", "/set", "boot"}, {"bcdedit", "/delete", "boot"},
	{"vssadmin", "delete shadows", "backup"}, {"vssadmin", "resize shadowstorage", "backup"}, {"wmic", "shadowcopy delete", "backup"},
	{"wbadmin", "delete|disable", "backup"}, {"reagentc", "/disable", "backup"}, {"Disable-ComputerRestore", "", "backup"},
	{"wevtutil", "cl|clear-log", "logs"}, {"Clear-EventLog", "", "logs"}, {"Remove-EventLog", "", "logs"}, {"fltmc", "unload", "antivirus"},
	{"manage-bde", "-off", "disk-encryption"}, {"Disable-BitLocker", "", "disk-encryption"}, {"fsutil", "usn deletejournal", "logs"},
	{"cipher", "/w*", "wipe-free-space"}, {"auditpol", "/clear|/remove", "audit"}, {"auditpol", "/set /success:disable", "audit"},
	{"reg", "add *DisableAntiSpyware*", "antivirus"}, {"reg", "add *EnableLUA* 0", "uac"}, {"reg", "add *\\Windows*Defender*", "antivirus"},
}
