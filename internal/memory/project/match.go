package project

import (
	"path"
	"path/filepath"
	"strings"
)

// In tells whether a project, or a directory in it, is one of those that a list names: by id, by name or by key, by the path of a
// directory that it is in, or by a glob of one of these (* within a part of a path, ** across). Home is what ~ stands for.
func (p Project) In(list []string, home string, dirs ...string) bool {
	for _, pattern := range list {
		if pattern = strings.TrimSpace(pattern); pattern == "" {
			continue
		}
		if pattern == p.Key || !strings.ContainsAny(pattern, `/\`) && (Glob(pattern, p.Name) || p.ID != "" && Glob(pattern, p.ID)) {
			return true
		}
		if p.ID != "" && Glob(pattern, p.ID) {
			return true
		}
		if rest, ok := strings.CutPrefix(pattern, "~/"); ok && home != "" {
			pattern = filepath.Join(home, rest)
		}
		for _, dir := range append([]string{p.Root}, dirs...) {
			if below(pattern, dir) {
				return true
			}
		}
	}
	return false
}

// Excluded tells whether nothing of a path is stored, by globs of memory.exclude.
func Excluded(globs []string, home, file string) bool {
	return Project{}.In(globs, home, file)
}

// below tells whether a directory, or one that it is in, matches.
func below(pattern, dir string) bool {
	if dir == "" {
		return false
	}
	pattern = strings.TrimSuffix(filepath.ToSlash(pattern), "/")
	relative := !strings.HasPrefix(pattern, "/") && !filepath.IsAbs(pattern)
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		slashed := filepath.ToSlash(at)
		if Glob(pattern, slashed) || relative && (Glob(pattern, path.Base(slashed)) || Glob("**/"+pattern, slashed)) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// maxParts bounds the work on a pattern: each ** may be any number of parts.
const maxParts = 64

// Glob matches a pattern: * and ? and [a-z] within a part between slashes, ** any number of parts. A pattern that is none matches
// itself alone.
func Glob(pattern, text string) bool {
	if pattern == text {
		return true
	}
	of, parts := strings.Split(pattern, "/"), strings.Split(text, "/")
	if len(of) > maxParts || len(parts) > maxParts {
		return false
	}
	// reach says for which beginnings of parts the pattern so far matches.
	reach := make([]bool, len(parts)+1)
	reach[0] = true
	for _, p := range of {
		next := make([]bool, len(parts)+1)
		for i := range reach {
			switch {
			case !reach[i]:
			case p == "**":
				for j := i; j <= len(parts); j++ {
					next[j] = true
				}
			case i < len(parts):
				if ok, err := path.Match(p, parts[i]); err == nil && ok {
					next[i+1] = true
				}
			}
		}
		reach = next
	}
	return reach[len(parts)]
}
