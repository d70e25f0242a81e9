package merge

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/boathook/boathook/internal/memory"
)

var began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// table is a store's rows, through what a store keeps of them.
type table struct {
	messages map[string]MessageRow
	calls    map[string]CallRow
	covered  time.Time
}

type tb interface {
	Fatal(...any)
	Helper()
}

func (s *table) write(t tb, b memory.Batch) {
	t.Helper()
	b, err := Clean(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range b.Messages {
		s.message(t, MessageGroup(m), m)
	}
	for _, c := range b.ToolCalls {
		apply(t, s.calls, Calls(group(s.calls, CallGroup(c)), []memory.ToolCall{c}), func(r CallRow, hook, other []byte) (CallRow, error) {
			return DecodeCall(r.Shown, r.Hidden, hook, other)
		})
	}
	for _, c := range b.Covers {
		if c.Until.After(s.covered) {
			s.covered = c.Until
		}
		for _, id := range sortedKeys(s.messages) {
			s.message(t, Group(id))
		}
	}
}

func (s *table) message(t tb, g string, items ...memory.Message) {
	apply(t, s.messages, Messages(group(s.messages, g), items, s.covered), func(r MessageRow, hook, other []byte) (MessageRow, error) {
		return DecodeMessage(r.Shown, r.Hidden, hook, other)
	})
}

func group[T any](rows map[string]Row[T], g string) (out []Row[T]) {
	for _, id := range sortedKeys(rows) {
		if Group(id) == g {
			out = append(out, rows[id])
		}
	}
	rand.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func sortedKeys[T any](rows map[string]T) (out []string) {
	for id := range rows {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

func apply[T any](t tb, rows map[string]Row[T], r Result[T], again func(Row[T], []byte, []byte) (Row[T], error)) {
	t.Helper()
	for _, id := range r.Delete {
		delete(rows, id)
	}
	for _, row := range r.Put {
		hook, other, err := row.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := again(row, hook, other)
		if err != nil {
			t.Fatal(err)
		}
		if !same(row, back) {
			t.Fatal("a row is another one when it is read:", cmp.Diff(row, back))
		}
		rows[row.ID] = back
	}
}

func newTable() *table {
	return &table{messages: map[string]MessageRow{}, calls: map[string]CallRow{}}
}

// story draws what a session's hooks, its transcript and an import tell: few contents, so that many are the same.
func story(t *rapid.T) []memory.Batch {
	var out []memory.Batch
	n := rapid.IntRange(1, 14).Draw(t, "items")
	for i := range n {
		source := rapid.SampledFrom([]memory.Source{memory.FromHook, memory.FromTranscript, memory.FromImport}).Draw(t, "source")
		at := began.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "at")) * time.Minute)
		origin := fmt.Sprint(source, rapid.IntRange(0, n).Draw(t, "origin"))
		end := rapid.SampledFrom([]string{"", " ", "\n", "\r\n", "  \r\n\n"}).Draw(t, "end")
		switch rapid.IntRange(0, 6).Draw(t, "what") {
		case 0:
			out = append(out, memory.Batch{Covers: []memory.Cover{{Session: "a/s", Until: at}}})
		case 1, 2, 3:
			out = append(out, memory.Batch{Messages: []memory.Message{{
				Session: "a/s", Role: rapid.SampledFrom([]string{"user", "assistant", "gemini"}).Draw(t, "role"), Time: at,
				Text:        rapid.SampledFrom([]string{"yes", "go on" + end + "please"}).Draw(t, "text") + end,
				TokensTotal: int64(rapid.IntRange(0, 3).Draw(t, "tokens")), Source: source, Origin: origin,
			}}})
		default:
			c := memory.ToolCall{
				Session: "a/s", Tool: "bash", Args: json.RawMessage(rapid.SampledFrom([]string{`{"a":1,"b":"<x>"}`, `{"b":"<x>",  "a":1}`, `{}`}).Draw(t, "args")),
				Status: rapid.SampledFrom(statuses()).Draw(t, "status"), Output: rapid.SampledFrom([]string{"", "ok", "not ok"}).Draw(t, "output"),
				Duration: time.Duration(rapid.IntRange(0, 2).Draw(t, "took")), Time: at, Source: source, Origin: origin,
			}
			if rapid.Bool().Draw(t, "with id") {
				c.CallID = "call of " + origin[len(origin)-1:]
				c.Origin = fmt.Sprint(c.Source, c.CallID, i) // the begin and the end of a call are two events
			}
			out = append(out, memory.Batch{ToolCalls: []memory.ToolCall{c}})
		}
	}
	return out
}

// The same events in any order and any number of times are the same rows.
func TestOrderAndRepetitionDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		told := story(t)
		first := newTable()
		for _, b := range told {
			first.write(t, b)
		}
		again := slices.Concat(told, told[:rapid.IntRange(0, len(told)).Draw(t, "repeated")])
		order := rapid.Permutation(again).Draw(t, "order")
		second := newTable()
		for _, b := range order {
			second.write(t, b)
		}
		if diff := cmp.Diff(view(first), view(second)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func view(s *table) map[string]any {
	out := map[string]any{}
	for id, r := range s.messages {
		out[id] = r
	}
	for id, r := range s.calls {
		out[id] = r
	}
	return out
}
