package rank_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/rank"
	"github.com/boathook/boathook/internal/memory/terms"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// said makes the hits of one session, a minute apart, each with its neighbours.
func said(session string, texts ...string) []memory.Hit {
	var out []memory.Hit
	for n, text := range texts {
		h := memory.Hit{Chunk: memory.Chunk{
			Session: session, Project: "p", Message: fmt.Sprintf("%s-%d", session, n), Role: memory.RoleAssistant, Text: text,
			Time: noon.Add(time.Duration(n) * time.Minute), Terms: terms.Of(text),
		}}
		if n > 0 {
			h.Before = terms.Of(texts[n-1])
		}
		if n+1 < len(texts) {
			h.After = terms.Of(texts[n+1])
		}
		out = append(out, h)
	}
	return out
}

func found(hits ...[]memory.Hit) memory.Found {
	f := memory.Found{Documents: 200, Frequency: map[string]int{}, Hits: slices.Concat(hits...)}
	for _, h := range f.Hits {
		own := slices.Clone(h.Terms)
		slices.Sort(own)
		for _, t := range slices.Compact(own) {
			f.Frequency[t]++
		}
	}
	return f
}

func ids(items []rank.Item) string {
	var out []string
	for _, i := range items {
		out = append(out, i.Message+i.Call)
	}
	return strings.Join(out, " ")
}

func TestRank(t *testing.T) {
	f := found(
		said("a", "the payment queue is stuck", "I raised its lease to ninety seconds", "lunch"),
		said("b", "the printer is empty", "ok", "fine"),
		said("c", "tabs or spaces", "spaces", "good"),
	)
	q := rank.Question{Terms: terms.Query("why was the payment queue stuck?"), Now: noon}
	items := rank.Rank(q, f, memory.Found{})
	if got := ids(items[:2]); got != "a-0 a-1" {
		t.Errorf("the answer behind the best match is not the next: %s", ids(items))
	}
	for n, i := range items {
		if n > 0 && i.Score > items[n-1].Score {
			t.Errorf("%s is behind one with a lower score", i.Message)
		}
		if i.Session != "a" {
			t.Errorf("%q has nothing of the question", i.Text)
		}
	}
	if items[0].Relevance != 1 {
		t.Errorf("the relevance of what has all words is %v", items[0].Relevance)
	}
	q.Limit = 1
	if got := ids(rank.Rank(q, f, memory.Found{})); got != "a-0" {
		t.Errorf("one was wanted: %s", got)
	}
	q.Limit, q.PerSession = 0, 1
	for _, s := range rank.Group(rank.Rank(q, f, memory.Found{})) {
		if len(s.Items) != 1 {
			t.Errorf("%d items of session %s", len(s.Items), s.ID)
		}
	}
	if got := rank.Rank(rank.Question{Now: noon}, f, f); got != nil {
		t.Errorf("a question without terms is answered by %s", ids(got))
	}
}

// TestBoosts: of two that say the same of a question, the one that helps more comes first.
func TestBoosts(t *testing.T) {
	change := func(session string, with func(*memory.Hit)) []memory.Hit {
		h := said(session, "restart of the "+session+" gateway with systemctl")
		with(&h[0])
		return h
	}
	for _, c := range []struct {
		name          string
		better, worse func(*memory.Hit)
	}{
		{"the newer", func(h *memory.Hit) { h.Time = noon }, func(h *memory.Hit) { h.Time = noon.AddDate(-1, 0, 0) }},
		{"an answer", func(*memory.Hit) {}, func(h *memory.Hit) { h.Role = memory.RoleUser }},
		{"what worked", func(h *memory.Hit) { h.Role, h.Status = memory.RoleTool, memory.StatusSuccess },
			func(h *memory.Hit) { h.Role, h.Status = memory.RoleTool, memory.StatusError }},
		{"a session that succeeded", func(h *memory.Hit) { h.Outcome = memory.StatusSuccess }, func(h *memory.Hit) { h.Outcome = memory.StatusError }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, names := range [][2]string{{"east", "west"}, {"west", "east"}} {
				better, worse := change(names[0], c.better), change(names[1], c.worse)
				q := rank.Question{Terms: terms.Query("restart gateway systemctl"), Now: noon.Add(time.Hour)}
				items := rank.Rank(q, found(worse, better), memory.Found{})
				if len(items) != 2 || items[0].Session != names[0] {
					t.Errorf("%s", ids(items))
				}
			}
		})
	}
}

// TestNearDuplicates: what says nearly the same is told once, and so is a message of several pieces.
func TestNearDuplicates(t *testing.T) {
	text := "the certificate of the proxy had expired on friday so that every client was refused until it was renewed by hand"
	one, two := said("a", text), said("b", text+" again")
	other := said("c", "the certificate of the proxy is pinned in the client")
	pieces := said("d", "proxy certificate chain order")
	second := pieces[0]
	second.Piece, second.Terms = 1, terms.Of("the proxy certificate needs its intermediate")
	items := rank.Rank(rank.Question{Terms: terms.Query("certificate of the proxy"), Now: noon},
		found(one, two, other, pieces, []memory.Hit{second}), memory.Found{})
	if sessions := rank.Group(items); len(sessions) != 3 || len(items) != 3 {
		t.Errorf("%d items of %d sessions: %s", len(items), len(sessions), ids(items))
	}
}

