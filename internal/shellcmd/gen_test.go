//go:build unix

package shellcmd

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator makes shell text around a harmless program. Text is made from the inside out: a command that runs it, disguised word by
// word, within constructs that run it, or within ones to which it is only data.
type generator struct {
	*rand.Rand
	shell string
	n     int
	// before are statements that must come before the one at hand.
	before []string
	// data says that nothing of the text may run the program.
	data bool
}

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g *generator) name() string {
	g.n++
	return fmt.Sprintf("v%d", g.n)
}

func (g *generator) add(format string, args ...any) {
	g.before = append(g.before, fmt.Sprintf(format, args...))
}

// bashy tells whether the shell has what bash and zsh have and dash has not.
func (g *generator) bashy() bool { return g.shell != "dash" }

// text is one case.
func (g *generator) text() string {
	s := g.statement()
	for range 1 + g.IntN(4) {
		s = g.around(s)
	}
	if g.chance(20) {
		s = g.pick("# canary comment\n", "true\n", ": canary not\n", "echo canary text\n", "\n\n", "x=canary\n") + s
	}
	if g.chance(20) {
		s += g.pick("\n# canary c", "\ntrue", "\n:", "\necho 'canary d'", "\n: # canary e")
	}
	return s
}

func (g *generator) args() []string {
	var out []string
	for range g.IntN(4) {
		if g.shell != "zsh" && g.chance(3) {
			// In zsh {z} before a redirection names a variable.
			out = append(out, "{z}")
			continue
		}
		out = append(out, g.pick("a", "b1", "c d", "-rf", "/", "x=1", "é", "it's", "a;b", "$x", "q\"q", "tab\tx", "-", "A*B", "~", "#h", "e\\f", "%s", "!", "a,b", "=w", "日本", "a\rb", "{a,b}", "$(x)", "`y`", "*", "&&"))
	}
	return out
}

// statement runs the program, with its name and its arguments disguised.
func (g *generator) statement() string {
	g.before = nil
	words := append([]string{"canary"}, g.args()...)
	var s string
	switch g.IntN(14) {
	case 0:
		s = g.braceList(words)
	case 1:
		s = g.listed(words)
	case 2:
		s = g.split(words)
	case 3:
		s = g.run(words)
	default:
		s = g.disguised(words)
	}
	if g.data {
		return g.asData(words)
	}
	if g.chance(8) {
		s = g.pick("X=1 ", "! ", "command ", "exec ", "FOO='canary z' ", "time ", ">/dev/null ", "2>&1 ", "env ", "nice ", "nohup ", "timeout 9 ", "builtin command ", "\\command ", "env A=1 ", "setsid -w ", "exec -a x ") + s
		if g.shell == "dash" && strings.HasPrefix(s, "exec -a") {
			s = strings.TrimPrefix(s, "exec -a x ")
		}
	}
	if g.chance(10) {
		s += g.pick(" >/dev/null", " 2>/dev/null", " </dev/null", " >out.txt", " >>out.txt 2>&1", " 3>&1")
	}
	return strings.Join(append(g.before, s), g.pick("; ", "\n"))
}

func (g *generator) disguised(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = g.disguise(w, 0)
	}
	return strings.Join(out, g.pick(" ", " ", "  ", "\t", " \\\n "))
}

func (g *generator) braceList(words []string) string {
	for _, w := range words {
		if strings.ContainsAny(w, "{},~#=") {
			return g.disguised(words)
		}
	}
	if len(words) < 2 || !g.bashy() {
		return g.disguised(words)
	}
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = g.disguise(w, 1)
		if strings.ContainsAny(out[i], "{}, \t\n`") {
			out[i] = quote(w)
		}
	}
	return "{" + strings.Join(out, ",") + "}"
}

// listed runs words that are a list: arguments, an array.
func (g *generator) listed(words []string) string {
	q := make([]string, len(words))
	for i, w := range words {
		q[i] = quote(w)
	}
	n := g.name()
	switch g.IntN(6) {
	case 0:
		g.add("set -- %s", strings.Join(q, " "))
		return g.pick(`"$@"`, `"${@}"`)
	case 1:
		if g.bashy() {
			g.add("%s=(%s)", n, strings.Join(q, " "))
			return `"${` + n + `[@]}"`
		}
	case 2:
		return n + `() { "$@"` + g.pick("; }", "\n}") + "; " + n + " " + strings.Join(q, " ")
	case 3:
		if g.bashy() {
			g.add("%s=()", n)
			for _, w := range q {
				g.add("%s+=(%s)", n, w)
			}
			return `"${` + n + `[@]}"`
		}
	case 4:
		g.add("set -- x y %s; shift 2", strings.Join(q, " "))
		return `"$@"`
	}
	return n + `() { shift; "$@"; }; ` + n + " z " + strings.Join(q, " ")
}

