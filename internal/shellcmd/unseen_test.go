package shellcmd

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// TestUnseen has what real shells ran once and was not found, one of each kind. An argument * stands for any.
func TestUnseen(t *testing.T) {
	for _, tt := range []struct{ name, dialect, text, want string }{
		{"array after eval in a piped script", "bash", `{ printf '%s\n' 'v1=(zero '\''canary'\'' two); eval "v2=\$(printf %s '\''$x'\'')"; "${v1[1]}" a'
} | command bash`, "canary a"},
		{"line joined within quotes in a here-document", "bash", "canary \"$(cat <<E\n$(printf %s 'a\\\nb')\nE\n)\"", "canary ab"},
		{"line not joined there in dash", "dash", "canary \"$(cat <<E\n$(printf %s 'a\\\nb')\nE\n)\"", "canary a\\\nb"},
		{"getopts begins anew with set in dash", "dash", "set -- -c 'set -- -c canary; while getopts c: o; do eval \"$OPTARG\"; done'; while getopts c: o; do eval \"$OPTARG\"; done", "canary"},
		{"file by a pattern", "bash", "echo 'canary a' >v.sh\nfor f in ./v.*; do bash \"$f\"; done", "canary a"},
		{"file by a pattern as operand", "bash", "echo 'canary a' >v.sh; sh ./*.sh", "canary a"},
		{"file by find", "bash", "echo 'canary a' >v.sh; find . -name '*.sh' -exec sh {} \\;", "canary a"},
		{"file by ls", "dash", "echo 'canary a' >v.sh; ls *.sh | xargs -n1 dash", "canary a"},
		{"file of mktemp", "bash", `t=$(mktemp ./XXXXXX); echo 'canary a' >"$t"; bash "$t"`, "canary a"},
		{"file below mktemp -d", "bash", `d=$(mktemp -d); echo 'canary a' >"$d/x.sh"; . "$d/x.sh"`, "canary a"},
		{"files joined", "bash", "echo 'canary a' >v.sh; cat ./v.* | bash", "canary a"},
		{"program in PATH", "bash", "printf '#!/bin/sh\\ncanary a\\n' >v; chmod +x v; PATH=.:$PATH; v", "canary a"},
		{"program in PATH for itself", "bash", "printf '#!/bin/sh\\ncanary a\\n' >v; chmod +x v; PATH=$PWD:$PATH v", "canary a"},
		{"dd", "bash", "echo 'canary a' | dd of=v.sh 2>/dev/null; sh v.sh", "canary a"},
		{"descriptor that stays", "bash", "exec 3>v.sh; echo 'canary a' >&3; exec 3>&-; sh v.sh", "canary a"},
		{"descriptor in one of two directories", "bash", "mkdir -p e; cd e && cd - >/dev/null; exec 3>v.sh; echo 'canary a' >&3; exec 3>&-; sh v.sh", "canary a"},
		{"descriptor with a name", "bash", `exec {q}<<< a; read -u $q r; canary "$r"`, "canary a"},
		{"lines of a descriptor", "bash", "exec 4<<'E'\nx\na\nE\nwhile read -r l <&4; do canary \"$l\"; done", "canary a"},
		{"a file's name is no input of printf", "bash", `echo x >v.sh; canary "$(printf %s v.sh)"`, "canary v.sh"},
		{"all here-documents in zsh", "zsh", "cat <<A <<'B' | zsh\ncanary a\nA\ncanary b\nB", "canary a"},
		{"output into a file and a pipe in zsh", "zsh", ">/dev/null echo a | xargs canary", "canary a"},
		{"carriage return in a word", "bash", "canary a\rb", "canary a\rb"},
		{"trap of ERR", "bash", "trap 'v=\"canary\"; eval \"$v a\"' ERR; false; trap - ERR", "canary a"},
		{"variable of a trap", "bash", "trap 'v=canary' DEBUG; :; trap - DEBUG; \"$v\" a", "canary a"},
		{"trap that is taken back", "bash", "trap 'v=canary; $v a' INT; kill -INT $$; trap - INT", "canary a"},
		{"element from the end", "bash", "v[3]=canary; \"${v[-1]}\" a", "canary a"},
		{"element that is unset", "bash", "v=(a canary b); unset 'v[0]'; \"${v[@]:0:1}\" a", "canary a"},
		{"getopts", "dash", "set -- -x 1 -c 'canary a'; while getopts x:c: o; do case $o in c) eval \"$OPTARG\";; esac; done", "canary a"},
		{"getopts in one word", "bash", "set -- -xca; while getopts xc: o; do [ $o = c ] && canary \"$OPTARG\"; done", "canary a"},
		{"local in dash does not split", "dash", "f() { local c=$1; eval \"$c\"; }; f 'canary a'", "canary a"},
		{"last argument of each way", "bash", "v=x; ! test -f y && v=z; : a; canary \"$v\" \"$_\"", "canary x a"},
		{"last argument of a call", "bash", "f() { v=x; }; f a; canary \"$_\"", "canary a"},
		{"last argument of export", "bash", "v=a; : x; export v; canary \"$_\"", "canary v"},
		{"last argument outside of a substitution", "bash", ": a; canary \"$_\" \"$(printf %s b)\"", "canary a b"},
		{"backslash at the end", "bash", "eval 'canary a \\'", "canary a \\"},
		{"ENVIRON", "bash", `v='canary a' awk 'BEGIN { system(ENVIRON["v"]) }'`, "canary a"},
		{"xargs alone", "bash", `"$(echo canary | xargs)" a`, "canary a"},
		{"numbers of cat", "bash", "canary \"$(echo a | cat -n)\"", "canary *"},
		{"several scripts of sed", "bash", "echo 'x canary a' | sed -e s/x// -e s/y// | sh; canary b", "canary b"},
		{"deep recursion", "bash", `f() { if [ "$1" -gt 0 ]; then f $(($1-1)); else printf canary; fi; }; "$(f 12)" a`, "* a"},
		{"default in zsh", "zsh", "v=; canary ${v:-=w}", "canary *"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Parse(tt.text, Options{Dialect: tt.dialect, Dir: "/w", Home: "/w"})
			var all []string
			for _, c := range r.Commands {
				if matches(c.Argv, strings.Split(tt.want, " ")) {
					return
				}
				all = append(all, strings.Join(word.Texts(c.Argv), " "))
			}
			t.Errorf("%s\nhas no %q:\n%s\nunsure %v", tt.text, tt.want, strings.Join(all, "\n"), r.Unsure)
		})
	}
}

