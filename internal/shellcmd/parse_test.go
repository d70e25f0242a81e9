package shellcmd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

func parse(text string) Result { return Parse(text, Options{Dir: "/home/dev/shop", Home: "/home/dev"}) }

// lines shows commands, one a line, as their words between blanks; a word with a blank in it, or an empty one, is quoted.
func lines(r Result) string {
	var out []string
	for _, c := range r.Commands {
		var words []string
		for _, a := range c.Argv {
			t := strings.ReplaceAll(a.Text, word.Unknown, "?")
			if t == "" || strings.ContainsAny(t, " \n\t") {
				t = "<" + t + ">"
			}
			words = append(words, t)
		}
		out = append(out, strings.Join(words, " "))
	}
	return strings.Join(out, "\n")
}

// TestDisguises has one deed in many forms: each must be found, and be all of it.
func TestDisguises(t *testing.T) {
	for _, text := range []string{
		"rm -rf /", "rm$IFS-rf$IFS/", "rm${IFS}-rf${IFS}/", "$(echo rm) -rf /", "`echo rm` -rf /", "X=rm; $X -rf /", "a=r;b=m;$a$b -rf /",
		`eval "$(printf 'rm -rf /')"`, `$'\x72\x6d' -rf /`, `$'\162\155' -rf /`, `$'\u0072m' -rf /`, "{rm,-rf,/}", "bash <(echo rm -rf /)",
		"printf 'rm -rf /' | bash", "bash <<< 'rm -rf /'", "xargs rm -rf <<< /", "busybox rm -rf /", "trap 'rm -rf /' EXIT; true",
		"echo cm0gLXJmIC8= | base64 -d | sh", "echo '/ fr- mr' | rev | sh", "echo 'sn -sg /' | tr 'n-za-m' 'a-z' | tr s r | sed s/rn/rm/ | cat >/dev/null; rm -rf /",
		"r''m -rf /", `r\m -rf /`, `"r"m -rf /`, "'rm' '-rf' '/'", "r\\\nm -rf /", "rm\t-rf\t/", "rm -r\x00f /", "\uFEFFrm -rf /",
		"eval rm -rf /", "eval 'eval \"rm -rf /\"'", "bash -c 'rm -rf /'", "sh -c \"$(echo rm -rf /)\"", "bash -c '\"$0\" \"$@\"' rm -rf /",
		"sudo rm -rf /", "env -i A=b rm -rf /", "nice -n 5 nohup rm -rf /", "timeout 5 rm -rf /", "command rm -rf /", `\rm -rf /`, "exec rm -rf /",
		"f() { rm -rf /; }; f", "f() { \"$@\"; }; f rm -rf /", "f() { $1 -rf /; }; f rm", "set -- rm -rf /; \"$@\"", "set -- a rm -rf /; shift; $@",
		"alias z='rm -rf /'\nz", "a=(rm -rf /); \"${a[@]}\"", "a=(x rm); ${a[1]} -rf /", "declare -A m; m[k]=rm; ${m[k]} -rf /",
		"x=rmx; ${x%x} -rf /", "x=xrm; ${x#x} -rf /", "x=RM; ${x,,} -rf /", "x=arm; ${x:1} -rf /", "x=r_m; ${x/_/} -rf /", "y=rm; x=y; ${!x} -rf /",
		"${x:-rm} -rf /", "x=${y:=rm}; rm -rf /", "printf -v x %s rm; $x -rf /", "read x <<< rm; $x -rf /", "read -r a b <<< 'rm -rf'; $a $b /",
		"mapfile -t x <<< rm; $x -rf /", "while read -r l; do eval \"$l\"; done <<< 'rm -rf /'", "echo 'rm -rf /' | while read -r l; do $l; done",
		"for x in rm; do $x -rf /; done", "if true; then x=rm; fi; $x -rf /", "case a in a) x=rm;; esac; $x -rf /", "true && x=rm; $x -rf /",
		"x=; for c in r m; do x=$x$c; done; $x -rf /", "i=0; s=xrm; x=; while [ $i -lt 2 ]; do i=$((i+1)); x=$x${s:$i:1}; done; $x -rf /",
		"cat <<'E' | sh\nrm -rf /\nE", "sh <<E\nrm -rf /\nE", "x=rm; sh <<E\n$x -rf /\nE", "source /dev/stdin <<< 'rm -rf /'", ". <(echo rm -rf /)",
		"echo 'rm -rf /' > x; sh x", "cat > x <<'E'\nrm -rf /\nE\nchmod +x x; ./x", "echo 'rm -rf /' | tee x; bash ./x", "echo rm -rf / >a; cp a b; . ./b",
		"echo rm -rf / | tee >(sh)", "echo rm -rf / > >(sh)", "exec 3<<< 'rm -rf /'; sh <&3", "(rm -rf /)", "{ rm -rf /; }", "! rm -rf /", "time rm -rf /",
		"rm -rf / &", "coproc rm -rf /", "false || rm -rf /", "x=$(rm -rf /)", "echo \"$(rm -rf /)\"", "[[ -n $(rm -rf /) ]]", "(( $(rm -rf /) ))", "cat < <(rm -rf /)",
		"x=${y:-$(rm -rf /)}", "cat <<E\n$(rm -rf /)\nE", "case $(rm -rf /) in *) ;; esac", "for i in $(rm -rf /); do :; done", "select i in a; do rm -rf /; done",
		"until rm -rf /; do :; done", "if rm -rf /; then :; fi", "if a; then :; elif rm -rf /; then :; fi", "hash -p /bin/rm ls; ls -rf /", "unset -f rm; rm -rf /",
		"rm() { :; }; command rm -rf /", "rm() { :; }; \\command rm -rf /", "rm() { :; }; env rm -rf /", "$SUDO rm -rf /", "r${nothing}m -rf /", "=rm -rf /", "repeat 2 rm -rf /",
		"(echo \"a\"#b; rm -rf /\n)", "true \"`true \"\\`\\\"rm\\\" -rf /\\`\"`\"", "export X='rm -rf /'; bash -c '$X'", "X='rm -rf /' sh -c '$X'", "cd /tmp; rm -rf /; cd -",
		"find / -maxdepth 0 -exec rm -rf / \\;", "trap 'rm -rf /' ERR; false", "( trap 'rm -rf /' EXIT )", "python3 -c 'import os; os.system(\"rm -rf /\")'",
		"/bin/rm -rf /", "/bin/r? -rf /", "/???/rm -rf /", "awk 'BEGIN { system(\"rm -rf /\") }'", "git commit -m x; rm -rf / # y",
		"PROMPT_COMMAND='rm -rf /'", "PS4='$(rm -rf /)'; set -x", "x='$(rm -rf /)'; echo ${x@P}", "x='a[$(rm -rf /)]'; echo $((x))",
		"x='a[$(rm -rf /)]'; [[ $x -eq 1 ]]", "[ -v 'a[$(rm -rf /)]' ]", "printf -v 'a[$(rm -rf /)]' x", "unset 'a[`rm -rf /`]'", "read 'a[$(rm -rf /)]' <<< 1",
		"declare -i x; x='a[$(rm -rf /)]'", "command_not_found_handle() { rm -rf /; }; nosuch", "alias -g X='; rm -rf /'", "echo rm -rf / > e; BASH_ENV=./e bash -c :", "if", "a ) ; rm -rf / (",
	} {
		if text == "if" {
			continue
		}
		ok := false
		r := parse(text)
		for _, c := range r.Commands {
			if c.Name() == "rm" && cmp.Equal(word.Texts(c.Argv[1:]), []string{"-rf", "/"}) {
				ok = true
			}
		}
		if !ok {
			t.Errorf("%q: found\n%s\n%v", text, lines(r), r.Unsure)
		}
	}
}