// TestFloor: what shares a word by chance is not told to anybody who didn't ask for it.
func TestFloor(t *testing.T) {
	f := found(said("a", "the queue of payments was stuck", "the lease was too short"), said("b", "write the changelog"))
	for _, c := range []struct {
		prompt string
		any    bool
	}{
		{"why is the payments queue stuck", true},
		{"payments queue", true},
		{"write a sonnet on queues in a bakery at dawn", false},
		{"continue", false},
		{"a completely different topic", false},
	} {
		items := rank.Rank(rank.Question{Terms: terms.Query(c.prompt), Now: noon, Floor: rank.Floor}, f, memory.Found{})
		if (len(items) > 0) != c.any {
			t.Errorf("%q: %s", c.prompt, ids(items))
		}
	}
}

// TestVectors: what is found by its vector alone is among the items, before what is farther; only what stands out is relevant.
func TestVectors(t *testing.T) {
	words := found(said("a", "the payment queue is stuck", "I raised the lease"))
	var near memory.Found
	for n := range 40 {
		h := said(fmt.Sprintf("v%02d", n), fmt.Sprintf("unrelated words number%d", n))
		h[0].Distance = 0.7 + float64(n)/1000
		near.Hits = append(near.Hits, h...)
	}
	near.Hits[0].Distance = 0.2
	q := rank.Question{Terms: terms.Query("payment queue stuck"), Now: noon}
	all := rank.Rank(q, words, near)
	if len(all) < 30 || all[0].Session != "a" {
		t.Errorf("%d items, the first %s", len(all), all[0].Session)
	}
	place := map[string]int{}
	for n, i := range all {
		place[i.Session] = n + 1
	}
	if place["v00"] == 0 || place["v00"] > place["v01"] || place["v01"] > place["v20"] && place["v20"] > 0 {
		t.Errorf("v00 at %d, v01 at %d, v20 at %d", place["v00"], place["v01"], place["v20"])
	}
	q.Floor = rank.Floor
	for _, i := range rank.Rank(q, words, near) {
		if i.Session != "a" && i.Session != "v00" {
			t.Errorf("%s is relevant", i.Session)
		}
	}
	if items := rank.Rank(q, memory.Found{}, near); len(items) != 1 || items[0].Session != "v00" {
		t.Errorf("by the vector alone: %s", ids(items))
	}
}

// TestDeterministic: the order of the hits, their numbers and where else they stand make no difference.
func TestDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var hits []memory.Hit
		for s := range rapid.IntRange(1, 8).Draw(t, "sessions") {
			texts := rapid.SliceOfN(rapid.SampledFrom([]string{
				"payment queue stuck", "queue", "payment failed again", "the lease", "stuck", "", "ok then", "결제 대기열 멈춤", "대기열",
			}), 1, 6).Draw(t, "texts")
			hits = append(hits, said(fmt.Sprint(s), texts...)...)
		}
		f := found(hits)
		q := rank.Question{Terms: terms.Query("payment queue stuck 대기열이 멈춤"), Now: noon.Add(time.Hour)}
		want := rank.Rank(q, f, memory.Found{})
		other := f
		other.Hits = rapid.Permutation(f.Hits).Draw(t, "hits")
		for n := range other.Hits {
			other.Hits[n].ID = int64(1000 - n)
		}
		if got := ids(rank.Rank(q, other, memory.Found{})); got != ids(want) {
			t.Fatalf("%s, and in another order %s", ids(want), got)
		}
		seen := map[string]bool{}
		for _, i := range want {
			if seen[i.Message] || i.Relevance < 0 || i.Relevance > 1.000001 || i.Score <= 0 {
				t.Fatalf("%s: relevance %v, score %v", i.Message, i.Relevance, i.Score)
			}
			seen[i.Message] = true
		}
	})
}

func TestGroup(t *testing.T) {
	items := []rank.Item{}
	for _, h := range slices.Concat(said("b", "x", "y"), said("a", "z")) {
		items = append(items, rank.Item{Hit: h})
	}
	items[0], items[1] = items[1], items[0]
	got := rank.Group(items)
	if len(got) != 2 || got[0].ID != "b" || got[0].Items[0].Message != "b-0" || got[1].ID != "a" {
		t.Errorf("%+v", got)
	}
}

func BenchmarkRank(b *testing.B) {
	var hits []memory.Hit
	for s := range 25 {
		var texts []string
		for n := range 10 {
			texts = append(texts, fmt.Sprintf("the payment queue of service%d is stuck since step%d %s", s, n, strings.Repeat("word ", 60)))
		}
		hits = append(hits, said(fmt.Sprint(s), texts...)...)
	}
	f := found(hits)
	q := rank.Question{Terms: terms.Query("why is the payment queue of service7 stuck at step3"), Now: noon, Limit: 8, Floor: rank.Floor}
	for b.Loop() {
		if len(rank.Rank(q, f, memory.Found{})) == 0 {
			b.Fatal("nothing")
		}
	}
}

// TestNearestIsFirst: of what was found by vectors alone the clearly nearest comes first, whoever said it.
func TestNearestIsFirst(t *testing.T) {
	var vector memory.Found
	vector.Documents = 40
	for n := range 40 {
		h := memory.Hit{Chunk: memory.Chunk{
			Session: fmt.Sprint("s", n), Call: fmt.Sprint("c", n), Role: memory.RoleTool, Status: memory.StatusSuccess, Terms: []string{fmt.Sprint("w", n)},
		}, Distance: 1.1}
		if n == 17 {
			h.Message, h.Call, h.Role, h.Status, h.Distance = "m17", "", memory.RoleUser, "", 0.05
		}
		vector.Hits = append(vector.Hits, h)
	}
	got := rank.Rank(rank.Question{Terms: []string{"elsewhere"}}, memory.Found{Documents: 40}, vector)
	if len(got) == 0 || got[0].Session != "s17" {
		t.Fatalf("%+v", got[:min(len(got), 3)])
	}
}
