package effect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/effect"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// dev is a machine of which no disk is known.
func dev() *place.Machine {
	return &place.Machine{OS: "linux", Home: "/home/dev", Dir: "/home/dev/shop", Project: "/home/dev/shop"}
}

// of are the effects of a text in lines: kind, verb, target, place, flags; the home and the project are ~ and %.
func of(text, dialect string, m *place.Machine) []string {
	r := shellcmd.Parse(text, shellcmd.Options{Dialect: dialect, Dir: m.Dir, Home: m.Home})
	return lines(effect.OfCommands(r, m))
}

func lines(all []policy.Effect) []string {
	var out []string
	for _, e := range all {
		flags := slices.DeleteFunc(slices.Clone(e.Flags), func(f string) bool { return f == "maybe" })
		target := strings.NewReplacer("/home/dev/shop", "%", "/home/dev", "~", word.Unknown, "?").Replace(e.Target)
		line := fmt.Sprintf("%s %s %s %s %s", e.Kind, e.Verb, target, e.Where, strings.Join(flags, "+"))
		if line = strings.Join(strings.Fields(line), " "); !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// expect is one text with effects that it has; none, where it must not have any.
type expect struct {
	text string
	want []string
}

func check(t *testing.T, dialect string, m *place.Machine, tests []expect) {
	t.Helper()
	for _, tt := range tests {
		got := of(tt.text, dialect, m)
		if len(tt.want) == 0 && len(got) > 0 {
			t.Errorf("%s\n  has %s, want nothing", tt.text, strings.Join(got, "\n      "))
		}
		for _, want := range tt.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s\n  lacks %q in\n      %s", tt.text, want, strings.Join(got, "\n      "))
			}
		}
	}
}

func one(text, want string) expect { return expect{text, []string{want}} }
func none(text string) expect      { return expect{text, nil} }
func two(text, a, b string) expect { return expect{text, []string{a, b}} }

func TestDeletes(t *testing.T) {
	check(t, "bash", dev(), []expect{
		one("rm -rf /", "delete / root recursive+forced"),
		one("rm -r -f -- ~", "delete ~ home recursive+forced"),
		one("rm --recursive --force ~/x", "delete ~/x user recursive+forced"),
		one("rm --rec --fo x", "delete %/x inside recursive+forced"),
		one("rm x -rf", "delete %/x inside recursive+forced"),
		one("rm a.txt", "delete %/a.txt inside"),
		one("rm -rf *", "delete %/* project recursive+forced+glob+all"),
		one("rm -rf .", "delete % project recursive+forced"),
		one("rm -rf .git", "delete %/.git vcs recursive+forced"),
		one("rm -f .git/index.lock", "delete %/.git/index.lock vcs forced+regenerable"),
		one("rm -rf node_modules dist", "delete %/dist inside recursive+forced+regenerable"),
		one(`rm -rf "$X"/*`, "delete ?/* unknown recursive+forced+glob+all+dynamic"),
		one("rm -rf $X", "delete ? unknown recursive+forced+dynamic"),
		one("cat list | xargs rm -rf", "delete ? unknown recursive+forced+dynamic"),
		one("X=/etc; rm -rf $X", "delete /etc system recursive+forced"),
		one("cd /etc && rm -rf ssl", "delete /etc/ssl system recursive+forced"),
		one("sudo rm -rf /var", "delete /var system recursive+forced+sudo"),
		one("ssh web rm -rf /var/www", "delete /var/www system recursive+forced+remote"),
		one("unlink a", "delete %/a inside"),
		one("rmdir a", "delete rmdir %/a inside"),
		one("shred -u secret.txt", "delete shred %/secret.txt inside forced"),
		one("find . -name '*.tmp' -delete", "delete find %/*.tmp inside glob"),
		one("find . -type f -delete", "delete find %/* project recursive+glob+all"),
		one("find / -name core -delete", "delete find /*/core system recursive+glob"),
		one("find ~ -delete", "delete find ~/* home recursive+glob+all"),
		one("find -delete", "delete find %/* project recursive+glob+all"),
		one("find /tmp -mtime +3 -delete", "delete find /tmp/* temp recursive+glob+all"),
		one("mv src /dev/null", "delete %/src inside recursive"),
		one("rsync -a --delete a/ ~/b/", "delete sync ~/b/* user recursive+glob+all"),
		one("tar -cf x.tar --remove-files src", "delete %/src inside recursive"),
		one("rm -rf", "delete unknown dynamic+recursive+forced"),
		one("ln -s / x; rm -rf x/", "delete %/x root recursive+forced+link"),
		one("ln -s ~ /tmp/h && rm -rf /tmp/h/*", "delete /tmp/h/* home recursive+forced+glob+all+link"),
		one("mv src /tmp/s && rm -rf /tmp/s", "delete moved %/src inside recursive"),
		one("find ~ -type f | xargs rm", "delete ~/* home recursive+glob+all"),
		one("find . -type f -exec rm {} +", "delete %/* project recursive+glob+all"),
		one("find . -name node_modules -prune -exec rm -rf {} +", "delete %/?/node_modules inside recursive+forced+dynamic+regenerable"),
		one("find . -name '*.orig' | grep -v keep | xargs -r rm -f", "delete %/*.orig inside forced+glob"),
		one("find ~ -type f | while read f; do rm \"$f\"; done", "delete ~/* home recursive+glob+all"),
		one("rm -rf $(find / -name x)", "delete /*/x system recursive+forced+glob"),
		one("cd /etc && ls | xargs rm -rf", "delete /etc/* system recursive+forced+glob+all"),
		one("find . ! -name '*.go' -delete", "delete find %/* project recursive+glob+all"),
		one("find . -name a -o -type f -delete", "delete find %/* project recursive+glob+all"),
		one("find . -path './logs/*.log' -delete", "delete find %/logs/*.log inside glob"),
		one("find src -type d -empty -delete", "delete find %/src/? inside dynamic"),
		one("for f in *; do rm -rf \"$f\"; done", "delete %/* project recursive+forced+glob+all"),
		one("t=$(mktemp -d); rm -rf \"$t\"", "delete /tmp/? temp recursive+forced+dynamic"),
		one("docker run -v ~:/h alpine rm -rf /h", "delete ~ home recursive+forced"),
		none("echo rm -rf /"), none("git commit -m 'rm -rf /'"), none("grep -r 'rm -rf' ."), none("rm --help"), none("ls -la"), none("rm -f ''"),
		none("cat <<'E'\nrm -rf /\nE"), none("find . -name '*.go'"),
	})
}

