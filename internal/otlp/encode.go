package otlp

import (
	"encoding/binary"
	"fmt"
)

// AppendTraces appends an ExportTraceServiceRequest in the encoding of a content type: JSON, else protobuf. The same
// traces always give the same bytes. Text that isn't valid UTF-8 is made so.
func AppendTraces(b []byte, contentType string, t Traces) []byte {
	if contentType == JSON {
		return appendTracesJSON(b, t)
	}
	var outer, inner int
	for i := range t {
		b, outer = begin(b, 1)
		b = appendResource(b, 1, t[i].Resource)
		b, inner = begin(b, 2)
		b = appendScope(b, 1, t[i].Scope)
		for j := range t[i].Spans {
			b = appendSpan(b, 2, &t[i].Spans[j])
		}
		b = end(b, inner)
		b = end(b, outer)
	}
	return b
}

// AppendMetrics appends an ExportMetricsServiceRequest likewise.
func AppendMetrics(b []byte, contentType string, m Metrics) []byte {
	if contentType == JSON {
		return appendMetricsJSON(b, m)
	}
	var outer, inner int
	for i := range m {
		b, outer = begin(b, 1)
		b = appendResource(b, 1, m[i].Resource)
		b, inner = begin(b, 2)
		b = appendScope(b, 1, m[i].Scope)
		for j := range m[i].Metrics {
			b = appendMetric(b, 2, &m[i].Metrics[j])
		}
		b = end(b, inner)
		b = end(b, outer)
	}
	return b
}

func appendResource(b []byte, num int, r Resource) []byte {
	if len(r.Attrs) == 0 {
		return b
	}
	b, at := begin(b, num)
	return end(appendAttrs(b, 1, r.Attrs), at)
}

func appendScope(b []byte, num int, s Scope) []byte {
	if s == (Scope{}) {
		return b
	}
	b, at := begin(b, num)
	b = appendText(b, 1, s.Name)
	b = appendText(b, 2, s.Version)
	return end(b, at)
}

func appendSpan(b []byte, num int, s *Span) []byte {
	b, at := begin(b, num)
	b = appendID(b, 1, s.TraceID[:])
	b = appendID(b, 2, s.SpanID[:])
	b = appendText(b, 3, s.TraceState)
	if s.ParentID != [8]byte{} {
		b = appendID(b, 4, s.ParentID[:])
	}
	b = appendText(b, 5, s.Name)
	b = appendVarint(b, 6, uint64(s.Kind))
	b = appendFixed64(b, 7, s.Start)
	b = appendFixed64(b, 8, s.End)
	b = appendAttrs(b, 9, s.Attrs)
	for i := range s.Events {
		b = appendEvent(b, 11, &s.Events[i])
	}
	if s.Status != StatusUnset || s.Message != "" {
		var status int
		b, status = begin(b, 15)
		b = appendText(b, 2, s.Message)
		b = appendVarint(b, 3, uint64(s.Status))
		b = end(b, status)
	}
	b = appendFixed32(b, 16, s.Flags)
	return end(b, at)
}

func appendEvent(b []byte, num int, e *SpanEvent) []byte {
	b, at := begin(b, num)
	b = appendFixed64(b, 1, e.Time)
	b = appendText(b, 2, e.Name)
	b = appendAttrs(b, 3, e.Attrs)
	return end(b, at)
}

func appendID(b []byte, num int, id []byte) []byte {
	b = append(appendTag(b, num, typeBytes), byte(len(id)))
	return append(b, id...)
}

func appendAttrs(b []byte, num int, attrs []Attr) []byte {
	for i := range attrs {
		var at int
		b, at = begin(b, num)
		b = appendText(b, 1, attrs[i].Key)
		b = appendValue(b, 2, attrs[i].Value)
		b = end(b, at)
	}
	return b
}

// appendValue appends an AnyValue. Its members are a oneof, so that an empty one is written too.
func appendValue(b []byte, num int, value any) []byte {
	b, at := begin(b, num)
	switch v := value.(type) {
	case nil:
	case string:
		b = appendString(b, 1, v)
	case bool:
		n := byte(0)
		if v {
			n = 1
		}
		b = append(appendTag(b, 2, typeVarint), n)
	case int64:
		b = binary.AppendUvarint(appendTag(b, 3, typeVarint), uint64(v))
	case int:
		b = binary.AppendUvarint(appendTag(b, 3, typeVarint), uint64(v))
	case float64:
		b = appendDouble(b, 4, v)
	case []string:
		var array, element int
		b, array = begin(b, 5)
		for _, s := range v {
			b, element = begin(b, 1)
			b = end(appendString(b, 1, s), element)
		}
		b = end(b, array)
	default:
		b = appendString(b, 1, fmt.Sprint(v))
	}
	return end(b, at)
}
