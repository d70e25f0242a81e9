package otlp

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What google.golang.org/protobuf makes of the same messages with the types of go.opentelemetry.io/proto/otlp 1.11.1.
const (
	goldenTraces = "0ac3020a1e0a1c0a0c736572766963652e6e616d65120c0a0a67656d696e692d636c6912a0020a0e0a08626f6174686f6f6b12027631128d020a1001" +
		"02030405060708090a0b0c0d0e0f10120821222324252627281a036b3d76220831323334353637382a1267656d696e692e6265666f72655f746f6f6c" +
		"30013901002a36fe9c97174102002a36fe9c97174a110a0173120c0a0a746578742022c3a9220a4a0b0a05656d70747912020a004a070a0162120210" +
		"014a070a0166120210004a100a0169120b18fbffffffffffffffff014a0e0a0164120921000000000000f83f4a100a016c120b2a090a030a01780a02" +
		"0a005a400903002a36fe9c97171211626f6174686f6f6b2e6465636973696f6e1a220a18626f6174686f6f6b2e6465636973696f6e2e616374696f6e" +
		"12060a0464656e797a0a120664656e6965641802850101030000"

	goldenMetrics = "0acd020a1e0a1c0a0c736572766963652e6e616d65120c0a0a67656d696e692d636c6912aa020a0e0a08626f6174686f6f6b1202763112620a12626f" +
		"6174686f6f6b2e6465636973696f6e73120a4465636973696f6e732e1a0a7b6465636973696f6e7d3a340a2e11010000000000000019020000000000" +
		"00003a110a056167656e7412080a0667656d696e6931070000000000000010021801122d0a12626f6174686f6f6b2e73706f6f6c2e6167651a01732a" +
		"140a1219020000000000000021000000000000e03f1284010a16626f6174686f6f6b2e686f6f6b2e6475726174696f6e1a01734a670a631101000000" +
		"0000000019020000000000000021030000000000000029000000000000024032180100000000000000000000000000000002000000000000003a1000" +
		"0000000000e03f000000000000f03f4a110a056167656e7412080a0667656d696e691002"
)

func sequence(b []byte, from byte) {
	for i := range b {
		b[i] = from + byte(i)
	}
}

func exampleTraces() Traces {
	s := Span{
		TraceState: "k=v", Flags: 0x301, Name: "gemini.before_tool", Kind: KindInternal,
		Start: 1700000000000000001, End: 1700000000000000002,
		Attrs: []Attr{
			{"s", "text \"é\"\n"}, {"empty", ""}, {"b", true}, {"f", false}, {"i", int64(-5)}, {"d", 1.5}, {"l", []string{"x", ""}},
		},
		Events: []SpanEvent{{
			Time: 1700000000000000003, Name: "boathook.decision", Attrs: []Attr{{"boathook.decision.action", "deny"}},
		}},
		Status: StatusError, Message: "denied",
	}
	sequence(s.TraceID[:], 1)
	sequence(s.SpanID[:], 0x21)
	sequence(s.ParentID[:], 0x31)
	return Traces{{
		Resource: Resource{Attrs: []Attr{{"service.name", "gemini-cli"}}},
		Scope:    Scope{Name: "boathook", Version: "v1"},
		Spans:    []Span{s},
	}}
}

func exampleMetrics() Metrics {
	attrs := []Attr{{"agent", "gemini"}}
	return Metrics{{
		Resource: Resource{Attrs: []Attr{{"service.name", "gemini-cli"}}},
		Scope:    Scope{Name: "boathook", Version: "v1"},
		Metrics: []Metric{
			{Name: "boathook.decisions", Unit: "{decision}", Description: "Decisions.", Sum: []Number{
				{Attrs: attrs, Start: 1, Time: 2, Value: int64(7)},
			}},
			{Name: "boathook.spool.age", Unit: "s", Gauge: []Number{{Time: 2, Value: 0.5}}},
			{Name: "boathook.hook.duration", Unit: "s", Histogram: []Histogram{
				{Attrs: attrs, Start: 1, Time: 2, Count: 3, Sum: 2.25, Bounds: []float64{0.5, 1}, Counts: []uint64{1, 0, 2}},
			}},
		},
	}}
}

