package cli

import (
	"fmt"
	"reflect"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// treeNode is one node of a shell text, as the parser sees it.
type treeNode struct {
	Depth int    `json:"depth"`
	Node  string `json:"node"`
	Text  string `json:"text"`
}

// maxTree bounds how much of a tree is shown.
const maxTree = 2000

// treeOf reads a text as bash. What cannot be read has one node, that says so.
func treeOf(text string) []treeNode {
	if text == "" {
		return nil
	}
	f, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return []treeNode{{Node: "error", Text: err.Error()}}
	}
	var out []treeNode
	depth := 0
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil {
			depth--
			return false
		}
		from, to := n.Pos().Offset(), n.End().Offset()
		if len(out) < maxTree && from <= to && to <= uint(len(text)) {
			name := reflect.Indirect(reflect.ValueOf(n)).Type().Name()
			out = append(out, treeNode{Depth: depth, Node: name, Text: text[from:to]})
		}
		depth++
		return true
	})
	return out
}

func (p *explainPrinter) tree(nodes []treeNode) {
	if len(nodes) == 0 {
		return
	}
	p.head("How the text is read:")
	for _, n := range nodes {
		if p.err == nil {
			_, p.err = fmt.Fprintf(p.env.Stdout, "  %s%s  %s\n", strings.Repeat("  ", n.Depth), n.Node, shorten(plain(n.Text), 80))
		}
	}
}
