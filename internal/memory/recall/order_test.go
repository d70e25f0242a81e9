package recall

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatWorkedComesBehindTheFirstOfItsSession(t *testing.T) {
	item := func(id, session string, heading int) Item { return Item{ID: id, session: session, heading: heading} }
	got := Found{items: mendedFirst([]Item{
		item("asked", "a", incident), item("failed", "a", broke), item("other", "b", broke),
		item("summary", "a", incident), item("mended", "a", worked), item("also", "a", worked), item("c1", "c", worked), item("c2", "c", worked),
	})}.IDs()
	want := []string{"asked", "mended", "failed", "other", "summary", "also", "c1", "c2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