func TestWrites(t *testing.T) {
	check(t, "bash", dev(), []expect{
		one("echo x > out", "overwrite edit %/out inside redirect"),
		one("echo x >> ~/notes", "write append ~/notes user redirect"),
		one("make &> /etc/log", "overwrite /etc/log system redirect"),
		one("echo x >| ../y", "overwrite ~/y user redirect"),
		one("echo x | tee a b", "overwrite edit %/b inside"),
		one("echo x | tee -a ~/a", "write append ~/a user"),
		one("cp a ~/b", "overwrite ~/b user"),
		one("cp -t /usr/bin a b", "overwrite /usr/bin system"),
		two("mv a ~/b", "move %/a inside recursive", "overwrite ~/b user"),
		one("ln -sf a ~/b", "overwrite link ~/b user forced"),
		one("ln -s a b", "write link %/b inside"),
		one("install -m 755 x /usr/local/bin/x", "overwrite /usr/local/bin/x system"),
		one("install -d /opt/x", "write mkdir /opt/x system"),
		one("mkdir -p /opt/x", "write mkdir /opt/x system"),
		one("touch ~/x", "write ~/x user"),
		one("sed -i s/a/b/ /etc/hosts", "overwrite edit /etc/hosts system"),
		one("sed -i '' -e s/a/b/ /etc/hosts", "overwrite edit /etc/hosts system"),
		one("sed -Ei s/a/b/ x", "overwrite edit %/x inside"),
		one("perl -pi -e s/a/b/ /etc/hosts", "overwrite edit /etc/hosts system"),
		one("awk -i inplace 1 /etc/hosts", "overwrite edit /etc/hosts system"),
		one("truncate -s 0 ~/x", "overwrite truncate ~/x user"),
		one("dd if=a of=/etc/x", "overwrite dd /etc/x system"),
		one("tar xzf a.tgz -C /usr/local", "overwrite extract /usr/local system recursive"),
		one("tar -xf a.tgz", "overwrite extract % project recursive"),
		one("unzip -o a.zip -d ~/x", "overwrite extract ~/x user recursive"),
		one("tar czf ~/x.tgz src", "overwrite ~/x.tgz user"),
		one("curl -so /etc/x https://h/x", "overwrite /etc/x system"),
		one("wget -O /etc/x https://h/x", "overwrite /etc/x system"),
		one("sort -o /etc/x x", "overwrite /etc/x system"),
		one("go build -o /usr/bin/x .", "overwrite /usr/bin/x system"),
		one("patch /etc/hosts < p", "overwrite patch /etc/hosts system"),
		one("ed -s /etc/hosts <<< 'd'", "overwrite edit /etc/hosts system"),
		one("rsync -a a/ ~/b", "overwrite ~/b user recursive"),
		one("split a ~/part", "write ~/part user"),
		one("apply_patch <<'E'\n*** Begin Patch\n*** Delete File: a\n*** Update File: ../b\n*** End Patch\nE", "overwrite edit ~/b user"),
		none("echo x > /dev/null"), none("make >/dev/null 2>&1"), none("sed -n 1p x"), none("perl -ne 'print if /a/' x"),
		none("tar tf a.tgz"), none("sort x"), none("awk '{print $1}' x"),
	})
}