// split runs words that come out of one text by splitting.
func (g *generator) split(words []string) string {
	for _, w := range words {
		if strings.ContainsAny(w, " \t*?[~:,'\"\\$%") {
			return g.disguised(words)
		}
	}
	n := g.name()
	switch g.IntN(6) {
	case 0:
		if g.shell != "zsh" {
			g.add("%s=%s", n, quote(strings.Join(words, " ")))
			return "$" + n
		}
	case 1:
		return g.pick("$(", "`") + "\x00" + strings.Join(words, " ")
	case 2:
		if g.shell != "zsh" {
			return strings.Join(words, g.pick("$IFS", "${IFS}"))
		}
	case 3:
		if g.shell != "zsh" {
			g.add("IFS=:; %s=%s", n, quote(strings.Join(words, ":")))
			return "$" + n + g.pick("", "; IFS=' '", "; unset IFS")
		}
	case 4:
		if g.shell != "zsh" {
			return "$(printf '%s ' " + strings.Join(words, " ") + ")"
		}
	}
	return "eval " + quote(strings.Join(words, " "))
}

// run has programs that are given the program to run.
func (g *generator) run(words []string) string {
	plain := g.disguised(words)
	q := make([]string, len(words))
	safe := true
	for i, w := range words {
		q[i] = quote(w)
		safe = safe && !strings.ContainsAny(w, " \t'\"\\*$")
	}
	switch g.IntN(8) {
	case 0:
		if safe && (len(words) < 2 || words[1] != "-") {
			return "echo " + strings.Join(q[1:], " ") + " | xargs canary"
		}
	case 1:
		return "find . -maxdepth 0 -exec " + strings.Join(q, " ") + g.pick(" \\;", " {} +", " {} ';'")
	case 2:
		return "env " + plain
	case 3:
		if safe {
			return "xargs canary <<E\n" + strings.Join(words[1:], " ") + "\nE\n"
		}
	case 4:
		return "sh -c '\"$@\"' sh " + strings.Join(q, " ")
	case 5:
		return "sh -c 'canary \"$0\" \"$1\"' " + strings.Join(q, " ")
	case 6:
		if safe {
			return "printf '%s\\n' " + strings.Join(q, " ") + " | xargs"
		}
	case 7:
		return "awk 'BEGIN { system(\"canary sys\") }'"
	}
	return "nice " + plain
}

