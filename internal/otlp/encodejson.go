package otlp

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
)

// OTLP's JSON: protobuf's mapping with ids in hex, enumerations as numbers and 64 bit integers as strings.

func appendTracesJSON(b []byte, t Traces) []byte {
	b = append(b, `{"resourceSpans":[`...)
	for i := range t {
		b = resourceJSON(b, t[i].Resource)
		b = append(b, `"scopeSpans":[{`...)
		b = scopeJSON(b, t[i].Scope)
		b = append(b, `"spans":[`...)
		for j := range t[i].Spans {
			b = spanJSON(b, &t[i].Spans[j])
		}
		b = append(b, `]}]}`...)
	}
	return append(b, `]}`...)
}

func appendMetricsJSON(b []byte, m Metrics) []byte {
	b = append(b, `{"resourceMetrics":[`...)
	for i := range m {
		b = resourceJSON(b, m[i].Resource)
		b = append(b, `"scopeMetrics":[{`...)
		b = scopeJSON(b, m[i].Scope)
		b = append(b, `"metrics":[`...)
		for j := range m[i].Metrics {
			b = metricJSON(b, &m[i].Metrics[j])
		}
		b = append(b, `]}]}`...)
	}
	return append(b, `]}`...)
}

// resourceJSON opens an element and leaves it open, with a comma behind the resource.
func resourceJSON(b []byte, r Resource) []byte {
	b = append(comma(b), `{"resource":{`...)
	b = attrsJSON(b, r.Attrs)
	return append(b, `},`...)
}

func scopeJSON(b []byte, s Scope) []byte {
	b = append(b, `"scope":{`...)
	b = textJSON(b, "name", s.Name)
	b = textJSON(b, "version", s.Version)
	return append(b, `},`...)
}

