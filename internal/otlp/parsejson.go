package otlp

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

// maxObjects is how many JSON objects a request may have: an empty one takes three bytes there and hundreds here.
const maxObjects = 1 << 20

// The messages in JSON, as far as they are read.
type (
	tracesJSON struct {
		ResourceSpans []struct {
			Resource   attributed `json:"resource"`
			ScopeSpans []struct {
				Scope scopeOfJSON  `json:"scope"`
				Spans []spanOfJSON `json:"spans"`
			} `json:"scopeSpans"`
		} `json:"resourceSpans"`
	}
	attributed struct {
		Attributes []keyValueOfJSON `json:"attributes"`
	}
	scopeOfJSON struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	spanOfJSON struct {
		attributed
		TraceID      hexID        `json:"traceId"`
		SpanID       hexID        `json:"spanId"`
		ParentSpanID hexID        `json:"parentSpanId"`
		TraceState   string       `json:"traceState"`
		Flags        uintOfJSON   `json:"flags"`
		Name         string       `json:"name"`
		Kind         enumOfJSON   `json:"kind"`
		Start        uintOfJSON   `json:"startTimeUnixNano"`
		End          uintOfJSON   `json:"endTimeUnixNano"`
		Events       []eventOfObj `json:"events"`
		Status       struct {
			Code    enumOfJSON `json:"code"`
			Message string     `json:"message"`
		} `json:"status"`
	}
	eventOfObj struct {
		attributed
		Time uintOfJSON `json:"timeUnixNano"`
		Name string     `json:"name"`
	}
	keyValueOfJSON struct {
		Key   string      `json:"key"`
		Value valueOfJSON `json:"value"`
	}
	valueOfJSON struct {
		String *string      `json:"stringValue"`
		Bool   *bool        `json:"boolValue"`
		Int    *intOfJSON   `json:"intValue"`
		Double *floatOfJSON `json:"doubleValue"`
		Array  *struct {
			Values []valueOfJSON `json:"values"`
		} `json:"arrayValue"`
		Map *struct {
			Values []keyValueOfJSON `json:"values"`
		} `json:"kvlistValue"`
		Bytes *[]byte `json:"bytesValue"`
	}
)

// unmarshal reads one JSON value, and refuses what would become too much.
func unmarshal(body []byte, to any) error {
	if !utf8.Valid(body) {
		return errors.New("text is not UTF-8")
	}
	if bytes.Count(body, []byte("{")) > maxObjects {
		return ErrTooBig
	}
	return json.Unmarshal(body, to)
}

func tracesOfJSON(body []byte) (t Traces, err error) {
	var in tracesJSON
	if err := unmarshal(body, &in); err != nil {
		return nil, err
	}
	for _, resource := range in.ResourceSpans {
		attrs, err := resource.Resource.attrs()
		if err != nil {
			return nil, err
		}
		for _, scope := range resource.ScopeSpans {
			rs := ResourceSpans{Resource: Resource{Attrs: attrs}, Scope: Scope(scope.Scope)}
			for i := range scope.Spans {
				s, err := scope.Spans[i].span()
				if err != nil {
					return nil, err
				}
				rs.Spans = append(rs.Spans, s)
			}
			t = append(t, rs)
		}
	}
	return t, nil
}

func (in *spanOfJSON) span() (s Span, err error) {
	s = Span{
		TraceState: in.TraceState, Flags: uint32(in.Flags), Name: in.Name, Kind: int(in.Kind),
		Start: uint64(in.Start), End: uint64(in.End), Status: int(in.Status.Code), Message: in.Status.Message,
	}
	if err := setID(s.TraceID[:], in.TraceID); err != nil {
		return s, err
	}
	if err := setID(s.SpanID[:], in.SpanID); err != nil {
		return s, err
	}
	if len(in.ParentSpanID) > 0 {
		if err := setID(s.ParentID[:], in.ParentSpanID); err != nil {
			return s, err
		}
	}
	if s.Attrs, err = in.attrs(); err != nil {
		return s, err
	}
	for i := range in.Events {
		attrs, err := in.Events[i].attrs()
		if err != nil {
			return s, err
		}
		s.Events = append(s.Events, SpanEvent{Time: uint64(in.Events[i].Time), Name: in.Events[i].Name, Attrs: attrs})
	}
	return s, checkSpan(&s)
}

