package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/record"
)

// table prints records as rows, one at a time, so that a log of any length can be shown and followed. The widths are
// fixed; what happened comes last and takes what is left.
type table struct {
	out    io.Writer
	colour bool
	// width is the terminal's, 0 for a pipe: there nothing is cut but what exceeds maxWhat, and every row has its date.
	width int
	zone  *time.Location
	day   string
}

const maxWhat = 1000

const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	dim    = "\x1b[2m"
	reset  = "\x1b[0m"
)

// columnWidths are those of one layout. A column of no width has its text in front of WHAT, or is left out (MS).
type columnWidths struct {
	clock                            string // how the time is written
	agent, event, tool, decision, ms int
	// below puts WHAT on a line of its own: beside the columns there is no room for it.
	below bool
}

// wideDecision has room for the longest outcome: "allow guard:bad_endpoint". In a narrower column the rule is not written
// at all, but in brackets in front of WHAT, which every layout leaves 20 columns for "[guard:bad_endpoint]".
const wideDecision = 24

func widthsFor(width int) columnWidths {
	switch {
	case width == 0:
		return columnWidths{time.DateTime, 11, 14, 14, wideDecision, 6, false}
	case width >= 110:
		return columnWidths{time.TimeOnly, 11, 14, 14, wideDecision, 6, false}
	case width >= 90:
		return columnWidths{time.TimeOnly, 11, 14, 10, 9, 6, false}
	case width >= 75:
		return columnWidths{time.TimeOnly, 11, 14, 0, 9, 6, false}
	case width >= 60:
		return columnWidths{"15:04", 7, 14, 0, 9, 0, false}
	case width >= 49:
		return columnWidths{"15:04", 11, 14, 0, 9, 6, true}
	}
	return columnWidths{"15:04", 8, 14, 0, 9, 0, true}
}

func newTable(env *Env) *table {
	return &table{out: env.Stdout, colour: env.colour(), zone: env.Now().Location(), width: env.columns()}
}

// cells are one row's texts, harmless ones.
type cells struct {
	clock, agent, event, tool, decision, rule, ms, what string
	paint                                               string
}

func (t *table) header() error {
	return t.row(cells{
		clock: "TIME", agent: "AGENT", event: "EVENT", tool: "TOOL", decision: "DECISION", ms: "MS", what: "WHAT", paint: dim,
	})
}

func (t *table) print(r record.Record) error {
	at := r.Time.In(t.zone)
	if t.width > 0 {
		if err := t.newDay(at); err != nil {
			return err
		}
	}
	decision, rule, paint := decisionText(r)
	return t.row(cells{
		clock: at.Format(widthsFor(t.width).clock), agent: plain(r.Agent), event: plain(kindText(r)), tool: plain(toolText(r)),
		decision: plain(decision), rule: plain(rule), ms: latencyText(r.Hook.LatencyMS), what: plain(whatText(r)), paint: paint,
	})
}

// newDay prints a line where the date changes, as the rows on a terminal show only the time.
func (t *table) newDay(at time.Time) error {
	day := at.Format(time.DateOnly)
	if day == t.day {
		return nil
	}
	t.day = day
	_, err := fmt.Fprintln(t.out, t.paint(dim, "── "+day+" ──"))
	return err
}

func (t *table) row(c cells) error {
	w := widthsFor(t.width)
	decision, what := c.decision, front(w, c)
	if w.decision == wideDecision && c.rule != "" {
		decision += " " + c.rule
	}
	left := t.cell(c.clock, len(w.clock)) + t.cell(c.agent, w.agent) + t.cell(c.event, w.event) + t.cell(c.tool, w.tool)
	mid := t.cell(decision, w.decision)
	right := ""
	if w.ms > 0 {
		right = fmt.Sprintf("%*s ", w.ms, c.ms)
	}
	line := left + t.paint(c.paint, mid) + right
	room := maxWhat
	switch {
	case w.below:
		lead := strings.Repeat(" ", len(w.clock)+1)
		line, room = strings.TrimRight(line, " "), t.width-len(lead)
		if strings.TrimSpace(what) != "" {
			line += "\n" + lead
		}
	case t.width > 0:
		room = t.width - columns(left+mid+right)
		if rule := "[" + c.rule + "]"; c.rule != "" && strings.HasPrefix(what, rule) && columns(what) > room { // what was stopped is to be read
			lead := strings.Repeat(" ", len(w.clock)+1)
			line += shorten(rule, room) + "\n" + lead
			what, room = strings.TrimSpace(strings.TrimPrefix(what, rule)), t.width-len(lead)
		}
	}
	_, err := fmt.Fprintln(t.out, strings.TrimRight(line+shorten(what, room), " "))
	return err
}

// front is WHAT with the texts before it that have no column.
func front(w columnWidths, c cells) string {
	var parts []string
	if w.decision < wideDecision && c.rule != "" {
		parts = append(parts, "["+c.rule+"]")
	}
	if w.tool == 0 && c.tool != "" {
		parts = append(parts, c.tool)
	}
	return strings.Join(append(parts, c.what), " ")
}

// cell is one column and the space after it. In a pipe a text that is too long moves its row's other columns.
func (t *table) cell(s string, width int) string {
	switch {
	case width == 0:
		return ""
	case t.width > 0:
		s = shorten(s, width)
	}
	return fill(s, width) + " "
}

func (t *table) paint(code, s string) string {
	if !t.colour || code == "" {
		return s
	}
	return code + s + reset
}
