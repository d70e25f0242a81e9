//go:build unix

package shellcmd

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// rarer are disguises of a word that need more text around.
func (g *generator) rarer(w string) string {
	n := g.name()
	ascii, simple := isASCII(w), plainWord(w) && w != "-"
	switch g.IntN(38) {
	case 0:
		g.add("%s=", n)
		g.add("for c in %s; do %s=\"$%s$c\"; done", chars(w), n, n)
		return `"$` + n + `"`
	case 1:
		if g.bashy() && ascii {
			m := g.name()
			g.add("%s=%s; %s=; for ((i=0; i<%d; i++)); do %s+=\"${%s:$i:1}\"; done", m, quote(w), n, len(w), n, m)
			return `"$` + n + `"`
		}
	case 2:
		if ascii && g.shell == "bash" {
			return `"$(echo -e '` + hexed(w, `\x`) + `')"`
		}
	case 3:
		if ascii && g.shell == "bash" {
			return `"$(printf '%b' '` + hexed(w, `\x`) + `')"`
		}
	case 4:
		return `"$(echo ` + hex.EncodeToString([]byte(w)) + ` | xxd -r -p 2>/dev/null || printf %s ` + quote(w) + `)"`
	case 5:
		if g.shell == "bash" {
			m := g.name()
			g.add("%s=%s; declare -n %s=%s", m, quote(w), n, m)
			return `"$` + n + `"`
		}
	case 6:
		if g.shell == "bash" {
			g.add("%s=(a b %s)", n, quote(w))
			return g.pick(`"${`+n+`[-1]}"`, `"${`+n+`[2]}"`, `"${`+n+`[@]:2:1}"`, `"${`+n+`[*]:2}"`, `"${`+n+`[1+1]}"`)
		}
	case 7:
		g.add("read -r %s %s <<'E'\nskip %s\nE", g.name(), n, w)
		if simple {
			return `"$` + n + `"`
		}
	case 8:
		if g.shell == "bash" {
			g.add("mapfile -t %s <<'E'\nx\n%s\nE", n, w)
			return `"${` + n + `[1]}"`
		}
	case 9:
		if simple {
			return `"$(printf 'a\n` + w + `\n' | ` + g.pick("tail -n 1", "tail -1", "sed -n 2p", "tac | head -n 1", "grep -v '^a$'") + `)"`
		}
	case 10:
		if simple {
			return `"$(echo a ` + w + ` c | ` + g.pick("awk '{print $2}'", "cut -d' ' -f2") + `)"`
		}
	case 11:
		g.add("%s() { local %s; %s=%s; printf '%%s' \"$%s\"; }", n, n+"l", n+"l", quote(w), n+"l")
		return `"$(` + n + `)"`
	case 12:
		g.add("%s() { printf '%%s' \"$2\"; }", n)
		return `"$(` + n + ` x ` + quote(w) + `)"`
	case 13:
		g.add("set -- %s %s", quote(w), "b")
		g.add("%s=$1; shift", n)
		return `"$` + n + `"`
	case 14:
		if g.shell == "bash" {
			g.add("%s=%s", n, quote(w+"xyz"))
			return `"${` + n + `:0:-3}"`
		}
	case 15:
		if g.bashy() {
			g.add("%s=%s", n, quote("xyz"+w))
			return `"${` + n + `/#xyz/}"`
		}
	case 16:
		g.add("printf '%%s' %s >%s.txt", quote(w), n)
		return g.pick(`"$(cat `+n+`.txt)"`, `"$(cat <`+n+`.txt)"`, `"$(cat ./`+n+`.txt)"`)
	case 17:
		if g.bashy() {
			g.add("printf '%%s' %s >%s.txt", quote(w), n)
			return `"$(<` + n + `.txt)"`
		}
	case 18:
		if simple {
			return `"$(echo ` + base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(w)))) + ` | base64 -d | base64 --decode)"`
		}
	case 19:
		if simple && strings.ToLower(w) == w {
			return `"$(echo ` + rot13(w) + ` | tr a-z n-za-m)"`
		}
	case 20:
		if simple && strings.ToLower(w) == w {
			return `"$(echo ` + strings.ToUpper(w) + ` | tr '[:upper:]' '[:lower:]')"`
		}
	case 21:
		g.add("eval %s", quote(n+"="+quote(w)))
		return `"$` + n + `"`
	case 22:
		g.add("eval \"%s=\\$(printf %%s %s)\"", n, quote(w))
		if simple {
			return `"$` + n + `"`
		}
	case 23:
		g.add("while IFS= read -r %s; do break; done <<'E'\n%s\nother\nE", n, w)
		return `"$` + n + `"`
	case 24:
		g.add("false || %s=%s", n, quote(w))
		return `"$` + n + `"`
	case 25:
		g.add("{ %s=%s; } 2>/dev/null", n, quote(w))
		return `"$` + n + `"`
	case 26:
		g.add("%s=one; [ -d /nowhere ] && %s=two; [ $%s = one ] && %s=%s", n, n, n, n, quote(w))
		return `"$` + n + `"`
	case 27:
		if g.bashy() {
			g.add("[[ abc == a* ]] && %s=%s", n, quote(w))
			return `"$` + n + `"`
		}
	case 28:
		if g.shell == "bash" {
			g.add("%s=%s; export %s", n, quote(w), n)
			return `"$(bash -c 'printf %s "$` + n + `"')"`
		}
	case 29:
		return `"$(sh -c 'printf %s "$1"' _ ` + quote(w) + `)"`
	case 30:
		return `"$({ printf '%s' ` + quote(w) + `; } | cat)"`
	case 31:
		if g.shell == "bash" {
			g.add("case x in x) %s=a ;& y) %s=%s ;; esac", n, n, quote(w))
			return `"$` + n + `"`
		}
	case 32:
		g.add("%s=$(if [ 1 = 2 ]; then echo no; else printf '%%s' %s; fi)", n, quote(w))
		return `"$` + n + `"`
	case 34:
		return `"$(if ` + g.unknown() + `; then echo no; else printf '%s' ` + quote(w) + `; fi)"`
	case 35:
		g.add("if %s; then %s=no; else %s=%s; fi", g.unknown(), n, n, quote(w))
		return `"$` + n + `"`
	case 36:
		return `"$(` + g.unknown() + ` || printf '%s' ` + quote(w) + `)"`
	case 37:
		g.add("%s=no; ! %s && %s=%s", n, g.unknown(), n, quote(w))
		return `"$` + n + `"`
	case 33:
		g.add("%s=$(for i in 1 2; do [ $i = 2 ] && printf '%%s' %s; done)", n, quote(w))
		return `"$` + n + `"`
	}
	return quote(w)
}

