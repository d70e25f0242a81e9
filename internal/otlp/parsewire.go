package otlp

import "math"

func tracesOfWire(body []byte) (t Traces, err error) {
	err = eachField(body, func(f field) error {
		if f.num != 1 {
			return nil
		}
		resource, scopes, err := groupOfWire(f)
		for _, g := range scopes {
			rs := ResourceSpans{Resource: resource, Scope: g.scope}
			for _, item := range g.items {
				s, err := spanOfWire(item)
				if err != nil {
					return err
				}
				rs.Spans = append(rs.Spans, s)
			}
			t = append(t, rs)
		}
		return err
	})
	return t, err
}

// scopeGroup is a ScopeSpans or ScopeMetrics: the messages in it are still to be read.
type scopeGroup struct {
	scope Scope
	items []field
}

// groupOfWire reads a ResourceSpans or ResourceMetrics, whose forms are the same.
func groupOfWire(f field) (r Resource, groups []scopeGroup, err error) {
	err = f.message(func(f field) error {
		switch f.num {
		case 1:
			return f.message(func(f field) error {
				if f.num != 1 {
					return nil
				}
				return appendAttrOfWire(&r.Attrs, f)
			})
		case 2:
			g, err := scopeOfWire(f)
			groups = append(groups, g)
			return err
		}
		return nil
	})
	return r, groups, err
}

func scopeOfWire(f field) (g scopeGroup, err error) {
	err = f.message(func(f field) error {
		switch f.num {
		case 1:
			return f.message(func(f field) (err error) {
				switch f.num {
				case 1:
					g.scope.Name, err = f.text()
				case 2:
					g.scope.Version, err = f.text()
				}
				return err
			})
		case 2:
			g.items = append(g.items, f)
			return f.want(typeBytes)
		}
		return nil
	})
	return g, err
}

func spanOfWire(f field) (s Span, err error) {
	err = f.message(func(f field) (err error) {
		switch f.num {
		case 1:
			return setID(s.TraceID[:], f.bytes)
		case 2:
			return setID(s.SpanID[:], f.bytes)
		case 3:
			s.TraceState, err = f.text()
		case 4:
			if len(f.bytes) > 0 {
				return setID(s.ParentID[:], f.bytes)
			}
			return f.want(typeBytes)
		case 5:
			s.Name, err = f.text()
		case 6:
			s.Kind = int(int32(f.n))
			return f.want(typeVarint)
		case 7:
			s.Start = f.n
			return f.want(typeFixed64)
		case 8:
			s.End = f.n
			return f.want(typeFixed64)
		case 9:
			return appendAttrOfWire(&s.Attrs, f)
		case 11:
			e, err := eventOfWire(f)
			s.Events = append(s.Events, e)
			return err
		case 15:
			return statusOfWire(&s, f)
		case 16:
			s.Flags = uint32(f.n)
			return f.want(typeFixed32)
		}
		return err
	})
	if err != nil {
		return s, err
	}
	return s, checkSpan(&s)
}

func eventOfWire(f field) (e SpanEvent, err error) {
	err = f.message(func(f field) (err error) {
		switch f.num {
		case 1:
			e.Time = f.n
			return f.want(typeFixed64)
		case 2:
			e.Name, err = f.text()
		case 3:
			return appendAttrOfWire(&e.Attrs, f)
		}
		return err
	})
	return e, err
}

func statusOfWire(s *Span, f field) error {
	return f.message(func(f field) (err error) {
		switch f.num {
		case 2:
			s.Message, err = f.text()
		case 3:
			s.Status = int(int32(f.n))
			return f.want(typeVarint)
		}
		return err
	})
}

func appendAttrOfWire(attrs *[]Attr, f field) error {
	key, value, err := keyValueOfWire(f, 0)
	if err == nil {
		*attrs = append(*attrs, Attr{Key: key, Value: value.attr()})
	}
	return err
}

func keyValueOfWire(f field, depth int) (key string, v anyValue, err error) {
	err = f.message(func(f field) (err error) {
		switch f.num {
		case 1:
			key, err = f.text()
		case 2:
			v, err = valueOfWire(f, depth)
		}
		return err
	})
	return key, v, err
}

func valueOfWire(f field, depth int) (v anyValue, err error) {
	if depth > maxDepth {
		return v, errDeep
	}
	err = f.message(func(f field) error {
		switch f.num {
		case 1:
			text, err := f.text()
			v = anyValue{plain: text}
			return err
		case 2:
			v = anyValue{plain: f.n != 0}
			return f.want(typeVarint)
		case 3:
			v = anyValue{plain: int64(f.n)}
			return f.want(typeVarint)
		case 4:
			v = anyValue{plain: math.Float64frombits(f.n)}
			return f.want(typeFixed64)
		case 5:
			v = anyValue{isArray: true}
			return f.message(func(f field) error {
				return v.addElement(f, depth+1)
			})
		case 6:
			v = anyValue{isMap: true}
			return f.message(func(f field) error {
				return v.addMember(f, depth+1)
			})
		case 7:
			v = anyValue{plain: f.bytes}
			return f.want(typeBytes)
		}
		return nil
	})
	return v, err
}

func (v *anyValue) addElement(f field, depth int) error {
	if f.num != 1 {
		return nil
	}
	e, err := valueOfWire(f, depth)
	v.elements = append(v.elements, e)
	return err
}

func (v *anyValue) addMember(f field, depth int) error {
	if f.num != 1 {
		return nil
	}
	key, e, err := keyValueOfWire(f, depth)
	v.keys = append(v.keys, key)
	v.elements = append(v.elements, e)
	return err
}
