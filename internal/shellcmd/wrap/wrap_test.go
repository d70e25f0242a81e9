package wrap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// command makes a command of a line: words by blanks, '…' keeps blanks, ? is an unknown word, a tail "<<<text" is its input.
func command(line string) word.Command {
	line, in, given := strings.Cut(line, " <<<")
	var c word.Command
	for _, w := range splitWords(line) {
		a := word.Arg{Text: strings.ReplaceAll(w.Text, "¿", word.Unknown)}
		a.Many = a.Text == word.Unknown
		c.Argv = append(c.Argv, a)
	}
	if given {
		c.Stdin = word.Data{Given: true, Text: strings.ReplaceAll(in, "¿", word.Unknown)}
	}
	return c
}

// show writes what a command unwraps to, one inner in a line.
func show(inner []word.Inner) string {
	var lines []string
	for _, in := range inner {
		var b strings.Builder
		switch {
		case in.Text != nil:
			fmt.Fprintf(&b, "%s:%s", in.Lang, in.Text.Text)
		case in.Op != "":
			fmt.Fprintf(&b, "op %s %s", in.Op, strings.Join(word.Texts(in.Argv), " "))
		default:
			b.WriteString(strings.Join(word.Texts(in.Argv), " "))
		}
		for _, a := range in.Assigns {
			fmt.Fprintf(&b, " %s=%s", a.Name, a.Value.Text)
		}
		if in.User != "" {
			b.WriteString(" @" + in.User)
		}
		if in.Host != "" {
			b.WriteString(" on " + in.Host)
		}
		if in.Dir != nil {
			b.WriteString(" in " + in.Dir.Text)
		}
		lines = append(lines, strings.ReplaceAll(b.String(), word.Unknown, "¿"))
	}
	return strings.Join(lines, "\n")
}

