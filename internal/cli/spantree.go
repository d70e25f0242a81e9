package cli

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/collector"
)

// treePrinter prints traces as trees, for `collector` and `try`. Whatever a span says is made harmless.
type treePrinter struct {
	out    io.Writer
	colour bool
	// width is the terminal's, 0 for a pipe, where nothing is cut.
	width int
	zone  *time.Location
}

func newTreePrinter(env *Env) *treePrinter {
	return &treePrinter{out: env.Stdout, colour: env.colour(), width: env.columns(), zone: env.Now().Location()}
}

// The columns before the tree: when a span began after the trace did, and how long it took. A narrow terminal has the
// second alone.
const (
	startColumn = 9
	tookColumn  = 8
	wideTree    = 64
	// maxIndent is how many columns the tree's lines take at most, a third of a narrow terminal; what lies deeper is drawn
	// there.
	maxIndent = 24
)

// print prints a trace; with whole unset only what nobody has seen, and what is above and below it.
func (p *treePrinter) print(t *collector.Trace, whole bool) error {
	roots := t.Tree()
	if !whole {
		roots = collector.New(roots)
	}
	if err := p.header(t, whole || t.Fresh() == t.Len()); err != nil {
		return err
	}
	start := t.Start()
	for _, n := range roots {
		if err := p.node(n, start, "", ""); err != nil {
			return err
		}
	}
	return nil
}

func (p *treePrinter) header(t *collector.Trace, whole bool) error {
	parts := []string{"trace " + hex.EncodeToString(t.ID[:])}
	var services []string
	for _, s := range t.Spans() {
		if name := plain(s.Service()); name != "" && len(services) < 3 && !slices.Contains(services, name) {
			services = append(services, name)
		}
	}
	at := collector.Time(t.Start()).In(p.zone).Format(time.TimeOnly)
	parts = append(parts, strings.TrimSpace(strings.Join(services, ", ")+" "+at))
	if whole {
		parts = append(parts, count(t.Len(), "span"), durationText(t.Took()))
	} else {
		parts = append(parts, fmt.Sprintf("%d more of %s", t.Fresh(), count(t.Len(), "span")))
	}
	if t.Dropped > 0 {
		parts = append(parts, count(t.Dropped, "earlier span")+" dropped")
	}
	for i, line := range wrap(strings.Join(parts, " · "), p.width) {
		if _, err := fmt.Fprintln(p.out, strings.Repeat(" ", min(i, 1)*2)+p.paint(bold, shorten(line, p.room(2*min(i, 1))))); err != nil {
			return err
		}
	}
	return nil
}

// node prints a span and what is below it. The lead is what stands before its name, below what stands before its
// children's.
func (p *treePrinter) node(n *collector.Node, start uint64, lead, below string) error {
	if err := p.line(n, start, lead); err != nil {
		return err
	}
	for i, c := range n.Children {
		branch, next := "├ ", "│ "
		if i == len(n.Children)-1 {
			branch, next = "└ ", "  "
		}
		if columns(below)+2 > p.indent() {
			branch, next = "… ", ""
		}
		if err := p.node(c, start, below+branch, below+next); err != nil {
			return err
		}
	}
	return nil
}

func (p *treePrinter) line(n *collector.Node, start uint64, lead string) error {
	left := fmt.Sprintf("%*s  ", tookColumn, "")
	if p.wide() {
		left = fmt.Sprintf("%*s  ", startColumn+1+tookColumn, "")
	}
	if n.Span == nil {
		text := "(span " + hex.EncodeToString(n.ID[:]) + " did not come)"
		return p.put(dim, left+lead, text, "", "")
	}
	s := n.Span
	left = fmt.Sprintf("%*s  ", tookColumn, durationText(s.Took()))
	if p.wide() {
		after := time.Duration(0)
		if s.Start > start {
			after = collector.Time(s.Start).Sub(collector.Time(start))
		}
		left = fmt.Sprintf("%*s %s", startColumn, "+"+durationText(after), left)
	}
	m := markOf(s)
	paint := ""
	if !n.Fresh {
		paint = dim
	}
	return p.put(paint, left+lead, plain(s.Name), m.text, m.paint, m.rest)
}

// put writes a row: what stands left, the name, the mark, the rest. A mark that says something is never cut away: the name
// gives way to it.
func (p *treePrinter) put(paint, left, name, mark, markPaint string, rest ...string) error {
	room := p.room(columns(left))
	gap := ""
	if mark != "" {
		gap = "  "
	}
	if p.width > 0 {
		mark = shorten(mark, max(room/2, 6))
		name = shorten(name, max(room-columns(mark)-len(gap), 1))
	}
	row := p.paint(dim, left) + p.paint(paint, name) + gap + p.paint(markPaint, mark)
	used := columns(left) + columns(name) + len(gap) + columns(mark)
	if tail := strings.Join(rest, "  "); tail != "" && (p.width == 0 || p.width-used > 4) {
		row += "  " + p.paint(dim, shorten(tail, p.room(used+2)))
	}
	_, err := fmt.Fprintln(p.out, strings.TrimRight(row, " "))
	return err
}

func (p *treePrinter) indent() int {
	if p.width == 0 {
		return maxIndent
	}
	return min(maxIndent, p.width/3)
}

func (p *treePrinter) wide() bool { return p.width == 0 || p.width >= wideTree }

// room is what is left of the width, 0 where there is no end to it.
func (p *treePrinter) room(used int) int {
	if p.width == 0 {
		return 0
	}
	return max(p.width-used, 1)
}

func (p *treePrinter) paint(code, s string) string {
	if !p.colour || code == "" || s == "" {
		return s
	}
	return code + s + reset
}

const bold = "\x1b[1m"

// durationText is a duration in at most eight columns.
func durationText(d time.Duration) string {
	switch ms := float64(d) / float64(time.Millisecond); {
	case d == 0:
		return "0 ms"
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", ms)
	case d < time.Minute:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%.1f min", d.Minutes())
	case d < 100*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24))
}
