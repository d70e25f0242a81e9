package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/rank"
)

// searchPrinter shows what was found.
type searchPrinter struct {
	env     *Env
	found   searched
	asked   []string
	explain bool
	// wide says that the results are of several projects.
	wide bool
}

// foundJSON is one result.
type foundJSON struct {
	ID        string    `json:"id"`
	Session   string    `json:"session"`
	Project   string    `json:"project"`
	Agent     string    `json:"agent"`
	Role      string    `json:"role"`
	Tool      string    `json:"tool,omitempty"`
	Status    string    `json:"status,omitempty"`
	Command   string    `json:"command,omitempty"`
	Time      time.Time `json:"time"`
	Text      string    `json:"text"`
	Tags      []string  `json:"tags,omitempty"`
	Score     float64   `json:"score"`
	Relevance float64   `json:"relevance"`
	// Terms are those of the query that it has itself, Near those that its neighbours in the session have.
	Terms    []string `json:"terms,omitempty"`
	Near     []string `json:"near,omitempty"`
	Distance float64  `json:"distance,omitempty"`
}

func (p searchPrinter) row(i rank.Item) foundJSON {
	out := foundJSON{
		ID: rowOf(i.Chunk), Session: i.Session, Project: i.Project, Agent: i.Agent, Role: i.Role, Tool: i.Tool, Status: i.Status, Command: i.Command,
		Time: i.Time, Text: i.Text, Tags: i.Tags, Score: i.Score, Relevance: i.Relevance, Distance: i.Distance,
	}
	for _, t := range p.asked {
		switch {
		case slices.Contains(i.Terms, t):
			out.Terms = append(out.Terms, t)
		case slices.Contains(i.Before, t), slices.Contains(i.After, t):
			out.Near = append(out.Near, t)
		}
	}
	return out
}

// rowOf is the id of the message or call that a chunk is of.
func rowOf(c memory.Chunk) string {
	if c.Call != "" {
		return c.Call
	}
	return c.Message
}

func (p searchPrinter) json(query string, f memory.Filter) error {
	doc := struct {
		Query     string         `json:"query"`
		Filter    memory.Filter  `json:"filter"`
		Terms     []string       `json:"terms"`
		Documents int            `json:"documents"`
		Frequency map[string]int `json:"frequency,omitempty"`
		Embedder  string         `json:"embedder"`
		Results   []foundJSON    `json:"results"`
	}{query, f, p.asked, p.found.keyword.Documents, p.found.keyword.Frequency, p.found.embedder, []foundJSON{}}
	for _, i := range p.found.items {
		doc.Results = append(doc.Results, p.row(i))
	}
	return p.env.printJSON(doc, nil)
}

func (p searchPrinter) text() error {
	if len(p.found.items) == 0 {
		text := "Nothing in this project's memory fits. --all-projects looks through all of them."
		if p.wide {
			text = "Nothing in memory fits."
		}
		return p.env.sentence(text, 0)
	}
	for n, i := range p.found.items {
		if n > 0 {
			fmt.Fprintln(p.env.Stdout)
		}
		if err := p.item(n+1, i); err != nil {
			return err
		}
	}
	return nil
}

// snippetLines is how much of a result is shown.
const snippetLines = 4

func (p searchPrinter) item(n int, i rank.Item) error {
	parts := []string{duration.Ago(p.env.Now(), i.Time), i.Agent}
	if i.Tool != "" {
		parts = append(parts, strings.TrimSpace(i.Tool+" "+i.Status))
	} else {
		parts = append(parts, i.Role)
	}
	head := fmt.Sprintf("%d. %s  ", n, strings.Join(parts, ", "))
	if _, err := fmt.Fprintln(p.env.Stdout, p.paint(statusColour(i.Status), plain(head))+p.paint(dim, plain(rowOf(i.Chunk)+"  "+i.Session))); err != nil {
		return err
	}
	text := i.Text
	if i.Tool != "" { // what came out stands apart from what was run
		text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " · ")
		text = strings.TrimPrefix(text, i.Tool+" · ") // it stands above
	}
	if err := p.env.snippet(text, 3, snippetLines); err != nil || !p.explain {
		return err
	}
	row := p.row(i)
	why := fmt.Sprintf("score %.4f, relevance %.2f; has %s", row.Score, row.Relevance, listOr(row.Terms, "none of the words"))
	if len(row.Near) > 0 {
		why += "; beside it " + strings.Join(row.Near, " ")
	}
	if row.Distance > 0 {
		why += fmt.Sprintf("; distance %.3f", row.Distance)
	}
	var rare []string
	for _, t := range row.Terms {
		rare = append(rare, fmt.Sprintf("%s in %d", t, p.found.keyword.Frequency[t]))
	}
	if len(rare) > 0 {
		why += fmt.Sprintf("; of %d texts %s", p.found.keyword.Documents, strings.Join(rare, ", "))
	}
	if len(i.Tags) > 0 {
		why += "; about " + strings.Join(i.Tags, " ")
	}
	return p.env.hanging("   ", plain(why), 3, p.env.columns())
}

func listOr(list []string, none string) string {
	if len(list) == 0 {
		return none
	}
	return strings.Join(list, " ")
}

func statusColour(status string) string {
	switch status {
	case memory.StatusSuccess:
		return green
	case memory.StatusError, memory.StatusBlocked:
		return red
	}
	return ""
}

func (p searchPrinter) paint(code, text string) string { return p.env.painted(code, text) }

// painted is a text in a colour, where there are colours.
func (e *Env) painted(code, text string) string {
	if code == "" || !e.colour() {
		return text
	}
	return code + text + reset
}

// snippet prints the beginning of a text in so many lines, indented. A pipe gets more of it, on one line.
func (e *Env) snippet(text string, indent, most int) error {
	const inPipe = 1000
	text = plain(strings.Join(strings.Fields(text), " "))
	lead := strings.Repeat(" ", indent)
	width := e.columns()
	if width == 0 {
		_, err := fmt.Fprintln(e.Stdout, lead+shorten(text, inPipe))
		return err
	}
	width = max(min(width, proseColumns)-indent, leastLast)
	lines := wrapText(text, width)
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = shorten(lines[most-1], width-2) + " …"
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(e.Stdout, lead+shorten(line, width)); err != nil {
			return err
		}
	}
	return nil
}
