// Package otlp is the OpenTelemetry protocol over HTTP (OTLP 1.x, opentelemetry-proto 1.x): traces and metrics as plain
// values, their protobuf and JSON forms, and a client that sends them and says what became of it. It knows nothing of
// hooks. The generated protobuf types are not used: a process that links them starts 0.6 ms later, and every hook would
// pay for that. All functions may be called concurrently.
package otlp

// The content types of the two encodings.
const (
	Protobuf = "application/x-protobuf"
	JSON     = "application/json"
)

// Attr is a key with a value: string, bool, int64, int, float64 or []string; nil is an empty value. Any other type is sent
// as its text.
type Attr struct {
	Key   string
	Value any
}

// Resource is whatever the telemetry is about.
type Resource struct{ Attrs []Attr }

// Scope is the instrumentation that made it.
type Scope struct{ Name, Version string }

// Traces is the content of one ExportTraceServiceRequest.
type Traces []ResourceSpans

// ResourceSpans are spans of one resource and scope.
type ResourceSpans struct {
	Resource Resource
	Scope    Scope
	Spans    []Span
}

// The kinds of spans, by their numbers on the wire.
const (
	KindInternal = 1
	KindServer   = 2
	KindClient   = 3
)

// The codes of a span's status.
const (
	StatusUnset = 0
	StatusOK    = 1
	StatusError = 2
)

// Span is one span. Times are nanoseconds since 1970. A zero ParentID means that it is a root.
type Span struct {
	TraceID    [16]byte
	SpanID     [8]byte
	ParentID   [8]byte
	TraceState string
	// Flags are W3C trace flags in the low 8 bits; bit 8 says that bit 9 is known, bit 9 that the parent is remote.
	Flags      uint32
	Name       string
	Kind       int
	Start, End uint64
	Attrs      []Attr
	Events     []SpanEvent
	Status     int
	Message    string
}

// SpanEvent is something that happened during a span.
type SpanEvent struct {
	Time  uint64
	Name  string
	Attrs []Attr
}

// Metrics is the content of one ExportMetricsServiceRequest.
type Metrics []ResourceMetrics

// ResourceMetrics are metrics of one resource and scope.
type ResourceMetrics struct {
	Resource Resource
	Scope    Scope
	Metrics  []Metric
}

// Metric has points of one kind: Sum (cumulative, monotonic), Gauge or Histogram (cumulative).
type Metric struct {
	Name, Unit, Description string
	Sum, Gauge              []Number
	Histogram               []Histogram
}

// Number is one point. Value is int64 or float64.
type Number struct {
	Attrs       []Attr
	Start, Time uint64
	Value       any
}

// Histogram is one point: Counts has one more element than Bounds.
type Histogram struct {
	Attrs       []Attr
	Start, Time uint64
	Count       uint64
	Sum         float64
	Bounds      []float64
	Counts      []uint64
}
