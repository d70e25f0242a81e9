package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/boathook/boathook/hook"
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

const (
	maxWhat    = 1000
	minWhat    = 20
	narrowFrom = 110 // below this width the rule moves from its column into the text
)

const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	dim    = "\x1b[2m"
	reset  = "\x1b[0m"
)

func newTable(env *Env) *table {
	t := &table{out: env.Stdout, colour: env.colour(), zone: env.Now().Location()}
	if env.IsTerminal {
		t.width = max(env.Width, 1)
	}
	return t
}

func (t *table) narrow() bool { return t.width > 0 && t.width < narrowFrom }

func (t *table) header() error {
	return t.row("TIME", "AGENT", "EVENT", "TOOL", "DECISION", "MS", "WHAT", dim)
}

func (t *table) print(r record.Record) error {
	at := r.Time.In(t.zone)
	clock := at.Format(time.DateTime)
	if t.width > 0 {
		clock = at.Format(time.TimeOnly)
		if err := t.newDay(at); err != nil {
			return err
		}
	}
	verdict, rule, paint := decisionText(r)
	text := plain(whatText(r))
	if rule != "" && t.narrow() {
		text = "[" + plain(rule) + "] " + text
	} else if rule != "" {
		verdict += " " + plain(rule)
	}
	return t.row(clock, plain(r.Agent), plain(kindText(r)), plain(toolText(r)), verdict, latencyText(r.Hook.LatencyMS), text, paint)
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

func (t *table) row(clock, agent, event, tool, verdict, ms, text, paint string) error {
	clockWidth, toolWidth, verdictWidth := len(time.DateTime), 14, 22
	if t.width > 0 {
		clockWidth = len(time.TimeOnly)
	}
	if t.narrow() {
		toolWidth, verdictWidth = 10, 9
	}
	left := pad(clock, clockWidth) + " " + pad(agent, 11) + " " + pad(event, 14) + " " + pad(tool, toolWidth) + " "
	mid := pad(verdict, verdictWidth)
	right := fmt.Sprintf(" %6s ", ms)
	room := maxWhat
	if t.width > 0 {
		room = max(minWhat, t.width-columns(left)-columns(mid)-columns(right))
	}
	line := left + t.paint(paint, mid) + right + shorten(text, room)
	_, err := fmt.Fprintln(t.out, strings.TrimRight(line, " "))
	return err
}

func (t *table) paint(code, s string) string {
	if !t.colour || code == "" {
		return s
	}
	return code + s + reset
}

// decisionText says what was decided and why, as briefly as can be. An event on which nothing is decided has a dash.
func decisionText(r record.Record) (verdict, rule, paint string) {
	d := r.Decision
	verdict, rule = string(d.Action), d.Rule
	if d.Expressed != "" && d.Expressed != d.Action {
		verdict += "→" + string(d.Expressed)
	}
	if rule == "" && d.Source != "default" && d.Source != "remote_guard" {
		rule = d.Source
	}
	switch {
	case d.Action == hook.Deny || d.Expressed == hook.Deny:
		paint = red
	case d.Mark != "":
		verdict, paint = d.Mark, yellow
	case r.Guard != nil && r.Guard.Fail != "":
		rule, paint = "guard:"+r.Guard.Outcome, yellow
	case d.Action == hook.Ask:
		paint = yellow
	case r.Guard == nil && d.Source == "default" && r.Event.Event != hook.ToolBefore:
		return "-", "", dim
	default:
		paint = green
	}
	return plain(verdict), rule, paint
}

func kindText(r record.Record) string {
	if r.Event.Event == hook.Other {
		return r.HostEvent
	}
	return string(r.Event.Event)
}

func toolText(r record.Record) string {
	switch {
	case r.Tool == nil:
		return ""
	case r.Tool.MCP != nil:
		return r.Tool.MCP.Server + "/" + r.Tool.MCP.Tool
	}
	return r.Tool.Name
}

func latencyText(ms float64) string {
	if ms < 10 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// whatText is the one thing that a person wants to know of an event.
func whatText(r record.Record) string {
	text := subject(r)
	if r.Tool != nil && r.Tool.Error != "" {
		text = "failed: " + r.Tool.Error + " · " + text
	}
	if len(r.Notes) > 0 {
		text += " (" + strings.Join(r.Notes, "; ") + ")"
	}
	return strings.TrimSpace(text)
}

func subject(r record.Record) string {
	if t := r.Tool; t != nil {
		switch {
		case t.Command != "":
			return t.Command
		case len(t.Paths) > 0:
			return strings.Join(t.Paths, " ")
		case len(t.URLs) > 0:
			return strings.Join(t.URLs, " ")
		}
		return string(t.Input)
	}
	switch {
	case r.Notification != nil:
		return r.Notification.Message
	case r.Response != "":
		return r.Response
	case r.Prompt != "":
		return r.Prompt
	case r.Source != "":
		return r.Source
	}
	return r.Event.Reason
}
