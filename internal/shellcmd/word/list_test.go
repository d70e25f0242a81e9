package word

import (
	"slices"
	"strings"
	"testing"
)

func TestListed(t *testing.T) {
	for _, list := range []string{"", "a", "a b", "ab b", "scss address aa", "rm rmdir", "push-force push", "aaa aa"} {
		for _, w := range []string{"", "a", "b", "s", "aa", "rm", "dir", "push", "force", "a b", " "} {
			if got, want := Listed(list, w), slices.Contains(strings.Fields(list), w); got != want {
				t.Errorf("%q in %q: %v, want %v", w, list, got, want)
			}
		}
	}
}
