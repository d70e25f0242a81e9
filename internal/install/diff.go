package install

import (
	"fmt"
	"strings"
)

// diffContext is how many unchanged lines surround a change.
const diffContext = 3

// unifiedDiff shows what is between the lines that two texts begin and end with in common, as diff -u does, without the file
// heads. For the members that boathook adds and removes nothing finer is needed.
func unifiedDiff(before, after string) []string {
	a, b := splitLines(before), splitLines(after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if head+tail == len(a) && len(a) == len(b) {
		return nil
	}
	from, below := max(0, head-diffContext), min(tail, diffContext)
	endA, endB := len(a)-tail, len(b)-tail
	out := []string{fmt.Sprintf("@@ -%s +%s @@", position(from, endA+below-from), position(from, endB+below-from))}
	out = signed(out, " ", a[from:head])
	out = signed(out, "-", a[head:endA])
	out = signed(out, "+", b[head:endB])
	return signed(out, " ", a[endA:endA+below])
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
