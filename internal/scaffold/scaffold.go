// Package scaffold makes the files of a new hook: the hook, a test of it, and the helper that it needs. `boathook hooks new`
// writes them. It does no I/O.
package scaffold

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/boathook/boathook/sdk"
)

//go:embed templates
var templates embed.FS

// File is one file of a new hook.
type File struct {
	Path string
	Text string
	Mode fs.FileMode
}

// Hook is a new hook.
type Hook struct {
	Files []File
	// Command is how it is run, and Test how it is tested, both in its folder. DIR stands there for the folder.
	Command []string
	Build   []string
	Test    []string
	// Unreleased says that it requires a module of no released version, which Go may not find by itself.
	Unreleased bool
}

// Languages are those that there is a hook in.
func Languages() []string { return []string{"go", "python", "typescript"} }

// New makes a hook in a language. For Go, version is that of the boathook module to require, and may be none.
func New(language, version string) (Hook, error) {
	switch language {
	case "go":
		return goHook(version), nil
	case "python":
		return Hook{
			Files:   []File{file("hook.py", 0o755), file("test_hook.py", 0o644), {"boathook.py", sdk.Python, 0o644}},
			Command: []string{"python3", "DIR/hook.py"}, Test: []string{"python3", "-m", "unittest"},
		}, nil
	case "typescript":
		return Hook{
			Files: []File{
				file("hook.mjs", 0o644), file("hook.test.mjs", 0o644), {"boathook.mjs", sdk.JavaScript, 0o644}, {"boathook.d.mts", sdk.Types, 0o644},
			},
			Command: []string{"node", "DIR/hook.mjs"}, Test: []string{"node", "--test"},
		}, nil
	}
	return Hook{}, fmt.Errorf("make a hook in %q: there is none; the languages are %s", language, strings.Join(Languages(), ", "))
}

// goHook requires a released module. Of one that is not, Go finds the newest.
func goHook(version string) Hook {
	mod := "module hook\n\ngo 1.26\n"
	build := [][]string{{"go", "mod", "tidy"}, {"go", "build", "-o", "hook", "."}}
	released := strings.HasPrefix(version, "v") && !strings.ContainsAny(version, "+-")
	if released {
		mod += "\nrequire github.com/boathook/boathook " + version + "\n"
	}
	return Hook{
		Files:   []File{file("main.go", 0o644), file("main_test.go", 0o644), {"go.mod", mod, 0o644}},
		Command: []string{"DIR/hook"}, Build: slices.Concat(build[0], []string{"&&"}, build[1]), Test: []string{"go", "test", "."},
		Unreleased: !released,
	}
}

func file(name string, mode fs.FileMode) File {
	text, err := templates.ReadFile("templates/" + name + ".txt")
	if err != nil {
		panic(err) // it is embedded: a test reads each
	}
	return File{name, string(text), mode}
}
