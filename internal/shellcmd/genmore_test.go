//go:build unix

package shellcmd

import (
	"fmt"
	"strings"
)

// furtherWord are disguises by what shells have for lists, input and names.
func (g *generator) furtherWord(w string) string {
	if strings.ContainsAny(w, "\n\r") {
		return quote(w)
	}
	if g.chance(40) {
		return g.furtherFilter(w)
	}
	if g.chance(40) && g.shell == "bash" {
		return g.furtherBash(w)
	}
	n, m := g.name(), g.name()
	v := `"$` + n + `"`
	simple := plainWord(w) && w != "-"
	switch g.IntN(24) {
	case 0:
		if g.bashy() {
			g.add("%s=(zero %s two)", n, quote(w))
			return `"${` + n + `[@]:1:1}"`
		}
	case 1:
		g.add("IFS=: read -r %s %s <<'E'\nx:%s\nE", m, n, w)
	case 2:
		g.add("%s() { local %s=%s; %s; }; %s() { printf '%%s' \"$%s\"; }", n, m, quote(w), n+"b", n+"b", m)
		return `"$(` + n + `)"`
	case 3:
		if !g.bashy() {
			return quote(w)
		}
		g.add("select %s in x %s; do break; done 2>/dev/null <<'E'\n2\nE", n, quote(w))
	case 4:
		g.add("%s=$(cat <<-'E'\n\t%s\n\tE\n)", n, w)
	case 5:
		g.add(": \"${%s:=%s}\"", n, "x")
		g.add("%s=%s", n, quote(w))
	case 6:
		g.add(": ${%s=$(printf '%%s' %s)}", n, quote(w))
	case 7:
		g.add("{ read -r %s; read -r %s; } <<'E'\nx\n%s\nE", m, n, w)
		if !simple {
			return quote(w)
		}
	case 8:
		g.add("exec 7<<'E'\n%s\nE\nIFS= read -r %s <&7; exec 7<&-", w, n)
	case 9:
		g.add("%s() { %s=%s; }; %s", m, n, quote(w), m)
	case 10:
		g.add("set -- a b %s; while [ $# -gt 1 ]; do shift; done", quote(w))
		return `"$1"`
	case 11:
		g.add("set -- -x 1 -c %s; while getopts x:c: o; do case $o in c) %s=$OPTARG;; esac; done; OPTIND=1", quote(w), n)
	case 12:
		g.add("readonly %s=%s", n, quote(w))
	case 13:
		g.add("%s=x; unset %s; %s=%s", n, n, n, quote(w))
	case 14:
		g.add("case $((1+1)) in 1) %s=no;; 2) %s=%s;; esac", n, n, quote(w))
	case 15:
		g.add("%s=0; until [ $%s -ge 2 ]; do %s=$((%s+1)); done; [ $%s -eq 2 ] && %s=%s", m, m, m, m, m, n, quote(w))
	case 16:
		g.add("%s=no; (%s=other); %s=\"${%s%%no}\"%s", n, n, n, n, quote(w))
	case 17:
		g.add("%s=%s; %s=%s; unset %s", m, quote(w), n, `"$`+m+`"`, m)
	case 18:
		g.add("%s() { %s=%s; return 0; %s=no; }; %s && :", m, n, quote(w), n, m)
	case 19:
		g.add("for %s in no %s; do [ \"$%s\" = no ] && continue; break; done", n, quote(w), n)
	case 20:
		g.add("while read -r %s %s; do %s=$%s; done <<'E'\nx y\nz %s\nE", m, n+"b", n, n+"b", w)
		if !simple {
			return quote(w)
		}
	case 21:
		g.add("%s='%%s'; %s=$(printf \"$%s\" %s)", m, n, m, quote(w))
	case 22:
		return `"$(` + n + `=` + quote(w) + ` sh -c 'printf %s "$` + n + `"')"`
	case 23:
		return `"$(eval 'printf "%s" "$@"' )"` + quote(w)
	}
	return v
}