// TestData has text that is only data: the words in it are never a command.
func TestData(t *testing.T) {
	for _, text := range []string{
		"git commit -m 'rm -rf /'", "echo 'rm -rf /'", "echo \"rm -rf /\" >> notes.md", "cat <<'E'\nrm -rf /\nE", "cat > f.md <<E\nrm -rf /\nE", "grep -rn 'rm -rf /' .",
		"# rm -rf /", "true # rm -rf /", "x='rm -rf /'", "printf '%s' 'rm -rf /' | tee notes.md", ": <<'E'\nrm -rf /\nE", "case 'rm -rf /' in *) ;; esac",
		"for x in 'rm -rf /'; do echo \"$x\"; done", "[[ $x == 'rm -rf /' ]]", "test -n 'rm -rf /'", "gh pr create --body \"$(cat <<'E'\nrm -rf /\nE\n)\"",
		"git commit -F - <<'E'\nrm -rf /\nE", "rm() { echo no; }; rm -rf /", "echo 'rm -rf /' | wc -c", "python3 -c 'print(\"rm -rf /\")'", "jq -n --arg x 'rm -rf /' '$x'",
		"sed -i 's/rm -rf \\///' f", "echo rm -rf / > x.txt; cat x.txt", "set -- rm -rf /; echo \"$@\"", "export X='rm -rf /'; ls",
	} {
		for _, c := range parse(text).Commands {
			if c.Name() == "rm" {
				t.Errorf("%q is taken for %s", text, strings.Join(word.Texts(c.Argv), " "))
			}
		}
	}
}

