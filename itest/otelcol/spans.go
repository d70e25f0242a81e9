package otelcol

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Span is one span as the collector handed it on.
type Span struct {
	TraceID, SpanID, ParentID string
	Name                      string
	Kind                      int
	Start, End                time.Time
	Attrs                     map[string]any
	Events                    []Event
	// Status is 0 for unset, 1 for ok, 2 for an error.
	Status     int
	Message    string
	TraceState string
	Flags      uint32
	Resource   map[string]any
	Scope      string
	// JSON is the span itself, as the collector wrote it.
	JSON string
}

// Event is an event of a span.
type Event struct {
	Name  string
	Time  time.Time
	Attrs map[string]any
}

type tracesJSON struct {
	ResourceSpans []struct {
		Resource   resourceJSON
		ScopeSpans []struct {
			Scope scopeJSON
			Spans []json.RawMessage
		}
	}
}

type resourceJSON struct{ Attributes attrsJSON }

type scopeJSON struct{ Name, Version string }

type spanJSON struct {
	TraceID    string `json:"traceId"`
	SpanID     string `json:"spanId"`
	ParentID   string `json:"parentSpanId"`
	TraceState string
	Flags      uint32
	Name       string
	Kind       int
	Start      string `json:"startTimeUnixNano"`
	End        string `json:"endTimeUnixNano"`
	Attributes attrsJSON
	Events     []struct {
		Time       string `json:"timeUnixNano"`
		Name       string
		Attributes attrsJSON
	}
	Status struct {
		Code    int
		Message string
	}
}

func (in tracesJSON) appendTo(spans []Span) ([]Span, error) {
	for _, rs := range in.ResourceSpans {
		resource, err := rs.Resource.Attributes.values()
		if err != nil {
			return spans, err
		}
		for _, ss := range rs.ScopeSpans {
			for _, raw := range ss.Spans {
				span, err := newSpan(raw)
				if err != nil {
					return spans, fmt.Errorf("span %s: %w", raw, err)
				}
				span.Resource, span.Scope = resource, ss.Scope.Name
				spans = append(spans, span)
			}
		}
	}
	return spans, nil
}

func newSpan(raw []byte) (Span, error) {
	var in spanJSON
	if err := json.Unmarshal(raw, &in); err != nil {
		return Span{}, err
	}
	s := Span{
		TraceID: in.TraceID, SpanID: in.SpanID, ParentID: in.ParentID, TraceState: in.TraceState, Flags: in.Flags,
		Name: in.Name, Kind: in.Kind, Status: in.Status.Code, Message: in.Status.Message, JSON: string(raw),
	}
	var err error
	if s.Start, err = nano(in.Start); err != nil {
		return s, err
	}
	if s.End, err = nano(in.End); err != nil {
		return s, err
	}
	if s.Attrs, err = in.Attributes.values(); err != nil {
		return s, err
	}
	for _, e := range in.Events {
		at, err := nano(e.Time)
		if err != nil {
			return s, err
		}
		attrs, err := e.Attributes.values()
		if err != nil {
			return s, err
		}
		s.Events = append(s.Events, Event{Name: e.Name, Time: at, Attrs: attrs})
	}
	return s, nil
}

func nano(text string) (time.Time, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(0, n).UTC(), err
}

// attrsJSON is a list of attributes. A key that is there twice is a fault, for a backend would keep either.
type attrsJSON []struct {
	Key   string
	Value valueJSON
}

func (a attrsJSON) values() (map[string]any, error) {
	out := map[string]any{}
	for _, kv := range a {
		if _, twice := out[kv.Key]; twice {
			return nil, fmt.Errorf("attribute %s is there twice", kv.Key)
		}
		v, err := kv.Value.value()
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", kv.Key, err)
		}
		out[kv.Key] = v
	}
	return out, nil
}

type valueJSON struct {
	String *string         `json:"stringValue"`
	Bool   *bool           `json:"boolValue"`
	Int    json.RawMessage `json:"intValue"`
	Double *float64        `json:"doubleValue"`
	Array  *struct {
		Values []valueJSON
	} `json:"arrayValue"`
}

// value is a string, bool, int64, float64, []any, or nil.
func (v valueJSON) value() (any, error) {
	switch {
	case v.String != nil:
		return *v.String, nil
	case v.Bool != nil:
		return *v.Bool, nil
	case v.Int != nil:
		var text string
		if json.Unmarshal(v.Int, &text) != nil {
			text = string(v.Int)
		}
		return strconv.ParseInt(text, 10, 64)
	case v.Double != nil:
		return *v.Double, nil
	case v.Array != nil:
		all := []any{}
		for _, e := range v.Array.Values {
			one, err := e.value()
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		return all, nil
	}
	return nil, nil
}
