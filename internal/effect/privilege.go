package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// privileges notes what runs, or will run, with more rights, and tells whether this is a program for that.
func (s *sheet) privileges(name string, args []word.Arg) bool {
	switch name {
	case "sudo", "doas", "su", "pkexec", "run0", "sudoedit", "runuser", "gosu", "su-exec", "gsudo":
		s.add(policy.Privilege, name, "")
		if name == "sudoedit" {
			s.paths(unit.Options(args, "u g p C R T").Operands, change{kind: policy.Overwrite, verb: "edit"})
		}
	case "visudo", "vipw", "vigr":
		if !hasWord(args, "-c") && !hasWord(args, "--check") {
			s.add(policy.Privilege, "sudoers", "")
		}
	case "usermod", "gpasswd", "adduser", "addgroup", "groupmems", "dseditgroup":
		s.add(policy.Privilege, membership(args), strings.Join(word.Texts(unit.Options(args, "").Operands), " "))
	case "useradd", "userdel", "deluser", "groupadd", "groupdel", "groupmod", "chpasswd", "newusers", "chage", "sysadminctl":
		s.add(policy.Privilege, "accounts", "")
	case "passwd":
		if !hasWord(args, "-S") && !hasWord(args, "--status") {
			s.add(policy.Privilege, "accounts", "")
		}
	case "insmod", "modprobe", "rmmod", "kexec", "kldload", "kextload":
		if !hasWord(args, "-n") && !hasWord(args, "--dry-run") {
			s.add(policy.Privilege, "kernel", textOf(args, 0))
		}
	case "sysctl":
		if hasWord(args, "-w") || hasWord(args, "--write") || len(args) > 0 && strings.Contains(args[len(args)-1].Text, "=") {
			s.add(policy.Privilege, "kernel", args[len(args)-1].Text)
		}
	case "nsenter":
		if hasWord(args, "1") || hasWord(args, "-t1") || hasWord(args, "--target=1") {
			s.add(policy.Privilege, "namespace", "1")
		}
	default:
		return false
	}
	return true
}

// membership says whether arguments put an account into a group that has the machine.
func membership(args []word.Arg) string {
	for _, a := range args {
		for group := range strings.SplitSeq(a.Text, ",") {
			switch group {
			case "sudo", "wheel", "admin", "root", "docker", "lxd", "libvirt", "disk", "shadow", "adm", "sudoers", "kvm":
				return "group"
			}
		}
	}
	return "accounts"
}
