package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// tampers notes a change of the files by which agents' hooks and permissions are said, and of boathook's own; of a directory that
// holds some as well where the change takes all that is in it.
func (s *sheet) tampers(spot place.Spot, c change) {
	if s.remote() || spot.Where == policy.Nowhere && spot.Dynamic {
		return
	}
	s.tampersAt(spot.Path, spot, c)
	if spot.Link {
		s.tampersAt(spot.Real, spot, c)
	}
}

func (s *sheet) tampersAt(path string, spot place.Spot, c change) {
	w := watch{m: s.Machine, path: path, glob: spot.Glob, spot: spot, c: c}
	if at := strings.Index(path, word.Unknown); at >= 0 { // in an agent's own directory it may be any of its files
		if dir := path[:strings.LastIndexByte(path[:at], '/')+1]; agentsOwn(base(dir)) {
			w.path, w.glob = dir+"*", true
		}
	}
	if verb := w.guard(); verb != "" {
		s.put(policy.Effect{Kind: policy.TamperGuard, Verb: verb, Target: path, Where: spot.Where})
	}
	if verb := w.agent(); verb != "" {
		s.put(policy.Effect{Kind: policy.TamperAgent, Verb: verb, Target: path, Where: spot.Where})
	}
}

// agentsOwn tells whether a directory of this name is all of an agent.
func agentsOwn(name string) bool {
	switch name {
	case ".claude", ".gemini", ".codex", ".cursor", ".qwen", ".copilot", ".cline", ".clinerules", ".windsurf", ".amp", ".opencode", "opencode":
		return true
	}
	return false
}

// watch compares one path with the kept ones.
type watch struct {
	m    *place.Machine
	path string
	glob bool
	spot place.Spot
	c    change
}

func (w watch) guard() string {
	for _, dir := range w.m.Guard {
		if dir != "" && w.hits(w.path, strings.ReplaceAll(dir, `\`, "/")) {
			return "files"
		}
	}
	if strings.HasPrefix(w.path, "/var/tmp/boathook-") {
		return "data"
	}
	if name := base(w.path); (name == "boathook" || name == "boathook.exe") && strings.HasSuffix(strings.TrimSuffix(w.path, "/"+name), "bin") &&
		!inside(w.spot.Where) && w.spot.Where != policy.Temp {
		return "program"
	}
	if rest, in := w.m.OfHome(w.path); in {
		if verb := w.among(rest, guardHome[:]); verb != "" {
			return verb
		}
	}
	if rest, in := w.m.OfProject(w.path); in && rest != "" {
		if verb := w.among(rest, guardProject[:]); verb != "" {
			return verb
		}
	}
	return w.among(w.path, guardMachine[:])
}

func (w watch) agent() string {
	if w.c.verb == "mkdir" {
		return ""
	}
	for _, file := range w.m.Agents {
		if file != "" && w.hits(w.path, strings.ReplaceAll(file, `\`, "/")) {
			return "settings"
		}
	}
	if rest, in := w.m.OfHome(w.path); in {
		if verb := w.among(rest, keptHome[:]); verb != "" {
			return verb
		}
	}
	if rest, in := w.m.OfProject(w.path); in && rest != "" {
		if verb := w.among(rest, keptProject[:]); verb != "" {
			return verb
		}
	}
	return w.among(w.path, keptMachine[:])
}

// among is the verb of the first of these that a change is about. An empty path is the directory that holds them all.
func (w watch) among(path string, all []kept) string {
	for _, k := range all {
		if path == "" && w.takesAll(k.path) || path != "" && w.hits(path, k.path) {
			return k.verb
		}
	}
	return ""
}

func (w watch) hits(path, kept string) bool {
	switch w.m.Relate(path, w.glob, kept) {
	case place.Within:
		return true
	case place.Holds:
		if name := base(path); (name == "Documents" || name == ".github" || name == ".agents") && !w.there(strings.TrimPrefix(kept, path)) {
			return false // it holds much else, and most have nothing of an agent's there
		}
		return w.takesAll(strings.TrimPrefix(strings.TrimPrefix(kept, path), "/"))
	}
	return false
}

// takesAll tells whether a change of a directory is one of all that is in it. What is copied into a directory is so only where it
// could be the kept file's own.
func (w watch) takesAll(rest string) bool {
	switch w.c.kind {
	case policy.Move:
		return true
	case policy.Delete, policy.Chmod, policy.Chown:
		return w.c.recursive
	case policy.Overwrite, policy.Write:
		if w.c.verb == "link" || w.c.verb == "mount" {
			return true // the whole directory is another one then
		}
		return w.c.recursive && w.c.kind == policy.Overwrite && !strings.Contains(rest, "/") && agentsOwn(base(w.path))
	}
	return false
}

// there tells whether the disk has something below the changed path.
func (w watch) there(rest string) bool {
	if w.m.Facts == nil || w.glob {
		return false
	}
	exists, known := w.m.Facts.Exists(strings.TrimSuffix(w.path, "/") + rest)
	return exists && known
}
