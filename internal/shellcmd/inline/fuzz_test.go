package inline

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// langs are the languages that are read.
func langs() []string {
	return []string{"python", "node", "ruby", "perl", "php", "lua", "awk", "sed", "tcl", "osascript", "r", "julia", "elixir", "groovy"}
}

// FuzzRead holds that no code makes it fail, and that what it gives is bounded.
func FuzzRead(f *testing.F) {
	for i, s := range []string{
		"import os as o\nfor x in ['a','b']:\n  o.system(f'rm {x}' + \"y\"[::-1])", "const {a: b} = require('fs'); b(`x${1+`y`}`, {c: 1})",
		"File.open('x', 'w') { |f| f.puts <<~A }\n x\nA\n%x(rm #{y})", "s{x}{system('y')}e; my @a = qw(a b); unlink @a, $ENV{X}->{y}[0]", "$f = 'sys'.'tem'; $f(\"a {$b} $c[1]\");",
		"os.execute [[x]]", "{print $1 > \"x\" | \"y\"}", "1,2s/a/b/we x\n3e y", "exec rm {a b} [file delete $x]", "do shell script \"x\"", "[x for x in y if z(x)]",
	} {
		f.Add(uint8(i), s)
	}
	f.Fuzz(func(t *testing.T, lang uint8, code string) {
		list := langs()
		inner, _ := Read(list[int(lang)%len(list)], code, word.Lits("-c", "a"))
		if len(inner) > maxInner {
			t.Errorf("%d", len(inner))
		}
	})
}

// TestBounded holds that code which is deep or long is answered, with doubt where it is not read to its end.
func TestBounded(t *testing.T) {
	const n = 1 << 12
	for _, lang := range langs() {
		for _, code := range []string{
			strings.Repeat("(", n), strings.Repeat("[", n), strings.Repeat("{", n), strings.Repeat("f(", n), strings.Repeat("a.", n),
			strings.Repeat("!", n), strings.Repeat("x=", n), strings.Repeat("x='a'+", n), strings.Repeat("\"", n+1), strings.Repeat("\"${", n),
			strings.Repeat("`${", n), strings.Repeat("x+='aaaaaaaaaaaaaaaa'\n", n), strings.Repeat("[a for a in ", n), "x='a'\n" + strings.Repeat("x=x+x\n", n),
			strings.Repeat("eval('", n), strings.Repeat("s{", n), strings.Repeat("<<A\n", n), strings.Repeat("#{", n), strings.Repeat("a b ", n),
			strings.Repeat("os.system('x')\n", n), strings.Repeat("\"#{\"#{", n/8), strings.Repeat("%", n), strings.Repeat("/", n), strings.Repeat("lambda:", n),
			"x=[" + strings.Repeat("'a',", n) + "]\n" + strings.Repeat("for y in x: os.remove(y)\n", n/8), strings.Repeat("a?b:", n), strings.Repeat("|", n),
			strings.Repeat("$", n), strings.Repeat("f'{", n), strings.Repeat("do shell script ", n), strings.Repeat("if {", n), strings.Repeat("print \"", n),
		} {
			inner, _ := Read(lang, code, nil)
			if len(inner) > maxInner {
				t.Errorf("%s: %d", lang, len(inner))
			}
		}
	}
}

// TestTokens holds that code of more tokens than are read is answered with doubt.
func TestTokens(t *testing.T) {
	for _, lang := range []string{"python", "node", "perl"} {
		if _, unsure := Read(lang, strings.Repeat("a b ", maxTokens/2+1)+"\neval(x)", nil); !unsure {
			t.Errorf("%s: it is not unsure", lang)
		}
	}
}