// furtherBash are disguises that only bash knows.
func (g *generator) furtherBash(w string) string {
	n, m := g.name(), g.name()
	v := `"$` + n + `"`
	simple := plainWord(w) && w != "-"
	switch g.IntN(25) {
	case 0:
		if simple && len(w) > 1 {
			return `"$(printf %s {` + strings.Join(strings.Split(w, ""), ",") + `})"`
		}
	case 1:
		g.add("%s=(zero %s two); %s=1", n, quote(w), m)
		return g.pick(`"${`+n+`[$`+m+`]}"`, `"${`+n+`[`+m+`]}"`, `"${`+n+`[${#`+n+`[@]}-2]}"`, `"${`+n+`[@]:$`+m+`:1}"`, `"${`+n+`[@]: -2:1}"`)
	case 2:
		g.add("mapfile -t %s < <(printf '%%s\\n' x %s)", n, quote(w))
		return `"${` + n + `[1]}"`
	case 3:
		if simple {
			g.add("read -ra %s <<< 'x %s y'", n, w)
			return `"${` + n + `[1]}"`
		}
	case 4:
		if !strings.Contains(w, ";") {
			g.add("IFS= read -r -d ';' %s <<< %s", n, quote(w+";rest"))
			return v
		}
	case 5:
		g.add("%s[3]=%s", n, quote(w))
		return g.pick(`"${`+n+`[3]}"`, `"${`+n+`[-1]}"`, `"${`+n+`[@]}"`)
	case 6:
		g.add("%s=(); %s[1+1]=%s; %s=2", n, n, quote(w), m)
		return `"${` + n + `[m=` + m + `]}"`
	case 7:
		g.add("printf -v '%s[1]' %%s %s", n, quote(w))
		return `"${` + n + `[1]}"`
	case 8:
		g.add("set -- a b %s", quote(w))
		return g.pick(`"${!#}"`, `"${@: -1}"`, `"${@:3:1}"`, `"${*:3}"`, `"${@:$#}"`)
	case 9:
		g.add(": a %s", quote(w))
		return `"$_"`
	case 10:
		if strings.ToLower(w) == w && strings.ToLower(strings.ToUpper(w)) == w {
			g.add("declare -l %s=%s", n, quote(strings.ToUpper(w)))
			return v
		}
	case 11:
		g.add("case x in x) ;;& *) %s=%s;; esac", n, quote(w))
		return v
	case 12:
		g.add("trap '%s=%s' DEBUG; :; trap - DEBUG", n, strings.ReplaceAll(quote(w), "'", `'\''`))
		return v
	case 13:
		g.add("trap '%s=%s' ERR; false; trap - ERR", n, strings.ReplaceAll(quote(w), "'", `'\''`))
		return v
	case 14:
		g.add("%s=%s", n, quote("\\x63"+w))
		return `"${` + n + `:4}"`
	case 15:
		g.add("%s=%s; %s=(\"${%s[@]}\" %s)", n, "a", n, n, quote(w))
		return `"${` + n + `[1]}"`
	case 16:
		g.add("declare -A %s=([a]=no [b]=%s); %s=b", n, quote(w), m)
		return g.pick(`"${`+n+`[b]}"`, `"${`+n+`[$`+m+`]}"`)
	case 17:
		g.add("%s=%s; %s=%s[0]", m, quote(w), n, m)
		return `"${!` + n + `}"`
	case 18:
		g.add("%s() { local -n r%s=$1; r%s=%s; }; %s %s", m, m, m, quote(w), m, n)
		return v
	case 19:
		g.add("while IFS= read -r %s; do %s=$%s; done < <(printf '%%s\\n' a %s)", m, n, m, quote(w))
		return v
	case 20:
		g.add("%s+=%s; %s+=%s", n, quote(w[:1]), n, quote(w[1:]))
		if !isASCII(w) {
			return quote(w)
		}
		return v
	case 21:
		g.add("coproc %s { printf '%%s\\n' %s; }; IFS= read -r %s <&\"${%s[0]}\"; wait", "C"+m, quote(w), n, "C"+m)
		return v
	case 22:
		g.add("%s=(a b c); %s=%s; %s[1]=$%s", n, m, quote(w), n, m)
		return `"${` + n + `[1]}"`
	case 23:
		g.add("unset %s; %s=(a %s b); unset '%s[0]'", n, n, quote(w), n)
		return `"${` + n + `[@]:0:1}"`
	case 24:
		g.add("exec {%s}<<< %s; IFS= read -r -u $%s %s", m, quote(w), m, n)
		return v
	}
	return quote(w)
}

