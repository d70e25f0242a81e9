package spool

import (
	"path/filepath"
	"strings"
	"testing"
)

// Whatever the id is, nothing is made outside of the spool.
func FuzzAppendID(f *testing.F) {
	for _, seed := range []string{"", id(1), "../x", "../../../../tmp/0000000000", id(1) + "/", strings.ToLower(id(1))} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, id string) {
		root := t.TempDir()
		s := Spool{Dir: filepath.Join(root, "boathook", "spool")}
		err := s.Append(id, []byte("x"))
		if isULID(id) != (err == nil) {
			t.Fatalf("append %q: %v", id, err)
		}
		made, _ := filepath.Glob(filepath.Join(root, "*", "*"))
		if err != nil && len(made) > 0 || err == nil && (len(made) != 1 || made[0] != s.Dir) {
			t.Fatalf("append %q made %v", id, made)
		}
	})
}
