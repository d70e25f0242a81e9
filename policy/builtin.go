package policy

//go:generate go run ./internal/policygen

// Pack is a set of rules that is built in.
type Pack struct {
	Name, Text string
	// Packs are those that it holds beside its own rules.
	Packs []string
	Rules []Rule
	Sum   string
}

// Packs are all that are built in. What they hold is shared: it must not be changed.
func Packs() []Pack { return builtin[:] }

func pack(name string) *Pack {
	for i := range builtin {
		if builtin[i].Name == name {
			return &builtin[i]
		}
	}
	return nil
}

// InForce is one rule as it counts in a set.
type InForce struct {
	Rule   *Rule
	Layer  Layer
	File   string
	Action Action
	Shadow bool
	Off    bool
}

// Rules are all rules of the set in the order that they are matched.
func (s *Set) Rules() []InForce {
	var out []InForce
	for i := range s.files {
		f := &s.files[i]
		for k := range f.rules {
			r := &f.rules[k]
			action, shadow := s.effective(f, r)
			out = append(out, InForce{Rule: r, Layer: f.layer, File: f.path, Action: action, Shadow: shadow, Off: s.switched(f, r)})
		}
	}
	return out
}
