package install

import (
	"fmt"
	"strings"
)

// diffContext is how many unchanged lines surround a change.
const diffContext = 3

// maxTable bounds the comparison: where more would have to be compared, the whole middle counts as changed.
const maxTable = 4 << 20

type diffLine struct {
	sign byte // ' ', '-' or '+'
	text string
}

// unifiedDiff compares two texts line by line, as diff -u does, without the file heads.
func unifiedDiff(before, after string) []string {
	lines := compareLines(splitLines(before), splitLines(after))
	var out []string
	for from := 0; from < len(lines); {
		first := nextChange(lines, from)
		if first == len(lines) {
			break
		}
		end := first
		for at := first; at < len(lines) && at-end <= 2*diffContext; at++ {
			if lines[at].sign != ' ' {
				end = at + 1
			}
		}
		out = append(out, hunk(lines, max(from, first-diffContext), min(len(lines), end+diffContext))...)
		from = min(len(lines), end+diffContext)
	}
	return out
}

func nextChange(lines []diffLine, from int) int {
	for from < len(lines) && lines[from].sign == ' ' {
		from++
	}
	return from
}

func hunk(lines []diffLine, from, to int) []string {
	oldAt, newAt := count(lines[:from], '+'), count(lines[:from], '-')
	oldLen, newLen := count(lines[from:to], '+'), count(lines[from:to], '-')
	out := []string{fmt.Sprintf("@@ -%s +%s @@", position(oldAt, oldLen), position(newAt, newLen))}
	for _, l := range lines[from:to] {
		out = append(out, string(l.sign)+l.text)
	}
	return out
}

// count is how many lines don't have the sign.
func count(lines []diffLine, not byte) int {
	n := 0
	for _, l := range lines {
		if l.sign != not {
			n++
		}
	}
	return n
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

func compareLines(a, b []string) []diffLine {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	out := signed(nil, ' ', a[:head])
	out = append(out, compareMiddle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	return signed(out, ' ', a[len(a)-tail:])
}

// compareMiddle goes by the longest common subsequence.
func compareMiddle(a, b []string) []diffLine {
	if len(a)*len(b) > maxTable {
		return signed(signed(nil, '-', a), '+', b)
	}
	common := commonTable(a, b)
	var out []diffLine
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out = append(out, diffLine{' ', a[i]})
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			out = append(out, diffLine{'-', a[i]})
			i++
		default:
			out = append(out, diffLine{'+', b[j]})
			j++
		}
	}
	return signed(signed(out, '-', a[i:]), '+', b[j:])
}

func commonTable(a, b []string) [][]int32 {
	table := make([][]int32, len(a)+1)
	for i := range table {
		table[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

func signed(out []diffLine, sign byte, lines []string) []diffLine {
	for _, l := range lines {
		out = append(out, diffLine{sign, l})
	}
	return out
}
