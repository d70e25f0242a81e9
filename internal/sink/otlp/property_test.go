package otlp

import (
	"encoding/hex"
	"net/http"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/store"
)

// TestEverySpanArrives: whatever fails in whatever order, every span arrives; more than once only where an acknowledgement
// was lost, and then with the same bytes; and what is dropped is counted.
func TestEverySpanArrives(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), store.FileName))
		must(t, err)
		defer st.Close()
		n := rapid.IntRange(1, 12).Draw(rt, "turns")
		insert(t, st, turns(t, n)...)
		r := newRig(t, st)
		poison := map[[8]byte]bool{}
		for range rapid.IntRange(0, 3).Draw(rt, "poison") {
			var id [8]byte
			id[7] = byte(rapid.IntRange(1, 5*n).Draw(rt, "poisoned"))
			poison[id] = true
		}
		script := rapid.SliceOfN(rapid.SampledFrom([]string{"ok", "503", "429", "401", "lost", "413", "restart"}), 0, 25).Draw(rt, "script")
		r.to.answer = func(_ int, spans []wire.Span) reply {
			for _, s := range spans {
				if poison[s.SpanID] {
					return reply{status: http.StatusBadRequest}
				}
			}
			if len(script) == 0 {
				return reply{}
			}
			now := script[0]
			script = script[1:]
			switch {
			case now == "503":
				return reply{status: http.StatusServiceUnavailable}
			case now == "429":
				return reply{status: http.StatusTooManyRequests, retryAfter: 1}
			case now == "401":
				return reply{status: http.StatusUnauthorized}
			case now == "lost":
				return reply{lost: true}
			case now == "413" && len(spans) > 3:
				return reply{status: http.StatusRequestEntityTooLarge}
			case now == "restart":
				r.fresh(ample)
			}
			return reply{}
		}
		for passes := 0; ; passes++ {
			if passes > 200 {
				rt.Fatalf("never at the end: %+v", r.cursor())
			}
			p := r.pass()
			if !p.Behind {
				break
			}
			r.now = r.cursor().Next
			r.sink.limit = rapid.SampledFrom([]int{1, 3000, 50_000, requestBytes}).Draw(rt, "limit")
		}
		check(rt, r, n, poison)
	})
}

func check(rt *rapid.T, r *rig, n int, poison map[[8]byte]bool) {
	all := spansIn(r.t, r.store, both(true))
	if len(all) != n*spansOfTurn {
		rt.Fatalf("%d spans", len(all))
	}
	for _, s := range all {
		id := hex.EncodeToString(s.SpanID[:])
		got := r.to.taken[s.SpanID]
		switch {
		case poison[s.SpanID]:
			if len(got) > 0 {
				rt.Errorf("%s was refused and taken", id)
			}
		case len(got) == 0:
			rt.Errorf("%s %s never came", s.Name, id)
		case len(got) > 1+r.to.lost[s.SpanID]:
			rt.Errorf("%s %s came %d times, %d acknowledgements were lost", s.Name, id, len(got), r.to.lost[s.SpanID])
		}
	}
	r.to.sameEachTime(r.t)
	r.atHead()
	if dropped := r.counter("spans_refused"); dropped != int64(len(poison)) {
		rt.Errorf("%d dropped, %d were poison", dropped, len(poison))
	}
}
