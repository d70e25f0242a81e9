package collector

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/otlp"
)

// aSpan is a span of trace 1 that is named by its ids' last bytes.
func aSpan(id, parent byte, start, end uint64) Span {
	return Span{Span: otlp.Span{
		TraceID: [16]byte{15: 1}, SpanID: [8]byte{7: id}, ParentID: [8]byte{7: parent}, Name: string(rune('a' + id - 1)), Start: start, End: end,
	}}
}

func aCall(id, parent byte, start, end uint64) Span {
	s := aSpan(id, parent, start, end)
	s.Attrs = []otlp.Attr{{Key: "gen_ai.operation.name", Value: "execute_tool"}}
	return s
}

// drawn writes a tree as name(children); a parent that did not come is ?.
func drawn(nodes []*Node) string {
	var out []string
	for _, n := range nodes {
		text := "?"
		if n.Span != nil {
			text = n.Span.Name
		}
		if len(n.Children) > 0 {
			text += "(" + drawn(n.Children) + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestTree(t *testing.T) {
	tests := []struct {
		name  string
		spans []Span
		want  string
	}{
		{"one", []Span{aSpan(1, 0, 1, 2)}, "a"},
		{"nested", []Span{aSpan(3, 2, 3, 4), aSpan(2, 1, 2, 5), aSpan(1, 0, 1, 9)}, "a(b(c))"},
		{"in order of their times", []Span{aSpan(1, 0, 1, 9), aSpan(2, 1, 5, 6), aSpan(3, 1, 2, 3), aSpan(4, 1, 2, 4)}, "a(d c b)"},
		{"a call before what was said of it", []Span{aSpan(1, 0, 1, 9), aSpan(2, 1, 1, 3), aCall(3, 1, 1, 8), aSpan(4, 1, 1, 9)}, "a(c d b)"},
		{"also one that was stopped at once", []Span{aSpan(1, 0, 1, 9), aSpan(2, 1, 1, 3), aCall(3, 1, 1, 1)}, "a(c b)"},
		{"two roots", []Span{aSpan(2, 0, 5, 6), aSpan(1, 0, 1, 9)}, "a b"},
		{"a parent that did not come", []Span{aSpan(1, 9, 1, 2), aSpan(2, 0, 3, 4), aSpan(3, 9, 5, 6)}, "b ?(a c)"},
		{"its own parent", []Span{aSpan(1, 1, 1, 2)}, "a"},
		{"a circle", []Span{aSpan(1, 2, 2, 3), aSpan(2, 3, 1, 2), aSpan(3, 1, 3, 4)}, "b(a(c))"},
		{"below a circle", []Span{aSpan(1, 2, 1, 3), aSpan(2, 1, 2, 3), aSpan(3, 2, 3, 4)}, "a(b(c))"},
	}
	for _, tt := range tests {
		f := NewForest(100, 1<<20)
		for _, s := range tt.spans {
			f.Add(time.Time{}, s)
		}
		if got := drawn(f.Settled(time.Time{}, 0)[0].Tree()); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Every span is in the tree once, whatever parents spans say they have, in whatever order they come.
func TestTreeHasEverySpanOnce(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		f := NewForest(100, 1<<20)
		n := 1 + r.IntN(12)
		for i := range n {
			f.Add(time.Time{}, aSpan(byte(i+1), byte(r.IntN(n+3)), r.Uint64N(5), r.Uint64N(9)))
		}
		seen := map[*Span]int{}
		var walk func([]*Node)
		walk = func(nodes []*Node) {
			for _, n := range nodes {
				if n.Span != nil {
					seen[n.Span]++
				}
				walk(n.Children)
			}
		}
		tr := f.Settled(time.Time{}, 0)[0]
		walk(tr.Tree())
		for _, s := range tr.Spans() {
			if seen[s] != 1 {
				t.Fatalf("seed %d: %s is %d times in %s", seed, s.Name, seen[s], drawn(tr.Tree()))
			}
		}
	}
}

// A chain of parents of any length is no trouble.
func TestDeepTree(t *testing.T) {
	f := NewForest(MaxSpans, MaxBytes)
	for i := 1; i <= 10_000; i++ {
		s := aSpan(1, 0, uint64(i), uint64(i))
		s.SpanID = [8]byte{5: byte(i >> 16), 6: byte(i >> 8), 7: byte(i)}
		s.ParentID = [8]byte{5: byte((i - 1) >> 16), 6: byte((i - 1) >> 8), 7: byte(i - 1)}
		f.Add(time.Time{}, s)
	}
	depth := 0
	for nodes := f.Settled(time.Time{}, 0)[0].Tree(); len(nodes) > 0; nodes = nodes[0].Children {
		depth++
	}
	if depth < 10_000 {
		t.Errorf("depth %d", depth)
	}
}

func TestNewKeepsWhatIsAboveAndBelow(t *testing.T) {
	f := NewForest(100, 1<<20)
	at := time.Unix(1, 0)
	for _, s := range []Span{aSpan(2, 1, 2, 3), aSpan(3, 1, 4, 5), aSpan(4, 3, 4, 5)} {
		f.Add(at, s)
	}
	tr := f.Settled(at, 0)[0]
	tr.Seen()
	if got := f.Settled(at, 0); len(got) != 0 {
		t.Errorf("seen, and settled again: %v", got)
	}
	f.Add(at, aSpan(3, 1, 4, 5))
	if tr.Fresh() != 0 {
		t.Error("the same span again is fresh")
	}
	f.Add(at, aSpan(5, 4, 4, 5))
	if got := drawn(New(tr.Tree())); got != "?(c(d(e)))" {
		t.Errorf("one more: %s", got)
	}
	tr.Seen()
	f.Add(at, aSpan(1, 0, 1, 9))
	if got := drawn(New(tr.Tree())); got != "a(b c(d(e)))" {
		t.Errorf("the root: %s", got)
	}
}

func TestSettled(t *testing.T) {
	f := NewForest(100, 1<<20)
	start := time.Unix(100, 0)
	f.Add(start, aSpan(1, 0, 1, 2))
	f.Add(start.Add(500*time.Millisecond), aSpan(2, 1, 1, 2))
	for after, want := range map[time.Duration]int{0: 0, time.Second: 0, 1500 * time.Millisecond: 1} {
		if got := len(f.Settled(start.Add(after), time.Second)); got != want {
			t.Errorf("after %s: %d", after, got)
		}
	}
}

// The oldest spans go, of whatever trace; a trace without any is forgotten.
func TestForestIsBounded(t *testing.T) {
	f := NewForest(3, 1<<20)
	for i := range 5 {
		s := aSpan(byte(i+1), 0, 1, 2)
		s.TraceID[15] = byte(i/2 + 1)
		f.Add(time.Time{}, s)
	}
	if diff := cmp.Diff([]int{3, 2, 2}, []int{f.arrived.Len(), len(f.traces), f.Dropped()}); diff != "" {
		t.Error(diff)
	}
	f = NewForest(1000, 10_000)
	for i := range 20 {
		s := aSpan(byte(i+1), 0, 1, 2)
		s.Attrs = []otlp.Attr{{Key: "k", Value: strings.Repeat("x", 4000)}}
		f.Add(time.Time{}, s)
	}
	if spans := f.arrived.Len(); spans != 2 || f.Settled(time.Time{}, 0)[0].Dropped != 18 {
		t.Errorf("%d spans, %d dropped", spans, f.Dropped())
	}
	f = NewForest(1000, 10)
	f.Add(time.Time{}, aSpan(1, 0, 1, 2))
	if f.arrived.Len() != 1 {
		t.Error("the newest span, too large alone, is not kept")
	}
}
