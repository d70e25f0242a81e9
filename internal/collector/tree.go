package collector

import (
	"bytes"
	"cmp"
	"slices"
)

// Node is a span in its place.
type Node struct {
	// Span is nil for a parent that did not come; ID is its id all the same.
	Span     *Span
	ID       [8]byte
	Children []*Node
	// Fresh says that nobody has seen it.
	Fresh bool
}

// Tree is the trace's roots, each with what is below it: spans without a parent, then those whose parent did not come, below
// a node that stands for it. A circle of parents, which no tracer makes, is cut above its earliest span.
func (t *Trace) Tree() []*Node {
	nodes := make(map[[8]byte]*Node, len(t.spans))
	for id, k := range t.spans {
		nodes[id] = &Node{Span: &k.Span, ID: id, Fresh: !k.shown}
	}
	var roots, missing []*Node
	absent := map[[8]byte]*Node{}
	spans := t.Spans()
	for _, s := range spans {
		n, parent := nodes[s.SpanID], nodes[s.ParentID]
		switch {
		case s.ParentID == [8]byte{}:
			roots = append(roots, n)
			continue
		case parent == nil && absent[s.ParentID] == nil:
			absent[s.ParentID] = &Node{ID: s.ParentID}
			missing = append(missing, absent[s.ParentID])
		}
		if parent == nil {
			parent = absent[s.ParentID]
		}
		parent.Children = append(parent.Children, n)
	}
	roots = append(roots, missing...)
	reached := map[*Node]bool{}
	for _, n := range roots {
		reach(n, reached)
	}
	for _, s := range spans {
		n := nodes[s.SpanID]
		if reached[n] {
			continue
		}
		parent := nodes[s.ParentID]
		parent.Children = slices.DeleteFunc(parent.Children, func(c *Node) bool { return c == n })
		roots = append(roots, n)
		reach(n, reached)
	}
	return roots
}

func reach(n *Node, reached map[*Node]bool) {
	reached[n] = true
	for _, c := range n.Children {
		if !reached[c] {
			reach(c, reached)
		}
	}
}

// New is the tree without the branches in which nothing is fresh. A fresh span keeps what is above it, to show where it
// is, and what is below it, which was seen in another place.
func New(nodes []*Node) []*Node {
	var out []*Node
	for _, n := range nodes {
		if n.Fresh {
			out = append(out, n)
			continue
		}
		if children := New(n.Children); len(children) > 0 {
			out = append(out, &Node{Span: n.Span, ID: n.ID, Children: children})
		}
	}
	return out
}

// compareSpans orders spans by their begin. Of those that begin together a whole operation (a turn, a call) comes before
// what was said of it, whether it went on or was stopped at once; then the longer, as it is around the other.
func compareSpans(a, b *Span) int {
	if c := cmp.Compare(a.Start, b.Start); c != 0 {
		return c
	}
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	return compareTimes(b.End, a.End, a.SpanID[:], b.SpanID[:])
}

func rank(s *Span) int {
	if s.Text("gen_ai.operation.name") != "" {
		return 0
	}
	return 1
}

func compareTimes(a, b uint64, aID, bID []byte) int {
	if c := cmp.Compare(a, b); c != 0 {
		return c
	}
	return bytes.Compare(aID, bID)
}
