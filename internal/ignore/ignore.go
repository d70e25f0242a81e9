// Package ignore tells what a project's git ignores, by its files alone: .gitignore on the way to a path, and .git/info/exclude. The
// local guard asks it whether what is deleted is something that comes back by itself. It starts no git, and must not import the rest
// of boathook.
package ignore

import (
	"bytes"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// The bounds of what is read and compared.
const (
	maxFile  = 256 << 10
	maxRules = 2000
	maxDepth = 64
)

// Ignored tells whether git ignores a path below a project's root. The root and git's own folder are never ignored. That a file is
// tracked all the same is not looked at: then git has it.
func Ignored(root, at string) bool {
	rel, err := filepath.Rel(root, at)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	if len(parts) > maxDepth {
		return false
	}
	rules := read(filepath.Join(root, ".git", "info", "exclude"), 0, nil)
	dir := root
	for i, name := range parts {
		if name == ".git" {
			return false
		}
		rules = read(filepath.Join(dir, ".gitignore"), i, rules)
		dir = filepath.Join(dir, name)
		last := i == len(parts)-1
		if decides(rules, parts[:i+1], !last || isDir(dir)) {
			return true // what is below an ignored directory cannot be taken out of it again
		}
	}
	return false
}

func isDir(at string) bool {
	info, err := os.Lstat(at)
	return err == nil && info.IsDir()
}

// rule is one line of a file that stands depth directories below the root.
type rule struct {
	parts    []string
	depth    int
	not, dir bool
}

// read adds a file's rules. One that is no regular file has none.
func read(file string, depth int, rules []rule) []rule {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() {
		return rules
	}
	f, err := os.Open(file)
	if err != nil {
		return rules
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return rules
	}
	for line := range bytes.Lines(text) {
		if len(rules) >= maxRules {
			break
		}
		if r, ok := parse(string(line)); ok {
			r.depth = depth
			rules = append(rules, r)
		}
	}
	return rules
}

// parse reads one line, by gitignore(5).
func parse(line string) (rule, bool) {
	line = strings.TrimRight(line, "\r\n")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if line == "" || line[0] == '#' {
		return rule{}, false
	}
	var r rule
	if r.not = line[0] == '!'; r.not {
		line = line[1:]
	}
	if r.dir = strings.HasSuffix(line, "/"); r.dir {
		line = strings.TrimRight(line, "/")
	}
	anchored := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return rule{}, false
	}
	if !anchored {
		line = "**/" + line
	}
	r.parts = strings.Split(strings.ReplaceAll(line, "[!", "[^"), "/")
	return r, len(r.parts) <= maxDepth
}

// decides tells what the last rule says that fits a path.
func decides(rules []rule, parts []string, dir bool) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		r := rules[i]
		if r.depth < len(parts) && (dir || !r.dir) && fits(r.parts, parts[r.depth:]) {
			return !r.not
		}
	}
	return false
}

// fits compares part by part; ** is any number of them. Each line of the table is one part of the pattern.
func fits(pattern, parts []string) bool {
	now := make([]bool, len(parts)+1)
	now[0] = true
	for i, p := range pattern {
		next := make([]bool, len(parts)+1)
		for j := range now {
			switch {
			case !now[j]:
			case p == "**" && i == len(pattern)-1: // everything below, not the directory itself
				for k := j + 1; k <= len(parts); k++ {
					next[k] = true
				}
			case p == "**":
				for k := j; k <= len(parts); k++ {
					next[k] = true
				}
			case j < len(parts):
				if ok, err := path.Match(p, parts[j]); err == nil && ok {
					next[j+1] = true
				}
			}
		}
		now = next
	}
	return now[len(parts)]
}
