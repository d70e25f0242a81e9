package place

import "strings"

// Relation is how a path stands to another one, the kept.
type Relation uint8

// The relations: a path is the kept one or below it, or it holds it.
const (
	Apart Relation = iota
	Within
	Holds
)

// Relate tells how a path, which with glob is a pattern, stands to another. Both are of one kind: absolute, or below one directory.
func (m *Machine) Relate(path string, glob bool, kept string) Relation {
	if glob && hasPattern(path) {
		return m.relatePattern(path, kept)
	}
	if kept == "" || path == "" {
		return Apart
	}
	if _, in := m.below(path, kept); in {
		return Within
	}
	if _, in := m.below(kept, path); in {
		return Holds
	}
	return Apart
}

func (m *Machine) relatePattern(pattern, kept string) Relation {
	for {
		var p, k string
		p, pattern, _ = strings.Cut(strings.TrimPrefix(pattern, "/"), "/")
		k, kept, _ = strings.Cut(strings.TrimPrefix(kept, "/"), "/")
		switch {
		case p == "" && k == "", k == "":
			return Within
		case p == "":
			return Holds
		case !m.matches(p, k):
			return Apart
		}
	}
}

// matches tells whether a name is among those of a pattern of one part; a name with a dot in front only where the pattern has one, too.
func (m *Machine) matches(pattern, name string) bool {
	if m.folds() {
		pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	}
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") {
		return false
	}
	return Match(pattern, name)
}

// Match tells whether a name is among those of a shell's pattern. Its work is bounded by the product of both lengths.
func Match(pattern, name string) bool {
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		size, ok := one(pattern[p:], name[n:])
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, n
			p++
		case ok:
			p += size
			n++
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// one matches a byte of a name against what stands first in a pattern, and gives the pattern's length.
func one(pattern, name string) (size int, ok bool) {
	switch {
	case pattern == "":
		return 0, false
	case pattern[0] == '?':
		return 1, name[0] != '/'
	case pattern[0] == '\\' && len(pattern) > 1:
		return 2, pattern[1] == name[0]
	case pattern[0] == '[':
		return class(pattern, name[0])
	}
	return 1, pattern[0] == name[0]
}

// class matches a byte against [abc], [a-z] or [!abc]. Without an end it is a plain bracket.
func class(pattern string, c byte) (size int, ok bool) {
	i, not := 1, false
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		not = true
		i++
	}
	for first := true; i < len(pattern); first = false {
		if pattern[i] == ']' && !first {
			return i + 1, ok != not && c != '/'
		}
		if strings.HasPrefix(pattern[i:], "[:") {
			if end := strings.Index(pattern[i:], ":]"); end > 0 {
				ok = true // a class of characters: taken for all
				i += end + 2
				continue
			}
		}
		lo := pattern[i]
		hi := lo
		if i+2 < len(pattern) && pattern[i+1] == '-' && pattern[i+2] != ']' {
			hi = pattern[i+2]
			i += 2
		}
		ok = ok || lo <= c && c <= hi
		i++
	}
	return 1, c == '['
}

// OfHome gives the part of a path below a home, whoever's.
func (m *Machine) OfHome(path string) (rest string, ok bool) {
	if rest, in := m.below(path, m.home()); in && m.Home != "" {
		return rest, true
	}
	if rest, in := m.below(path, "/root"); in {
		return rest, true
	}
	for _, dir := range [...]string{"/home", "/Users", "C:/Users"} {
		if rest, in := m.below(path, dir); in && rest != "" {
			_, rest, _ = strings.Cut(rest, "/")
			return rest, true
		}
	}
	return "", false
}

// OfProject gives the part of a path below the project, or below the session's working directory where there is none. A relative
// path is taken to be below it.
func (m *Machine) OfProject(path string) (rest string, ok bool) {
	if !absolute(path) {
		return path, path != "" && path != "."
	}
	if rest, in := m.below(path, m.project()); in {
		return rest, true
	}
	if dir := slashed(m.Dir, m.OS); dir != "" && !m.isHome(dir) && !isRoot(dir) {
		return m.below(path, dir)
	}
	return "", false
}

// Below gives the part of a path below a directory of the machine.
func (m *Machine) Below(path, dir string) (rest string, ok bool) {
	return m.below(path, slashed(dir, m.OS))
}
