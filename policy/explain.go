package policy

import "strings"

// Find gives the rule of a hit.
func (s *Set) Find(h Hit) *Rule {
	for i := range s.files {
		f := &s.files[i]
		if f.layer != h.Layer {
			continue
		}
		for k := range f.rules {
			if r := &f.rules[k]; r.ID == h.Rule && r.Pack == h.Pack {
				return r
			}
		}
	}
	return nil
}

// About says which part of a call a hit is about, for people.
func (h Hit) About(c Call) string {
	var b strings.Builder
	if h.Command >= 0 && h.Command < len(c.Commands) {
		b.WriteString(strings.ReplaceAll(strings.Join(c.Commands[h.Command].Argv, " "), unknown, "…"))
	}
	if h.Effect >= 0 && h.Effect < len(c.Effects) {
		if b.Len() > 0 {
			b.WriteString(": ")
		}
		b.WriteString(c.Effects[h.Effect].String())
	}
	if b.Len() == 0 {
		return "the call"
	}
	return b.String()
}

// String is an effect as people read it: delete /home/dev/x (user, recursive).
func (e Effect) String() string {
	var b strings.Builder
	b.WriteString(string(e.Kind))
	if e.Verb != "" {
		b.WriteString(" " + e.Verb)
	}
	if e.Target != "" {
		b.WriteString(" " + strings.ReplaceAll(e.Target, unknown, "…"))
	}
	notes := e.Flags
	if e.Where != "" {
		notes = append([]string{string(e.Where)}, e.Flags...)
	}
	if len(notes) > 0 {
		b.WriteString(" (" + strings.Join(notes, ", ") + ")")
	}
	return b.String()
}

// String is what a rule matches as people read it: effect = delete; where = user, elsewhere.
func (w *When) String() string {
	var parts []string
	for _, name := range whenKeys {
		if patterns := w.key(name); patterns != nil && len(*patterns) > 0 {
			parts = append(parts, name+" = "+strings.Join(*patterns, ", "))
		}
	}
	for _, a := range w.Args {
		parts = append(parts, "arg "+a.Name+" = "+strings.Join(a.Patterns, ", "))
	}
	return strings.Join(parts, "; ")
}
