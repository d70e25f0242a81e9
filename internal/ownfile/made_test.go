package ownfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What was made is said, what was there is not, and a record that was forged names nothing elsewhere.
func TestMadeSaysWhatWasMade(t *testing.T) {
	home := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{home}, names...)...) }
	for _, tt := range []struct {
		dir  string
		want []string
	}{
		{at("a", "b", "boathook"), []string{at("a", "b"), at("a")}},
		{at("a", "boathook"), nil},
		{at("a", "other"), []string{at("a", "other")}},
		{at("c", "d"), []string{at("c", "d"), at("c")}},
	} {
		for range 2 {
			if err := MakeRecorded(tt.dir); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, Made(tt.dir)); diff != "" {
				t.Errorf("%s: %s", tt.dir, diff)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(at("c", "d"), MadeFile), []byte("\"/etc\"\n\"relative\"\n\""+home+"\"\njunk\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{home}, Made(at("c", "d"))); diff != "" {
		t.Error(diff)
	}
	if err := MakeRecorded(filepath.Join(at("c", "d"), MadeFile, "x")); err == nil {
		t.Error("below a file")
	}
}
