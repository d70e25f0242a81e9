package spool

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestOldest names the first of what Pending names, and tells whether there are others.
func TestOldest(t *testing.T) {
	s := Spool{Dir: t.TempDir()}
	if names, more, err := s.Oldest(3); err != nil || names != nil || more {
		t.Fatalf("no spool: %v %v %v", names, more, err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 40), 0, 5).Draw(rt, "append") {
			if err := s.Append(id(n), []byte("x")); err != nil {
				rt.Fatal(err)
			}
		}
		all, err := s.Pending()
		if err != nil {
			rt.Fatal(err)
		}
		limit := rapid.IntRange(1, 12).Draw(rt, "limit")
		names, more, err := s.Oldest(limit)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(all[:min(limit, len(all))], names); diff != "" || more != (len(all) > limit) {
			rt.Errorf("more %v: %s", more, diff)
		}
	})
}
