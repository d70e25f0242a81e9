//go:build unix

package shellcmd

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// further puts text into constructs that are met seldom, or only where somebody hides something.
func (g *generator) further(s string) string {
	switch g.IntN(5) {
	case 0:
		return g.furtherCode(s)
	case 1:
		return g.furtherInput(s)
	case 2:
		return g.furtherFile(s)
	case 3:
		return g.furtherPlace(s)
	}
	return g.furtherFlow(s)
}

// furtherCode has the text as an argument of what takes code.
func (g *generator) furtherCode(s string) string {
	n, q := g.name(), quote(s)
	sh := g.sh()
	switch g.IntN(32) {
	case 0:
		return "timeout 9 " + sh + " -c " + q
	case 1:
		return "printf '%s\\0' " + q + " | xargs -0 " + g.pick("", "-n1 ", "-I{} ") + g.shell + " -c" + g.pick("", "")
	case 2:
		return "printf '%s\\0' " + q + " | xargs -0 -I{} " + g.shell + " -c {}"
	case 3:
		return "find . -maxdepth 0 -exec " + g.shell + " -c " + q + " {} +"
	case 4:
		return "flock ./" + n + ".lock " + sh + " -c " + q
	case 5:
		return "env -u NOTHING " + sh + " -c " + q
	case 6:
		return "(exec " + sh + " -c " + q + ")"
	case 7:
		return g.pick("command ", "builtin ", "\\", "e''", "\"\"") + "eval " + q
	case 8:
		return n + "=eval; \"$" + n + "\" " + q
	case 9:
		return "eval -- " + q
	case 10:
		return sh + g.pick(" -ec ", " -e -c ", " +e -c ", " -c -- ", " -o errexit -c ") + q
	case 11:
		return "set -- " + q + "; eval \"$1\""
	case 12:
		return "set -- " + q + "; for " + n + "; do eval \"$" + n + "\"; done"
	case 13:
		return "set -- -c " + q + "; while [ $# -gt 0 ]; do case $1 in -c) shift; eval \"$1\";; esac; shift; done"
	case 14:
		return "set -- -c " + q + "; while getopts c: o; do case $o in c) eval \"$OPTARG\";; esac; done"
	case 15:
		return n + "() { \"$@\"; }; " + n + " eval " + q
	case 16:
		return n + "() { \"$@\"; }; " + n + " " + g.shell + " -c " + q
	case 17:
		return n + "() { local c=$1; shift; eval \"$c\"; }; " + n + " " + q + " a b"
	case 18:
		return sh + " -c 'eval \"$0\"' " + q
	case 19:
		return sh + " -c '" + g.shell + " -c \"$1\"' _ " + q
	case 20:
		if g.shell == "dash" {
			// They run sh.
			return n + "=" + q + " awk 'BEGIN { system(ENVIRON[\"" + n + "\"]) }'"
		}
	case 21:
		if g.shell == "dash" {
			// They run sh.
			return "perl -e 'system($ARGV[0])' " + q
		}
	case 22:
		if g.shell == "dash" {
			// They run sh.
			return "python3 -c 'import os, sys; os.system(sys.argv[1])' " + q
		}
	case 23:
		if g.shell == "bash" {
			return n + "=(" + q + "); eval \"${" + n + "[0]}\""
		}
	case 24:
		if g.shell == "bash" {
			return n + "=(eval " + q + "); \"${" + n + "[@]}\""
		}
	case 25:
		if g.shell == "bash" {
			return "trap " + q + " ERR; false; trap - ERR"
		}
	case 26:
		if g.shell == "bash" && !strings.Contains(s, "\n") {
			return "trap " + q + " DEBUG; :; trap - DEBUG"
		}
	case 27:
		return sh + " -c " + quote("trap "+q+" USR1; kill -USR1 $$; :")
	case 28:
		return "script -qec " + quote(g.shell+" -c "+q) + " /dev/null </dev/null"
	case 29:
		return "nohup " + sh + " -c " + q + " 2>/dev/null"
	case 30:
		return "setsid -w " + sh + " -c " + q
	case 31:
		return "stdbuf -o0 nice -n 5 " + sh + " -c " + q
	}
	return "eval " + q
}

