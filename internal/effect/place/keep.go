package place

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// Flags are a spot's, as policy.Effect has them. It asks the disk whether something is there and whether git ignores it.
func (m *Machine) Flags(s Spot) []string {
	var out []string
	for _, f := range [...]struct {
		on   bool
		name string
	}{
		{s.Glob, "glob"}, {s.All, "all"}, {s.Dynamic, "dynamic"}, {s.Link, "link"}, {m.Regenerable(s), "regenerable"},
	} {
		if f.on {
			out = append(out, f.name)
		}
	}
	if m.Facts == nil || s.Stream || s.Where == policy.Nowhere || !absolute(s.Path) || strings.Contains(s.Path, word.Unknown) {
		return out
	}
	if !s.Glob {
		if exists, known := m.Facts.Exists(s.Path); known && !exists {
			out = append(out, "missing")
		}
	}
	if s.Where == policy.Inside && !s.All && m.Facts.Ignored(m.Project, s.Real) {
		out = append(out, "ignored")
	}
	return out
}

// Regenerable tells whether tools make anew what is there: dependencies, caches, what a build leaves.
func (m *Machine) Regenerable(s Spot) bool {
	path := s.Real
	if s.Where == policy.Nowhere {
		return !s.Many && namesMadeAnew(path)
	}
	if !inProject(s.Where) && s.Where != policy.User && s.Where != policy.Temp {
		return false
	}
	if s.Where == policy.User {
		if rest, in := m.below(path, m.home()); in && cache(rest) {
			return true
		}
	}
	if rest, in := m.below(path, m.project()); in {
		path = rest
	} else if rest, in := m.below(path, m.home()); in {
		path = rest
	}
	if s.Where == policy.VCS {
		return strings.HasSuffix(path, ".lock") && !s.Glob
	}
	for part := range strings.SplitSeq(path, "/") {
		if madeAnew(part) {
			return true
		}
	}
	return strings.Contains("/"+path+"/", "/vendor/bundle/")
}

// namesMadeAnew tells it of a path whose beginning is not known: a directory of such a name is that, wherever it is.
func namesMadeAnew(path string) bool {
	is := false
	for part := range strings.SplitSeq(path, "/") {
		if part == ".." || strings.Contains(part, word.Unknown) {
			is = false
			continue
		}
		is = is || madeAnew(part)
	}
	return is
}

// madeAnew tells whether a directory of this name is made by tools and nothing else.
func madeAnew(name string) bool {
	switch name {
	case "node_modules", "bower_components", "jspm_packages", ".pnpm-store", ".yarn-cache", ".parcel-cache", ".turbo", ".nx", ".next", ".nuxt",
		".svelte-kit", ".angular", ".astro", ".docusaurus", ".vite", ".expo", ".cache", ".eslintcache", ".stylelintcache", ".rollup.cache",
		"dist", "target", "coverage", ".coverage", "htmlcov", ".nyc_output", "__pycache__", ".venv", "venv", ".tox", ".nox", ".eggs",
		".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints", ".gradle", ".kotlin", ".dart_tool", ".zig-cache",
		"zig-cache", "zig-out", ".stack-work", "dist-newstyle", "_build", ".elixir_ls", ".build", "DerivedData", "Pods", "elm-stuff", ".bundle",
		".sass-cache", ".jekyll-cache", ".terraform", ".terragrunt-cache", ".serverless", ".aws-sam", ".vercel", ".netlify", ".wrangler", ".output",
		"storybook-static", "playwright-report", "test-results", ".swc", ".metals", ".bloop", ".ccls-cache", ".clangd", "CMakeFiles",
		".DS_Store", "Thumbs.db", "__snapshots_cache__", "tsconfig.tsbuildinfo", ".tsbuildinfo", "npm-debug.log", "yarn-error.log":
		return true
	}
	return strings.HasSuffix(name, ".egg-info") || strings.HasPrefix(name, "cmake-build-") || strings.HasSuffix(name, ".pyc") || strings.HasSuffix(name, ".pyo") || strings.HasSuffix(name, ".tsbuildinfo")
}

// cache tells whether a path below the home is one that programs fill anew.
func cache(rest string) bool {
	for _, dir := range [...]string{
		".cache", "Library/Caches", "Library/Developer/Xcode/DerivedData", ".npm/_cacache", ".npm/_npx", ".npm/_logs", ".cargo/registry", ".cargo/git",
		".gradle/caches", ".gradle/daemon", ".m2/repository", "go/pkg/mod", ".yarn/cache", ".yarn/berry/cache", ".bun/install/cache", ".pnpm-store",
		".local/share/pnpm/store", ".nuget/packages", ".ivy2/cache", ".sbt/boot", ".composer/cache", ".pub-cache", ".cocoapods/repos",
		".local/share/Trash", ".node-gyp", ".electron-gyp", ".deno", ".ccache", ".conan/data", ".stack/snapshots",
		"AppData/Local/Temp", "AppData/Local/npm-cache", "AppData/Local/pip/Cache", "AppData/Local/Yarn/Cache", "AppData/Local/NuGet/Cache",
	} {
		if rest == dir || strings.HasPrefix(rest, dir+"/") {
			return true
		}
	}
	return false
}

func inProject(w policy.Where) bool {
	return w == policy.Inside || w == policy.Project || w == policy.VCS
}