func spanJSON(b []byte, s *Span) []byte {
	b = append(comma(b), '{')
	b = idJSON(b, "traceId", s.TraceID[:])
	b = idJSON(b, "spanId", s.SpanID[:])
	b = textJSON(b, "traceState", s.TraceState)
	if s.ParentID != [8]byte{} {
		b = idJSON(b, "parentSpanId", s.ParentID[:])
	}
	if s.Flags != 0 {
		b = strconv.AppendUint(keyJSON(b, "flags"), uint64(s.Flags), 10)
	}
	b = textJSON(b, "name", s.Name)
	b = strconv.AppendInt(keyJSON(b, "kind"), int64(s.Kind), 10)
	b = uintJSON(b, "startTimeUnixNano", s.Start)
	b = uintJSON(b, "endTimeUnixNano", s.End)
	b = attrsJSON(b, s.Attrs)
	if len(s.Events) > 0 {
		b = append(keyJSON(b, "events"), '[')
		for i := range s.Events {
			b = append(comma(b), '{')
			b = uintJSON(b, "timeUnixNano", s.Events[i].Time)
			b = textJSON(b, "name", s.Events[i].Name)
			b = attrsJSON(b, s.Events[i].Attrs)
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	b = append(keyJSON(b, "status"), '{')
	b = textJSON(b, "message", s.Message)
	if s.Status != StatusUnset {
		b = strconv.AppendInt(keyJSON(b, "code"), int64(s.Status), 10)
	}
	return append(b, `}}`...)
}

func metricJSON(b []byte, m *Metric) []byte {
	b = append(comma(b), '{')
	b = textJSON(b, "name", m.Name)
	b = textJSON(b, "description", m.Description)
	b = textJSON(b, "unit", m.Unit)
	switch {
	case m.Gauge != nil:
		b = append(numbersJSON(append(keyJSON(b, "gauge"), '{'), m.Gauge), '}')
	case m.Sum != nil:
		b = numbersJSON(append(keyJSON(b, "sum"), '{'), m.Sum)
		b = append(b, `,"aggregationTemporality":2,"isMonotonic":true}`...)
	case m.Histogram != nil:
		b = append(keyJSON(b, "histogram"), `{"dataPoints":[`...)
		for i := range m.Histogram {
			b = histogramJSON(b, &m.Histogram[i])
		}
		b = append(b, `],"aggregationTemporality":2}`...)
	}
	return append(b, '}')
}

func numbersJSON(b []byte, points []Number) []byte {
	b = append(keyJSON(b, "dataPoints"), '[')
	for i := range points {
		p := &points[i]
		b = append(comma(b), '{')
		b = attrsJSON(b, p.Attrs)
		b = uintJSON(b, "startTimeUnixNano", p.Start)
		b = uintJSON(b, "timeUnixNano", p.Time)
		if f, ok := p.Value.(float64); ok {
			b = floatJSON(keyJSON(b, "asDouble"), f)
		} else {
			b = intJSON(keyJSON(b, "asInt"), whole(p.Value))
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

func histogramJSON(b []byte, h *Histogram) []byte {
	b = append(comma(b), '{')
	b = attrsJSON(b, h.Attrs)
	b = uintJSON(b, "startTimeUnixNano", h.Start)
	b = uintJSON(b, "timeUnixNano", h.Time)
	b = uintJSON(b, "count", h.Count)
	b = floatJSON(keyJSON(b, "sum"), h.Sum)
	b = append(keyJSON(b, "bucketCounts"), '[')
	for _, n := range h.Counts {
		b = append(strconv.AppendUint(append(comma(b), '"'), n, 10), '"')
	}
	b = append(keyJSON(append(b, ']'), "explicitBounds"), '[')
	for _, f := range h.Bounds {
		b = floatJSON(comma(b), f)
	}
	return append(b, `]}`...)
}

func attrsJSON(b []byte, attrs []Attr) []byte {
	if len(attrs) == 0 {
		return b
	}
	b = append(keyJSON(b, "attributes"), '[')
	for i := range attrs {
		b = append(comma(b), `{"key":`...)
		b = stringJSON(b, attrs[i].Key)
		b = append(b, `,"value":{`...)
		b = valueJSON(b, attrs[i].Value)
		b = append(b, `}}`...)
	}
	return append(b, ']')
}

func valueJSON(b []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return b
	case string:
		return stringJSON(append(b, `"stringValue":`...), v)
	case bool:
		return strconv.AppendBool(append(b, `"boolValue":`...), v)
	case int64:
		return intJSON(append(b, `"intValue":`...), v)
	case int:
		return intJSON(append(b, `"intValue":`...), int64(v))
	case float64:
		return floatJSON(append(b, `"doubleValue":`...), v)
	case []string:
		b = append(b, `"arrayValue":{"values":[`...)
		for _, s := range v {
			b = append(comma(b), `{"stringValue":`...)
			b = append(stringJSON(b, s), '}')
		}
		return append(b, `]}`...)
	}
	return stringJSON(append(b, `"stringValue":`...), fmt.Sprint(value))
}

// comma separates a member or an element from the one before it.
func comma(b []byte) []byte {
	if last := b[len(b)-1]; last == '{' || last == '[' {
		return b
	}
	return append(b, ',')
}

func keyJSON(b []byte, key string) []byte {
	b = append(comma(b), '"')
	b = append(b, key...)
	return append(b, `":`...)
}

func textJSON(b []byte, key, s string) []byte {
	if s == "" {
		return b
	}
	return stringJSON(keyJSON(b, key), s)
}

func idJSON(b []byte, key string, id []byte) []byte {
	b = append(keyJSON(b, key), '"')
	return append(hex.AppendEncode(b, id), '"')
}

func uintJSON(b []byte, key string, n uint64) []byte {
	if n == 0 {
		return b
	}
	b = append(keyJSON(b, key), '"')
	return append(strconv.AppendUint(b, n, 10), '"')
}

func intJSON(b []byte, n int64) []byte {
	return append(strconv.AppendInt(append(b, '"'), n, 10), '"')
}

func floatJSON(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(b, `"-Infinity"`...)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

const hexDigits = "0123456789abcdef"

func stringJSON(b []byte, s string) []byte {
	s = validText(s)
	b = append(b, '"')
	done := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			b = escapeJSON(append(b, s[done:i]...), c)
			done = i + 1
		}
	}
	return append(append(b, s[done:]...), '"')
}

func escapeJSON(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\t':
		return append(b, '\\', 't')
	case '\r':
		return append(b, '\\', 'r')
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