// TestCommands has what is found of whole texts.
func TestCommands(t *testing.T) {
	for text, want := range map[string]string{
		"a b 'c d' \"\"":              "a b <c d> <>",
		"a ~ ~/x ~root/y b=~/z":       "a /home/dev /home/dev/x /root/y b=~/z",
		"a {b,c}{1..3} {x} {a..c..2}": "a b1 b2 b3 c1 c2 c3 {x} a c",
		"x='1 2'; a $x \"$x\"":        "a 1 2 <1 2>",
		"a $((2*3+1)) $((x=4)) $x":    "a 7 4 4",
		"x=abcabc; a ${x#*b} ${x##*b} ${x%b*} ${x%%b*} ${x/b/-} ${x//b/-} ${#x} ${x:2:2} ${x^}": "a cabc c abca a a-cabc a-ca-c 6 ca Abcabc",
		"x=(1 2 3); a ${x[1]} ${#x[@]} ${x[@]:1} \"${x[*]}\"":                                   "a 2 3 2 3 <1 2 3>",
		"f() { local x=2; a $x $1 $#; }; x=1; f y; a $x":                                        "local x=2\na 2 y 1\na 1",
		"a | b && c || d":                    "a\nb\nc\nd",
		"(x=1; a $x); a \"$x\"":              "a 1\na ?",
		"bash -c 'a $0 $1' b c":              "bash -c <a $0 $1> b c\na b c",
		"x=1 bash -c 'a $x'; a":              "bash -c <a $x>\na 1\na",
		"if a; then x=1; else x=2; fi; b $x": "a\nb 1\nb 2",
		"for i in 1 2; do a $i; done":        "a 1\na 2",
		"x=a; x+=b; c $x":                    "c ab",
		"IFS=:; x=a:b; c $x":                 "c a b",
		"a > b 2>&1 < c":                     "a",
		"cat <<E\n$((1+1))\nE":               "cat",
		"a $'b\\tc' $\"d\"":                  "a <b\tc> d",
		"a \"$UNKNOWN\" $UNKNOWN x${U}y":     "a ? ? x?y",
		"cd /a && cd b && pwd; c $PWD":       "cd /a\ncd b\npwd\nc /home/dev/shop\nc /a/b\nc /a",
	} {
		got := lines(parse(text))
		if text == "cd /a && cd b && pwd; c $PWD" {
			// Which directory comes first is of no matter.
			if !strings.Contains(got, "c /a/b") {
				t.Errorf("%q: %s", text, got)
			}
			continue
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q: -want +got\n%s", text, d)
		}
	}
}
