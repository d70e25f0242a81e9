package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
)

// Combine makes a set of the built-in packs and these files, whatever their order. Without a user's file, or with one that names no
// packs, the pack default is in; self-protection always is.
func Combine(files ...File) *Set {
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b File) int { return a.Layer.depth() - b.Layer.depth() })
	s := &Set{}
	var in []string
	own, shadow := []string(nil), Mode("")
	for _, f := range files {
		s.files = append(s.files, source{path: f.Path, layer: f.Layer, mode: f.Mode, rules: f.Rules, sum: f.Sum})
		for _, o := range f.Overrides {
			if f.Layer != ProjectLayer {
				s.overrides = append(s.overrides, override{o, f.Layer})
			}
		}
		switch f.Layer {
		case Organisation, ProjectLayer:
			if more := s.packs(f.Packs, f.Layer, f.Mode, in); f.Mode != Shadow { // what is only told makes nothing superfluous
				in = more
			}
		default:
			if f.Packs != nil {
				own = append(own[:len(own):len(own)], f.Packs...)
				own = append(own, selfProtection)
			}
			shadow = max(shadow, f.Mode)
		}
	}
	if own == nil {
		own = []string{"default"}
	}
	s.packs(own, BuiltIn, shadow, in)
	s.order()
	s.digest = sync.OnceValue(s.sum)
	return s
}

// packs adds packs with what they hold, each once: in a stronger layer it is not needed in a weaker one.
func (s *Set) packs(names []string, layer Layer, mode Mode, in []string) []string {
	for _, name := range names {
		if contains(in, name) {
			continue
		}
		p := pack(name)
		if p == nil {
			continue
		}
		in = s.packs(p.Packs, layer, mode, append(in, name))
		at := layer
		if name == rewriting && at == BuiltIn { // who names it wants it before the packs that stop the same
			at = UserLayer
		}
		s.files = append(s.files, source{pack: name, layer: at, mode: mode, rules: p.Rules, sum: p.Sum})
	}
	return in
}

const rewriting = "rewrites"

// order sorts by layers; within one a file stands before packs.
func (s *Set) order() {
	slices.SortStableFunc(s.files, func(a, b source) int { return a.layer.depth() - b.layer.depth() })
}

// effective is what a rule wants in this set, and whether it is only told.
func (s *Set) effective(f *source, r *Rule) (Action, bool) {
	action, mode := r.Action, r.Mode
	if mode == "" && !r.locked() {
		mode = f.mode
	}
	if o := s.override(f, r); o != nil {
		if o.Action != "" {
			action = o.Action
		}
		if o.Mode != "" {
			mode = o.Mode
		}
	}
	return action, mode == Shadow
}

// switched tells whether a rule does not count in this set at all.
func (s *Set) switched(f *source, r *Rule) bool {
	if f.layer == ProjectLayer && (r.Action == Allow || r.Action == Rewrite) {
		return true
	}
	o := s.override(f, r)
	return o != nil && (o.Off || o.Action == Allow)
}

// override finds who changes a built-in rule: the strongest layer that says something, and none that is weaker than the rule's own.
func (s *Set) override(f *source, r *Rule) *override {
	if f.pack == "" || len(s.overrides) == 0 {
		return nil
	}
	for i := range s.overrides { // the strongest come first
		o := &s.overrides[i]
		if o.Rule == r.ID && o.layer.depth() <= f.layer.depth() && (o.layer == Organisation || !r.locked()) {
			return o
		}
	}
	return nil
}

// reason is a rule's, told to be the project's where it is: a repository's text is nobody's word but its own.
func (f *source) reason(r *Rule) string {
	if f.layer == ProjectLayer && f.pack == "" {
		return "the project's policy says: " + r.Reason
	}
	return r.Reason
}

// Digest names the set: two sets with the same one judge alike.
func (s *Set) Digest() string { return s.digest() }

func (s *Set) sum() string {
	var b strings.Builder
	for _, f := range s.files {
		b.WriteString(string(f.layer) + " " + f.pack + " " + string(f.mode) + " " + f.sum + "\n")
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:8])
}