// furtherInput has the text as what a shell reads, once programs have made it of something else.
func (g *generator) furtherInput(s string) string {
	n, q, sh := g.name(), quote(s), g.sh()
	lines := strings.Contains(s, "\n")
	switch g.IntN(26) {
	case 0:
		return "echo " + hex.EncodeToString([]byte(s)) + " | xxd -r -p | " + sh
	case 1:
		if !lines && isASCII(s) {
			return "printf '%s\\n' " + quote(reversed(s)) + " | rev | " + sh
		}
	case 2:
		return "printf '%s\\n' " + quote(turned(s)) + " | tr 'a-zA-Z' 'n-za-mN-ZA-M' | " + sh
	case 3:
		if g.bashy() {
			return "base64 -d <<< " + base64.StdEncoding.EncodeToString([]byte(s)) + " | " + sh
		}
	case 4:
		if g.bashy() {
			return sh + " <<< \"$(base64 -d <<< " + base64.StdEncoding.EncodeToString([]byte(s)) + ")\""
		}
	case 5:
		return "printf '%s\\n' junk " + q + " | " + g.pick("sed 1d", "tail -n +2", "grep -v '^junk$'", "awk 'NR > 1'") + " | " + sh
	case 6:
		return "printf '%s\\n' " + quote("xx"+strings.ReplaceAll(s, "\n", "\nxx")) + " | " + g.pick("cut -c3-", "sed 's/^xx//'", "sed -e 's/..//'") + " | " + sh
	case 7:
		return sh + " 3<<'E" + n + "' /dev/fd/3\n" + s + "\nE" + n
	case 8:
		return ". /dev/fd/3 3<<'E" + n + "'\n" + s + "\nE" + n
	case 9:
		return "exec 3<<'E" + n + "'\n" + s + "\nE" + n + "\n" + sh + " <&3"
	case 10:
		return "exec 3<<'E" + n + "'\n" + s + "\nE" + n + "\n" + g.pick("cat <&3 | "+sh, "eval \"$(cat <&3)\"", ". /dev/fd/3")
	case 11:
		return "{ printf '%s\\n' " + q + " >&3; } 3>&1 | " + sh
	case 12:
		return "cat <<A" + n + " <<'B" + n + "' | " + sh + "\ncanary no\nA" + n + "\n" + s + "\nB" + n
	case 13:
		if !strings.Contains(s, "\t") {
			return sh + " <<-'E" + n + "'\n\t" + strings.ReplaceAll(s, "\n", "\n\t") + "\n\tE" + n
		}
	case 14:
		return sh + " -s a b <<\\E" + n + "\n" + s + "\nE" + n
	case 15:
		return "eval \"$(cat)\" <<\"E" + n + "\"\n" + s + "\nE" + n
	case 16:
		return sh + " -c \"$(cat)\" <<'E" + n + "'\n" + s + "\nE" + n
	case 17:
		return sh + " -c '. /dev/stdin' <<'E" + n + "'\n" + s + "\nE" + n
	case 18:
		return "{ cat; echo :; } <<'E" + n + "' | { " + sh + "; }\n" + s + "\nE" + n
	case 19:
		if g.bashy() {
			return sh + " < <(printf '%s\\n' " + q + ")"
		}
	case 20:
		if g.shell == "bash" {
			return "mapfile " + n + " <<'E" + n + "'\n" + s + "\nE" + n + "\nIFS=; eval \"${" + n + "[*]}\""
		}
	case 21:
		if g.shell == "bash" {
			return "IFS= read -r -d '' " + n + " <<'E" + n + "'\n" + s + "\nE" + n + "\neval \"$" + n + "\""
		}
	case 22:
		if !lines {
			return "printf '%s\\n' " + q + " | { IFS= read -r " + n + "; eval \"$" + n + "\"; }"
		}
	case 23:
		return "printf '%s\\n' " + q + " | if true; then " + sh + "; fi"
	case 24:
		return "printf '%s\\n' " + q + " | (cat | " + sh + ")"
	case 25:
		return "while :; do printf '%s\\n' " + q + "; break; done | " + sh
	}
	return "printf '%s\\n' " + q + " | " + sh
}

