package doctor

import (
	"context"

	"github.com/boathook/boathook/internal/otlp"
)

// Sent says what became of a request to the traces' endpoint that was not accepted, and what cures it, in the words of
// the checks. Where there was no answer it goes the way once more.
func (w *World) Sent(ctx context.Context, r otlp.Result) (text, cure string) {
	t := w.telemetry()
	if r.Status == 0 {
		if _, bad := w.dial(ctx, t); bad != nil {
			return w.hide(bad.Text), w.hide(bad.Cure)
		}
	}
	found := w.judge(t, r)[0] // one result is one finding
	return w.hide(found.Text), w.hide(found.Cure)
}

// Unsendable says the same of settings by which nothing can be sent.
func (w *World) Unsendable(err error) (text, cure string) {
	found := w.unusable(err)
	return w.hide(found.Text), w.hide(found.Cure)
}
