//go:build unix

package shellcmd

import (
	"encoding/base64"
	"strings"
)

// around puts text into a construct that runs it.
func (g *generator) around(s string) string {
	s = strings.ReplaceAll(s, "$(\x00", "$(echo ")
	if strings.Contains(s, "`\x00") {
		i := strings.Index(s, "`\x00")
		s = s[:i] + "`echo " + s[i+2:] + "`"
	}
	if strings.Contains(s, "$(echo ") && strings.Count(s, "$(") > strings.Count(s, ")") {
		s += ")"
	}
	switch g.IntN(10) {
	case 7, 8, 9:
		return g.further(s)
	case 5, 6:
		return g.rarerAround(s)
	case 0, 1:
		return g.compound(s)
	case 2:
		return g.asCode(s)
	case 3:
		return g.asInput(s)
	}
	return g.other(s)
}

func (g *generator) compound(s string) string {
	n := g.name()
	switch g.IntN(24) {
	case 0:
		return "{ " + s + "\n}"
	case 1:
		return "( " + s + "\n)"
	case 2:
		return "if " + g.cond() + "; then " + s + "\nfi"
	case 3:
		return "if ! " + strings.TrimPrefix(g.cond(), "! ") + "; then echo no; else " + s + "\nfi"
	case 4:
		return "while :; do " + s + "\nbreak; done"
	case 5:
		return "for " + n + " in " + g.pick("1", "a b", "\"$HOME\"", "*", "$(echo 1 2)") + "; do " + s + "\ndone"
	case 6:
		return "case " + g.pick("abc", "\"$HOME\"", "a") + " in " + g.pick("*", "a*|/*", "[!z]*") + ") " + s + "\n;; esac"
	case 7:
		return n + "() { " + s + "\n}\n" + n + g.pick("", " x y", " \"$HOME\"")
	case 8:
		return n + "() ( " + s + "\n)\n" + n
	case 9:
		return "{ " + s + "\n} &\nwait"
	case 10:
		return g.cond() + " && { " + s + "\n}"
	case 11:
		return "false || { " + s + "\n}"
	case 12:
		return "until " + n + "=done; [ -n \"$" + n + "\" ]; do :; done; { " + s + "\n}"
	case 13:
		if g.bashy() {
			return strings.ReplaceAll("for ((I=0; I<"+g.pick("1", "2")+"; I++)); do ", "I", n) + s + "\ndone"
		}
	case 14:
		if g.bashy() {
			return "function " + n + " { " + s + "\n}\n" + n
		}
	case 15:
		if g.bashy() {
			return "[[ -n x ]] && { " + s + "\n}"
		}
	case 16:
		return "if false; then :; elif " + g.cond() + "; then " + s + "\nfi"
	case 17:
		return "{ " + s + "\n} | cat"
	case 18:
		return "echo in | { " + s + "\n}"
	case 19:
		return "cd . && { " + s + "\n}; cd ."
	case 20:
		if g.shell == "bash" {
			return "coproc { " + s + "\n}\nwait"
		}
	case 21:
		if g.bashy() {
			return "time { " + s + "\n}"
		}
	case 22:
		return n + "=0; while [ $" + n + " -lt 2 ]; do " + n + "=$((" + n + "+1)); " + s + "\ndone"
	case 23:
		if g.bashy() {
			return "(( 1 + 1 == 2 )) && { " + s + "\n}"
		}
	}
	return "{ " + s + "\n} >/dev/null"
}

func (g *generator) cond() string {
	return g.pick("true", ":", "[ 1 = 1 ]", "test -d /", "[ -n \"$HOME\" ]", "echo x >/dev/null", "! false", "[ 2 -gt 1 ]", "true | true", "(exit 0)")
}

// asCode has the text as an argument that is code.
func (g *generator) asCode(s string) string {
	n := g.name()
	switch g.IntN(16) {
	case 0:
		return "eval " + quote(s)
	case 1:
		return "eval " + dquote(s)
	case 2:
		return g.sh() + " -c " + quote(s)
	case 3:
		return g.sh() + " -c " + dquote(s)
	case 4:
		return n + "=" + quote(s) + "; eval \"$" + n + "\""
	case 5:
		return n + "=" + quote(s) + "; " + g.sh() + " -c \"$" + n + "\""
	case 6:
		return "trap " + quote(s) + " EXIT"
	case 7:
		return "eval \"$(cat <<'EOS" + n + "'\n" + s + "\nEOS" + n + "\n)\""
	case 8:
		return "eval \"$(printf '%s' " + quote(s) + ")\""
	case 9:
		return "eval \"$(echo " + base64.StdEncoding.EncodeToString([]byte(s)) + " | base64 -d)\""
	case 10:
		return g.sh() + " -c \"$(printf '%s\\n' " + quote(s) + ")\" name arg"
	case 11:
		return "env A=1 " + g.sh() + " -c " + quote(s)
	case 12:
		return "printf '%s\\n' " + quote("#!/usr/bin/env "+g.shell+"\n"+s) + " >" + n + ".sh; " + g.pick(g.sh()+" "+n+".sh", ". ./"+n+".sh", "chmod +x "+n+".sh; ./"+n+".sh", "cp "+n+".sh w"+n+"; "+g.sh()+" w"+n, g.sh()+" <"+n+".sh", "cat "+n+".sh | "+g.sh(), "eval \"$(cat "+n+".sh)\"")
	case 13:
		return "cat >" + n + ".sh <<'EOS" + n + "'\n" + s + "\nEOS" + n + "\n" + g.sh() + g.pick(" -e ", " ") + n + ".sh"
	case 14:
		return "nice " + g.sh() + " -c " + quote(s)
	}
	return "eval eval " + quote(quote(s))
}

