package worker

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/boathook/boathook/internal/spool"
)

// enforce keeps the spool's cap where the worker can't empty the spool, or is about to leave. A worker that is only slower
// than a burst of events drops none of them.
func (w *worker) enforce() {
	if !w.lock.Current() {
		return
	}
	if _, err := w.Spool.Enforce(); err != nil {
		w.Log.Warn("cap of the spool isn't kept", "error", err)
	}
}

// tidy brings the counters up to date. It returns how many events the cap has removed since it was last counted. What
// fails is tried again by the next call.
func (w *worker) tidy(ctx context.Context) (dropped int64) {
	if !w.lock.Current() {
		return 0
	}
	if err := w.countTotals(ctx); err != nil {
		w.Log.Warn("quarantined files and failed appends aren't counted yet", "error", err)
	}
	dropped, err := w.countDropped(ctx)
	if err != nil {
		w.Log.Warn("dropped events aren't counted yet", "error", err)
	}
	if dropped > 0 {
		w.Log.Warn("spool was over its cap", "dropped", dropped)
	}
	return dropped
}

func (w *worker) countDropped(ctx context.Context) (int64, error) {
	d, err := w.Spool.TakeDropped()
	if err != nil || d.Token == "" {
		return 0, err
	}
	if err := w.openStore(ctx); err != nil {
		return 0, err
	}
	if err := w.exceptStored(ctx, &d); err != nil {
		return 0, err
	}
	add := map[string]int64{CounterDropped: d.Count, CounterDroppedBytes: d.Bytes}
	if err := w.store.AddCountersOnce(ctx, d.Token, add); err != nil {
		return 0, err
	}
	return d.Count, w.Spool.ForgetDropped(d)
}

// exceptStored takes out what was stored before the cap removed its file: it is not lost.
func (w *worker) exceptStored(ctx context.Context, d *spool.Dropped) error {
	stored, err := w.store.Stored(ctx, slices.Collect(maps.Keys(d.Sizes)))
	if err != nil {
		return err
	}
	for id := range stored {
		d.Count--
		d.Bytes -= d.Sizes[id]
	}
	return nil
}

// countTotals brings the numbers that are counted up in the spool into the store.
func (w *worker) countTotals(ctx context.Context) error {
	t, err := w.Spool.Totals()
	if errors.Is(err, fs.ErrNotExist) {
		return nil // no spool yet
	}
	if err != nil || t == w.counted {
		return err
	}
	if err := w.openStore(ctx); err != nil {
		return err
	}
	failed, err := w.store.AddGrowth(ctx, CounterNotKept, t.Failed)
	if err != nil {
		return err
	}
	if failed > 0 {
		w.Log.Warn("hooks could not write to the spool", "events", failed)
	}
	if _, err := w.store.AddGrowth(ctx, CounterQuarantined, t.Quarantined); err != nil {
		return err
	}
	w.counted = t
	return nil
}
