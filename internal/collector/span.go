package collector

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/otlp"
)

// Span is a span as it came, with what it came with. Nobody may change it.
type Span struct {
	otlp.Span
	Resource otlp.Resource
	Scope    otlp.Scope
}

// Spans are all spans of a request.
func Spans(t otlp.Traces) []Span {
	var out []Span
	for _, rs := range t {
		for _, s := range rs.Spans {
			out = append(out, Span{s, rs.Resource, rs.Scope})
		}
	}
	return out
}

// Text is the value of an attribute as text; empty without one.
func (s *Span) Text(key string) string { return text(s.Attrs, key) }

// Service is the resource's service.name.
func (s *Span) Service() string { return text(s.Resource.Attrs, "service.name") }

// Event finds a span event by its name.
func (s *Span) Event(name string) (Event, bool) {
	i := slices.IndexFunc(s.Events, func(e otlp.SpanEvent) bool { return e.Name == name })
	if i < 0 {
		return Event{}, false
	}
	return Event(s.Events[i]), true
}

// Event is something that happened during a span.
type Event otlp.SpanEvent

// Text is the value of an attribute as text.
func (e Event) Text(key string) string { return text(e.Attrs, key) }

func text(attrs []otlp.Attr, key string) string {
	for _, a := range attrs {
		if a.Key == key {
			return fmt.Sprint(a.Value)
		}
	}
	return ""
}

// Took is how long the span lasted; never negative.
func (s *Span) Took() time.Duration { return between(s.Start, s.End) }

// between is the time from one moment to a later one, as far as a Duration reaches.
func between(from, to uint64) time.Duration {
	if to < from {
		return 0
	}
	return time.Duration(min(to-from, math.MaxInt64))
}

// size estimates what a span takes in memory.
func (s *Span) size() int {
	n := 256 + len(s.Name) + len(s.Message) + len(s.TraceState) + sizeOf(s.Attrs)
	for _, e := range s.Events {
		n += 64 + len(e.Name) + sizeOf(e.Attrs)
	}
	return n
}

func sizeOf(attrs []otlp.Attr) int {
	n := 0
	for _, a := range attrs {
		n += 64 + len(a.Key)
		switch v := a.Value.(type) {
		case string:
			n += len(v)
		case []string:
			for _, s := range v {
				n += 16 + len(s)
			}
		}
	}
	return n
}

// spanJSON is a span in words: hex ids, times of RFC 3339.
type spanJSON struct {
	TraceID    string         `json:"trace_id"`
	SpanID     string         `json:"span_id"`
	ParentID   string         `json:"parent_id,omitempty"`
	Name       string         `json:"name"`
	Kind       int            `json:"kind"`
	Start      time.Time      `json:"start"`
	End        time.Time      `json:"end"`
	DurationMS float64        `json:"duration_ms"`
	Status     int            `json:"status,omitempty"`
	Message    string         `json:"message,omitempty"`
	TraceState string         `json:"trace_state,omitempty"`
	Attributes map[string]any `json:"attributes"`
	Events     []eventJSON    `json:"events,omitempty"`
	Resource   map[string]any `json:"resource"`
	Scope      string         `json:"scope,omitempty"`
}

type eventJSON struct {
	Time       time.Time      `json:"time"`
	Name       string         `json:"name"`
	Attributes map[string]any `json:"attributes,omitempty"`
}

// MarshalJSON writes the span for people and jq, not in OTLP's form.
func (s Span) MarshalJSON() ([]byte, error) {
	out := spanJSON{
		TraceID: hex.EncodeToString(s.TraceID[:]), SpanID: hex.EncodeToString(s.SpanID[:]), Name: s.Name, Kind: s.Kind,
		Start: Time(s.Start), End: Time(s.End), DurationMS: float64(s.Took()) / float64(time.Millisecond), Status: s.Status,
		Message: s.Message, TraceState: s.TraceState, Attributes: values(s.Attrs), Resource: values(s.Resource.Attrs), Scope: s.Scope.Name,
	}
	if s.ParentID != [8]byte{} {
		out.ParentID = hex.EncodeToString(s.ParentID[:])
	}
	for _, e := range s.Events {
		out.Events = append(out.Events, eventJSON{Time(e.Time), e.Name, values(e.Attrs)})
	}
	return json.Marshal(out)
}

// values are attributes as JSON can have them: a number that is none is its text.
func values(attrs []otlp.Attr) map[string]any {
	out := make(map[string]any, len(attrs))
	for _, a := range attrs {
		out[a.Key] = a.Value
		if f, ok := a.Value.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			out[a.Key] = fmt.Sprint(f)
		}
	}
	return out
}

// Time is a moment of OTLP's; one that lies beyond what can be told is the last that can.
func Time(ns uint64) time.Time { return time.Unix(0, int64(min(ns, math.MaxInt64))).UTC() }
