package git

import (
	"path"
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// ofCheckout tells a change of branches, which loses nothing, from one of files.
func ofCheckout(args []word.Arg, u unit.Unit) []policy.Effect {
	before := args
	var after []word.Arg
	split := false
	for i, a := range args {
		if a.Text == "--" {
			before, after, split = args[:i], args[i+1:], true
			break
		}
	}
	o := options(before, "force quiet progress ours theirs track no-track guess no-guess detach orphan= merge conflict= patch "+
		"ignore-other-worktrees ignore-skip-worktree-bits overwrite-ignore recurse-submodules overlay no-overlay "+
		"pathspec-from-file= pathspec-file-nul", "b B U")
	switch {
	case o.Has("p", "patch"):
		return nil
	case o.Has("f", "force"):
		return loss("checkout-force", "forced")
	case o.Has("ours", "theirs", "m", "merge", "conflict"):
		return nil // resolves a conflict that merge has made
	case split && len(after) > 0:
		return files(after)
	case o.Has("pathspec-from-file"):
		return files(nil)
	case o.Has("b", "B", "orphan", "t", "track", "d", "detach"), split, len(o.Operands) == 0:
		return nil
	case len(o.Operands) > 1:
		return files(o.Operands)
	case pathLike(o.Operands[0].Text, u):
		return files(o.Operands)
	}
	return nil
}

func files(paths []word.Arg) []policy.Effect {
	return []policy.Effect{{Kind: policy.GitLoss, Verb: "checkout-paths", Target: join(paths)}}
}

// pathLike tells whether the one operand of a checkout is a file and not a branch: by the disk, or else by its looks.
func pathLike(name string, u unit.Unit) bool {
	switch {
	case name == "." || name == ".." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../"):
		return true
	case strings.HasPrefix(name, "/") || strings.HasPrefix(name, ":") || strings.HasSuffix(name, "/") || strings.ContainsAny(name, "*?["):
		return true
	case strings.Contains(name, word.Unknown):
		return false
	}
	if u.Machine != nil && u.Machine.Facts != nil && path.IsAbs(u.Dir.Text) && u.Dir.Known() {
		if exists, known := u.Machine.Facts.Exists(path.Join(u.Dir.Text, name)); known {
			return exists
		}
	}
	switch path.Base(name) {
	case "Makefile", "Dockerfile", "LICENSE", "README", "Gemfile", "Procfile", ".gitignore", ".env":
		return true
	}
	return fileEnding(path.Ext(name))
}

// fileEnding tells the endings of files that projects have from the dots of versions and branches.
func fileEnding(ext string) bool {
	switch ext {
	case ".go", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".py", ".rb", ".rs", ".java", ".kt", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs",
		".swift", ".php", ".sh", ".bash", ".zsh", ".ps1", ".sql", ".html", ".css", ".scss", ".vue", ".svelte", ".md", ".mdx", ".txt", ".rst",
		".json", ".jsonc", ".yaml", ".yml", ".toml", ".xml", ".ini", ".cfg", ".conf", ".lock", ".mod", ".sum", ".env", ".csv", ".proto",
		".gradle", ".tf", ".ex", ".exs", ".erl", ".hs", ".ml", ".scala", ".clj", ".lua", ".pl", ".r", ".ipynb", ".png", ".svg", ".jpg", ".snap":
		return true
	}
	return false
}
