package policy_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/policy"
	"github.com/boathook/boathook/policy/internal/literal"
)

// TestGenerated: the literals are what the packs say.
func TestGenerated(t *testing.T) {
	paths, err := filepath.Glob("packs/*.toml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no packs: %v", err)
	}
	var files []policy.File
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, problems, broken := policy.Parse(path, data, policy.BuiltIn)
		if broken || len(problems) > 0 {
			t.Fatalf("%s: %+v", path, problems)
		}
		files = append(files, f)
	}
	want, err := literal.Source(files)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("builtin_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("run go generate ./policy:\n%s", diff)
	}
}
