package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// trail is what the earlier commands of a text have done to names, as far as it matters to later ones: a link leads elsewhere, and what
// was moved is lost where it is deleted now.
type trail struct {
	machine *place.Machine
	moved   []moved
}

type moved struct {
	from place.Spot
	to   string
}

// maxTrail bounds what is remembered.
const maxTrail = 64

// link remembers a symbolic link. It may be the name itself, or a name below it where that is a directory.
func (t *trail) link(s *sheet, from, to word.Arg) {
	if t == nil || !from.Known() || !to.Known() || s.remote() || len(t.machine.Links) > maxTrail {
		return
	}
	at := s.Machine.Place(to, s.Dir, place.Entry)
	dir := at.Path[:max(strings.LastIndexByte(at.Path, '/'), 0)] + "/"
	target := s.Machine.Place(from, word.Lit(dir), place.Follow)
	if target.Dynamic || at.Dynamic || target.Real == at.Path || !strings.HasPrefix(at.Path, "/") {
		return
	}
	m := *t.machine
	m.Links = append(m.Links[:len(m.Links):len(m.Links)], place.Link{Path: at.Path, Target: target.Real})
	if name := base(from.Text); name != "" {
		m.Links = append(m.Links, place.Link{Path: strings.TrimSuffix(at.Path, "/") + "/" + name, Target: target.Real})
	}
	t.machine = &m
}

// move remembers where something went.
func (t *trail) move(from place.Spot, to place.Spot) {
	if t == nil || len(t.moved) > maxTrail || from.Where == policy.Temp || to.Path == "" {
		return
	}
	t.moved = append(t.moved, moved{from, to.Path})
	if name := base(from.Path); name != "" {
		t.moved = append(t.moved, moved{from, strings.TrimSuffix(to.Path, "/") + "/" + name})
	}
}

// lost notes that a deletion takes what an earlier command of the text has moved there, and tells whether it does.
func (s *sheet) lost(spot place.Spot, c change) bool {
	if s.trail == nil || c.kind != policy.Delete {
		return false
	}
	found := false
	for _, mv := range s.trail.moved {
		if s.Machine.Relate(spot.Path, spot.Glob, mv.to) == place.Apart {
			continue
		}
		found = true
		e := policy.Effect{Kind: policy.Delete, Verb: "moved", Target: mv.from.Path, Where: mv.from.Where}
		if c.recursive {
			e.Flags = append(e.Flags, "recursive")
		}
		if s.Machine.Regenerable(mv.from) {
			e.Flags = append(e.Flags, "regenerable")
		}
		s.put(e)
	}
	return found
}
