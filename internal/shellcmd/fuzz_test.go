package shellcmd

import (
	"strings"
	"testing"
)

// FuzzParse looks for panics and for results beyond the bounds.
func FuzzParse(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s, "bash")
	}
	f.Add("print ${(s: :)x}; =ls; echo ${x:h}", "zsh")
	f.Add("Remove-Item -Recurse C:\\", "powershell")
	f.Fuzz(func(t *testing.T, text, dialect string) {
		r := Parse(text, Options{Dialect: dialect, Dir: "/home/dev/shop", Home: "/home/dev"})
		if len(r.Commands) > maxCommands {
			t.Fatalf("%d commands", len(r.Commands))
		}
		for i, c := range r.Commands {
			if c.From < 0 || c.To > len(text) || c.From > c.To && c.To != 0 {
				t.Errorf("command %d is at %d to %d of %d", i, c.From, c.To, len(text))
			}
			for _, a := range c.Argv {
				if a.From < 0 || a.To > len(text) || a.From > a.To {
					t.Errorf("a word of command %d is at %d to %d of %d", i, a.From, a.To, len(text))
				}
			}
			for _, from := range c.Stdin.From {
				if from >= len(r.Commands) {
					t.Errorf("the input of command %d is from %d", i, from)
				}
			}
		}
		for _, u := range r.Unsure {
			if u.Command >= len(r.Commands) {
				t.Errorf("unsure of command %d of %d", u.Command, len(r.Commands))
			}
		}
	})
}

func seeds() []string {
	return []string{
		"rm$IFS-rf$IFS/", "$(echo rm) -rf /", "X=rm; $X -rf /", `eval "$(printf 'rm -rf /')"`, `$'\x72\x6d' -rf /`, "{rm,-rf,/}",
		"bash <(echo rm -rf /)", "printf 'rm -rf /' | bash", "bash <<< 'rm -rf /'", "trap 'rm -rf /' EXIT; true",
		"cat <<'E' | sh\nrm -rf /\nE", ":(){ :|:& };:", "f() { \"$@\"; }; f rm -rf /", "for i in a b; do $i; done",
		"while read -r l; do $l; done <<< 'rm x'", "case $x in a|b) c;; *) d;; esac", "a=(1 2); a+=(3); echo ${a[@]:1:2} ${#a} ${a[1]/2/3}",
		"((i=1,i++)); [[ a == b* && -n c ]]; let x=1+2; until false; do break; done", "x=${y:-z}; ${!x} ${x^^} ${x@Q} ${x%a*} ${x##*b}",
		"cd /a; (cd b; pwd); pushd c; popd; export A=b; A=c d", "select x in a b; do $x; done; coproc cat; time ls", "alias a='b c'\na d",
		"tee >(sh) <a >b 2>&1 &>c <<E\n$x\nE\n", "python -c 'import os; os.system(\"rm x\")'", "find . -exec rm {} +; xargs rm <<< a", "mapfile -t a <<< b; printf -v c %s d; read e f <<< 'g h'",
	}
}

// TestBounds has text that would take long, or deep stacks, if it were run to its end.
func TestBounds(t *testing.T) {
	n := 200_000
	for name, text := range map[string]string{
		"parentheses":   strings.Repeat("(", n),
		"substitutions": strings.Repeat("$(", n),
		"braces":        strings.Repeat("{ ", n),
		"arithmetic":    "echo $((" + strings.Repeat("(", n),
		"minus":         "echo $((" + strings.Repeat("-", n) + "1))",
		"plus":          "echo $((" + strings.Repeat("1+", n) + "1))",
		"power":         "echo $((" + strings.Repeat("1**", n) + "1))",
		"ternary":       "echo $((" + strings.Repeat("1?1:", n) + "1))",
		"ifs":           strings.Repeat("if ", n),
		"functions":     strings.Repeat("a()", n),
		"quotes":        strings.Repeat("\"$(", n),
		"defaults":      strings.Repeat("${x:-", n),
		"backquotes":    strings.Repeat("`a \\`", n),
		"not":           "[[ " + strings.Repeat("! ", n) + "a ]]",
		"tests":         "[[ " + strings.Repeat("a && ", n) + "a ]]",
		"and":           strings.Repeat("a && ", n) + "a",
		"pipes":         strings.Repeat("a | ", n) + "a",
		"lines":         strings.Repeat("a\n", n),
		"words":         "a " + strings.Repeat("b ", n),
		"ranges":        "a {1..1000000000} {a..z}{a..z}{a..z}{a..z}",
		"lists":         "a " + strings.Repeat("{a,b}", 200),
		"open lists":    "a " + strings.Repeat("{a,", n/4),
		"double":        "x=aaaaaaaaaaaaaaaaaaaa\n" + strings.Repeat("x=$x$x$x$x\n", 300) + "$x",
		"variables":     vars(20_000),
		"branches":      strings.Repeat("if a; then x=$x; else y=$y; fi\n", 10_000),
		"nested loops":  strings.Repeat("for i in 1 2 3 4 5 6 7 8 9; do ", 30) + "a;" + strings.Repeat("done;", 30),
		"while loops":   strings.Repeat("while a; do x=$x$y; ", 60) + "a;" + strings.Repeat("done;", 60),
		"bombs":         "f() { f; f; f; f; }; f",
		"mutual":        "f() { g $1 a; g; }; g() { f $1 b; f; }; f",
		"choices":       "if a; then x=1; else x=2; fi; if a; then y=1; else y=2; fi; if a; then z=1; else z=2; fi\n" + strings.Repeat("eval \"eval $x$y$z\"\n", 5000),
		"stars":         "x=" + strings.Repeat("a", 50_000) + "; a ${x##" + strings.Repeat("*a", 1000) + "b} ${x//" + strings.Repeat("*a", 100) + "b/c}",
		"heredocs":      strings.Repeat("a <<E\n$x\nE\n", 10_000),
		"open heredocs": strings.Repeat("a <<E;", 20_000),
		"evals":         strings.Repeat("eval 'eval ", 100) + "a",
		"bash":          "x='bash -c \"$x\"'; export x; bash -c \"$x\"",
		"aliases":       "alias a='a b'; alias b='a'; a",
		"sources":       "echo '. ./x' > x; . ./x",
		"runs":          "echo './x; ./x' > x; ./x",
		"traps":         strings.Repeat("trap 'a' EXIT; (b)\n", 5000),
		"arrays":        "a=(); " + strings.Repeat("a+=(1);", 20_000) + "b \"${a[@]}\"",
		"elements":      strings.Repeat("a[9999999]=1; a[1$i]=2;", 10_000),
		"positional":    "set -- " + strings.Repeat("a ", 10_000) + "\n" + strings.Repeat("shift; b \"$@\"\n", 2000),
		"exports":       strings.Repeat("export a$x=1 b=2; c\n", 10_000),
		"NUL":           strings.Repeat("\x00", n),
		"invalid":       strings.Repeat("\xff", n),
		"unparsable":    strings.Repeat("a ) b (\n", 20_000),
		"unicode":       strings.Repeat("\u00a0", n),
	} {
		t.Run(name, func(t *testing.T) {
			Parse(text, Options{Dir: "/w", Home: "/w"})
		})
	}
}

func vars(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("v" + itoa(int64(i)) + "=1; (w=$v0)\n")
	}
	return b.String()
}
