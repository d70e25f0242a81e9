package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// backlog is what hooks recorded and has not got where it is to go.
type backlog struct {
	// Spooled events are not stored yet.
	Spooled int       `json:"not_stored"`
	Sinks   []sinkLag `json:"sinks"`
}

// sinkLag is how far one destination is behind the store.
type sinkLag struct {
	Name   string `json:"name"`
	Events int64  `json:"events"`
	Turns  int64  `json:"turns"`
	// Moved is when the destination last took something, or the sink was set up.
	Moved time.Time `json:"moved,omitzero"`
	Tries int       `json:"failures,omitempty"`
	Next  time.Time `json:"next_try,omitzero"`
	Error string    `json:"error,omitempty"`
}

// backlogOf looks at the spool and at the cursors of the sinks.
func backlogOf(ctx context.Context, o worker.Options) (backlog, error) {
	b := backlog{Sinks: []sinkLag{}}
	names, err := o.Spool.Pending()
	if err != nil {
		return b, err
	}
	b.Spooled = len(names)
	s, err := store.OpenReadOnly(ctx, worker.StorePath(o.DataDir))
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return b, err
	}
	defer func() { _ = s.Close() }() // nothing can be lost by it
	for _, sink := range o.Sinks {
		lag, err := lagOf(ctx, s, sink.Name())
		if err != nil {
			return b, err
		}
		b.Sinks = append(b.Sinks, lag)
	}
	return b, nil
}

func lagOf(ctx context.Context, s *store.Store, name string) (sinkLag, error) {
	event, turn, err := s.Head(ctx)
	if err != nil {
		return sinkLag{}, err
	}
	c, ok, err := s.Cursor(ctx, name)
	lag := sinkLag{Name: name, Moved: c.Moved, Tries: c.Tries, Next: c.Next, Error: c.Error}
	if !ok || err != nil { // it begins at the head
		return lag, err
	}
	lag.Events, lag.Turns = max(event-c.Event, 0), max(turn-c.Turn, 0)
	return lag, nil
}

func (l sinkLag) behind() bool { return l.Events > 0 || l.Turns > 0 }

// behind tells whether one destination has not got all, as far as is known.
func (b backlog) behind(name string) bool {
	for _, l := range b.Sinks {
		if l.Name == name && l.behind() {
			return true
		}
	}
	return false
}

func (b backlog) none() bool {
	for _, l := range b.Sinks {
		if l.behind() {
			return false
		}
	}
	return b.Spooled == 0
}

// names are the destinations that took all, failed those that have counted all and can't get it across: metrics, which
// are sums and lose nothing by it.
func (b backlog) names() (names []string, failed []sinkLag) {
	for _, l := range b.Sinks {
		if l.Error == "" {
			names = append(names, l.Name)
		} else if !l.behind() {
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
		if !l.behind() {
			continue
		}
		n, noun := int(l.Events), "event"
		if n == 0 {
			n, noun = int(l.Turns), "turn"
		}
		text := areNot(n, noun) + " sent to " + l.Name
		if l.Error != "" {
			text += ": " + l.Error
		} else {
			text += ", which has not answered"
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