func matches(argv []word.Arg, want []string) bool {
	if len(argv) != len(want) {
		return false
	}
	for i, a := range argv {
		if a.Text != want[i] && want[i] != "*" {
			return false
		}
	}
	return true
}

// TestWalk has functions that call themselves: harmless ones end in no limit.
func TestWalk(t *testing.T) {
	for _, text := range []string{
		`walk(){ for f in "$1"/*; do [ -d "$f" ] && walk "$f"; done; }; walk .`,
		`walk(){ for f in "$1"/*; do if [ -d "$f" ]; then walk "$f"; else echo "$f"; fi; done; }; walk "$HOME"; walk "$1"`,
		`fact() { if [ $1 -le 1 ]; then echo 1; else echo $(( $1 * $(fact $(($1-1))) )); fi; }; fact 9`,
		`retry() { "$@" || { sleep 1; retry "$@"; }; }; retry make test`,
		`up() { [ -e "$1/.git" ] && echo "$1" && return; up "$(dirname "$1")"; }; up "$PWD"`,
	} {
		if r := Parse(text, Options{Dir: "/w", Home: "/w"}); len(r.Unsure) > 0 {
			t.Errorf("%s: %v", text, r.Unsure)
		}
	}
}

// TestPatternStays has paths that a pattern stands for: they are any number within quotes, too.
func TestPatternStays(t *testing.T) {
	for _, text := range []string{`for f in *.o; do rm "$f"; done`, `f() { rm "$1"; }; f *.o`, `f() { rm "$@"; }; f *.o`, `for f in *.o; do g=$f; rm "$g"; done`} {
		r := Parse(text, Options{Dir: "/w", Home: "/w"})
		found := false
		for _, c := range r.Commands {
			if c.Name() == "rm" {
				found = true
				if a := c.Argv[1]; a.Text != "*.o" || !a.Glob {
					t.Errorf("%s: %+v", text, a)
				}
			}
		}
		if !found {
			t.Errorf("%s: no rm", text)
		}
	}
}
