package otlp

import (
	"errors"
	"fmt"
	"mime"
)

// MaxBody is the largest request, uncompressed, that the parsers take. How many parts it may have is bounded, too.
const MaxBody = 16 << 20

// Why a request is not taken; everything else that a parser returns says that the content is broken.
var (
	ErrContentType = errors.New("content type is neither " + Protobuf + " nor " + JSON)
	ErrTooBig      = errors.New("request is too large")
)

// ParseTraces reads an ExportTraceServiceRequest. It takes fields that it doesn't know, and leaves them out, links among
// them; it refuses spans without ids, text that isn't UTF-8 and whatever isn't the encoding that the content type names.
// Values for which Attr has no type come as JSON text.
func ParseTraces(contentType string, body []byte) (Traces, error) {
	asJSON, err := isJSON(contentType, body)
	if err != nil {
		return nil, fmt.Errorf("parse traces: %w", err)
	}
	var t Traces
	if asJSON {
		t, err = tracesOfJSON(body)
	} else {
		t, err = tracesOfWire(body)
	}
	if err != nil {
		return nil, fmt.Errorf("parse traces: %w", err)
	}
	return t, nil
}

// ParseMetrics reads an ExportMetricsServiceRequest likewise. Sums that can fall come as gauges; of metrics that are
// neither sum, gauge nor histogram with fixed bounds only the name is left.
func ParseMetrics(contentType string, body []byte) (Metrics, error) {
	asJSON, err := isJSON(contentType, body)
	if err != nil {
		return nil, fmt.Errorf("parse metrics: %w", err)
	}
	var m Metrics
	if asJSON {
		m, err = metricsOfJSON(body)
	} else {
		m, err = metricsOfWire(body)
	}
	if err != nil {
		return nil, fmt.Errorf("parse metrics: %w", err)
	}
	return m, nil
}

func isJSON(contentType string, body []byte) (bool, error) {
	if len(body) > MaxBody {
		return false, ErrTooBig
	}
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil || media != JSON && media != Protobuf {
		return false, ErrContentType
	}
	return media == JSON, nil
}

// checkSpan refuses what can't be put into a tree.
func checkSpan(s *Span) error {
	if s.TraceID == [16]byte{} {
		return errors.New("span without trace id")
	}
	if s.SpanID == [8]byte{} {
		return errors.New("span without span id")
	}
	return nil
}

// setID takes over an id, whose length must be right.
func setID(to, from []byte) error {
	if len(from) != len(to) {
		return fmt.Errorf("id of %d bytes, must be %d", len(from), len(to))
	}
	copy(to, from)
	return nil
}

// checkHistogram refuses counts that don't fit their bounds. A histogram without either has a count and a sum alone.
func checkHistogram(h *Histogram) error {
	if len(h.Counts) == 0 && len(h.Bounds) == 0 || len(h.Counts) == len(h.Bounds)+1 {
		return nil
	}
	return fmt.Errorf("histogram of %d counts with %d bounds", len(h.Counts), len(h.Bounds))
}