// furtherFilter has the word as what a program makes of another.
func (g *generator) furtherFilter(w string) string {
	if !isASCII(w) {
		return quote(w)
	}
	simple := plainWord(w) && w != "-" && !strings.HasPrefix(w, "-")
	q := quote(w)
	switch g.IntN(26) {
	case 0:
		if !strings.Contains(w, "@") {
			return `"$(printf '%s' ` + quote(strings.Join(strings.Split(w, ""), "@")) + ` | tr -d @)"`
		}
	case 1:
		return `"$(printf '%s\n' ` + chars(w) + ` | tr -d '\n')"`
	case 2:
		return `"$(printf '%s\n' ` + quote("ab"+w) + ` | cut -c3-)"`
	case 3:
		return fmt.Sprintf(`"$(printf '%%s' %s | head -c %d)"`, quote(w+"tail"), len(w))
	case 4:
		return `"$(printf '%s' ` + quote("xyz"+w) + ` | tail -c +4)"`
	case 5:
		return `"$(printf '%s\n' a ` + q + ` b | sed -n 2p)"`
	case 6:
		return `"$(printf '%s\n' zzz ` + q + ` | grep -v '^zzz$')"`
	case 7:
		return `"$(printf '%s\n' zzz ` + q + ` | sed 1d)"`
	case 8:
		return `"$(printf '%s\n' zzz ` + q + ` | tail -n +2)"`
	case 9:
		return `"$(printf '%s\n' ` + q + ` zzz | head -n 1)"`
	case 10:
		if simple {
			return `"$(echo ` + w + `+ | sed -e 's/\(.*\)+/\1/')"`
		}
	case 11:
		if simple {
			return `"$(echo ` + w + ` | awk '{ print $1 }')"`
		}
	case 12:
		if simple {
			return `"$(awk 'BEGIN { printf "` + w + `" }')"`
		}
	case 13:
		return `"$(printf '%s' "$(printf '\` + fmt.Sprintf("%03o", w[0]) + `')" ` + quote(w[1:]) + `)"`
	case 14:
		return `"$(printf "\\$(printf %03o ` + fmt.Sprint(w[0]) + `)")"` + quote(w[1:])
	case 15:
		if simple {
			return `"$(basename /a/b/` + strings.ReplaceAll(w, "/", "_") + `.sh .sh)"`
		}
	case 16:
		if simple && !strings.Contains(w, "/") {
			return `"$(dirname ` + w + `/x)"`
		}
	case 17:
		return `"$(printf '%s\n' ` + q + ` | tee /dev/null)"`
	case 18:
		return `"$(cat <<'E' | cat -` + "\n" + w + "\nE\n" + `)"`
	case 19:
		if simple {
			return `"$(echo ` + w + ` | sed 's/$/x/; s/x$//')"`
		}
	case 20:
		if simple {
			return `"$(echo ` + w + ` | xargs)"`
		}
	case 21:
		if simple {
			return `"$(echo ` + w + ` | xargs -I{} echo {})"`
		}
	case 22:
		if simple {
			return `"$(expr x` + w + ` : 'x\(.*\)')"`
		}
	case 23:
		return `"$(printf '%s\n' ` + q + ` ` + q + ` | uniq | sort -u)"`
	case 24:
		if simple {
			return `"$(echo '` + w + ` b' | while read -r x y; do echo "$x"; done)"`
		}
	case 25:
		if simple {
			return `"$(echo a:` + w + ` | (IFS=: read -r a b; echo "$b"))"`
		}
	}
	return quote(w)
}
