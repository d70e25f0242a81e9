package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/scaffold"
	"github.com/boathook/boathook/internal/shellquote"
	"github.com/boathook/boathook/internal/version"
)

func newHooksNew(env *Env) *cobra.Command {
	var language string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "new --lang go|python|typescript [DIR]",
		Short: "Write a new hook with a test",
		Long: `Write a hook that denies force pushes, with a test of it and the helper that it needs, into a folder (my-hook, where none
is named). Nothing that is there already is written over. It says then how to test it, and what to put into the config.

  go           one program that also answers agents directly, without boathook
  python       needs Python 3.8; boathook.py lies beside it
  typescript   runs in Node.js 18 as it is, with types that editors and tsc check; boathook.mjs lies beside it`,
		Example: `  boathook hooks new --lang python ~/hooks/no-force`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("new takes one folder, not %s", strings.Join(args, " and "))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "my-hook"
			if len(args) == 1 {
				dir = args[0]
			}
			return env.failJSON(asJSON, newHookIn(env, language, dir, asJSON))
		},
	}
	cmd.Flags().StringVar(&language, "lang", "", "the language: "+strings.Join(scaffold.Languages(), ", "))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	complete(cmd, "lang", scaffold.Languages())
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return cmd
}

func newHookIn(env *Env, language, dir string, asJSON bool) error {
	if language == "" {
		return usage("new wants to know in which language: --lang %s", strings.Join(scaffold.Languages(), ", "))
	}
	hook, err := scaffold.New(language, version.String())
	if err != nil {
		return exitWith(exitUsage, err)
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(env.Dir, dir)
	}
	paths, err := writeHook(dir, hook.Files)
	if err != nil {
		return err
	}
	table := configTable(dir, hook)
	if asJSON {
		return env.printJSON(map[string]any{"dir": dir, "files": paths, "build": hook.Build, "unreleased": hook.Unreleased, "test": hook.Test, "config": table}, nil)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Written into %s: %s\n\n", dir, strings.Join(paths, ", "))
	steps := "  cd " + shellquote.Word(dir) + "\n"
	if len(hook.Build) > 0 {
		if hook.Unreleased {
			steps += "  go mod edit -replace github.com/boathook/boathook=CLONE   # this boathook is no release; CLONE is its source\n"
		}
		steps += "  " + strings.Join(hook.Build, " ") + "\n"
	}
	fmt.Fprintf(&b, "Test it, alone and on what your agents did:\n\n%s  %s\n  boathook hooks test -- %s\n\n", steps, strings.Join(hook.Test, " "), commandText(absolute(dir, hook.Command)))
	fmt.Fprintf(&b, "Have it asked on every agent, in the config ('boathook hooks list' shows which that is):\n\n%s", table)
	_, err = fmt.Fprint(env.Stdout, plainLines(b.String()))
	return err
}

// plainLines is a text of several lines without what a terminal would obey.
func plainLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = plain(line)
	}
	return strings.Join(lines, "\n")
}

// writeHook writes all files or, where one of them is there, none.
func writeHook(dir string, files []scaffold.File) ([]string, error) {
	for _, f := range files {
		path := filepath.Join(dir, f.Path)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return nil, exitWith(exitRefused, fmt.Errorf("write %s: it is there already; name another folder", path))
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make %s: %w", dir, err)
	}
	var out []string
	for _, f := range files {
		w, err := os.OpenFile(filepath.Join(dir, f.Path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.Mode)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", f.Path, err)
		}
		_, err = w.WriteString(f.Text)
		if err := errors.Join(err, w.Close()); err != nil {
			return nil, fmt.Errorf("write %s: %w", f.Path, err)
		}
		out = append(out, f.Path)
	}
	return out, nil
}

func absolute(dir string, words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w
		if rest, ok := strings.CutPrefix(w, "DIR/"); ok {
			out[i] = filepath.Join(dir, rest)
		}
	}
	return out
}

// configTable is what makes boathook ask the hook. TOML's basic strings are written as JSON's are.
func configTable(dir string, hook scaffold.Hook) string {
	words := absolute(dir, hook.Command)
	for i, w := range words {
		words[i] = tomlText(w)
	}
	return "  [[hooks]]\n  name = " + tomlText(filepath.Base(dir)) + "\n  on = [\"tool:before\"]\n  tools = [\"bash\"]\n  command = [" + strings.Join(words, ", ") + "]\n  fail = \"closed\"\n"
}

// tomlText is a basic string of TOML, which knows every escape that JSON has.
func tomlText(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a text always marshals
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\x7f", `\u007f`)
}
