package otlp

import (
	"encoding/binary"
	"math"
)

func metricsOfWire(body []byte) (m Metrics, err error) {
	err = eachField(body, func(f field) error {
		if f.num != 1 {
			return nil
		}
		resource, scopes, err := groupOfWire(f)
		for _, g := range scopes {
			rm := ResourceMetrics{Resource: resource, Scope: g.scope}
			for _, item := range g.items {
				metric, err := metricOfWire(item)
				if err != nil {
					return err
				}
				rm.Metrics = append(rm.Metrics, metric)
			}
			m = append(m, rm)
		}
		return err
	})
	return m, err
}

func metricOfWire(f field) (m Metric, err error) {
	err = f.message(func(f field) (err error) {
		switch f.num {
		case 1:
			m.Name, err = f.text()
		case 2:
			m.Description, err = f.text()
		case 3:
			m.Unit, err = f.text()
		case 5:
			m.Gauge, _, err = numbersOfWire(f)
		case 7:
			var points []Number
			var monotonic bool
			points, monotonic, err = numbersOfWire(f)
			if monotonic {
				m.Sum = points
			} else {
				m.Gauge = points
			}
		case 9:
			m.Histogram, err = histogramsOfWire(f)
		}
		return err
	})
	return m, err
}

func numbersOfWire(f field) (points []Number, monotonic bool, err error) {
	points = []Number{}
	err = f.message(func(f field) error {
		switch f.num {
		case 1:
			p, err := numberOfWire(f)
			points = append(points, p)
			return err
		case 3:
			monotonic = f.n != 0
			return f.want(typeVarint)
		}
		return nil
	})
	return points, monotonic, err
}

func numberOfWire(f field) (p Number, err error) {
	err = f.message(func(f field) error {
		switch f.num {
		case 2:
			p.Start = f.n
		case 3:
			p.Time = f.n
		case 4:
			p.Value = math.Float64frombits(f.n)
		case 6:
			p.Value = int64(f.n)
		case 7:
			return appendAttrOfWire(&p.Attrs, f)
		default:
			return nil
		}
		return f.want(typeFixed64)
	})
	return p, err
}

func histogramsOfWire(f field) (points []Histogram, err error) {
	points = []Histogram{}
	err = f.message(func(f field) error {
		if f.num != 1 {
			return nil
		}
		h, err := histogramOfWire(f)
		points = append(points, h)
		return err
	})
	return points, err
}

func histogramOfWire(f field) (h Histogram, err error) {
	err = f.message(func(f field) error {
		switch f.num {
		case 2:
			h.Start = f.n
		case 3:
			h.Time = f.n
		case 4:
			h.Count = f.n
		case 5:
			h.Sum = math.Float64frombits(f.n)
		case 6:
			return eachFixed64(f, func(n uint64) { h.Counts = append(h.Counts, n) })
		case 7:
			return eachFixed64(f, func(n uint64) { h.Bounds = append(h.Bounds, math.Float64frombits(n)) })
		case 9:
			return appendAttrOfWire(&h.Attrs, f)
		default:
			return nil
		}
		return f.want(typeFixed64)
	})
	if err != nil {
		return h, err
	}
	return h, checkHistogram(&h)
}

// eachFixed64 reads a repeated field, packed or one by one.
func eachFixed64(f field, fn func(n uint64)) error {
	if f.typ == typeFixed64 {
		fn(f.n)
		return nil
	}
	if f.typ != typeBytes || len(f.bytes)%8 != 0 {
		return errWire
	}
	for b := f.bytes; len(b) > 0; b = b[8:] {
		fn(binary.LittleEndian.Uint64(b))
	}
	return nil
}
