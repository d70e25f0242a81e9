package faults

import (
	"encoding/hex"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// partial is the body of an ExportTraceServiceResponse that refuses some spans.
func partial(contentType string, rejected int64) []byte {
	const message = "some spans are refused"
	if contentType == "application/json" {
		return fmt.Appendf(nil, `{"partialSuccess":{"rejectedSpans":"%d","errorMessage":%q}}`, rejected, message)
	}
	inner := protowire.AppendTag(nil, 1, protowire.VarintType)
	inner = protowire.AppendVarint(inner, uint64(rejected))
	inner = protowire.AppendTag(inner, 2, protowire.BytesType)
	inner = protowire.AppendString(inner, message)
	return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), inner)
}

// Sent is one span of a request in protobuf: its id in hex and its bytes.
type Sent struct{ SpanID, Bytes string }

// Sent takes the spans out of a request for traces.
func (r Request) Sent() ([]Sent, error) {
	spans := []string{string(r.Body)}
	// ExportTraceServiceRequest.resource_spans, ResourceSpans.scope_spans, ScopeSpans.spans
	for _, field := range []protowire.Number{1, 2, 2} {
		var inner []string
		for _, m := range spans {
			found, err := fields(m, field)
			if err != nil {
				return nil, err
			}
			inner = append(inner, found...)
		}
		spans = inner
	}
	var out []Sent
	for _, s := range spans {
		id, err := fields(s, 2)
		if err != nil || len(id) != 1 || len(id[0]) != 8 {
			return nil, fmt.Errorf("span without id: %x: %w", s, err)
		}
		out = append(out, Sent{hex.EncodeToString([]byte(id[0])), s})
	}
	return out, nil
}

// fields are the values of all fields of a number that hold bytes.
func fields(message string, number protowire.Number) ([]string, error) {
	var out []string
	for b := []byte(message); len(b) > 0; {
		num, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		b = b[n:]
		n = protowire.ConsumeFieldValue(num, kind, b)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		if num == number && kind == protowire.BytesType {
			v, _ := protowire.ConsumeBytes(b)
			out = append(out, string(v))
		}
		b = b[n:]
	}
	return out, nil
}