func TestProtobufIsWhatTheLibraryWrites(t *testing.T) {
	if got := hex.EncodeToString(AppendTraces(nil, Protobuf, exampleTraces())); got != goldenTraces {
		t.Errorf("traces: %s", cmp.Diff(goldenTraces, got))
	}
	if got := hex.EncodeToString(AppendMetrics(nil, Protobuf, exampleMetrics())); got != goldenMetrics {
		t.Errorf("metrics: %s", cmp.Diff(goldenMetrics, got))
	}
}

// TestJSONForm checks the form that OTLP asks for: names in lowerCamelCase, ids in hex, 64 bit integers as strings.
func TestJSONForm(t *testing.T) {
	want := `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"gemini-cli"}}]},` +
		`"scopeSpans":[{"scope":{"name":"boathook","version":"v1"},"spans":[{` +
		`"traceId":"0102030405060708090a0b0c0d0e0f10","spanId":"2122232425262728","traceState":"k=v",` +
		`"parentSpanId":"3132333435363738","flags":769,"name":"gemini.before_tool","kind":1,` +
		`"startTimeUnixNano":"1700000000000000001","endTimeUnixNano":"1700000000000000002","attributes":[` +
		`{"key":"s","value":{"stringValue":"text \"é\"\n"}},{"key":"empty","value":{"stringValue":""}},` +
		`{"key":"b","value":{"boolValue":true}},{"key":"f","value":{"boolValue":false}},` +
		`{"key":"i","value":{"intValue":"-5"}},{"key":"d","value":{"doubleValue":1.5}},` +
		`{"key":"l","value":{"arrayValue":{"values":[{"stringValue":"x"},{"stringValue":""}]}}}],` +
		`"events":[{"timeUnixNano":"1700000000000000003","name":"boathook.decision","attributes":[` +
		`{"key":"boathook.decision.action","value":{"stringValue":"deny"}}]}],` +
		`"status":{"message":"denied","code":2}}]}]}]}`
	if diff := cmp.Diff(want, string(AppendTraces(nil, JSON, exampleTraces()))); diff != "" {
		t.Error(diff)
	}
	want = `{"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"gemini-cli"}}]},` +
		`"scopeMetrics":[{"scope":{"name":"boathook","version":"v1"},"metrics":[` +
		`{"name":"boathook.decisions","description":"Decisions.","unit":"{decision}","sum":{"dataPoints":[{"attributes":[` +
		`{"key":"agent","value":{"stringValue":"gemini"}}],"startTimeUnixNano":"1","timeUnixNano":"2","asInt":"7"}],` +
		`"aggregationTemporality":2,"isMonotonic":true}},` +
		`{"name":"boathook.spool.age","unit":"s","gauge":{"dataPoints":[{"timeUnixNano":"2","asDouble":0.5}]}},` +
		`{"name":"boathook.hook.duration","unit":"s","histogram":{"dataPoints":[{"attributes":[` +
		`{"key":"agent","value":{"stringValue":"gemini"}}],"startTimeUnixNano":"1","timeUnixNano":"2","count":"3","sum":2.25,` +
		`"bucketCounts":["1","0","2"],"explicitBounds":[0.5,1]}],"aggregationTemporality":2}}]}]}]}`
	if diff := cmp.Diff(want, string(AppendMetrics(nil, JSON, exampleMetrics()))); diff != "" {
		t.Error(diff)
	}
}

