package otlp

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unhex reads hex with blanks in it.
func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wrap puts a span's bytes into a request.
func wrap(span []byte) []byte {
	for _, num := range []int{2, 2, 1} {
		b, at := begin(nil, num)
		span = end(append(b, span...), at)
	}
	return span
}

const ids = "0a10 01010101010101010101010101010101 1208 0202020202020202"

func TestUnknownFieldsAreLeftOut(t *testing.T) {
	for name, body := range map[string]string{
		"varint": ids + "e03e 9601", "fixed64": ids + "e13e 0102030405060708", "bytes": ids + "e23e 02 0102", "fixed32": ids + "e53e 01020304",
		"links and dropped counts": ids + "5005 6a02 1a00 7003",
	} {
		got, err := ParseTraces(Protobuf, wrap(unhex(t, body)))
		if err != nil || len(got) != 1 || len(got[0].Spans) != 1 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	got, err := ParseTraces(JSON, []byte(`{"new":[{}],"resourceSpans":[{"schemaUrl":"u","scopeSpans":[{"spans":[{"links":[],"x":{"y":1},
		"traceId":"01010101010101010101010101010101","spanId":"02020202020202AB","kind":"SPAN_KIND_SERVER","startTimeUnixNano":5,
		"endTimeUnixNano":null,"status":{"code":"STATUS_CODE_ERROR"}}]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if s := got[0].Spans[0]; s.SpanID[7] != 0xab || s.Kind != KindServer || s.Start != 5 || s.Status != StatusError {
		t.Errorf("%+v", s)
	}
}

func TestBrokenTracesAreRefused(t *testing.T) {
	tests := map[string][]byte{
		"tag cut":          {0x80},
		"number 0":         {0x02, 0x00},
		"number too large": {0x82, 0x80, 0x80, 0x80, 0x10, 0x00},
		"varint too long":  append([]byte{0x08}, strings.Repeat("\xff", 11)...),
		"length past end":  {0x0a, 0x05, 0x00},
		"huge length":      append([]byte{0x0a}, binary.AppendUvarint(nil, 1<<63)...),
		"fixed64 cut":      {0x09, 1, 2, 3},
		"fixed32 cut":      {0x0d, 1, 2, 3},
		"group":            {0x0b, 0x0c},
		"wrong type":       {0x08, 0x01},
		"no ids":           wrap(nil),
		"zero ids":         wrap(unhex(t, "0a10 00000000000000000000000000000000 1208 0202020202020202")),
		"short id":         wrap(unhex(t, "0a02 0101 1208 0202020202020202")),
		"short parent":     wrap(unhex(t, ids+"2201 01")),
		"name not UTF-8":   wrap(unhex(t, ids+"2a01 ff")),
		"time as varint":   wrap(unhex(t, ids+"3801")),
		"fields":           wrap(append(unhex(t, ids), bytes.Repeat([]byte{0x5a, 0}, maxFields)...)),
		"deep value":       wrap(append(unhex(t, ids), deepAttr(maxDepth+2)...)),
	}
	for name, body := range tests {
		if got, err := ParseTraces(Protobuf, body); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if _, err := ParseTraces(Protobuf, wrap(append(unhex(t, ids), deepAttr(maxDepth)...))); err != nil {
		t.Errorf("as deep as allowed: %v", err)
	}
	for name, body := range map[string]string{
		"empty": "", "array": "[]", "cut": `{"resourceSpans":[`, "two": `{}{}`, "not UTF-8": "{\"a\":\"\xff\"}",
		"id":         `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0101","spanId":"0202020202020202"}]}]}]}`,
		"id not hex": `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"AQEBAQEBAQEBAQEBAQEBAQ==","spanId":"0202020202020202"}]}]}]}`,
		"no ids":     `{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}]}`,
		"time":       `{"resourceSpans":[{"scopeSpans":[{"spans":[{"startTimeUnixNano":"-1"}]}]}]}`,
		"deep": `{"resourceSpans":[{"resource":{"attributes":[{"key":"k","value":` + strings.Repeat(`{"arrayValue":{"values":[`, 40) +
			strings.Repeat(`]}}`, 40) + `}]}}]}`,
		"objects": `{"resourceSpans":[` + strings.Repeat("{},", maxObjects) + `{}]}`,
	} {
		if got, err := ParseTraces(JSON, []byte(body)); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// deepAttr is an attribute whose value is an array in an array … .
func deepAttr(depth int) []byte {
	value := []byte{}
	for range depth {
		b, array := begin(nil, 5)
		b, element := begin(b, 1)
		value = end(end(append(b, value...), element), array)
	}
	b, attr := begin(nil, 9)
	b, at := begin(b, 2)
	return end(end(append(b, value...), at), attr)
}

func TestRequestsThatAreNotTaken(t *testing.T) {
	for _, contentType := range []string{"", "text/plain", "application/x-protobuf;;", "application/x-protobufs"} {
		if _, err := ParseTraces(contentType, nil); !errors.Is(err, ErrContentType) {
			t.Errorf("%q: %v", contentType, err)
		}
		if _, err := ParseMetrics(contentType, nil); !errors.Is(err, ErrContentType) {
			t.Errorf("%q: %v", contentType, err)
		}
	}
	if _, err := ParseTraces(JSON, make([]byte, MaxBody+1)); !errors.Is(err, ErrTooBig) {
		t.Error(err)
	}
}

// TestOtherValues: values for which Attr has no type come as text.
func TestOtherValues(t *testing.T) {
	body := `{"resourceSpans":[{"resource":{"attributes":[
		{"key":"map","value":{"kvlistValue":{"values":[{"key":"a","value":{"intValue":1}},{"key":"b","value":{"arrayValue":{"values":[{"boolValue":true},{},{"bytesValue":"AQI="}]}}}]}}},
		{"key":"mixed","value":{"arrayValue":{"values":[{"stringValue":"x"},{"doubleValue":"NaN"}]}}},
		{"key":"bytes","value":{"bytesValue":"AQI="}}]},"scopeSpans":[{}]}]}`
	got, err := ParseTraces(JSON, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	want := []Attr{{"map", `{"a":1,"b":[true,null,"AQI="]}`}, {"mixed", `["x","NaN"]`}, {"bytes", "AQI="}}
	if diff := cmp.Diff(want, got[0].Resource.Attrs); diff != "" {
		t.Error(diff)
	}
	wire := wrap(append(unhex(t, ids), unhex(t, "4a0e 0a01 6d 1209 3207 0a05 0a01 61 1200")...))
	got, err = ParseTraces(Protobuf, wire)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Attr{{"m", `{"a":null}`}}, got[0].Spans[0].Attrs); diff != "" {
		t.Error(diff)
	}
}

func TestForeignMetrics(t *testing.T) {
	got, err := ParseMetrics(JSON, []byte(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[
		{"name":"updown","sum":{"aggregationTemporality":2,"dataPoints":[{"asInt":3}]}},
		{"name":"exponential","exponentialHistogram":{"dataPoints":[{}]}},
		{"name":"count alone","histogram":{"dataPoints":[{"count":2,"sum":1}]}}]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Metric{
		{Name: "updown", Gauge: []Number{{Value: int64(3)}}}, {Name: "exponential"},
		{Name: "count alone", Histogram: []Histogram{{Count: 2, Sum: 1}}},
	}
	if diff := cmp.Diff(want, got[0].Metrics); diff != "" {
		t.Error(diff)
	}
	for name, body := range map[string]string{
		"counts":    `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"histogram":{"dataPoints":[{"bucketCounts":[1]  ,"explicitBounds":[1]}]}}]}]}]}`,
		"not a sum": `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"sum":5}]}]}]}`,
	} {
		if got, err := ParseMetrics(JSON, []byte(body)); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestUnpackedNumbers: repeated numbers may be written one by one, too.
func TestUnpackedNumbers(t *testing.T) {
	b, resource := begin(nil, 1)
	b, scope := begin(b, 2)
	b, metric := begin(b, 2)
	b, histogram := begin(b, 9)
	b, point := begin(b, 1)
	b = appendDouble(appendFixed64(appendFixed64(b, 6, 4), 6, 5), 7, 0.5)
	for _, at := range []int{point, histogram, metric, scope, resource} {
		b = end(b, at)
	}
	got, err := ParseMetrics(Protobuf, b)
	if err != nil {
		t.Fatal(err)
	}
	want := []Histogram{{Counts: []uint64{4, 5}, Bounds: []float64{0.5}}}
	if diff := cmp.Diff(want, got[0].Metrics[0].Histogram); diff != "" {
		t.Error(diff)
	}
}

// What a parser takes it must take again from the encoder, and then it is the same.
func FuzzParseTraces(f *testing.F) {
	for _, contentType := range []string{Protobuf, JSON} {
		f.Add(contentType == JSON, AppendTraces(nil, contentType, exampleTraces()))
	}
	f.Fuzz(func(t *testing.T, asJSON bool, body []byte) {
		contentType := contentTypes[asJSON]
		first, err := ParseTraces(contentType, body)
		if err != nil {
			return
		}
		encoded := AppendTraces(nil, contentType, first)
		second, err := ParseTraces(contentType, encoded)
		if err != nil {
			t.Fatalf("our own encoding: %v", err)
		}
		if again := AppendTraces(nil, contentType, second); string(again) != string(encoded) {
			t.Fatalf("%x\n%x", encoded, again)
		}
	})
}

func FuzzParseMetrics(f *testing.F) {
	for _, contentType := range []string{Protobuf, JSON} {
		f.Add(contentType == JSON, AppendMetrics(nil, contentType, exampleMetrics()))
	}
	f.Fuzz(func(t *testing.T, asJSON bool, body []byte) {
		contentType := contentTypes[asJSON]
		first, err := ParseMetrics(contentType, body)
		if err != nil {
			return
		}
		encoded := AppendMetrics(nil, contentType, first)
		second, err := ParseMetrics(contentType, encoded)
		if err != nil {
			t.Fatalf("our own encoding: %v", err)
		}
		if again := AppendMetrics(nil, contentType, second); string(again) != string(encoded) {
			t.Fatalf("%x\n%x", encoded, again)
		}
	})
}

var contentTypes = map[bool]string{true: JSON, false: Protobuf}
