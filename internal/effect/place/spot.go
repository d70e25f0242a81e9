package place

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// Spot is where one word leads.
type Spot struct {
	// Path is absolute and lexically clean, with slashes on every system and word.Unknown for what is not known. It is relative
	// where the working directory is not known.
	Path string
	// Real is the path that Path's symbolic links lead to; Path itself where there are none, or nobody can tell.
	Real  string
	Where policy.Where
	// Glob says that Path is a pattern, All that it means all that a directory holds: Where is then the directory's.
	Glob, All bool
	// Dynamic says that a part of the path is not known.
	Dynamic bool
	// Many says that the part which is not known may be several words, so that the path need not be one.
	Many bool
	// Link says that Real differs from Path.
	Link bool
	// Stream says that it is no file but an open stream, or a device that swallows what it gets.
	Stream bool
}

// How says what a command does with the last part of a path.
type How uint8

// The ways. An Entry is the name itself: rm and mv take a symbolic link, not what it leads to.
const (
	Follow How = iota
	Entry
)

// Place tells where a word leads that a command run in dir is given.
func (m *Machine) Place(a word.Arg, dir word.Arg, how How) Spot {
	if len(a.Text) > maxPath || len(dir.Text) > maxPath { // no system takes it
		return Spot{Path: word.Unknown, Real: word.Unknown, Where: policy.Nowhere, Dynamic: true, Glob: a.Glob}
	}
	text := m.expand(a.Text)
	if strings.EqualFold(text, "$null") { // PowerShell's
		return Spot{Path: text, Real: text, Where: policy.System, Stream: true}
	}
	// In a loop over a pattern the name is the pattern: a file that is called * is rarer than that.
	a.Glob = a.Glob || everything(last(text))
	s := Spot{Glob: a.Glob && hasPattern(text), Dynamic: a.Many || strings.Contains(text, word.Unknown), Many: a.Many, Where: policy.Nowhere}
	slash := strings.HasSuffix(text, "/") || strings.HasSuffix(text, "/.")
	switch {
	case text == "" || strings.HasPrefix(text, word.Unknown):
		s.Path, s.Real = text, text
		s.Dynamic = s.Dynamic || text != ""
		s.All = s.Glob && everything(last(text))
		return s
	case !absolute(text):
		base := m.expand(dir.Text)
		if !absolute(base) {
			return m.adrift(s, base, text)
		}
		s.Dynamic = s.Dynamic || strings.Contains(base, word.Unknown)
		text = base + "/" + text
	}
	path, lost := m.clean(text, dir.Text)
	s.Path, s.Real = path, path
	if lost {
		return s
	}
	if slash || s.Glob {
		how = Follow
	}
	m.locate(&s, how)
	return s
}

// adrift is a relative path whose directory is not known: one that does not climb is taken to be in the project.
func (m *Machine) adrift(s Spot, base, text string) Spot {
	if base != "" && base != word.Unknown {
		text = base + "/" + text
	}
	path := strings.TrimPrefix(lexical("/"+text), "/")
	if path == "" {
		path = "."
	}
	s.Path, s.Real = path, path
	s.All = s.Glob && everything(last(path))
	switch climbs := climbs(text); {
	case climbs, s.All, path == ".", strings.HasPrefix(text, word.Unknown):
		s.Dynamic = true
	default:
		s.Where = policy.Inside
		if inVCS(path) {
			s.Where = policy.VCS
		}
	}
	return s
}

// locate tells the place of a spot whose path is absolute.
func (m *Machine) locate(s *Spot, how How) {
	if streams(s.Path) || m.OS == "windows" && strings.EqualFold(last(s.Path), "nul") {
		s.Stream, s.Where = true, policy.System
		return
	}
	known := s.Path
	if at := firstVague(known, s.Glob); at >= 0 {
		known = known[:strings.LastIndexByte(known[:at], '/')+1]
		s.All = s.Glob && known+last(s.Path) == s.Path && everything(last(s.Path))
	}
	m.follow(s, known, how)
	s.Where = m.where(s.Real, s.Glob, s.All)
}

// follow looks where the links of the known part of a path lead.
func (m *Machine) follow(s *Spot, known string, how How) {
	if m.Facts == nil && len(m.Links) == 0 {
		return
	}
	look, rest := strings.TrimSuffix(known, "/"), strings.TrimPrefix(s.Path, strings.TrimSuffix(known, "/"))
	if how == Entry && rest == "" {
		at := strings.LastIndexByte(look, '/')
		if at < 0 {
			return
		}
		look, rest = look[:at], look[at:]
	}
	if look == "" {
		return
	}
	if real := m.resolve(look); real != look {
		if real = m.usual(strings.TrimSuffix(real, "/") + rest); real == "" {
			real = "/"
		}
		s.Real, s.Link = real, real != s.Path
	}
}

// real is where a path leads, said by the names that the machine's own directories are known under.
func (m *Machine) real(path string) string { return m.usual(m.resolve(path)) }

func (m *Machine) resolve(path string) string {
	path = m.throughLinks(path)
	if m.Facts == nil {
		return path
	}
	real, ok := m.Facts.Resolve(path)
	if !ok {
		return path
	}
	return slashed(real, m.OS)
}

// usual gives a path that is free of links the names that the project, the home and the working directory are known under.
func (m *Machine) usual(real string) string {
	if m.Facts == nil {
		return real
	}
	for _, base := range [...]string{m.Project, m.Home, m.Dir} {
		if base == "" {
			continue
		}
		if there, ok := m.Facts.Resolve(base); ok && there != base {
			if rest, in := m.below(real, slashed(there, m.OS)); in {
				return strings.TrimSuffix(slashed(base, m.OS)+"/"+rest, "/")
			}
		}
	}
	return real
}

// Link is a symbolic link that the same text makes before it is used.
type Link struct{ Path, Target string }

// throughLinks follows the links that the text itself makes.
func (m *Machine) throughLinks(path string) string {
	for range m.Links {
		moved := false
		for _, l := range m.Links {
			if rest, in := m.below(path, l.Path); in {
				next := strings.TrimSuffix(strings.TrimSuffix(l.Target, "/")+"/"+rest, "/")
				if next == "" {
					next = "/"
				}
				moved = moved || next != path
				path = next
			}
		}
		if !moved || len(path) > maxPath {
			break
		}
	}
	return path
}

// maxPath is more than a path has that a system takes.
const maxPath = 8192