func TestRoundTrip(t *testing.T) {
	var bare Span
	bare.TraceID[0], bare.SpanID[7] = 1, 1
	many := exampleTraces()
	for range 300 { // lengths of one, two and three bytes
		many[0].Spans = append(many[0].Spans, many[0].Spans[0])
	}
	for name, want := range map[string]Traces{
		"nothing": nil, "example": exampleTraces(), "many": many, "bare": {{Spans: []Span{bare}}},
		"no spans": {{Scope: Scope{Name: "a"}}, {Scope: Scope{Name: "b"}}},
		"extremes": {{Spans: []Span{{
			TraceID: bare.TraceID, SpanID: bare.SpanID, Start: math.MaxUint64, Flags: math.MaxUint32, Name: strings.Repeat("é", 1<<14),
			Attrs: []Attr{{"max", int64(math.MaxInt64)}, {"min", int64(math.MinInt64)}, {"inf", math.Inf(-1)}, {"none", nil}, {"", "\x00\u2028"}, {"list", []string{}}},
		}}}},
	} {
		for _, contentType := range []string{Protobuf, JSON, "application/json; charset=utf-8"} {
			encoded := AppendTraces([]byte("before"), strings.TrimSuffix(contentType, "; charset=utf-8"), want)
			got, err := ParseTraces(contentType, encoded[len("before"):])
			if err != nil {
				t.Fatalf("%s as %s: %v", name, contentType, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s as %s: %s", name, contentType, diff)
			}
		}
	}
	for _, contentType := range []string{Protobuf, JSON} {
		got, err := ParseMetrics(contentType, AppendMetrics(nil, contentType, exampleMetrics()))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(exampleMetrics(), got); diff != "" {
			t.Errorf("as %s: %s", contentType, diff)
		}
	}
}

// TestInvalidTextIsMadeValid: a collector refuses a whole request for one byte that isn't UTF-8.
func TestInvalidTextIsMadeValid(t *testing.T) {
	in := exampleTraces()
	in[0].Scope.Name = "\xff"
	s := &in[0].Spans[0]
	s.Name, s.Message, s.TraceState = "a\xff\xfeb", "\xc3", "\x80"
	s.Attrs = []Attr{{"\xed\xa0\x80", "cut \xe2\x82"}, {"l", []string{"\xf5"}}, {"other", struct{ S string }{"\xff"}}}
	s.Events[0].Name = "\xff"
	for _, contentType := range []string{Protobuf, JSON} {
		got, err := ParseTraces(contentType, AppendTraces(nil, contentType, in))
		if err != nil {
			t.Fatal(err)
		}
		s := got[0].Spans[0]
		want := []Attr{{"\uFFFD", "cut \uFFFD"}, {"l", []string{"\uFFFD"}}, {"other", "{\uFFFD}"}}
		if diff := cmp.Diff(want, s.Attrs); diff != "" || s.Name != "a\uFFFDb" {
			t.Errorf("as %s: %q, %s", contentType, s.Name, diff)
		}
	}
}

// TestJSONStrings compares the escapes with the standard library's reading of them.
func TestJSONStrings(t *testing.T) {
	for r := range rune(0x300) {
		want := "a" + string(r) + "z"
		var got string
		if err := json.Unmarshal(stringJSON(nil, want), &got); err != nil || got != want {
			t.Errorf("%U: %q, %v", r, got, err)
		}
	}
}

// benchTraces are spans as the event family has them: some fifteen attributes and 2 kB of text.
func benchTraces() Traces {
	t := exampleTraces()
	s := &t[0].Spans[0]
	for _, key := range []string{"hook", "agent", "session_id", "tool_name", "cwd", "transcript_path", "timestamp", "event"} {
		s.Attrs = append(s.Attrs, Attr{"gemini." + key, strings.Repeat(key, 4)})
	}
	s.Attrs = append(s.Attrs, Attr{"gemini.tool_input", strings.Repeat(`{"command":"go test ./..."}`, 70)})
	for len(t[0].Spans) < 512 {
		t[0].Spans = append(t[0].Spans, *s)
	}
	return t
}

func BenchmarkEncode(b *testing.B) {
	traces := benchTraces()
	for _, contentType := range []string{Protobuf, JSON} {
		b.Run(contentType, func(b *testing.B) {
			var buf []byte
			for b.Loop() {
				buf = AppendTraces(buf[:0], contentType, traces)
			}
			n := len(traces[0].Spans)
			b.ReportMetric(float64(len(buf)/n), "B/span")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/span")
		})
	}
}
