package install

import (
	"fmt"
	"strings"
)

// diffContext is how many unchanged lines surround a change.
const diffContext = 3

// mostCells bounds the work of finding common lines within what differs; beyond it all of that counts as replaced.
const mostCells = 4 << 20

// unifiedDiff shows what differs between two texts, as diff -u does, without the file heads.
func unifiedDiff(before, after string) []string {
	a, b := splitLines(before), splitLines(after)
	edits := edited(a, b)
	var out []string
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].fromA-edits[n-1].toA <= 2*diffContext {
			n++
		}
		out = hunk(out, a, b, edits[:n])
		edits = edits[n:]
	}
	return out
}

// lineEdit is a run of lines that others stand for: a[fromA:toA] became b[fromB:toB].
type lineEdit struct{ fromA, toA, fromB, toB int }

func hunk(out, a, b []string, edits []lineEdit) []string {
	first, last := edits[0], edits[len(edits)-1]
	lead := min(diffContext, first.fromA)
	below := min(diffContext, len(a)-last.toA)
	fromA, fromB := first.fromA-lead, first.fromB-lead
	out = append(out, fmt.Sprintf("@@ -%s +%s @@", position(fromA, last.toA+below-fromA), position(fromB, last.toB+below-fromB)))
	at := fromA
	for _, e := range edits {
		out = signed(out, " ", a[at:e.fromA])
		out = signed(out, "-", a[e.fromA:e.toA])
		out = signed(out, "+", b[e.fromB:e.toB])
		at = e.toA
	}
	return signed(out, " ", a[at:at+below])
}

// edited finds what differs: between the lines that two texts begin and end with in common, all but the longest sequence of
// lines that both have.
func edited(a, b []string) []lineEdit {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	endA, endB := len(a)-tail, len(b)-tail
	if head == endA && head == endB {
		return nil
	}
	if (endA-head)*(endB-head) > mostCells {
		return []lineEdit{{head, endA, head, endB}}
	}
	return walk(a, b, head, endA, endB)
}

// walk follows the longest common sequence of a[head:endA] and b[head:endB].
func walk(a, b []string, head, endA, endB int) []lineEdit {
	long := common(a[head:endA], b[head:endB])
	var out []lineEdit
	i, j := head, head
	for i < endA || j < endB {
		for i < endA && j < endB && a[i] == b[j] {
			i, j = i+1, j+1
		}
		e := lineEdit{fromA: i, fromB: j}
		for (i < endA || j < endB) && (i == endA || j == endB || a[i] != b[j]) {
			if j == endB || i < endA && long[i+1-head][j-head] >= long[i-head][j+1-head] {
				i++
			} else {
				j++
			}
		}
		if e.toA, e.toB = i, j; e.toA > e.fromA || e.toB > e.fromB {
			out = append(out, e)
		}
	}
	return out
}

// common is how long the longest common sequence is of what is from each line of two texts on.
func common(a, b []string) [][]int {
	long := make([][]int, len(a)+1)
	for i := range long {
		long[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if long[i][j] = max(long[i+1][j], long[i][j+1]); a[i] == b[j] {
				long[i][j] = long[i+1][j+1] + 1
			}
		}
	}
	return long
}

func signed(out []string, sign string, lines []string) []string {
	for _, l := range lines {
		out = append(out, sign+l)
	}
	return out
}

func position(at, n int) string {
	if n > 0 {
		at++
	}
	return fmt.Sprintf("%d,%d", at, n)
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.Split(s, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	}
	lines[len(lines)-1] += "  (no line break at the end)"
	return lines
}
