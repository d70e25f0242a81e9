package memory

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// Numbers are the figures that are sent as metrics (package sink/metrics), as a person asks for them: of all that is known, not of a minute.
type Numbers struct {
	// On says that memory has a cursor in the event store: without one nothing else is known but what prompts were told.
	On bool `json:"on"`
	// SuccessRate is the share of rows that were taken for good; 1 where there was none.
	SuccessRate float64 `json:"ltm_ingest_success_rate"`
	LagSeconds  float64 `json:"ltm_ingest_lag_seconds"`
	QueueDepth  int64   `json:"ltm_spool_queue_depth"`
	// HitRate is the share of the newest questions that found something, of Asked questions; what was sampled out isn't among them.
	HitRate float64 `json:"ltm_context_hit_rate"`
	Asked   int     `json:"asked"`
	Hits    int     `json:"hits"`
	// P50, P95 and P99 are how long those took, in milliseconds.
	Latency  Quantiles      `json:"ltm_retrieval_latency_ms"`
	Outcomes map[string]int `json:"recalls,omitempty"`
	// Taken, Refused and Failed count rows: taken, put aside for good, and of tries that failed.
	Taken   int64 `json:"rows_taken"`
	Refused int64 `json:"rows_refused"`
	Failed  int64 `json:"rows_failed_tries"`
	// Transcripts counts the agents' own records that were read.
	Transcripts int64 `json:"transcripts_read"`
	// Moved is when something was taken last, Tries how many failures there were since, for the reason Error, and Next when the next try is
	// due.
	Moved time.Time `json:"last_taken,omitzero"`
	Tries int       `json:"failed_tries"`
	Next  time.Time `json:"next_try,omitzero"`
	Error string    `json:"error,omitempty"`
}

// Quantiles are those of a time, in milliseconds; zero where there is none.
type Quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// newest is how many events of a kind are looked at for recalls.
const newest = 2000

// Figures reads the numbers from an event store.
func Figures(ctx context.Context, st *store.Store, now time.Time) (Numbers, error) {
	n := Numbers{SuccessRate: 1}
	if err := n.cursor(ctx, st, now); err != nil {
		return n, err
	}
	counts, err := st.Counters(ctx)
	if err != nil {
		return n, err
	}
	n.Taken, n.Refused, n.Failed, n.Transcripts = counts[CountTaken], counts[CountRefused], counts[CountFailed], counts[CountTranscripts]
	if all := n.Taken + n.Refused; all > 0 { // what failed was tried again
		n.SuccessRate = float64(n.Taken) / float64(all)
	}
	return n, n.recalls(ctx, st)
}

func (n *Numbers) cursor(ctx context.Context, st *store.Store, now time.Time) error {
	c, ok, err := st.Cursor(ctx, Name)
	if err != nil || !ok {
		return err
	}
	n.On, n.Moved, n.Tries, n.Next, n.Error = true, c.Moved, c.Tries, c.Next, c.Error
	if n.QueueDepth, _, err = st.Lag(ctx, c); err != nil || n.QueueDepth == 0 {
		return err
	}
	first, err := st.After(ctx, c.Event, 1, 1)
	if err == nil && len(first) > 0 && !first[0].Damaged {
		n.LagSeconds = max(0, now.Sub(first[0].Record.Time).Seconds())
	}
	return err
}

// recalls are told at the events at which agents take context.
func (n *Numbers) recalls(ctx context.Context, st *store.Store) error {
	n.Outcomes = map[string]int{}
	var took []float64
	for _, kind := range []canon.Kind{canon.PromptSubmit, canon.SessionStart, canon.ModelBefore} {
		f := store.Filter{Event: string(kind), Newest: true, Limit: newest}
		err := st.Each(ctx, f, func(_ int64, text []byte) error {
			var r struct {
				Recall *record.Recall `json:"recall"`
			}
			if json.Unmarshal(text, &r) != nil || r.Recall == nil {
				return nil //nolint:nilerr // a damaged event tells nothing
			}
			n.Outcomes[r.Recall.Outcome]++
			switch r.Recall.Outcome {
			case "sampled_out":
				return nil
			case "injected", "held", "repeated":
				n.Hits++
			}
			n.Asked++
			took = append(took, r.Recall.TookMS)
			return nil
		})
		if err != nil {
			return errors.Join(err, ctx.Err())
		}
	}
	if n.Asked > 0 {
		n.HitRate = float64(n.Hits) / float64(n.Asked)
	}
	slices.Sort(took)
	n.Latency = Quantiles{quantile(took, 0.50), quantile(took, 0.95), quantile(took, 0.99)}
	return nil
}

// quantile is the smallest of the sorted values that so large a part of them does not exceed.
func quantile(sorted []float64, part float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(int(math.Ceil(part*float64(len(sorted))))-1, 0)]
}
