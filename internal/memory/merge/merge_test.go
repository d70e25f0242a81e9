package merge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

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

// What is told of a session in any order is the same session.
func TestSessionsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"", "a", "b", "long"})
		times := rapid.Custom(func(t *rapid.T) time.Time {
			if n := rapid.IntRange(0, 4).Draw(t, "time"); n > 0 {
				return began.Add(time.Duration(n) * time.Minute)
			}
			return time.Time{}
		})
		told := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) memory.Session {
			return memory.Session{
				ID: "claude/1", Agent: "claude", Project: words.Draw(t, "project"), Root: words.Draw(t, "root"), Started: times.Draw(t, "started"),
				Ended: times.Draw(t, "ended"), Active: times.Draw(t, "active"), Summary: words.Draw(t, "summary"), Outcome: words.Draw(t, "outcome"),
			}
		}), 1, 6).Draw(t, "told")
		row := func(told []memory.Session) SessionRow {
			out := Stub("claude/1")
			for _, s := range told {
				out = Session(out, s)
			}
			return out
		}
		order := rapid.Permutation(slices.Concat(told, told)).Draw(t, "order")
		if diff := cmp.Diff(row(told), row(order)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// An anonymized row has no text, and gets none by being told again.
func TestAnonymizedStaysSo(t *testing.T) {
	s := newTable()
	b := memory.Batch{
		Messages:  []memory.Message{{Session: "a/s", Role: "user", Text: "secret", Time: began, Source: memory.FromHook, Origin: "1"}},
		ToolCalls: []memory.ToolCall{{Session: "a/s", Tool: "bash", Command: "secret", Output: "secret", Time: began, Source: memory.FromHook, Origin: "1"}},
	}
	s.write(t, b)
	for id, r := range s.messages {
		s.messages[id] = AnonymizeMessage(r)
	}
	for id, r := range s.calls {
		s.calls[id] = AnonymizeCall(r)
	}
	later := memory.Batch{Messages: slices.Clone(b.Messages), ToolCalls: slices.Clone(b.ToolCalls)}
	later.Messages[0].Source, later.ToolCalls[0].Source = memory.FromTranscript, memory.FromTranscript
	for _, again := range []memory.Batch{b, later, b} {
		s.write(t, again)
		text, err := json.Marshal(view(s))
		if err != nil || len(s.messages)+len(s.calls) != 2 || bytes.Contains(text, []byte("secret")) {
			t.Errorf("%s, %v", text, err)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("text \r\n", `{"b":1,"a":[null,"\u0000\ud800"]}`)
	f.Add("\x00\xff\r", `[1e400, 1.0]`)
	f.Fuzz(func(t *testing.T, text, content string) {
		b := memory.Batch{Messages: []memory.Message{{
			Session: "a/s", Role: "user", Text: text, Content: json.RawMessage(content), Time: began, Source: memory.FromHook, Origin: text,
		}}}
		once, err := Clean(b)
		if err != nil {
			return
		}
		twice, err := Clean(once)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(once, twice); diff != "" {
			t.Fatal(diff)
		}
		m := once.Messages[0]
		if !utf8.ValidString(m.Text) || strings.Contains(m.Text+m.Origin, "\x00") || bytes.Contains(m.Content, []byte(`\u0000`)) && !bytes.Contains(m.Content, []byte(`\\u0000`)) {
			t.Errorf("%q, %q", m.Text, m.Content)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"o":["1"],"d":{"text":null,"time":"x"}}`), []byte(nil))
	f.Add([]byte(`{"o":[]}`), []byte(`{`))
	f.Fuzz(func(t *testing.T, hook, other []byte) {
		row, err := DecodeMessage(memory.Message{ID: "m-1", Session: "a/s", Role: "user", Time: began}, false, hook, other)
		if err == nil && row.Hook == nil && row.Other == nil {
			t.Error("a row of which nobody told")
		}
		if err == nil {
			Messages([]MessageRow{row}, nil, began)
		}
		OriginsOf(hook)
	})
}
