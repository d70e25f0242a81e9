//go:build unix

package ignore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestIgnored(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		at := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".gitignore", "# outputs\n/build\n*.log\n!keep.log\nout/\ndoc/**/gen\nsrc/*.tmp\n\\#odd\ntrail \nvendor/**\n[!a]x\n")
	write(".git/info/exclude", "local\n")
	write("sub/.gitignore", "/only\n!wanted.log\n")
	for _, dir := range []string{"build", "sub/build", "out", "sub/out", "doc/a/b/gen", "sub/only", "sub/deep/only", "vendor/x", "local"} {
		write(dir+"/f", "")
	}
	for path, want := range map[string]bool{
		"build": true, "build/f": true, "sub/build": false, "a.log": true, "sub/a.log": true, "keep.log": false, "sub/wanted.log": false,
		"out": true, "sub/out": true, "sub/out/f": true, "outfile": false, "doc/a/b/gen": true, "doc/gen": true, "src/a.tmp": true, "src/x/a.tmp": false,
		"#odd": true, "trail": true, "sub/only": true, "sub/deep/only": false, "vendor": false, "vendor/x": true, "local": true,
		"bx": true, "ax": false, ".": false, ".git": false, ".git/info": false, "../build": false, "src": false,
	} {
		if got := Ignored(root, filepath.Join(root, path)); got != want {
			t.Errorf("%s: ignored is %t, want %t", path, got, want)
		}
	}
}

func TestAFolderOrLinkIsNoListOfRules(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".gitignore"), 0o700); err != nil {
		t.Fatal(err)
	}
	if Ignored(root, filepath.Join(root, "x")) {
		t.Error("a folder has rules")
	}
}

func FuzzFits(f *testing.F) {
	f.Add("a/**/b*", "a/x/bc")
	f.Add(strings.Repeat("**/", 30)+"x", strings.Repeat("x/", 30)+"y")
	f.Fuzz(func(_ *testing.T, line, path string) {
		if r, ok := parse(line); ok && len(path) < 1000 {
			decides([]rule{r}, strings.Split(path, "/"), true)
		}
	})
}
