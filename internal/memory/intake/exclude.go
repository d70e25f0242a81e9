package intake

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// pattern is one of what is excluded.
type pattern struct {
	// parts are those of a path: ** is any number of them. One that isn't rooted may begin anywhere.
	parts  []string
	rooted bool
	// bare has no slash: it may be a project's name as well.
	bare string
}

func patterns(globs []string, home string) []pattern {
	var out []pattern
	for _, g := range globs {
		g = filepath.ToSlash(strings.TrimSpace(g))
		if rest, ok := strings.CutPrefix(g, "~/"); ok && home != "" {
			g = filepath.ToSlash(home) + "/" + rest
		}
		g = strings.TrimSuffix(g, "/")
		if g == "" {
			continue
		}
		p := pattern{rooted: path.IsAbs(g) || len(g) > 1 && g[1] == ':', parts: strings.Split(strings.Trim(g, "/"), "/")}
		if len(p.parts) == 1 && !p.rooted {
			p.bare = g
		}
		out = append(out, p)
	}
	return out
}

// Excluded tells whether any of the names, which are paths or a project's, is excluded: it matches a glob, or lies below what does.
func (in *Intake) Excluded(names ...string) bool {
	for _, name := range names {
		if name != "" && slices.ContainsFunc(in.exclude, func(p pattern) bool { return p.matches(name, in.Home) }) {
			return true
		}
	}
	return false
}

// namesExcluded looks at the words of a command line. One that only a run would tell is not found; a path that it writes out is.
func (in *Intake) namesExcluded(command string) bool {
	if len(in.exclude) == 0 || command == "" {
		return false
	}
	words := strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`;|&<>()=,{}", r) })
	return in.Excluded(words...)
}

func (p pattern) matches(name, home string) bool {
	name = filepath.ToSlash(name)
	if p.bare != "" {
		if ok, _ := path.Match(p.bare, name); ok {
			return true
		}
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok && home != "" {
		name = filepath.ToSlash(home) + "/" + rest
	}
	parts := strings.Split(strings.Trim(path.Clean(name), "/"), "/")
	if p.rooted {
		return below(p.parts, parts)
	}
	for at := range parts {
		if below(p.parts, parts[at:]) {
			return true
		}
	}
	return false
}

// below tells whether a pattern matches the first of the parts, or all of them.
func below(pattern, parts []string) bool {
	if len(pattern) == 0 {
		return true
	}
	if pattern[0] == "**" {
		for at := range len(parts) + 1 {
			if below(pattern[1:], parts[at:]) {
				return true
			}
		}
		return false
	}
	if len(parts) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], parts[0])
	return err == nil && ok && below(pattern[1:], parts[1:])
}
