package merge

import (
	"slices"
	"strings"
)

// unite makes one of all tellings of one item: those that share an origin, or the agent's id of a call. What is left is in the order of its
// time.
func unite[T any](k kind[T], told []Told[T]) []Told[T] {
	var out []Told[T]
	at := map[string]int{} // key → place in out
	for _, t := range told {
		t.Origins = slices.Clone(t.Origins)
		// All that it shares a key with becomes one with it.
		for _, key := range keys(k, t) {
			i, known := at[key]
			if !known || len(out[i].Origins) == 0 {
				continue
			}
			t = t.join(k, out[i])
			out[i] = Told[T]{}
		}
		out = append(out, t)
		for _, key := range keys(k, t) {
			at[key] = len(out) - 1
		}
	}
	out = slices.DeleteFunc(out, func(t Told[T]) bool { return len(t.Origins) == 0 })
	slices.SortFunc(out, func(a, b Told[T]) int {
		if c := k.at(a.Item).Compare(k.at(b.Item)); c != 0 {
			return c
		}
		return slices.Compare(a.Origins, b.Origins)
	})
	return out
}

// keys are by what an item is known again. After a join they are those of both: the origins are united, and the agent's id is one
// of the two, so that the other one stays with the origins.
func keys[T any](k kind[T], t Told[T]) []string {
	out := make([]string, 0, len(t.Origins)+1)
	for _, o := range t.Origins {
		out = append(out, "o"+o)
	}
	if id := k.callID(t.Item); id != "" {
		out = append(out, "c"+id)
	}
	return out
}

func (t Told[T]) join(k kind[T], u Told[T]) Told[T] {
	origins := slices.Concat(t.Origins, u.Origins)
	slices.Sort(origins)
	out := Told[T]{Origins: slices.Compact(origins), Anonymous: t.Anonymous || u.Anonymous}
	a, b := t.Item, u.Item
	if out.Anonymous {
		a, b = k.bare(a), k.bare(b)
	}
	out.Item = k.join(a, b)
	return out
}

// pair makes rows: an item of a hook and one of a transcript that have the agent's id of the call in common are one, and so
// are the first, the second and so on of those that are left. Where the ids of the two classes have shown to be the same, two
// items with other ids are two.
func pair[T any](k kind[T], hooks, others []Told[T]) []Row[T] {
	byCall := map[string]int{}
	for i, t := range others {
		if id := k.callID(t.Item); id != "" {
			byCall[id] = i
		}
	}
	partner := make([]*Told[T], len(others))
	agree := false
	var left []*Told[T]
	for i := range hooks {
		if at, known := byCall[k.callID(hooks[i].Item)]; known && partner[at] == nil {
			partner[at], agree = &hooks[i], true
			continue
		}
		left = append(left, &hooks[i])
	}
	rows := make([]Row[T], 0, len(others)+len(left))
	for i := range others {
		if partner[i] == nil {
			at := slices.IndexFunc(left, func(h *Told[T]) bool {
				return !agree || k.callID(h.Item) == "" || k.callID(others[i].Item) == ""
			})
			if at >= 0 {
				partner[i] = left[at]
				left = slices.Delete(left, at, at+1)
			}
		}
		rows = append(rows, row(k, partner[i], &others[i]))
	}
	for _, h := range left {
		rows = append(rows, row(k, h, nil))
	}
	return rows
}

func row[T any](k kind[T], hook, other *Told[T]) Row[T] {
	r := Row[T]{Hook: hook, Other: other}
	if r.Anonymous() {
		r.Hook, r.Other = anonymous(k, hook), anonymous(k, other)
	}
	switch {
	case other == nil:
		r.Shown = r.Hook.Item
	case hook == nil:
		r.Shown = r.Other.Item
	default:
		r.Shown = k.both(r.Hook.Item, r.Other.Item)
	}
	return r
}

func anonymous[T any](k kind[T], t *Told[T]) *Told[T] {
	if t == nil {
		return nil
	}
	return &Told[T]{Origins: t.Origins, Anonymous: true, Item: k.bare(t.Item)}
}

// AnonymizeMessage and AnonymizeCall leave of a row when, who and how it ended, and no text.
func AnonymizeMessage(r MessageRow) MessageRow { return anonymized(messages{}, r) }

// AnonymizeCall is AnonymizeMessage for a tool call.
func AnonymizeCall(r CallRow) CallRow { return anonymized(calls{}, r) }

func anonymized[T any](k kind[T], r Row[T]) Row[T] {
	out := row(k, anonymous(k, r.Hook), anonymous(k, r.Other))
	out.ID, out.Hidden = r.ID, r.Hidden
	out.Shown = k.shown(out.Shown, r.ID, out.origins()[0])
	return out
}

// joinString keeps what is known, and of two the one that says more.
func joinString(a, b string) string {
	if len(a) != len(b) {
		if len(a) > len(b) {
			return a
		}
		return b
	}
	if strings.Compare(a, b) >= 0 {
		return a
	}
	return b
}
