package shellcmd

import (
	"runtime"
	"strings"
	"testing"
)

// TestMegabyte holds how much memory a text of 1 MiB takes in all, whatever it is made of, and that it ends in doubt.
func TestMegabyte(t *testing.T) {
	const most = 150 << 20
	for name, unit := range map[string]string{
		"pipes": "a | ", "lines of pipes": "a |\n", "and": "a && ", "or": "a || ", "cd": "cd a && ", "lines": "a\n", "words": "b ", "redirections": ">b ",
		"assignments": "a=1 ", "variables": "a=$b\n", "substitutions": "$(a) ", "processes": "a <(b)\n", "echo into sh": "echo a | sh | ",
		"files": "echo a > f; sh f\n", "vague files": "echo a > $x; sh $x\n", "elements": "a+=(1);", "loops": "for f in *; do rm $f; done\n",
		"here-documents": "a <<E\n$x\nE\n", "returns": "a\rb\n", "code": "python3 -c 'import os; os.system(\"a\")'\n",
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(unit, 1<<20/len(unit)) + "a"
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := Parse(text, Options{Dir: "/w", Home: "/w"})
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > most {
				t.Errorf("it took %d MiB", n>>20)
			}
			if len(r.Unsure) == 0 {
				t.Error("it is not unsure")
			}
		})
	}
}
