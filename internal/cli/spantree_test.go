package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/collector"
	"github.com/boathook/boathook/internal/otlp"
)

const base = uint64(1_700_000_000_000_000_000)

// treeSpan is a span of one trace, named by its number, at milliseconds.
func treeSpan(id, parent byte, name string, from, to uint64, attrs ...otlp.Attr) collector.Span {
	return collector.Span{
		Span: otlp.Span{
			TraceID: [16]byte{0xab}, SpanID: [8]byte{7: id}, ParentID: [8]byte{7: parent}, Name: name, Start: base + from*1e6, End: base + to*1e6, Attrs: attrs,
		},
		Resource: otlp.Resource{Attrs: []otlp.Attr{{Key: "service.name", Value: "gemini-cli"}}},
	}
}

func attr(key string, value any) otlp.Attr { return otlp.Attr{Key: key, Value: value} }

func aForest(spans ...collector.Span) *collector.Forest {
	f := collector.NewForest(1000, 1<<20)
	for _, s := range spans {
		f.Add(time.Time{}, s)
	}
	return f
}

func printed(t *testing.T, width int, whole bool, f *collector.Forest) string {
	t.Helper()
	var out bytes.Buffer
	p := &treePrinter{out: &out, width: width, zone: time.UTC}
	for _, tr := range f.Settled(time.Time{}, 0) {
		if err := p.print(tr, whole); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

func TestTreeOfATurn(t *testing.T) {
	blocked := treeSpan(4, 1, "execute_tool run_shell_command", 30, 30, attr("gen_ai.tool.name", "run_shell_command"), attr("error.type", "boathook.denied"))
	blocked.Status, blocked.Message = otlp.StatusError, "not here"
	blocked.Events = []otlp.SpanEvent{{Name: "boathook.decision", Attrs: []otlp.Attr{
		attr("boathook.decision.expressed", "deny"), attr("boathook.decision.source", "remote_guard"), attr("boathook.decision.rule", "no-rm-rf"),
	}}}
	f := aForest(
		treeSpan(1, 0, "invoke_agent gemini", 0, 2500, attr("boathook.turn.outcome", "completed")),
		treeSpan(2, 1, "gemini.before_tool", 5, 8, attr("boathook.decision.expressed", "allow"), attr("boathook.decision.source", "guard_failed"),
			attr("boathook.guard.outcome", "timeout"), attr("boathook.guard.fail", "open"), attr("boathook.tool.name", "bash")),
		treeSpan(3, 2, "inner", 6, 7, attr("boathook.decision.expressed", "allow"), attr("boathook.decision.source", "default")),
		blocked,
		treeSpan(5, 9, "orphan", 40, 41, attr("pinta.guard.decision", "REVIEW"), attr("pinta.guard.matched_rule", "force-push")),
	)
	want := `trace ab000000000000000000000000000000 · gemini-cli 22:13:20 · 5 spans · 2.50 s
    +0 ms   2.50 s  invoke_agent gemini  completed
  +5.0 ms   3.0 ms  ├ gemini.before_tool  allow  bash  guard:timeout
  +6.0 ms   1.0 ms  │ └ inner
   +30 ms     0 ms  └ execute_tool run_shell_command  DENY no-rm-rf  not here
                    (span 0000000000000009 did not come)
   +40 ms   1.0 ms  └ orphan  REVIEW force-push
`
	if diff := cmp.Diff(want, printed(t, 0, true, f)); diff != "" {
		t.Error(diff)
	}
	if got := printed(t, 40, true, f); !strings.Contains(got, "DENY no-r") || strings.Contains(got, "+30 ms") {
		t.Error(got)
	}
}

// What comes later is printed with what is above and below it, and the header says so.
func TestTreePrintsWhatIsNew(t *testing.T) {
	f := aForest(treeSpan(2, 1, "two", 1, 2), treeSpan(3, 1, "three", 3, 4))
	f.Settled(time.Time{}, 0)[0].Seen()
	f.Add(time.Time{}, treeSpan(4, 3, "four", 3, 4))
	got := printed(t, 0, false, f)
	if strings.Contains(got, "two") || !strings.Contains(got, "three") || !strings.Contains(got, "└ four") || !strings.Contains(got, "1 more of 3 spans") {
		t.Error(got)
	}
}

// No width and no text of a span makes a row that is wider than the terminal, or that moves its cursor.
func TestTreeIsHarmlessAndFits(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\u202e\r\n" + strings.Repeat("長", 60)
	spans := []collector.Span{treeSpan(1, 0, evil, 0, 9e9, attr("gen_ai.tool.name", evil), attr("boathook.decision.expressed", evil), attr("boathook.decision.rule", evil))}
	for i := byte(2); i < 60; i++ {
		s := treeSpan(i, i-1, evil, uint64(i), uint64(i), attr("pinta.guard.decision", "DENY"), attr("pinta.guard.matched_rule", evil))
		s.Status, s.Message = otlp.StatusError, evil
		spans = append(spans, s)
	}
	for i := range spans {
		spans[i].Resource.Attrs[0].Value = evil
	}
	for _, width := range []int{0, 40, 63, 64, 80, 200} {
		got := printed(t, width, true, aForest(spans...))
		for line := range strings.Lines(got) {
			line = strings.TrimSuffix(line, "\n")
			if n := columns(line); width > 0 && n > width {
				t.Fatalf("width %d: %d columns: %s", width, n, line)
			}
			if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Fatalf("a control character in %q", line)
			}
		}
		if n := strings.Count(got, "DENY"); n != 58 {
			t.Errorf("width %d: %d of 58 denies are seen", width, n)
		}
	}
}

func TestDurationText(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ms", 40 * time.Microsecond: "0.0 ms", 1234 * time.Microsecond: "1.2 ms", 999 * time.Millisecond: "999 ms", 1500 * time.Millisecond: "1.50 s",
		61 * time.Second: "1.0 min", 3599 * time.Second: "60.0 min", 3 * time.Hour: "3.0 h", 1<<63 - 1: "106751 d",
	} {
		if got := durationText(d); got != want || columns(got) > tookColumn {
			t.Errorf("%d: %q, want %q", d, got, want)
		}
	}
}