// unknown fails, which only a run tells.
func (g *generator) unknown() string {
	return g.pick("[ -d /nowhere ]", "grep -q x /dev/null", "test -f /nowhere", "ls /nowhere >/dev/null 2>&1", "[ \"$HOME\" = /nowhere ]", "cmp -s /dev/null /etc/passwd")
}

func chars(w string) string {
	var out []string
	for _, r := range w {
		out = append(out, quote(string(r)))
	}
	return strings.Join(out, " ")
}

func hexed(w, before string) string {
	var b strings.Builder
	for i := 0; i < len(w); i++ {
		fmt.Fprintf(&b, "%s%02x", before, w[i])
	}
	return b.String()
}

func rot13(w string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return 'a' + (r-'a'+13)%26
		}
		return r
	}, w)
}

// rarerAround are constructs that are met less often.
func (g *generator) rarerAround(s string) string {
	n := g.name()
	lines := strings.Contains(s, "\n")
	switch g.IntN(34) {
	case 0:
		if lines {
			break
		}
		return "{ read -r " + n + "; eval \"$" + n + "\"; } <<'EOS" + n + "'\neval " + strings.ReplaceAll(quote(s), "\n", ";") + "\nEOS" + n
	case 1:
		if !lines {
			return "printf '%s\\n' " + quote(s) + " | xargs -I{} " + g.shell + " -c '{}'"
		}
	case 2:
		return "find . -maxdepth 0 -exec " + g.shell + " -c " + quote(s) + " \\;"
	case 3:
		return n + "() { for a; do eval \"$a\"; done; }\n" + n + " : " + quote(s)
	case 4:
		return n + "() { shift; eval \"$*\"; }\n" + n + " x " + quote(s)
	case 5:
		return n + "() { eval \"${1}\"; }; " + n + " " + quote(s)
	case 6:
		if g.shell == "bash" {
			return n + "() { " + s + "\n}; export -f " + n + "; bash -c " + n
		}
	case 7:
		return "exec 2>/dev/null\n" + s
	case 8:
		return g.sh() + " <<EOS" + n + "\n" + strings.NewReplacer("\\", "\\\\", "$", "\\$", "`", "\\`").Replace(s) + "\nEOS" + n
	case 9:
		return g.sh() + " -c 'eval \"$1\"' _ " + quote(s)
	case 10:
		return n + "=" + quote(s) + "\nexport " + n + "\n" + g.sh() + " -c 'eval \"$" + n + "\"'"
	case 11:
		return n + "=" + quote(s) + " " + g.sh() + " -c 'eval \"$" + n + "\"'"
	case 12:
		if g.shell == "bash" && !lines {
			return "mapfile -t " + n + " <<'EOS" + n + "'\n" + strings.ReplaceAll("eval "+quote(s), "\n", ";") + "\nEOS" + n + "\neval \"${" + n + "[0]}\""
		}
	case 13:
		return "if ! false; then :\n" + s + "\nelse echo canary no; fi"
	case 14:
		return "case x in y) echo canary no ;; x|z) " + s + "\n;; *) : ;; esac"
	case 15:
		return "trap ' " + strings.ReplaceAll(s, "'", `'\''`) + "' EXIT; exit 0"
	case 16:
		return "( trap " + quote(s) + " EXIT\n:\n)"
	case 17:
		return "{ { " + s + "\n} 3>&1; } 4>&1"
	case 18:
		return "echo canary x >/dev/null; " + s
	case 19:
		return ": <<'NO" + n + "'\ncanary no\nNO" + n + "\n" + s
	case 20:
		return n + "() { if [ \"$1\" = go ]; then " + s + "\nelse " + n + " go; fi; }\n" + n + " wait"
	case 21:
		return n + "() { [ $# -gt 0 ] || return 0; shift; " + n + " \"$@\"; }; " + n + " 1 2 3; " + s
	case 22:
		return strings.ReplaceAll("I=3; while [ $I -gt 0 ]; do I=$((I-1)); if [ $I = 1 ]; then ", "I", n) + s + "\nfi; done"
	case 23:
		return "for " + n + " in 1 2 3; do [ $" + n + " = 2 ] || continue; { " + s + "\n}; break; done"
	case 24:
		return "mkdir -p e; cd e && cd - >/dev/null; " + s
	case 25:
		return "cat <<'EOS" + n + "' >" + n + ".sh && " + g.sh() + " ./" + n + ".sh\n" + s + "\nEOS" + n
	case 26:
		return "printf '%s\\n' " + quote(s) + " | tee " + n + ".sh >/dev/null; " + g.sh() + " " + n + ".sh"
	case 27:
		return ": >" + n + ".sh; printf '%s\\n' " + quote(s) + " >>" + n + ".sh; . ./" + n + ".sh"
	case 28:
		return "mkdir -p d" + n + "; (cd d" + n + "; printf '%s\\n' " + quote(s) + " >f.sh); " + g.sh() + " d" + n + "/f.sh"
	case 29:
		return "{ printf '%s\\n' " + quote(s) + "; echo :; } >" + n + ".sh; mv " + n + ".sh m" + n + "; " + g.sh() + " m" + n
	case 30:
		return "env -i PATH=\"$PATH\" CANARY_LOG=\"$CANARY_LOG\" " + g.sh() + " -c " + quote(s)
	case 31:
		if g.bashy() {
			return "exec 5< <(printf '%s\\n' " + quote(s) + "); " + g.sh() + " <&5"
		}
	case 32:
		return "exec <<'EOS" + n + "'\n" + s + "\nEOS" + n + "\n" + g.sh()
	case 33:
		return n + "=$(cat <<'EOS" + n + "'\n" + s + "\nEOS" + n + "\n)\n" + g.pick("eval \"$"+n+"\"", g.sh()+" -c \"$"+n+"\"", "printf '%s\\n' \"$"+n+"\" | "+g.sh(), "echo \"$"+n+"\" >/dev/null; eval \"$"+n+"\"")
	}
	return "{ " + s + "\n} </dev/null"
}