// asData is text that only looks like a command.
func (g *generator) asData(words []string) string {
	s := strings.Join(words, " ")
	q := quote(s)
	switch g.IntN(16) {
	case 0:
		return "echo " + q
	case 1:
		return "cat <<'E'\n" + s + "\nE"
	case 2:
		return "true commit -m " + q
	case 3:
		return "grep -q " + q + " /dev/null"
	case 4:
		return "printf '%s\\n' " + q + " >notes.txt"
	case 5:
		return g.name() + "=" + q
	case 6:
		return ": " + q
	case 7:
		return "cat >notes.txt <<'E'\n" + s + "\n" + s + "\nE\ncat notes.txt"
	case 8:
		return "echo ok # " + strings.ReplaceAll(s, "\n", " ")
	case 9:
		return "echo \"" + strings.NewReplacer(`"`, `\"`, "$", `\$`, "`", "\\`", `\`, `\\`).Replace(s) + "\" | cat"
	case 10:
		return "x=$(echo " + q + "); echo \"$x\""
	case 11:
		return "case " + q + " in *canary*) true;; esac"
	case 12:
		return "for w in " + q + "; do echo \"$w\"; done"
	case 13:
		return "echo " + q + " | tr a-z A-Z | cat"
	case 14:
		return "f1() { echo \"$1\"; }; f1 " + q
	}
	return "test -n " + q + " && true"
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func dquote(s string) string {
	return `"` + strings.NewReplacer(`"`, `\"`, "$", `\$`, "`", "\\`", `\`, `\\`).Replace(s) + `"`
}

// disguise is text that expands to a word.
func (g *generator) disguise(w string, depth int) string {
	if g.chance(25) && depth == 0 {
		return g.rarer(w)
	}
	if g.chance(20) && depth == 0 {
		return g.furtherWord(w)
	}
	switch g.IntN(26) {
	case 0, 1, 2, 3:
		if plainWord(w) {
			return w
		}
		return quote(w)
	case 4:
		return dquote(w)
	case 5:
		return g.pieces(w)
	case 6:
		return g.ansi(w)
	case 7:
		return backslashed(w)
	case 8:
		n := g.name()
		g.add("%s=%s", n, quote(w))
		return g.pick(`"$`+n+`"`, `"${`+n+`}"`)
	case 9:
		n, m := g.name(), g.name()
		r := []rune(w)
		at := g.IntN(len(r) + 1)
		g.add("%s=%s; %s=%s", n, quote(string(r[:at])), m, quote(string(r[at:])))
		return `"$` + n + `$` + m + `"`
	case 10:
		if w == "-" || g.shell != "bash" && strings.Contains(w, "\\") {
			return quote(w)
		}
		return `"$(echo ` + g.nest(w, depth) + `)"`
	case 11:
		return `"$(printf '%s' ` + g.nest(w, depth) + `)"`
	case 12:
		return g.operated(w)
	case 13:
		return g.filtered(w)
	case 14:
		return g.assigned(w)
	}
	return g.moreDisguise(w)
}

func (g *generator) moreDisguise(w string) string {
	n := g.name()
	switch g.IntN(12) {
	case 0:
		if plainWord(w) && w != "-" {
			return "`echo " + w + "`"
		}
	case 1:
		return `"${` + n + `:-` + `$(printf %s ` + quote(w) + `)}"`
	case 2:
		g.add("%s=", n)
		if !strings.ContainsAny(w, "'\"\\$}~`") {
			return `"${` + n + `:-` + w + `}"`
		}
	case 3:
		g.add("%s=1", n)
		if !strings.ContainsAny(w, "'\"\\$}~`") {
			return `"${` + n + `:+` + w + `}"`
		}
	case 4:
		if g.shell == "bash" {
			m := g.name()
			g.add("%s=%s; %s=%s", m, quote(w), n, m)
			return `"${!` + n + `}"`
		}
	case 5:
		if g.bashy() {
			g.add("%s=(zero %s two)", n, quote(w))
			if g.shell == "zsh" {
				return `"${` + n + `[2]}"`
			}
			return `"${` + n + `[1]}"`
		}
	case 6:
		g.add("%s=$(cat <<'E'\n%s\nE\n)", n, w)
		return `"$` + n + `"`
	case 7:
		g.add("if true; then %s=%s; else %s=other; fi", n, quote(w), n)
		return `"$` + n + `"`
	case 8:
		g.add("for %s in x y %s; do :; done", n, quote(w))
		return `"$` + n + `"`
	case 9:
		g.add("%s() { printf '%%s' %s; }", n, quote(w))
		return `"$(` + n + `)"`
	case 10:
		g.add("case $# in 99) %s=no;; *) %s=%s;; esac", n, n, quote(w))
		return `"$` + n + `"`
	case 11:
		g.add("export %s=%s", n, quote(w))
		return `"$` + n + `"`
	}
	return quote(w)
}

func (g *generator) nest(w string, depth int) string {
	if depth < 2 && !strings.ContainsAny(w, "\\-%") {
		before := g.before
		g.before = nil
		s := g.disguise(w, depth+1)
		if len(g.before) == 0 {
			g.before = before
			return s
		}
		g.before = append(before, g.before...)
		return s
	}
	return quote(w)
}

func plainWord(w string) bool {
	for _, r := range w {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '/') {
			return false
		}
	}
	return w != ""
}

func backslashed(w string) string {
	var b strings.Builder
	for _, r := range w {
		if r == '\n' {
			return quote(w)
		}
		b.WriteByte('\\')
		b.WriteRune(r)
	}
	return b.String()
}

func (g *generator) pieces(w string) string {
	var b strings.Builder
	for _, r := range w {
		switch g.IntN(5) {
		case 0:
			b.WriteString(quote(string(r)))
		case 1:
			b.WriteString(dquote(string(r)))
		case 2:
			b.WriteString(g.pick("''", `""`) + quote(string(r)))
		case 3:
			b.WriteString(g.pick("$(:)", "\\\n", "''", "${nothing-}", "`true`", "") + quote(string(r)))
		default:
			b.WriteString(backslashed(string(r)))
		}
	}
	return b.String()
}

