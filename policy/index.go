package policy

import "strings"

// A rule's kinds and programs are sets, one bit each: a call has the sets of all it does and runs, and only a rule that shares
// a bit is looked at. They are computed once, by the generator for the built-in packs and by the loader for a file.

const all = ^uint32(0)

// index computes the sets of a rule.
func (r *Rule) index() {
	r.kinds, r.programs = 0, 0
	if w := &r.When; w.aboutEffects() {
		r.kinds = kindSet(w.Effect)
	}
	if w := &r.When; w.aboutCommands() {
		r.programs = programSet(w.Command)
	}
}

func kindSet(patterns []string) uint32 {
	set := uint32(0)
	for _, p := range patterns {
		bit := kindBit(Kind(p))
		if bit == 0 {
			return all
		}
		set |= bit
	}
	if set == 0 {
		return all
	}
	return set
}

// kindBit is the kind's bit, 0 for what is none.
func kindBit(k Kind) uint32 {
	for i := range kinds {
		if kinds[i].Kind == k {
			return 1 << i
		}
	}
	return 0
}

func programSet(patterns []string) uint64 {
	set := uint64(0)
	for _, p := range patterns {
		name, _, _ := strings.Cut(p, " ")
		if name == "" || name[0] == '!' || strings.HasPrefix(p, "re:") || strings.ContainsAny(name, wildcards) {
			return ^uint64(0)
		}
		set |= programBit(program(name))
	}
	if set == 0 {
		return ^uint64(0)
	}
	return set
}

// programBit is one of 64 bits by the name in any case; a name that is not known has all.
func programBit(name string) uint64 {
	if strings.Contains(name, unknown) {
		return ^uint64(0)
	}
	h := uint32(2166136261)
	for i := 0; i < len(name); i++ {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		h = (h ^ uint32(c)) * 16777619
	}
	return 1 << (h >> 26)
}
