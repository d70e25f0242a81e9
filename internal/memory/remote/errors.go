package remote

import (
	"context"
	"errors"
	"slices"

	"github.com/boathook/boathook/internal/memory"
)

// class is an error that callers ask for with errors.Is, by its name on the wire.
type class struct {
	name string
	err  error
}

func classes() []class {
	return []class{
		{"unavailable", memory.ErrUnavailable}, {"poison", memory.ErrPoison}, {"newer", memory.ErrNewer}, {"older", memory.ErrOlder},
		{"no_vectors", memory.ErrNoVectors}, {"denied", memory.ErrDenied}, {"login", memory.ErrLogin}, {"connection_string", memory.ErrConnectionString}, {"deadline", context.DeadlineExceeded},
		{"cancelled", context.Canceled}, {"other_settings", errOther}, {"version", ErrVersion},
	}
}

// wireError is an error as it goes over the wire: what it says, and what it is.
type wireError struct {
	Text    string   `json:"text"`
	Classes []string `json:"classes,omitempty"`
}

// maxErrorText bounds an error's text: a database may quote the row that it refuses.
const maxErrorText = 4 << 10

func toWire(err error, hide func(string) string) *wireError {
	w := &wireError{Text: hide(err.Error())}
	if len(w.Text) > maxErrorText {
		w.Text = w.Text[:maxErrorText] + "…"
	}
	for _, c := range classes() {
		if errors.Is(err, c.err) {
			w.Classes = append(w.Classes, c.name)
		}
	}
	return w
}

func (w *wireError) error() error {
	out := &classified{text: w.Text}
	for _, c := range classes() {
		if slices.Contains(w.Classes, c.name) {
			out.is = append(out.is, c.err)
		}
	}
	return out
}

// classified is an error that is others, by errors.Is, whatever its text.
type classified struct {
	text  string
	is    []error
	cause error
}

func (e *classified) Error() string { return e.text }

func (e *classified) Unwrap() []error {
	if e.cause == nil {
		return e.is
	}
	return append(slices.Clone(e.is), e.cause)
}
