package memory

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/record"
)

func TestFigures(t *testing.T) {
	var records []record.Record
	for i := range 100 {
		recall := &record.Recall{Outcome: "nothing", TookMS: float64(i + 1)}
		if i%4 == 0 {
			recall.Outcome = "injected"
		}
		records = append(records, made(t, i, "claude", "UserPromptSubmit", claude("s", fmt.Sprintf(`"prompt":"p%d"`, i)), func(r *record.Record) { r.Recall = recall }))
	}
	records = append(records, made(t, 100, "claude", "UserPromptSubmit", claude("s", `"prompt":"x"`), func(r *record.Record) {
		r.Recall = &record.Recall{Outcome: "sampled_out"}
	}), made(t, 101, "claude", "SessionStart", claude("s", `"source":"startup"`)))
	w := newWorld(t, records...)
	w.now = begin.Add(2 * time.Minute)
	before, err := Figures(t.Context(), w.events, w.now)
	must(t, err)
	if before.QueueDepth != 0 { // the cursor is at the head until the first pass
		t.Errorf("%+v", before)
	}
	w.pass()
	w.insert(talk(t, 110, "s2")...)
	w.now = begin.Add(140 * time.Second)
	got, err := Figures(t.Context(), w.events, w.now)
	must(t, err)
	want := Numbers{
		On: true, SuccessRate: 1, LagSeconds: 30, QueueDepth: 8, HitRate: .25, Asked: 100, Hits: 25, Latency: Quantiles{50, 95, 99},
		Outcomes: map[string]int{"injected": 25, "nothing": 75, "sampled_out": 1}, Taken: 101, Moved: begin.Add(2 * time.Minute),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if q := quantile(nil, .5); q != 0 {
		t.Errorf("%f", q)
	}
	if q := quantile([]float64{7}, .99); q != 7 {
		t.Errorf("%f", q)
	}
}
