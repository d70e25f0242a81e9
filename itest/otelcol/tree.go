package otelcol

import (
	"cmp"
	"slices"
	"strings"
)

// Tree writes the spans of one trace as an indented tree of their names, children in the order of their starts, then of their
// names. A span whose parent is not among them is a root.
func Tree(spans []Span) string {
	known := map[string]bool{}
	for _, s := range spans {
		known[s.SpanID] = true
	}
	children := map[string][]Span{}
	for _, s := range spans {
		parent := s.ParentID
		if !known[parent] {
			parent = ""
		}
		children[parent] = append(children[parent], s)
	}
	var out strings.Builder
	write(&out, children, "", 0)
	return out.String()
}

func write(out *strings.Builder, children map[string][]Span, parent string, depth int) {
	level := children[parent]
	slices.SortStableFunc(level, func(a, b Span) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.Name, b.Name))
	})
	for _, s := range level {
		out.WriteString(strings.Repeat("  ", depth) + s.Name + "\n")
		if depth < 50 {
			write(out, children, s.SpanID, depth+1)
		}
	}
}

// ByTrace sorts spans by their trace.
func ByTrace(spans []Span) map[string][]Span {
	out := map[string][]Span{}
	for _, s := range spans {
		out[s.TraceID] = append(out[s.TraceID], s)
	}
	return out
}

// ByID finds the span of an id; ok is false where there is none.
func ByID(spans []Span, id string) (s Span, ok bool) {
	i := slices.IndexFunc(spans, func(s Span) bool { return s.SpanID == id })
	if i < 0 {
		return Span{}, false
	}
	return spans[i], true
}

// Named are the spans of a name, in their order.
func Named(spans []Span, name string) []Span {
	var out []Span
	for _, s := range spans {
		if s.Name == name {
			out = append(out, s)
		}
	}
	return out
}
