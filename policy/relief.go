package policy

// An allow takes back what rules after it in its file, and those of weaker layers, say of the same part of a call: an effect, a command
// with all of its effects, or the whole call.

// mark says which allows a part has: the strongest layer's, and the last file's own.
type mark struct {
	layered, local string
	depth, place   int
}

func (k *mark) set(m *matched) {
	if k.layered == "" || m.file.layer.depth() < k.depth {
		k.layered, k.depth = m.rule.ID, m.file.layer.depth()
	}
	k.local, k.place = m.rule.ID, m.place
}

// relieves gives the allow that takes a rule's hit back, or nothing.
func (k *mark) relieves(m *matched) string {
	switch {
	case k.layered == "" || m.rule.locked() && k.depth > 0:
		return ""
	case k.depth < m.file.layer.depth():
		return k.layered
	case k.place == m.place:
		return k.local
	}
	return ""
}

type reliefs struct {
	any               bool
	call              *Call
	whole             mark
	effects, commands []mark
}

func (v *reliefs) set(m *matched, effect, command int) {
	if !v.any {
		v.any = true
		v.effects, v.commands = make([]mark, len(v.call.Effects)), make([]mark, len(v.call.Commands))
	}
	switch {
	case effect >= 0:
		v.effects[effect].set(m)
	case command >= 0:
		v.commands[command].set(m)
	default:
		v.whole.set(m)
	}
}

func (v *reliefs) of(m *matched, effect, command int) string {
	if !v.any {
		return ""
	}
	if by := v.whole.relieves(m); by != "" {
		return by
	}
	if command >= 0 && command < len(v.commands) {
		if by := v.commands[command].relieves(m); by != "" && !v.redirected(effect) {
			return by
		}
	}
	if effect >= 0 {
		return v.effects[effect].relieves(m)
	}
	return ""
}

// redirected tells whether an effect is that of a redirection: to allow a program is not to allow every file that its output may go to.
func (v *reliefs) redirected(effect int) bool {
	return effect >= 0 && contains(v.call.Effects[effect].Flags, "redirect")
}

// locked tells whether only the organisation may take a rule back: the rules that guard the guard.
func (r *Rule) locked() bool { return r.Pack == selfProtection }

const selfProtection = "self-protection"
