package otelcol

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Metric is one metric of one request as the collector handed it on.
type Metric struct {
	Name, Unit string
	// Kind is sum, gauge or histogram.
	Kind     string
	Points   []Point
	Resource map[string]any
}

// Point is one point. A histogram has Count, Sum and Buckets, the others have Value.
type Point struct {
	Attrs      map[string]any
	Value      float64
	Count      uint64
	Sum        float64
	Buckets    []uint64
	Start, End uint64
}

type metricsJSON struct {
	ResourceMetrics []struct {
		Resource     resourceJSON
		ScopeMetrics []struct{ Metrics []metricJSON }
	}
}

type metricJSON struct {
	Name, Unit            string
	Sum, Gauge, Histogram *struct{ DataPoints []pointJSON }
}

type pointJSON struct {
	Attributes   attrsJSON
	Start        string      `json:"startTimeUnixNano"`
	Time         string      `json:"timeUnixNano"`
	AsInt        json.Number `json:"asInt"`
	AsDouble     *float64    `json:"asDouble"`
	Count        json.Number `json:"count"`
	Sum          float64     `json:"sum"`
	BucketCounts []json.Number
}

func (in metricsJSON) appendTo(metrics []Metric) ([]Metric, error) {
	for _, rm := range in.ResourceMetrics {
		resource, err := rm.Resource.Attributes.values()
		if err != nil {
			return metrics, err
		}
		for _, sm := range rm.ScopeMetrics {
			for _, m := range sm.Metrics {
				one, err := m.metric()
				if err != nil {
					return metrics, fmt.Errorf("metric %s: %w", m.Name, err)
				}
				one.Resource = resource
				metrics = append(metrics, one)
			}
		}
	}
	return metrics, nil
}

func (m metricJSON) metric() (Metric, error) {
	out := Metric{Name: m.Name, Unit: m.Unit}
	var points []pointJSON
	switch {
	case m.Sum != nil:
		out.Kind, points = "sum", m.Sum.DataPoints
	case m.Gauge != nil:
		out.Kind, points = "gauge", m.Gauge.DataPoints
	case m.Histogram != nil:
		out.Kind, points = "histogram", m.Histogram.DataPoints
	}
	for _, p := range points {
		one, err := p.point()
		if err != nil {
			return out, err
		}
		out.Points = append(out.Points, one)
	}
	return out, nil
}

func (p pointJSON) point() (Point, error) {
	out := Point{Sum: p.Sum}
	var err error
	if out.Attrs, err = p.Attributes.values(); err != nil {
		return out, err
	}
	if p.AsDouble != nil {
		out.Value = *p.AsDouble
	}
	if p.AsInt != "" {
		if out.Value, err = p.AsInt.Float64(); err != nil {
			return out, err
		}
	}
	for _, n := range []struct {
		text string
		to   *uint64
	}{{p.Start, &out.Start}, {p.Time, &out.End}, {string(p.Count), &out.Count}} {
		if n.text == "" {
			continue
		}
		if *n.to, err = strconv.ParseUint(n.text, 10, 64); err != nil {
			return out, err
		}
	}
	for _, b := range p.BucketCounts {
		n, err := strconv.ParseUint(string(b), 10, 64)
		if err != nil {
			return out, err
		}
		out.Buckets = append(out.Buckets, n)
	}
	return out, nil
}
