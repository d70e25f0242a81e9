package cli

import (
	"fmt"
	"strings"
)

const (
	// leastColumns is the narrowest terminal that output is fitted to, usualColumns one that does not say its width.
	leastColumns = 40
	usualColumns = 80
	// proseColumns is how wide sentences get at most.
	proseColumns = 120
)

// columns is the width to fit rows to, 0 in a pipe.
func (e *Env) columns() int {
	switch {
	case !e.IsTerminal:
		return 0
	case e.Width <= 0:
		return usualColumns
	}
	return max(e.Width, leastColumns)
}

// sentence prints a text, broken at the width; every line but the first begins with so many spaces.
func (e *Env) sentence(text string, hang int) error {
	width := e.columns()
	if width == 0 || width > proseColumns {
		width = proseColumns
	}
	return e.hanging("", text, hang, width)
}

// hanging prints a text after a label, its further lines below the text. A width of 0 leaves it on one line. Paths, URLs and
// commands stay in one piece, so that they can be copied, and reach beyond the width where they are longer.
func (e *Env) hanging(label, text string, hang, width int) error {
	room := 0
	if width > 0 {
		room = width - hang
	}
	for i, line := range wrapText(text, room) {
		lead := label
		if i > 0 {
			lead = strings.Repeat(" ", hang)
		}
		if _, err := fmt.Fprintln(e.Stdout, lead+line); err != nil {
			return err
		}
	}
	return nil
}

// leastLast is what a table's last column gets at least; where less is left, it stands below the others.
const leastLast = 30

// rows prints a table whose last column is text: on a terminal that is broken at its width.
func (e *Env) rows(rows [][]string) error {
	var widths []int
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(plain(cell)))
		}
	}
	for _, row := range rows {
		lead := ""
		for i, cell := range row[:len(row)-1] {
			lead += fill(plain(cell), widths[i]) + "  "
		}
		text, hang := plain(row[len(row)-1]), columns(lead)
		if width := e.columns(); width > 0 && width-hang < leastLast {
			if _, err := fmt.Fprintln(e.Stdout, strings.TrimRight(lead, " ")); err != nil {
				return err
			}
			lead, hang = "    ", 4
		}
		if err := e.hanging(lead, text, hang, e.columns()); err != nil {
			return err
		}
	}
	return nil
}

// wrap breaks a plain text into lines of at most so many columns, at spaces where there are any. The spaces of a line
// stay as they are. A width of 0 leaves one line.
func wrap(s string, width int) []string {
	var out []string
	for width > 0 && columns(s) > width {
		at, next := breakAt(s, width)
		out = append(out, strings.TrimRight(s[:at], " "))
		s = strings.TrimLeft(s[next:], " ")
	}
	if s == "" && len(out) > 0 {
		return out
	}
	return append(out, s)
}

// breakAt finds where a line ends and where the next begins: at the last space that leaves text before it.
func breakAt(s string, width int) (at, next int) {
	used, last := 0, 0
	for i, r := range s {
		if r == ' ' && strings.TrimLeft(s[:i], " ") != "" {
			last = i
		}
		used += runeColumns(r)
		if used <= width {
			continue
		}
		switch {
		case last > 0:
			return last, last + 1
		case i == 0: // a rune that is wider than the line
			return len(string(r)), len(string(r))
		}
		return i, i
	}
	return len(s), len(s)
}