func TestModes(t *testing.T) {
	check(t, "bash", dev(), []expect{
		one("chmod -R 777 /", "chmod world-writable / root recursive"),
		one("chmod 1777 /tmp/x", "chmod /tmp/x temp"),
		one("chmod -R o+w ~/x", "chmod world-writable ~/x user recursive"),
		one("chmod +x a.sh", "chmod %/a.sh inside"),
		one("chmod -x a.sh", "chmod %/a.sh inside"),
		one("chmod 000 /etc", "chmod none /etc system"),
		one("chmod u+s /tmp/x", "privilege setuid /tmp/x temp"),
		one("chmod 4755 a", "privilege setuid %/a inside"),
		one("chmod 0755 a", "chmod %/a inside"),
		one("install -m 4755 a /usr/bin/a", "privilege setuid /usr/bin/a system"),
		one("chown -R dev:dev /etc", "chown chown /etc system recursive"),
		one("chgrp x ~/y", "chown chgrp ~/y user"),
		one("chown --reference=a ~/y", "chown chown ~/y user"),
		one("chattr -i /etc/passwd", "chmod chattr /etc/passwd system"),
		one("setfacl -m u:x:rwx /etc", "chmod setfacl /etc system"),
		one("setcap cap_net_admin+ep /tmp/x", "privilege setcap /tmp/x"),
		none("xattr ~/x"),
	})
}

func TestMachine(t *testing.T) {
	check(t, "bash", dev(), []expect{
		one("dd if=/dev/zero of=/dev/sda", "device write /dev/sda"),
		one("cat x > /dev/nvme0n1", "device write /dev/nvme0n1 redirect"),
		one("mkfs.ext4 /dev/sdb1", "device format /dev/sdb1"),
		one("mkfs -t ext4 /dev/sdb1", "device format /dev/sdb1"),
		one("mkfs.ext4 disk.img", "overwrite format %/disk.img inside"),
		one("wipefs -a /dev/sdb", "device wipe /dev/sdb"),
		one("shred /dev/sdb", "device shred /dev/sdb"),
		one("sgdisk --zap-all /dev/sdb", "device partition /dev/sdb"),
		one("diskutil eraseDisk JHFS+ X disk2", "device format disk2"),
		one("zpool destroy tank", "device volume tank"),
		one("btrfs subvolume delete /mnt/x", "device volume /mnt/x"),
		one("cryptsetup luksFormat /dev/sdb", "device encrypt /dev/sdb"),
		one("mdadm --zero-superblock /dev/sdb", "device array /dev/sdb"),
		one("hdparm --security-erase x /dev/sda", "device wipe /dev/sda"),
		none("fdisk -l"), none("lsblk"), none("btrfs subvolume list /"), none("hdparm -I /dev/sda"), none("zpool status"),
		one("kill -9 -1", "kill all -1"), one("kill -KILL -- -1", "kill all -1"), one("kill -s KILL -1", "kill all -1"), one("kill 42", "kill process 42"),
		one("kill -1 42", "kill process 42"), one("kill -9 1", "kill init 1"), one("kill $!", "kill process ? dynamic"), none("kill -l"),
		one("pkill -f vite", "kill process vite"), one("pkill -9 -u dev", "kill user dev"), one("pkill -f .", "kill all ."), one("killall5", "kill all"),
		one("killall -9 node", "kill process node"),
		one("shutdown -h now", "kill shutdown shutdown"), one("systemctl reboot", "kill shutdown reboot"), one("init 0", "kill shutdown init"), none("shutdown -c"),
		one(":(){ :|:& };:", "fork_bomb function :"), one("b() { b | b & }; b", "fork_bomb function b"), one("perl -e 'fork while fork'", "fork_bomb code perl"),
		none("f(){ echo hi; }; f"),
	})
}

