package project

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/foreign"
)

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// common is the git directory that a linked worktree shares with the others. The file .git in a directory may name any: only a
// worktree that the repository itself has in its list is one of it.
func (r Resolver) common(top string) (string, error) {
	own := filepath.Join(top, ".git")
	if fi, err := os.Lstat(own); err != nil || !fi.Mode().IsRegular() {
		return "", errNoWorktree
	}
	dir, err := r.pointer(own, top, "gitdir:")
	if err != nil {
		return "", err
	}
	common := filepath.Dir(filepath.Dir(dir))
	if filepath.Base(filepath.Dir(dir)) != "worktrees" {
		return "", errNoWorktree
	}
	back, err := r.pointer(filepath.Join(dir, "gitdir"), dir, "")
	if err != nil {
		return "", err
	}
	if back != own && real(back) != real(own) {
		return "", errNoWorktree
	}
	if shared, err := r.pointer(filepath.Join(dir, "commondir"), dir, ""); err != nil || real(shared) != real(common) {
		return "", errNoWorktree
	}
	return common, nil
}

// pointer is the path that a file of git's has, below base where it is relative.
func (r Resolver) pointer(file, base, prefix string) (string, error) {
	if r.stuck(file) {
		return "", ErrHangs
	}
	text, err := read(file, maxPointer)
	if err != nil {
		return "", err
	}
	path, ok := strings.CutPrefix(strings.TrimRight(text, "\r\n"), prefix)
	path = strings.TrimLeft(path, " ")
	if !ok || path == "" || strings.ContainsAny(path, "\x00\n") {
		return "", errNoWorktree
	}
	if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	if path = filepath.Clean(path); r.stuck(path) {
		return "", ErrHangs
	}
	return path, nil
}

// What of git's files is read at most.
const (
	maxPointer = 8 << 10
	maxConfig  = 256 << 10
)

func read(path string, most int) (string, error) {
	text, err := foreign.Read(path)
	if err != nil {
		return "", err
	}
	return string(text[:min(len(text), most)]), nil
}

// origin is the normalized address of the remote of that name.
func (r Resolver) origin(gitDir string) string {
	path := filepath.Join(gitDir, "config")
	if r.stuck(path) {
		return ""
	}
	text, err := read(path, maxConfig)
	if err != nil {
		return ""
	}
	return Remote(originURL(text))
}

// originURL finds url in [remote "origin"].
func originURL(config string) string {
	in, found := false, ""
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			head, rest, ok := strings.Cut(line[1:], "]")
			if !ok {
				continue
			}
			section, sub, _ := strings.Cut(strings.TrimSpace(head), " ")
			in = strings.EqualFold(section, "remote") && strings.TrimSpace(sub) == `"origin"`
			line = strings.TrimSpace(rest)
		}
		name, value, ok := strings.Cut(line, "=")
		if in && ok && found == "" && strings.EqualFold(strings.TrimSpace(name), "url") {
			found = unquote(strings.TrimSpace(value))
		}
	}
	return found
}

// unquote takes the quotes and the comment off a value.
func unquote(s string) string {
	if rest, ok := strings.CutPrefix(s, `"`); ok {
		if value, _, ok := strings.Cut(rest, `"`); ok {
			return value
		}
		return ""
	}
	if at := strings.IndexAny(s, "#;"); at >= 0 {
		s = strings.TrimSpace(s[:at])
	}
	return s
}
