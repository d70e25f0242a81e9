// Package progress says how far each destination of telemetry is, in one form and in one set of words for every command
// that tells it. It only reads.
package progress

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/sink/metrics"
	spans "github.com/boathook/boathook/internal/sink/otlp"
	"github.com/boathook/boathook/internal/store"
)

// The names of the destinations, for people; cursors have their own.
const (
	Traces  = "traces"
	Metrics = "metrics"
)

// Name is how a sink's cursor is called for people.
func Name(cursor string) string {
	if cursor == spans.Name {
		return Traces
	}
	return cursor
}

// Sink is how far one destination is, and its JSON.
type Sink struct {
	Name string `json:"name"`
	// Endpoint has no secret of the URL.
	Endpoint string `json:"endpoint"`
	// Events and Turns are stored, and not taken; metrics count them themselves and are rarely behind.
	Events int64 `json:"behind_events"`
	Turns  int64 `json:"behind_turns"`
	// Held says that there are counts which no export has had yet, and Export when the next one is due.
	Held   bool      `json:"held"`
	Export time.Time `json:"next_export,omitzero"`
	// Success is when the destination last took something.
	Success time.Time `json:"last_success,omitzero"`
	// Tries have failed since, for the reason Error; Next is when the next one is due.
	Tries int       `json:"failed_tries"`
	Next  time.Time `json:"next_try,omitzero"`
	Error string    `json:"error,omitempty"`
}

// Of looks at the destinations that the settings name. The store is nil where there is none yet.
func Of(ctx context.Context, s *store.Store, c config.Settings) ([]Sink, error) {
	t, out := c.Telemetry, []Sink{}
	if t.Endpoint != "" {
		out = append(out, Sink{Name: Traces, Endpoint: Address(t.Endpoint)})
	}
	if t.Metrics && t.MetricsEndpoint != "" {
		out = append(out, Sink{Name: Metrics, Endpoint: Address(t.MetricsEndpoint)})
	}
	if s == nil {
		return out, nil
	}
	for i := range out {
		if err := out[i].look(ctx, s, t.MetricsInterval); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (k *Sink) look(ctx context.Context, s *store.Store, interval time.Duration) error {
	name := metrics.Name
	if k.Name == Traces {
		name = spans.Name
	}
	c, ok, err := s.Cursor(ctx, name)
	if err != nil || !ok {
		return err // it will begin with what comes then
	}
	if k.Events, k.Turns, err = s.Lag(ctx, c); err != nil {
		return err
	}
	k.Success, k.Tries, k.Next, k.Error = c.Moved, c.Tries, c.Next, c.Error
	if name == metrics.Name {
		sent, held, rest := metrics.Look(c.State)
		if k.Held = held; held && !sent.IsZero() {
			k.Export = sent.Add(interval)
		}
		k.Next = rest
	}
	if k.Tries == 0 || k.Name == Traces && !k.Behind() { // what failed is gone
		k.Tries, k.Next, k.Error = 0, time.Time{}, ""
	}
	return nil
}

// Behind tells whether something is stored that the destination has not got. Counts that are held back are not behind.
func (k Sink) Behind() bool { return k.Events+k.Turns > 0 }

// Failing tells whether the last try failed.
func (k Sink) Failing() bool { return k.Tries > 0 }

// maxWait is the longest that a worker waits: what is due later comes of a clock that was set, and is tried at once.
const maxWait = time.Hour

// Text says how it is, in one line.
func (k Sink) Text(now time.Time) string {
	text := k.state(now)
	if !k.Success.IsZero() {
		text += ", last taken " + duration.Ago(now, k.Success)
	}
	if !k.Failing() {
		return text
	}
	text += "; " + Failed(k.Tries)
	if k.Error != "" {
		text += ": " + k.Error
	}
	if wait := k.Next.Sub(now); wait > 0 && wait <= maxWait {
		text += "; next try in " + duration.Text(wait)
	}
	return text
}

func (k Sink) state(now time.Time) string {
	switch {
	case k.Name == Metrics && k.Failing():
		return "counted, and not taken"
	case k.Name == Metrics && (k.Held || k.Behind()):
		return "counted, " + k.due(now)
	case k.Behind():
		return "behind by " + k.Count()
	case k.Success.IsZero():
		return "nothing sent yet"
	}
	return "all is sent"
}

// due says when the next export is. Without a worker nothing is exported, but one ends with an export.
func (k Sink) due(now time.Time) string {
	if wait := k.Export.Sub(now); wait >= time.Second {
		return "next export in " + duration.Text(wait)
	}
	return "next export at once"
}

// Count is what is behind.
func (k Sink) Count() string {
	var parts []string
	if k.Events > 0 || k.Turns == 0 {
		parts = append(parts, count(k.Events, "event"))
	}
	if k.Turns > 0 {
		parts = append(parts, count(k.Turns, "turn"))
	}
	return strings.Join(parts, " and ")
}

// Failed counts tries.
func Failed(tries int) string {
	if tries == 1 {
		return "1 failed try"
	}
	return fmt.Sprintf("%d failed tries", tries)
}

func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Address is an endpoint without what may be secret in it: a password, a query.
func Address(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// Unusable says what is wrong with an endpoint that is set and to which nothing can be sent; empty where all is well.
func Unusable(s config.Settings) string {
	for _, of := range []struct{ key, url string }{
		{"telemetry.endpoint", s.Telemetry.Endpoint}, {"telemetry.metrics_endpoint", s.Telemetry.MetricsEndpoint},
	} {
		for _, v := range s.Values {
			if v.Key != of.key || v.Value == "" || of.url != "" {
				continue
			}
			for _, text := range s.Problems {
				if strings.Contains(text, of.key+" ") {
					return text
				}
			}
			return of.key + " is set and can't be used"
		}
	}
	return ""
}