func (in attributed) attrs() (out []Attr, err error) {
	for i := range in.Attributes {
		v, err := in.Attributes[i].Value.value(0)
		if err != nil {
			return nil, err
		}
		out = append(out, Attr{Key: in.Attributes[i].Key, Value: v.attr()})
	}
	return out, nil
}

func (in *valueOfJSON) value(depth int) (v anyValue, err error) {
	switch {
	case depth > maxDepth:
		return v, errDeep
	case in.String != nil:
		v.plain = *in.String
	case in.Bool != nil:
		v.plain = *in.Bool
	case in.Int != nil:
		v.plain = int64(*in.Int)
	case in.Double != nil:
		v.plain = float64(*in.Double)
	case in.Bytes != nil:
		v.plain = *in.Bytes
	case in.Array != nil:
		v.isArray = true
		for i := range in.Array.Values {
			e, err := in.Array.Values[i].value(depth + 1)
			if err != nil {
				return v, err
			}
			v.elements = append(v.elements, e)
		}
	case in.Map != nil:
		v.isMap = true
		for i := range in.Map.Values {
			e, err := in.Map.Values[i].Value.value(depth + 1)
			if err != nil {
				return v, err
			}
			v.keys = append(v.keys, in.Map.Values[i].Key)
			v.elements = append(v.elements, e)
		}
	}
	return v, nil
}

// The numbers of protobuf's JSON may be strings, and those of 64 bits should be.
type (
	hexID       []byte
	uintOfJSON  uint64
	intOfJSON   int64
	floatOfJSON float64
	enumOfJSON  int32
)

func (id *hexID) UnmarshalJSON(b []byte) (err error) {
	if isNull(b) {
		return nil
	}
	*id, err = hex.DecodeString(unquoted(b))
	return err
}

func (n *uintOfJSON) UnmarshalJSON(b []byte) error {
	if isNull(b) {
		return nil
	}
	v, err := strconv.ParseUint(unquoted(b), 10, 64)
	*n = uintOfJSON(v)
	return err
}

func (n *intOfJSON) UnmarshalJSON(b []byte) error {
	if isNull(b) {
		return nil
	}
	v, err := strconv.ParseInt(unquoted(b), 10, 64)
	*n = intOfJSON(v)
	return err
}

func (f *floatOfJSON) UnmarshalJSON(b []byte) error {
	if isNull(b) {
		return nil
	}
	v, err := strconv.ParseFloat(unquoted(b), 64)
	*f = floatOfJSON(v)
	return err
}

// UnmarshalJSON takes the names of the enumerations too, which some senders use against the specification.
func (e *enumOfJSON) UnmarshalJSON(b []byte) error {
	if isNull(b) {
		return nil
	}
	switch text := unquoted(b); text {
	case "SPAN_KIND_UNSPECIFIED", "STATUS_CODE_UNSET":
		*e = 0
	case "SPAN_KIND_INTERNAL", "STATUS_CODE_OK":
		*e = 1
	case "SPAN_KIND_SERVER", "STATUS_CODE_ERROR":
		*e = 2
	case "SPAN_KIND_CLIENT":
		*e = 3
	case "SPAN_KIND_PRODUCER":
		*e = 4
	case "SPAN_KIND_CONSUMER":
		*e = 5
	default:
		v, err := strconv.ParseInt(text, 10, 32)
		*e = enumOfJSON(v)
		return err
	}
	return nil
}

// isNull tells whether a value is null, which is as if it weren't there.
func isNull(b []byte) bool { return string(b) == "null" }

// unquoted is the text of a string or a number.
func unquoted(b []byte) string {
	if len(b) > 1 && b[0] == '"' {
		var s string
		if json.Unmarshal(b, &s) == nil {
			return s
		}
	}
	return string(b)
}
