package otlp

import (
	"encoding/binary"
	"math"
)

// cumulative is the number of AGGREGATION_TEMPORALITY_CUMULATIVE.
const cumulative = 2

func appendMetric(b []byte, num int, m *Metric) []byte {
	b, at := begin(b, num)
	b = appendText(b, 1, m.Name)
	b = appendText(b, 2, m.Description)
	b = appendText(b, 3, m.Unit)
	var data int
	switch {
	case m.Gauge != nil:
		b, data = begin(b, 5)
		b = appendNumbers(b, m.Gauge)
		b = end(b, data)
	case m.Sum != nil:
		b, data = begin(b, 7)
		b = appendNumbers(b, m.Sum)
		b = appendVarint(b, 2, cumulative)
		b = appendVarint(b, 3, 1) // monotonic
		b = end(b, data)
	case m.Histogram != nil:
		b, data = begin(b, 9)
		for i := range m.Histogram {
			b = appendHistogram(b, 1, &m.Histogram[i])
		}
		b = appendVarint(b, 2, cumulative)
		b = end(b, data)
	}
	return end(b, at)
}

func appendNumbers(b []byte, points []Number) []byte {
	for i := range points {
		p := &points[i]
		var at int
		b, at = begin(b, 1)
		b = appendFixed64(b, 2, p.Start)
		b = appendFixed64(b, 3, p.Time)
		b = appendAttrs(b, 7, p.Attrs)
		if f, ok := p.Value.(float64); ok {
			b = appendDouble(b, 4, f)
		} else {
			b = binary.LittleEndian.AppendUint64(appendTag(b, 6, typeFixed64), uint64(whole(p.Value)))
		}
		b = end(b, at)
	}
	return b
}

// whole is the value of a point that isn't a float64.
func whole(value any) int64 {
	switch v := value.(type) {
	case int64:
		return v
	case int:
		return int64(v)
	}
	return 0
}

func appendHistogram(b []byte, num int, h *Histogram) []byte {
	b, at := begin(b, num)
	b = appendFixed64(b, 2, h.Start)
	b = appendFixed64(b, 3, h.Time)
	b = appendFixed64(b, 4, h.Count)
	b = appendDouble(b, 5, h.Sum)
	if len(h.Counts) > 0 {
		b = binary.AppendUvarint(appendTag(b, 6, typeBytes), uint64(8*len(h.Counts)))
		for _, n := range h.Counts {
			b = binary.LittleEndian.AppendUint64(b, n)
		}
	}
	if len(h.Bounds) > 0 {
		b = binary.AppendUvarint(appendTag(b, 7, typeBytes), uint64(8*len(h.Bounds)))
		for _, f := range h.Bounds {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
		}
	}
	b = appendAttrs(b, 9, h.Attrs)
	return end(b, at)
}