func (g *generator) ansi(w string) string {
	if !g.bashy() {
		return quote(w)
	}
	var b strings.Builder
	for i := 0; i < len(w); i++ {
		switch g.IntN(3) {
		case 0:
			fmt.Fprintf(&b, "\\x%02x", w[i])
		case 1:
			fmt.Fprintf(&b, "\\%03o", w[i])
		default:
			if w[i] == '\'' || w[i] == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(w[i])
		}
	}
	return "$'" + b.String() + "'"
}

// operated has the word as what a parameter expansion leaves.
func (g *generator) operated(w string) string {
	n := g.name()
	switch g.IntN(7) {
	case 0:
		g.add("%s=%s", n, quote("pre-"+w))
		return `"${` + n + `#pre-}"`
	case 1:
		g.add("%s=%s", n, quote(w+".suf"))
		return `"${` + n + `%.suf}"`
	case 2:
		g.add("%s=%s", n, quote("a/b/"+strings.ReplaceAll(w, "/", "_")))
		if !strings.Contains(w, "/") {
			return `"${` + n + `##*/}"`
		}
	case 3:
		if g.bashy() && strings.Contains(w, "a") && !strings.Contains(w, "@") {
			g.add("%s=%s", n, quote(strings.ReplaceAll(w, "a", "@")))
			return `"${` + n + `//@/a}"`
		}
	case 4:
		if g.bashy() {
			g.add("%s=%s", n, quote("xx"+w+"yy"))
			return fmt.Sprintf(`"${%s:2:%d}"`, n, len([]rune(w)))
		}
	case 5:
		if g.shell == "bash" && w == strings.ToLower(w) {
			g.add("%s=%s", n, quote(strings.ToUpper(w)))
			if strings.ToLower(strings.ToUpper(w)) == w {
				return `"${` + n + `,,}"`
			}
		}
	case 6:
		if g.bashy() {
			g.add("%s=%s", n, quote("x"+w))
			return `"${` + n + `/x/}"`
		}
	}
	return quote(w)
}

// filtered has the word as a filter's output.
func (g *generator) filtered(w string) string {
	if strings.ContainsAny(w, "\n") {
		return quote(w)
	}
	switch g.IntN(6) {
	case 0:
		return `"$(echo ` + base64.StdEncoding.EncodeToString([]byte(w)) + ` | base64 -d)"`
	case 1:
		r := []rune(w)
		for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
			r[i], r[j] = r[j], r[i]
		}
		return `"$(printf '%s\n' ` + quote(string(r)) + ` | LC_ALL=C.UTF-8 rev)"`
	case 2:
		if !strings.Contains(w, "@") && isASCII(w) {
			return `"$(printf '%s' ` + quote(strings.ReplaceAll(w, "a", "@")) + ` | tr @ a)"`
		}
	case 3:
		if isASCII(w) {
			var b strings.Builder
			for i := 0; i < len(w); i++ {
				fmt.Fprintf(&b, "\\%03o", w[i])
			}
			return `"$(printf '` + b.String() + `')"`
		}
	case 4:
		if plainWord(w) {
			return `"$(echo x` + w + ` | sed 's/^x//')"`
		}
	case 5:
		if plainWord(w) {
			return `"$(echo q:` + w + `:r | cut -d: -f2)"`
		}
	}
	return quote(w)
}

func isASCII(w string) bool {
	for i := 0; i < len(w); i++ {
		if w[i] > 126 {
			return false
		}
	}
	return true
}

// assigned has the word in a variable that is set in another way.
func (g *generator) assigned(w string) string {
	n := g.name()
	r := []rune(w)
	at := g.IntN(len(r) + 1)
	switch g.IntN(7) {
	case 0:
		if g.bashy() {
			g.add("%s=%s; %s+=%s", n, quote(string(r[:at])), n, quote(string(r[at:])))
			return `"$` + n + `"`
		}
	case 1:
		if g.shell == "bash" {
			g.add("printf -v %s %%s %s", n, quote(w))
			return `"$` + n + `"`
		}
	case 2:
		g.add("IFS= read -r %s <<'E'\n%s\nE", n, w)
		return `"$` + n + `"`
	case 3:
		if g.bashy() {
			g.add("IFS= read -r %s <<< %s", n, quote(w))
			return `"$` + n + `"`
		}
	case 4:
		if g.shell == "bash" {
			g.add("declare %s=%s", n, quote(w))
			return `"$` + n + `"`
		}
	case 5:
		if g.bashy() {
			m := g.name()
			g.add("typeset -A %s; %s[k]=%s", m, m, quote(w))
			return `"${` + m + `[k]}"`
		}
	case 6:
		g.add("true && %s=%s", n, quote(w))
		return `"$` + n + `"`
	}
	return quote(w)
}
