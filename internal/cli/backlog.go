package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/sink/progress"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// backlog is what hooks recorded and has not got where it is to go.
type backlog struct {
	// Spooled events are not stored yet.
	Spooled int             `json:"not_stored"`
	Sinks   []progress.Sink `json:"sinks"`
}

// backlogOf looks at the spool and at the destinations of the settings.
func backlogOf(ctx context.Context, dir string, settings config.Settings) (backlog, error) {
	b := backlog{Sinks: []progress.Sink{}}
	names, err := spoolOf(dir, settings).Pending()
	if err != nil {
		return b, err
	}
	b.Spooled = len(names)
	s, err := store.OpenReadOnly(ctx, worker.StorePath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		b.Sinks, err = progress.Of(ctx, nil, settings)
		return b, err
	}
	if err != nil {
		return b, err
	}
	defer func() { _ = s.Close() }() // nothing can be lost by it
	b.Sinks, err = progress.Of(ctx, s, settings)
	return b, err
}

// behind tells whether one destination has not got all, as far as is known.
func (b backlog) behind(name string) bool {
	for _, l := range b.Sinks {
		if l.Name == name && l.Behind() {
			return true
		}
	}
	return false
}

func (b backlog) none() bool {
	for _, l := range b.Sinks {
		if l.Behind() {
			return false
		}
	}
	return b.Spooled == 0
}

// names are the destinations that took all, failed those that have counted all and can't get it across: metrics, which
// are sums and lose nothing by it.
func (b backlog) names() (names []string, failed []progress.Sink) {
	for _, l := range b.Sinks {
		if !l.Failing() {
			names = append(names, l.Name)
		} else if !l.Behind() {
			failed = append(failed, l)
		}
	}
	return names, failed
}

// String says what is left.
func (b backlog) String() string {
	var parts []string
	if b.Spooled > 0 {
		parts = append(parts, areNot(b.Spooled, "event")+" stored")
	}
	for _, l := range b.Sinks {
		if !l.Behind() {
			continue
		}
		n, noun := int(l.Events), "event"
		if n == 0 {
			n, noun = int(l.Turns), "turn"
		}
		text := areNot(n, noun) + " sent (" + l.Name + " to " + l.Endpoint + ")"
		if l.Error != "" {
			text += ": " + l.Error
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func areNot(n int, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s is not", noun)
	}
	return fmt.Sprintf("%d %ss are not", n, noun)
}