func TestRightsAndProtections(t *testing.T) {
	check(t, "bash", dev(), []expect{
		one("sudo true", "privilege sudo"), one("su - root -c id", "privilege su"), one("echo x >> /etc/sudoers", "privilege sudoers /etc/sudoers system redirect"),
		one("echo x > /etc/sudoers.d/x", "privilege sudoers /etc/sudoers.d/x system redirect"), one("usermod -aG docker dev", "privilege group docker dev"),
		one("passwd root", "privilege accounts"), one("echo x:0 >> /etc/passwd", "privilege accounts /etc/passwd system redirect"), one("insmod x.ko", "privilege kernel x.ko"),
		one("visudo", "privilege sudoers"), one("sysctl -w a=1", "privilege kernel a=1"),
		one("ufw disable", "security firewall disable"), one("iptables -F", "security firewall -F"), one("setenforce 0", "security selinux 0"),
		one("systemctl stop auditd", "security service auditd"), one("systemctl --now disable falcon-sensor.service", "security service falcon-sensor.service"),
		one("service rsyslog stop", "security service rsyslog"), one("spctl --master-disable", "security gatekeeper --master-disable"),
		one("history -c", "security history -c"), one("unset HISTFILE", "security history HISTFILE"), one("export HISTFILE=/dev/null", "security history HISTFILE"),
		one("rm ~/.bash_history", "security history ~/.bash_history user"), one("> ~/.zsh_history", "security history ~/.zsh_history user redirect"),
		one("truncate -s0 /var/log/auth.log", "security logs /var/log/auth.log system"), one("npm config set strict-ssl false", "security tls-verify-off config set strict-ssl false"),
		one("NODE_TLS_REJECT_UNAUTHORIZED=0 node a.js", "security tls-verify-off NODE_TLS_REJECT_UNAUTHORIZED"),
		one("echo x >> /etc/ssh/sshd_config", "security sshd /etc/ssh/sshd_config system redirect"), one("tmutil disable", "security backup disable"),
		none("systemctl status auditd"), none("systemctl restart nginx"), none("history"), none("iptables -L"), none("ufw status"), none("sysctl -a"), none("passwd -S"),
	})
}

func TestLater(t *testing.T) {
	check(t, "bash", dev(), []expect{
		one("echo x | crontab -", "persist cron -"), one("crontab x", "persist cron x"), one("crontab -r", "persist cron-remove"), one("echo x | at now", "persist at now"),
		one("systemctl --user enable x", "persist systemd --user enable x"), one("launchctl load x.plist", "persist launchd load x.plist"),
		one("echo x >> ~/.bashrc", "persist shell ~/.bashrc user redirect"), one("cp x ~/.config/systemd/user/x.service", "persist systemd ~/.config/systemd/user/x.service user"),
		one("cp x.service ~/.config/systemd/user/", "persist systemd ~/.config/systemd/user user"), one("cat k >> ~/.ssh/authorized_keys", "persist authorized-keys ~/.ssh/authorized_keys user redirect"),
		one("cat k | tee -a /root/.ssh/authorized_keys", "persist authorized-keys /root/.ssh/authorized_keys home"), one("cp x .git/hooks/pre-commit", "persist git-hook %/.git/hooks/pre-commit vcs"),
		one("echo x > .git/config", "persist git-config %/.git/config vcs redirect"), one("echo x > /etc/cron.d/x", "persist cron /etc/cron.d/x system redirect"),
		one("cp x /etc/profile.d/", "persist shell /etc/profile.d system"), one("echo /x.so > /etc/ld.so.preload", "persist preload /etc/ld.so.preload system redirect"),
		one("mv x ~/.zshrc", "persist shell ~/.zshrc user"), one("echo x > .venv/lib/python3/site-packages/x.pth", "persist python-start %/.venv/lib/python3/site-packages/x.pth inside redirect"),
		one("cat >> ~/.ssh/config <<'E'\nHost *\nE", "persist ssh-config ~/.ssh/config user redirect"),
		none("crontab -l"), none("atq"), none("cat ~/.bashrc"), none("source ~/.bashrc"), none("launchctl list"), none("ls .git/hooks"),
	})
}
