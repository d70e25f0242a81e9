package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/intake"
)

// Summarizer writes one line about a session, of a text that says what was asked and done. It ends with its context.
type Summarizer interface {
	Summarize(ctx context.Context, text string) (string, error)
}

const (
	// pageRows and maxPages bound how much of a session is looked at.
	pageRows = 200
	maxPages = 100
	// summaryWait is how long a model may take for a summary.
	summaryWait = 20 * time.Second
	maxPrompt   = 200
	maxReply    = 200
	maxTold     = 6 << 10
)

// gist is what a summary is made of.
type gist struct {
	prompts, commands []string
	reply             string
	last              *rows.ToolCall
}

// summary writes a session's summary and outcome.
func (t *taking) summary(ctx context.Context, of over) error {
	st, err := t.sink.open(ctx)
	if err != nil {
		return err
	}
	var g gist
	at := rows.Page("")
	for range maxPages {
		entries, next, err := st.Entries(ctx, rows.Filter{AllProjects: true, Session: of.key}, at, pageRows)
		if err != nil {
			return err
		}
		for i := range entries {
			g.add(&entries[i])
		}
		if at = next; at == "" {
			break
		}
	}
	if len(g.prompts) == 0 && g.last == nil && g.reply == "" {
		return nil
	}
	s := rows.Session{
		ID: of.key, Agent: of.agent, Summary: g.extract(), Outcome: g.outcome(), Active: of.last(),
	}
	if t.sink.Summarize != nil {
		if text := t.byModel(ctx, of, g); text != "" {
			s.Summary = text
		}
	}
	s.Summary = t.sink.Intake.Summary(s.Summary)
	return t.write(ctx, rows.Batch{Sessions: []rows.Session{s}})
}

// byModel asks the model; what fails leaves the extract.
func (t *taking) byModel(ctx context.Context, of over, g gist) string {
	ctx, done := context.WithTimeout(ctx, summaryWait)
	defer done()
	text, err := t.sink.Summarize.Summarize(ctx, g.told())
	if err != nil {
		t.sink.Log.Warn("a session's summary is extracted: the model gave none", "agent", of.agent, "event", of.Event, "reason", t.reason(of, err))
		return ""
	}
	return strings.TrimSpace(text)
}

func (g *gist) add(e *rows.Entry) {
	switch {
	case e.Message != nil && e.Message.Role == rows.RoleUser:
		g.prompts = append(g.prompts, e.Message.Text)
		g.last, g.reply = nil, ""
	case e.Message != nil && slices.Contains([]string{rows.RoleAssistant, rows.RoleGemini}, e.Message.Role):
		g.reply = e.Message.Text
	case e.Call != nil && e.Call.Status != "":
		if c := e.Call; c.Command != "" || g.last == nil || g.last.Command == "" {
			g.last = c
		}
		if e.Call.Command != "" {
			g.commands = append(g.commands, line(e.Call.Command, maxPrompt)+" → "+e.Call.Status)
		}
	}
}

// outcome is how the last call of the last turn ended: a command's where there is one.
func (g *gist) outcome() string {
	if g.last == nil {
		return ""
	}
	return g.last.Status
}

// extract is a session in a line: what was asked first, and how it came out.
func (g *gist) extract() string {
	var parts []string
	if len(g.prompts) > 0 {
		parts = append(parts, line(g.prompts[0], maxPrompt))
	}
	if c := g.last; c != nil {
		what := c.Tool
		if c.Command != "" {
			what = line(c.Command, maxPrompt)
		}
		parts = append(parts, map[string]string{
			rows.StatusSuccess: "succeeded: ", rows.StatusError: "failed: ", rows.StatusBlocked: "blocked: ",
		}[c.Status]+what)
	}
	if g.reply != "" {
		parts = append(parts, line(g.reply, maxReply))
	}
	return strings.Join(parts, " — ")
}

// told is what a model is asked about.
func (g *gist) told() string {
	var b strings.Builder
	for _, p := range g.prompts {
		fmt.Fprintf(&b, "asked: %s\n", intake.Cut(p, 1000))
	}
	for _, c := range g.commands[max(0, len(g.commands)-40):] {
		fmt.Fprintf(&b, "ran: %s\n", c)
	}
	fmt.Fprintf(&b, "answered: %s\n", intake.Cut(g.reply, 2000))
	return intake.Cut(b.String(), maxTold)
}

// line is a text on one line, of so many bytes at most.
func line(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	cut := strings.ToValidUTF8(text[:most], "")
	return strings.TrimSpace(cut) + "…"
}
