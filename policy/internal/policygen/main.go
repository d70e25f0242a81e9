// Command policygen compiles the packs in policy/packs into Go literals, so that a hook reads no file and parses nothing for them. Run it
// with `go generate ./policy`; a test holds that its output is up to date.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/boathook/boathook/policy"
	"github.com/boathook/boathook/policy/internal/literal"
)

func main() {
	paths, err := filepath.Glob("packs/*.toml")
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("find packs: run it in the folder policy")
	}
	if err == nil {
		err = run(paths)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(paths []string) error {
	var files []policy.File
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read pack: %w", err)
		}
		f, problems, _ := policy.Parse(path, data, policy.BuiltIn)
		for _, p := range problems {
			return fmt.Errorf("%s:%d: %s: %s (%s)", p.File, p.Line, p.Key, p.Text, p.Cure)
		}
		files = append(files, f)
	}
	source, err := literal.Source(files)
	if err != nil {
		return err
	}
	return os.WriteFile("builtin_gen.go", source, 0o644)
}