func TestUnwrap(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"rm -rf /", ""},
		{"nohup rm -rf /", "rm -rf /"},
		{"nice -n 19 rm x", "rm x"},
		{"nice -19 rm x", "rm x"},
		{"timeout -k 5 --signal KILL 10s rm x", "rm x"},
		{"timeout --sig=KILL 10s rm x", "rm x"},
		{"taskset 0x3 rm x", "rm x"},
		{"stdbuf -oL -e0 rm x", "rm x"},
		{"exec -a ls rm x", "rm x"},
		{"command rm x", "rm x"},
		{"command -v rm", ""},
		{"sudo rm x", "rm x @root"},
		{"sudo -u www -E FOO=1 rm x", "rm x FOO=1 @www"},
		{"sudo -nu www -- rm x", "rm x @www"},
		{"sudo ¿ rm x", "rm x @root"},
		{"sudo -l", ""},
		{"sudo -e /etc/hosts", "op overwrite /etc/hosts @root"},
		{"sudo -s <<<rm -rf /", "sh:rm -rf / @root"},
		{"doas -u me rm x", "rm x @me"},
		{"su - me -c 'rm x'", "sh:rm x @me"},
		{"su -c 'rm x'", "sh:rm x @root"},
		{"runuser -u me -- rm x", "rm x @me"},
		{"env -i -u HOME A=b rm x", "rm x A=b"},
		{"env -C /tmp rm x", "rm x in /tmp"},
		{"env -S \"bash -c 'rm -rf /'\"", "bash -c rm -rf /"},
		{"env A=b", ""},
		{"xterm -e rm -rf x", "rm -rf x"},
		{"xterm -e 'rm -rf x'", "sh:rm -rf x"},
		{"gnome-terminal --title t -- rm x", "rm x"},
		{"zellij run -- rm x", "rm x"},
		{"tmux new a ; new 'rm x'", "sh:a\nsh:rm x"},
		{"watchexec -e go rm x", "rm x"},
		{"nodemon --exec 'rm x' y.js", "sh:rm x"},
		{"cmake -E remove_directory x", "rm -rf x"},
		{"cmake -B build", ""},
		{"ansible far -m shell -a 'rm x'", "sh:rm x on remote"},
		{"ansible localhost -m ping", ""},
		{"less +!rm f", "sh:rm"},
		{"less +G f", ""},
		{"emacs --eval '(delete-file \"x\")'", "sh:rm -- 'x'"},
		{"zip a.zip b -T -TT 'rm x'", "sh:rm x"},
		{"vim -es -c '!rm x'", "sh:rm x"},
		{"make -f - <<<x:\n\trm x", "sh:rm x"},
		{"git --config-env=alias.x=Y x", "git ¿"},
		{"xargs -a f rm", "rm ¿\nop read f"},
		{"bash -c 'rm x' a b", "bash:rm x"},
		{"bash -lc 'rm x'", "bash:rm x"},
		{"bash -o pipefail -xec 'rm x'", "bash:rm x"},
		{"bash --rcfile x -c 'rm x'", "bash:. 'x'\nbash:rm x"},
		{"bash x.sh", ""},
		{"bash <<<rm x", "bash:rm x"},
		{"bash -s a <<<rm x", "bash:rm x"},
		{"sh - <<<rm x", "sh:rm x"},
		{"bash /dev/stdin <<<rm x", "bash:rm x"},
		{"busybox rm -rf /", "rm -rf /"},
		{"xargs rm -rf <<</a '/b c'", "rm -rf /a /b c"},
		{"xargs rm -rf <<<¿", "rm -rf ¿"},
		{"xargs rm", "rm ¿"},
		{"xargs -I{} rm {}/x <<</a", "rm /a/x"},
		{"xargs -I % sh -c 'rm %' <<</a", "sh -c rm /a"},
		{"xargs -n1 rm <<<a b", "rm a\nrm b"},
		{"parallel rm -rf {} ::: /a /b", "bash:rm -rf '/a'\nbash:rm -rf '/b'"},
		{"parallel ::: 'rm -rf /'", "bash:rm -rf /"},
		{"find / -exec rm -rf {} ;", "rm -rf / /¿"},
		{"find . -name node_modules -exec rm -rf {} +", "rm -rf ./¿/node_modules"},
		{"find . -name '*.pyc' -exec rm {} +", "rm ./¿.pyc"},
		{"find a b -type f -exec sh -c 'rm \"{}\"' ;", "sh -c rm \"a/¿\""},
		{"find . -delete", ""},
		{"fd -e pyc -x rm", "rm ./¿"},
		{"fd x /etc -X rm {}", "rm /etc/¿"},
		{"python3 -c 'print(1)'", "python:print(1)"},
		{"python3.11 -Ic 'print(1)' a", "python:print(1)"},
		{"python -m json.tool", ""},
		{"python x.py", ""},
		{"python - <<<print(1)", "python:print(1)"},
		{"perl -ne print -e 'x'", "perl:print\nx"},
		{"perl -pi -e s/a/b/ f", "perl:s/a/b/\nop overwrite f"},
		{"perl -i.bak -pe s/a/b/ f", "perl:s/a/b/\nop overwrite f"},
		{"perl -0pi -e s/a/b/ f", "perl:s/a/b/\nop overwrite f"},
		{"perl -lane print f", "perl:print"},
		{"tmux new-session -d -s a 'npm run dev'", "sh:npm run dev"},
		{"node -e 'x()'", "node:x()"},
		{"node -pe 'x()'", "node:x()"},
		{"node --eval=x", "node:x"},
		{"deno eval x", "node:x"},
		{"awk -F: '{print $1}' f", "awk:{print $1}"},
		{"awk -f p.awk f", ""},
		{"sed -i s/a/b/ f", "sed:s/a/b/"},
		{"sed -n -e p -e d f", "sed:p\nd"},
		{"ssh -p 22 me@h rm -rf /", "sh:rm -rf / on h"},
		{"ssh h <<<rm x", "sh:rm x on h"},
		{"ssh -o ProxyCommand='rm x' h", "sh:rm x"},
		{"docker run --rm -it alpine rm -rf /", "rm -rf / on container"},
		{"docker exec -w /app c rm -rf x", "rm -rf x on container in /app"},
		{"docker run -v /:/host --entrypoint sh alpine -c 'rm x'", "sh -c rm x on container"},
		{"docker compose exec -T web rm x", "rm x on container"},
		{"kubectl -n a exec pod -c b -- rm x", "rm x on container"},
		{"npx -c 'rm x'", "sh:rm x"},
		{"npx rimraf /", "rimraf /"},
		{"npm exec -- rimraf x", "rimraf x"},
		{"uv run --with x python -c y", "python -c y"},
		{"aws-vault exec prod -- rm x", "rm x"},
		{"git -c alias.x='!rm -rf /' x", "sh:rm -rf /"},
		{"git -c alias.x='reset --hard' x y", "git reset --hard y"},
		{"git -c core.pager='rm x' log", "sh:rm x"},
		{"git rebase -i -x 'rm x' main", "sh:rm x"},
		{"git submodule foreach 'rm x'", "sh:rm x"},
		{"git commit -m 'rm -rf /'", ""},
		{"tar cf x --checkpoint=1 --checkpoint-action=exec='rm x' .", "sh:rm x"},
		{"tar czf x.tgz .", ""},
		{"vim -c '!rm x' f", "sh:rm x"},
		{"vim -c 'q!' f", ""},
		{"tmux send-keys -t a 'rm x' Enter", "sh:rm x\n"},
		{"watch -n 1 rm x", "sh:rm x"},
		{"cmd /c del x", "cmd:del x"},
		{"powershell -NoProfile -ExecutionPolicy Bypass -Command Remove-Item x", "powershell:Remove-Item x"},
		{"pwsh -enc cgBtACAAeAA=", "powershell:rm x"},
		{"/lib64/ld-linux-x86-64.so.2 /bin/rm x", "/bin/rm x"},
		{"setsid -f rm x", "rm x"},
		{"flock /tmp/l -c 'rm x'", "sh:rm x"},
		{"flock -n /tmp/l rm x", "rm x"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			inner, _ := Unwrap(command(tt.line))
			if diff := cmp.Diff(tt.want, show(inner)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
