package wrap_test

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

// runs lists what a text may run, ¿ for what is not known.
func runs(text string) []string {
	var out []string
	r := shellcmd.Parse(text, shellcmd.Options{Dir: "/home/dev/shop", Home: "/home/dev"})
	for _, c := range r.Commands {
		t := strings.Join(word.Texts(c.Argv), " ")
		if c.Op != "" {
			t = c.Op + ": " + t
		}
		if c.Host != "" {
			t += " on " + c.Host
		}
		out = append(out, strings.ReplaceAll(t, word.Unknown, "¿"))
	}
	for _, u := range r.Unsure {
		out = append(out, "unsure: "+u.Kind)
	}
	return out
}

// TestDisguises holds that the walker finds what is run behind wrappers, in code and in text that is made on the way.
func TestDisguises(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`sudo -u root env X=1 nice -n 5 rm -rf /`, "rm -rf /"},
		{`env -S "bash -c 'rm -rf /'"`, "rm -rf /"},
		{`bash -c "$(echo cm0gLXJmIC8= | base64 -d)"`, "rm -rf /"},
		{`echo cm0gLXJmIC8= | base64 -d | sh`, "rm -rf /"},
		{`printf '\x72\x6d -rf /' | bash`, "rm -rf /"},
		{`echo '/ fr- mr' | rev | sh`, "rm -rf /"},
		{`echo 'ez -es /' | tr 'a-z' 'n-za-m' | bash`, "rm -rf /"},
		{`echo 726d202d7266202f | xxd -r -p | sh`, "rm -rf /"},
		{`echo / | xargs rm -rf`, "rm -rf /"},
		{`echo 'rm -rf /' | xargs -I{} sh -c '{}'`, "rm -rf /"},
		{`printf 'rm -rf /' | xargs -0 bash -c`, "rm -rf /"},
		{`find / -maxdepth 0 -exec rm -rf {} \;`, "rm -rf /"},
		{`find / -exec sh -c 'rm -rf "$1"' _ {} \;`, "rm -rf /"},
		{`$(command -v rm) -rf /`, "¿/rm -rf /"},
		{`eval "$(printf 'rm %s /' -rf)"`, "rm -rf /"},
		{`ssh localhost "rm -rf /"`, "rm -rf /"},
		{`ssh me@far "rm -rf /"`, "rm -rf / on far"},
		{`python3 -c "import os; os.system('rm -rf /')"`, "rm -rf /"},
		{`python3 - <<'EOF'
import shutil
shutil.rmtree('/home/dev')
EOF`, "delete: /home/dev"},
		{`perl -e 'system("rm", "-rf", "/")'`, "rm -rf /"},
		{`node -e "require('child_process').execSync('rm -rf /')"`, "rm -rf /"},
		{`awk 'BEGIN{system("rm -rf /")}'`, "rm -rf /"},
		{`awk 'BEGIN{print "rm -rf /" | "sh"}'`, "sh"},
		{`git -c alias.x='!rm -rf /' x`, "rm -rf /"},
		{`GIT_PAGER='rm -rf /' git log`, "rm -rf /"},
		{`tar cf x --checkpoint=1 --checkpoint-action=exec='rm -rf /' .`, "rm -rf /"},
		{`vim -c ':!rm -rf /' -c q`, "rm -rf /"},
		{`docker run --rm -v /:/host alpine rm -rf /host`, "rm -rf /"},
		{`docker run --rm -v /:/host alpine sh -c 'rm -rf /host/etc'`, "rm -rf /etc"},
		{`docker run --rm alpine rm -rf /`, "rm -rf / on container"},
		{`timeout 5 bash -lc 'cd / && rm -rf *'`, "rm -rf *"},
		{`busybox sh -c 'rm -rf /'`, "rm -rf /"},
		{`powershell -Command "Remove-Item -Recurse C:\\Users"`, `Remove-Item -Recurse C:\Users`},
		{`pwsh -enc UgBlAG0AbwB2AGUALQBJAHQAZQBtACAALwAgAC0AUgBlAGMAdQByAHMAZQA=`, "Remove-Item / -Recurse"},
		{`cmd /c "rd /s /q C:\\"`, `rd /s /q C:\`},
		{`parallel rm -rf ::: /`, "rm -rf /"},
		{`su -c 'rm -rf /'`, "rm -rf /"},
		{`nohup setsid sh -c "rm -rf /" &`, "rm -rf /"},
		{`ruby -e '%x(rm -rf /)'`, "rm -rf /"},
		{`php -r 'system("rm -rf /");'`, "rm -rf /"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			got := runs(tt.text)
			for _, g := range got {
				if g == tt.want {
					return
				}
			}
			t.Errorf("want %q among\n%s", tt.want, strings.Join(got, "\n"))
		})
	}
}

// TestData holds that text which is only data is not run, and leaves no doubt.
func TestData(t *testing.T) {
	for _, text := range []string{
		`git commit -m "rm -rf /"`,
		`echo "rm -rf /"`,
		`grep -rn "rm -rf /" .`,
		`cat <<'EOF' > notes.md
rm -rf /
EOF`,
		`python3 -c "print('rm -rf /')"`,
		`python3 -m json.tool < a.json`,
		`cat a.json | python3 -c "import json,sys; print(json.load(sys.stdin)['rm'])"`,
		`node -p process.version`,
		`awk '{print $1}' a.txt | sort | uniq -c`,
		`sed -i 's/rm -rf/x/' a.sh`,
		`perl -pi -e 's/rm/x/g' a.txt`,
		`docker compose up -d`,
		`tmux ls`,
		`xargs -n1 echo < list`,
		`psql -c "select 'rm -rf /'"`,
		`git log --grep='!rm -rf /'`,
	} {
		t.Run(text, func(t *testing.T) {
			for _, g := range runs(text) {
				if strings.HasPrefix(g, "rm ") || strings.HasPrefix(g, "unsure") || strings.HasPrefix(g, "delete:") {
					t.Errorf("got %q", g)
				}
			}
		})
	}
}
