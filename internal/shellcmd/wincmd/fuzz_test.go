package wincmd

import (
	"strings"
	"testing"
)

// FuzzSplit holds that no text makes it fail, and that what it gives is bounded.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"gci x | % { ri $_.FullName -fo:$true }", "& \"a$($b.c[0])\" @('x','y') --% z", "$x = @'\ny\n'@; iex $x", "[IO.File]::Delete('x'); (a).b('c')", "foreach ($x in 1,2) { rd $x }",
		"for /f \"tokens=*\" %i in ('dir') do (del %i & echo %x:~1,2%)", "if not exist x rd/s/q y 2>nul", "set a=b&%a%", "start \"\" cmd /c del x", "\"{0}\" -f 'a' -join ''",
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, posh bool) {
		shell := "cmd"
		if posh {
			shell = "powershell"
		}
		cmds, _ := Split(shell, text)
		for i, c := range cmds {
			for _, from := range c.Stdin.From {
				if from < 0 || from >= i {
					t.Errorf("command %d reads from %d", i, from)
				}
			}
		}
	})
}

// TestBounded holds that text which is deep or long is answered.
func TestBounded(t *testing.T) {
	for _, shell := range []string{"powershell", "cmd"} {
		for _, s := range []string{
			"(", "{", "$(", "@(", "\"$(", "& {", "a|", "iex '", "if (", "[a]::b(", "a,", "$x=", "'", "\"", "%", "!", "^", "&", "for %i in (a b) do ", "call ", "(a)", "if exist x ", "@{a=",
			"$x+=$x\n", "foreach ($x in $x) {", "-join ", "a.b(", "start ", "set x=%x%%x%\n", "a\n", "$a[", "`", "@'\n",
		} {
			for _, text := range []string{strings.Repeat(s, 1<<15/len(s)), "$x='a','b';set x=ab\n" + strings.Repeat(s, 1<<13/len(s))} {
				cmds, _ := Split(shell, text)
				if len(cmds) > 4*maxCommands {
					t.Errorf("%s %q: %d", shell, s, len(cmds))
				}
			}
		}
	}
}
