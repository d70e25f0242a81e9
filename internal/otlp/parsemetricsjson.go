package otlp

type (
	metricsJSONDoc struct {
		ResourceMetrics []struct {
			Resource     attributed `json:"resource"`
			ScopeMetrics []struct {
				Scope   scopeOfJSON    `json:"scope"`
				Metrics []metricOfJSON `json:"metrics"`
			} `json:"scopeMetrics"`
		} `json:"resourceMetrics"`
	}
	metricOfJSON struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Unit        string         `json:"unit"`
		Sum         *numbersOfJSON `json:"sum"`
		Gauge       *numbersOfJSON `json:"gauge"`
		Histogram   *struct {
			DataPoints []histogramOfJSON `json:"dataPoints"`
		} `json:"histogram"`
	}
	numbersOfJSON struct {
		DataPoints  []numberOfJSON `json:"dataPoints"`
		IsMonotonic bool           `json:"isMonotonic"`
	}
	numberOfJSON struct {
		attributed
		Start  uintOfJSON   `json:"startTimeUnixNano"`
		Time   uintOfJSON   `json:"timeUnixNano"`
		Double *floatOfJSON `json:"asDouble"`
		Int    *intOfJSON   `json:"asInt"`
	}
	histogramOfJSON struct {
		attributed
		Start  uintOfJSON    `json:"startTimeUnixNano"`
		Time   uintOfJSON    `json:"timeUnixNano"`
		Count  uintOfJSON    `json:"count"`
		Sum    floatOfJSON   `json:"sum"`
		Counts []uintOfJSON  `json:"bucketCounts"`
		Bounds []floatOfJSON `json:"explicitBounds"`
	}
)

func metricsOfJSON(body []byte) (m Metrics, err error) {
	var in metricsJSONDoc
	if err := unmarshal(body, &in); err != nil {
		return nil, err
	}
	for _, resource := range in.ResourceMetrics {
		attrs, err := resource.Resource.attrs()
		if err != nil {
			return nil, err
		}
		for _, scope := range resource.ScopeMetrics {
			rm := ResourceMetrics{Resource: Resource{Attrs: attrs}, Scope: Scope(scope.Scope)}
			for i := range scope.Metrics {
				metric, err := scope.Metrics[i].metric()
				if err != nil {
					return nil, err
				}
				rm.Metrics = append(rm.Metrics, metric)
			}
			m = append(m, rm)
		}
	}
	return m, nil
}

func (in *metricOfJSON) metric() (m Metric, err error) {
	m = Metric{Name: in.Name, Description: in.Description, Unit: in.Unit}
	switch {
	case in.Sum != nil && in.Sum.IsMonotonic:
		m.Sum, err = in.Sum.points()
	case in.Sum != nil:
		m.Gauge, err = in.Sum.points()
	case in.Gauge != nil:
		m.Gauge, err = in.Gauge.points()
	case in.Histogram != nil:
		m.Histogram = []Histogram{}
		for i := range in.Histogram.DataPoints {
			h, err := in.Histogram.DataPoints[i].histogram()
			if err != nil {
				return m, err
			}
			m.Histogram = append(m.Histogram, h)
		}
	}
	return m, err
}

func (in *numbersOfJSON) points() ([]Number, error) {
	out := []Number{}
	for i := range in.DataPoints {
		p := &in.DataPoints[i]
		attrs, err := p.attrs()
		if err != nil {
			return nil, err
		}
		n := Number{Attrs: attrs, Start: uint64(p.Start), Time: uint64(p.Time)}
		switch {
		case p.Double != nil:
			n.Value = float64(*p.Double)
		case p.Int != nil:
			n.Value = int64(*p.Int)
		}
		out = append(out, n)
	}
	return out, nil
}

func (in *histogramOfJSON) histogram() (h Histogram, err error) {
	h = Histogram{Start: uint64(in.Start), Time: uint64(in.Time), Count: uint64(in.Count), Sum: float64(in.Sum)}
	for _, n := range in.Counts {
		h.Counts = append(h.Counts, uint64(n))
	}
	for _, f := range in.Bounds {
		h.Bounds = append(h.Bounds, float64(f))
	}
	if h.Attrs, err = in.attrs(); err != nil {
		return h, err
	}
	return h, checkHistogram(&h)
}