func reversed(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

func turned(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

// furtherFile has the text in a file that is then run.
func (g *generator) furtherFile(s string) string {
	n, q, sh := g.name(), quote(s), g.sh()
	f := n + ".sh"
	write := "printf '%s\\n' " + q + " >" + f + "\n"
	switch g.IntN(24) {
	case 0:
		return write + "while IFS= read -r l; do eval \"$l\"; done <" + f
	case 1:
		return write + "<" + f + " " + sh
	case 2:
		return write + "exec <" + f + "; " + sh
	case 3:
		return write + sh + " -- " + f
	case 4:
		return write + "ln -s " + f + " l" + n + "; " + sh + " l" + n
	case 5:
		return write + "mkdir " + n + "d; cd " + n + "d; " + sh + " ../" + f
	case 6:
		return write + "mkdir " + n + "d; cp " + f + " " + n + "d/; " + sh + " " + n + "d/" + f
	case 7:
		return write + sh + " \"$PWD/" + f + "\""
	case 8:
		return write + sh + " \"$(pwd)/" + f + "\""
	case 9:
		return "exec 3>" + f + "; printf '%s\\n' " + q + " >&3; exec 3>&-; " + sh + " " + f
	case 10:
		return "printf '%s\\n' " + q + " | dd of=" + f + " 2>/dev/null; " + sh + " " + f
	case 11:
		return "cat <<'E" + n + "' | tee -a " + f + " >/dev/null\n" + s + "\nE" + n + "\n. ./" + f
	case 12:
		return write + n + "=" + f + "; . \"./$" + n + "\""
	case 13:
		return write + "for f in ./" + n + ".*; do " + sh + " \"$f\"; done"
	case 14:
		return write + sh + " ./" + n + ".*"
	case 15:
		return "printf '#!/usr/bin/env " + g.shell + "\\n%s\\n' " + q + " >" + n + "; chmod 755 " + n + "; PATH=.:$PATH; " + n
	case 16:
		return "printf '#!/usr/bin/env " + g.shell + "\\n%s\\n' " + q + " >" + n + "; chmod 755 " + n + "; PATH=$PWD:$PATH " + n
	case 17:
		if g.shell == "bash" {
			return "printf 'unset BASH_ENV\n%s\n' " + q + " >" + f + "\nBASH_ENV=./" + f + " bash -c :"
		}
	case 18:
		return write + n + "() { . ./\"$1\"; }; " + n + " " + f
	case 19:
		return write + "find . -name '" + n + ".*' -exec " + g.shell + " {} \\;"
	case 20:
		return write + "ls " + n + ".* | xargs -n1 " + g.shell
	case 21:
		return write + "cat ./" + n + ".* | " + sh
	case 22:
		return "t=$(mktemp ./XXXXXX); printf '%s\\n' " + q + " >\"$t\"; " + sh + " \"$t\""
	case 23:
		return "d=$(mktemp -d ./XXXXXX); printf '%s\\n' " + q + " >\"$d/x.sh\"; . \"$d/x.sh\""
	}
	return write + ". ./" + f
}

// furtherPlace has the text in a substitution where one is seldom.
func (g *generator) furtherPlace(s string) string {
	n := g.name()
	in := "$( { " + s + "\n} >/dev/null 2>&1\necho 0)"
	if strings.Contains(s, "<<") && g.shell == "bash" {
		// bash 5.2 reads quotes behind a here-document wrongly there.
		return "{ " + s + "\n} >/dev/null"
	}
	switch g.IntN(24) {
	case 0:
		return ": >\"" + in + "\""
	case 1:
		if g.bashy() {
			return n + "=(1); : \"${" + n + "[" + in + "]}\""
		}
	case 2:
		if g.bashy() {
			return n + "[1+" + in + "]=2"
		}
	case 3:
		if g.bashy() {
			return "for ((i=" + in + "; i<1; i++)); do :; done"
		}
	case 4:
		if g.bashy() {
			return n + "=abc; : \"${" + n + ":" + in + "}\""
		}
	case 5:
		if g.bashy() {
			return n + "=abc; : \"${" + n + "/" + in + "/x}\""
		}
	case 6:
		return n + "=abc; : \"${" + n + "#" + in + "}\""
	case 7:
		return n + "() { local y=" + in + "; }; " + n
	case 8:
		return n + "() { return " + in + "; }; " + n
	case 9:
		return "(exit " + in + ")"
	case 10:
		return "case 0 in " + in + ") : ;; esac"
	case 11:
		if g.bashy() {
			return "cat < <(" + s + "\n) >/dev/null"
		}
	case 12:
		if g.bashy() {
			return "echo x > >( cat >/dev/null; " + s + "\n); sleep 0.05"
		}
	case 13:
		if g.bashy() {
			return "cat <<< \"" + in + "\" >/dev/null"
		}
	case 14:
		if g.shell == "bash" {
			return n + "=([0]=" + in + ")"
		}
	case 15:
		if g.bashy() {
			return n + "+=(" + in + ")"
		}
	case 16:
		return "[ " + in + " = 0 ] && :"
	case 17:
		return "readonly " + n + "=" + in
	case 18:
		return n + "=" + in + " true"
	case 19:
		return "set -- " + in + "; shift"
	case 20:
		if g.bashy() {
			return "(( " + in + " + 1 ))"
		}
	case 21:
		if g.bashy() {
			return "[[ " + in + " -eq 0 ]]"
		}
	case 22:
		return "cd \"./" + in + "\" 2>/dev/null"
	case 23:
		return ": \"${" + n + "-" + in + "}\""
	}
	return n + "=" + in
}

// furtherFlow has the text in functions, loops and conditions of a less usual form.
func (g *generator) furtherFlow(s string) string {
	n := g.name()
	body := "{ " + s + "\n}"
	switch g.IntN(34) {
	case 0:
		return "if " + body + "; then :; fi"
	case 1:
		return "while { " + s + "\nfalse; }; do :; done"
	case 2:
		return "until { " + s + "\n:; }; do :; done"
	case 3:
		return n + "() { " + n + "b() { " + s + "\n}; " + n + "b; }; " + n
	case 4:
		return n + "() { " + s + "\n} 2>/dev/null; " + n
	case 5:
		return n + "() if true; then " + s + "\nfi; " + n
	case 6:
		return n + "() { :; }; " + n + "() { " + s + "\n}; " + n
	case 7:
		if !strings.Contains(s, "cd ") {
			return "cd() { " + s + "\n}; cd ."
		}
	case 8:
		if g.shell == "bash" {
			return "function " + n + "-x { " + s + "\n}; " + n + "-x"
		}
	case 9:
		if g.shell == "bash" {
			return "command_not_found_handle() { " + s + "\n}; no-such-" + n
		}
	case 10:
		if g.bashy() {
			return "select " + n + " in 1; do " + s + "\nbreak; done 2>/dev/null <<< 1"
		}
	case 11:
		if g.shell == "bash" {
			return "case x in x) ;;& y) echo canary no ;; *) " + s + "\n;; esac"
		}
	case 12:
		if g.bashy() {
			return "case x in x) : ;& y) " + s + "\n;; esac"
		}
	case 13:
		if g.bashy() {
			return body + " |& cat"
		}
	case 14:
		return "! " + body
	case 15:
		return "( " + s + "\n) & wait $!"
	case 16:
		return "{ sleep 0; " + s + "\n} & wait"
	case 17:
		if g.shell == "bash" {
			return "coproc C" + n + " { " + s + "\n}; wait"
		}
	case 18:
		return n + "=1; while true; do case $" + n + " in 1) " + n + "=2; continue;; 2) " + s + "\nbreak;; esac; done"
	case 19:
		return "for " + n + " in a b; do for " + n + "b in c d; do [ $" + n + " = a ] && continue 2; " + s + "\nbreak 2; done; done"
	case 20:
		return n + "() { " + n + "b || return 1; " + s + "\n}; " + n + "b() { return 0; }; " + n
	case 21:
		return n + "() { case $1 in start) shift; " + n + " run \"$@\";; run) " + s + "\n;; esac; }; " + n + " start a"
	case 22:
		return n + "() { [ \"$1\" -le 0 ] && return; " + n + " $(($1-1)); }; " + n + " 3; " + s
	case 23:
		return n + "() { if [ \"$1\" -gt 0 ]; then " + n + " $(($1-1)); else " + s + "\nfi; }; " + n + " 3"
	case 24:
		return n + "() { " + s + "\n}; " + n + "b=" + n + "; \"$" + n + "b\""
	case 25:
		return n + "() { " + s + "\n}; eval " + n
	case 26:
		return n + "() { " + s + "\n}; { " + n + "; } | cat"
	case 27:
		return n + "() { " + s + "\n}; true | " + n
	case 28:
		return n + "() { " + s + "\n}; x=$(" + n + ")"
	case 29:
		return n + "() { " + s + "\n}; trap " + n + " EXIT"
	case 30:
		if g.shell == "bash" && !strings.Contains(s, "\n") {
			return "shopt -s expand_aliases\nalias " + n + "=" + quote(s) + " " + n + "b='" + n + "'\n" + n + "b"
		}
	case 31:
		return "IFS=x; " + s
	case 32:
		return "set -f -u; set +u; " + s
	case 33:
		return "\\\n" + s
	}
	return body
}
