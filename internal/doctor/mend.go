package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"
)

// Mended is one thing that doctor did, or would do.
type Mended struct {
	What string `json:"what"`
	// Error is why it could not be done.
	Error string `json:"error,omitempty"`
}

// fixLimit is how long one fix may take: a worker ends within ten seconds, and a new one has a spool to empty.
const fixLimit = 30 * time.Second

// Mend does what the findings offer, each thing once, in their order. With dryRun it only tells.
func Mend(ctx context.Context, env Env, r *Report, dryRun bool) []Mended {
	w := Load(env) // what is shown must hold no secret here either
	var out []Mended
	var done []string
	for _, f := range r.Findings {
		if f.fix == nil || slices.Contains(done, f.fix.Key) {
			continue
		}
		done = append(done, f.fix.Key)
		m := Mended{What: w.hide(f.fix.What)}
		if w.stranger(w.Settings.DataDir, w.Settings.Path) {
			m.Error = errStranger.Error() // what root makes there, its owner could not change
		} else if !dryRun {
			if err := f.fix.within(ctx); err != nil {
				m.Error = w.Foreign(err.Error())
			}
		}
		out = append(out, m)
	}
	return out
}

// within ends at its limit, whatever hangs.
func (f *Fix) within(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, fixLimit)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- f.Do(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// remove is a fix, also where another process has just done the same.
func remove(path string) func(context.Context) error {
	return func(context.Context) error { return unlessGone(os.Remove(path)) }
}

// chmod is one too.
func chmod(path string, mode fs.FileMode) func(context.Context) error {
	return func(context.Context) error { return unlessGone(os.Chmod(path, mode)) }
}

func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