func (g *generator) sh() string {
	if g.shell == "zsh" {
		return g.pick("zsh", "zsh -f")
	}
	return g.pick(g.shell, g.shell, "/usr/bin/env "+g.shell, "command "+g.shell)
}

// asInput has the text as a shell's input.
func (g *generator) asInput(s string) string {
	n := g.name()
	switch g.IntN(15) {
	case 0:
		return "printf '%s\\n' " + quote(s) + " | " + g.sh()
	case 1:
		return g.sh() + " <<'EOS" + n + "'\n" + s + "\nEOS" + n
	case 2:
		if g.bashy() {
			return g.sh() + " <<< " + quote(s)
		}
	case 3:
		if g.bashy() {
			return g.sh() + " <(printf '%s\\n' " + quote(s) + ")"
		}
	case 4:
		if g.bashy() {
			return ". <(printf '%s\\n' " + quote(s) + ")"
		}
	case 5:
		return "echo " + base64.StdEncoding.EncodeToString([]byte(s)) + " | base64 -d | " + g.sh() + g.pick("", " -s a b", " -")
	case 6:
		return "{ printf '%s\\n' " + quote(s) + "\n} | " + g.sh()
	case 7:
		return "cat <<'EOS" + n + "' | " + g.sh() + "\n" + s + "\nEOS" + n
	case 8:
		if !strings.Contains(s, "\n") {
			return "while IFS= read -r " + n + "; do eval \"$" + n + "\"; done <<'EOS" + n + "'\n" + s + "\nEOS" + n
		}
	case 9:
		if !strings.Contains(s, "\n") {
			return "printf '%s\\n' " + quote(s) + " | while IFS= read -r " + n + "; do eval \"$" + n + "\"; done"
		}
	case 10:
		return ". /dev/stdin <<'EOS" + n + "'\n" + s + "\nEOS" + n
	case 11:
		if g.bashy() {
			return "printf '%s\\n' " + quote(s) + " | tee >(" + g.sh() + ") >/dev/null"
		}
	case 12:
		return "(echo true; printf '%s\\n' " + quote(s) + ") | cat | " + g.sh()
	case 13:
		if g.bashy() {
			return "printf '%s\\n' " + quote(s) + " > >(" + g.sh() + ")"
		}
	case 14:
		return "if " + g.pick("! ", "") + g.unknown() + "; then printf '%s\\n' " + quote(s) + "; else printf '%s\\n' " + quote(s+"\n:") + "; fi | " + g.sh()
	}
	return n + "() { cat; }; printf '%s\\n' " + quote(s) + " | " + n + " | " + g.sh()
}

// other has the text where something else is wanted of it.
func (g *generator) other(s string) string {
	n := g.name()
	switch g.IntN(16) {
	case 0:
		return n + "=$( " + s + "\n)"
	case 1:
		return "echo \"$( " + s + "\n)\" >/dev/null"
	case 2:
		if strings.Contains(s, "<<") {
			// bash 5.2 reads quotes behind a here-document wrongly there.
			break
		}
		return ": ${" + n + ":=$( " + s + "\n)}"
	case 3:
		return "export " + n + "=\"$( " + s + "\n)\""
	case 4:
		if g.bashy() {
			return "cat <(" + s + "\n) >/dev/null"
		}
	case 5:
		if g.bashy() {
			return "[[ -z $( " + s + "\n) ]]"
		}
	case 6:
		return "cat <<EOS" + n + " >/dev/null\n$( " + s + "\n)\nEOS" + n
	case 7:
		if strings.Contains(s, "<<") {
			break
		}
		return "case $( " + s + "\n) in *) :;; esac"
	case 8:
		return "for " + n + " in $( " + s + "\n) x; do :; done"
	case 9:
		return "true \"`" + strings.NewReplacer("\\", "\\\\", "`", "\\`", "$", "\\$", "\"", "\\\"").Replace(s) + "\n`\""
	case 10:
		return "mkdir -p d; (cd d && { " + s + "\n})"
	case 11:
		return "if [ -z \"$( " + s + "\n)\" ]; then :; fi"
	case 12:
		if strings.Contains(s, "<<") {
			break
		}
		return "echo $((0 + $( { " + s + "\n} >/dev/null 2>&1\necho 1))) >/dev/null"
	case 13:
		if g.shell == "bash" && !strings.Contains(s, "\n") {
			return "shopt -s expand_aliases\nalias " + n + "=" + quote(s) + "\n" + n
		}
	case 14:
		return n + "=$(printf '%s' " + quote(s) + "); " + g.sh() + " -c \"$" + n + "\""
	case 15:
		return "set -e; { " + s + "\n} || :"
	}
	return "{ " + s + "\n} 2>/dev/null"
}
