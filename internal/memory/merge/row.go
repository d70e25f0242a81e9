// Package merge makes rows of what was told, in whatever order and however often: it takes the rows that a store has of one content
// and the items that came, and says which rows there are now. Both stores call it within the transaction that stores the result. It
// does no I/O.
//
// A message and a tool call are known by their content: of a session's messages that say the same, the first is the first, whoever
// tells of it. Each row keeps what each of two classes told, hooks on one side, transcripts and imports on the other, so that an
// item that comes late finds its place among those that were there.
package merge

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// Told is what one class of sources said of a row.
type Told[T any] struct {
	// Origins are the ids of the items that said it, in order.
	Origins []string
	// Anonymous says that the item was anonymized: what is told of it again is not kept.
	Anonymous bool
	Item      T
}

// Row is what is stored: Shown is what is read.
type Row[T any] struct {
	ID    string
	Shown T
	// Hook and Other are what the classes said; nil where one said nothing.
	Hook, Other *Told[T]
	// Hidden rows are not shown: hooks told of something that the transcript which covers its time does not have. They have no text.
	Hidden bool
}

// Anonymous tells whether the row may not have a text again.
func (r Row[T]) Anonymous() bool {
	return r.Hook != nil && r.Hook.Anonymous || r.Other != nil && r.Other.Anonymous
}

// MessageRow is the row of a message.
type MessageRow = Row[memory.Message]

// CallRow is the row of a tool call.
type CallRow = Row[memory.ToolCall]

// kind is what messages and calls have in common.
type kind[T any] interface {
	at(T) time.Time
	callID(T) string
	origin(T) string
	hook(T) bool
	// join makes one of two tellings of one item by one class. It is commutative, associative and idempotent.
	join(a, b T) T
	// both is the row of an item that both classes told.
	both(hook, other T) T
	// bare is an item without its texts, or without all that can't be told again of a hidden one.
	bare(T) T
	// shown gives an item its id, and its first origin.
	shown(t T, id, origin string) T
	// covered tells whether a hook's item is gone where no transcript has it.
	covered(t T, until time.Time) bool
}

// Result is what a store has to do.
type Result[T any] struct {
	// Put are rows that are new or changed, Delete ids that are gone.
	Put    []Row[T]
	Delete []string
	// New rows are among Put, and so are Changed ones that were shown before.
	New, Changed int
}

// Messages and Calls merge items into the rows of their group. All are of one session and have the same GroupID; the items are clean. The
// session is covered up to a time.
func Messages(rows []MessageRow, items []memory.Message, covered time.Time) Result[memory.Message] {
	return merge(messages{}, rows, items, covered)
}

// Calls is Messages for tool calls.
func Calls(rows []CallRow, items []memory.ToolCall) Result[memory.ToolCall] {
	return merge(calls{}, rows, items, time.Time{})
}

func merge[T any](k kind[T], rows []Row[T], items []T, covered time.Time) Result[T] {
	var hooks, others []Told[T]
	var group string
	before := make(map[string]Row[T], len(rows))
	for _, r := range rows {
		group = Group(r.ID)
		before[r.ID] = r
		if r.Hook != nil {
			hooks = append(hooks, *r.Hook)
		}
		if r.Other != nil {
			others = append(others, *r.Other)
		}
	}
	for _, item := range items {
		if group == "" {
			group = groupOf(item)
		}
		told := Told[T]{Origins: []string{k.origin(item)}, Item: k.shown(item, "", "")}
		if k.hook(item) {
			hooks = append(hooks, told)
		} else {
			others = append(others, told)
		}
	}
	hooks = unite(k, hooks)
	for i, h := range hooks {
		if k.covered(h.Item, covered) {
			hooks[i].Item = k.bare(h.Item) // the transcript's text is the one that stays, if there is any
		}
	}
	now := pair(k, hooks, unite(k, others))
	number(k, now, group, covered)
	return difference(before, now)
}

// number orders the rows by their time and gives them their ids.
func number[T any](k kind[T], rows []Row[T], group string, covered time.Time) {
	slices.SortStableFunc(rows, func(a, b Row[T]) int {
		if c := k.at(a.Shown).Compare(k.at(b.Shown)); c != 0 {
			return c
		}
		return slices.Compare(a.origins(), b.origins())
	})
	shown, hidden := 0, 0
	for i := range rows {
		r := &rows[i]
		if r.Hidden = r.Other == nil && k.covered(r.Shown, covered); r.Hidden {
			hidden++
			r.ID = group + hiddenMark + strconv.Itoa(hidden)
		} else {
			shown++
			r.ID = group + mark + strconv.Itoa(shown)
		}
		r.Shown = k.shown(r.Shown, r.ID, r.origins()[0])
	}
}

func (r Row[T]) origins() []string {
	if r.Other != nil {
		return r.Other.Origins
	}
	return r.Hook.Origins
}

// Origins are the ids of the hook events that told of the row.
func (r Row[T]) Origins() []string {
	if r.Hook == nil {
		return nil
	}
	return r.Hook.Origins
}

func difference[T any](before map[string]Row[T], now []Row[T]) (out Result[T]) {
	for _, r := range now {
		old, known := before[r.ID]
		delete(before, r.ID)
		if known && same(old, r) {
			continue
		}
		out.Put = append(out.Put, r)
		switch {
		case r.Hidden:
		case known:
			out.Changed++
		default:
			out.New++
		}
	}
	out.Delete = slices.Sorted(maps.Keys(before))
	return out
}

// same compares what would be stored.
func same[T any](a, b Row[T]) bool {
	x, errX := marshal(a)
	y, errY := marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
