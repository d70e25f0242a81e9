package recall

import (
	"slices"
	"testing"
	"time"
)

// TestNothingIsToldTwice: a summary that says what is told of its session already takes no room, and no more does what a summary says;
// what another session says is its own.
func TestNothingIsToldTwice(t *testing.T) {
	const asked, answered = "the checkout service answers 502 since the deploy", "legacy-proxy still held port 8080: stopped it"
	summary := asked + " — succeeded: docker compose up -d checkout — " + answered
	ask := Item{ID: "ask", session: "claude/1", text: asked}
	answer := Item{ID: "answer", session: "claude/1", text: answered}
	whole := Item{ID: "session:claude/1", session: "claude/1", text: summary}
	other := whole
	other.ID, other.session = "session:claude/2", "claude/2"
	for name, tc := range map[string]struct {
		items []Item
		want  []string
	}{
		"its parts before": {[]Item{ask, answer, whole, other}, []string{"ask", "answer", "session:claude/2"}},
		"a part before":    {[]Item{ask, whole}, []string{"ask", "session:claude/1"}},
		"its parts behind": {[]Item{whole, ask, answer}, []string{"session:claude/1"}},
	} {
		got := Found{items: tc.items, budget: 1000}.Fit(time.Now()).IDs()
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, not %v", name, got, tc.want)
		}
	}
}
