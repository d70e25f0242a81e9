package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/llm"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/audit"
	"github.com/boathook/boathook/internal/memory/rank"
	"github.com/boathook/boathook/internal/memory/terms"
)

// searchArgs are memory_search's.
type searchArgs struct {
	Query string `json:"query" jsonschema:"what to look for: words, identifiers, paths, an error text"`
	where
	Session   string `json:"session,omitempty" jsonschema:"only of this session, by the id that results have"`
	Agent     string `json:"agent,omitempty" jsonschema:"only of this agent's sessions: claude, gemini, codex and so on"`
	Tool      string `json:"tool,omitempty" jsonschema:"only calls of this tool: bash, edit_file and so on"`
	Tag       string `json:"tag,omitempty" jsonschema:"only what is about this: git, docker, go, test and so on"`
	Status    string `json:"status,omitempty" jsonschema:"only calls that ended so: success, error or blocked"`
	Since     string `json:"since,omitempty" jsonschema:"only from this time on: 2026-11-30, 2026-11-30T12:00:00Z, or how long ago: 7d"`
	Until     string `json:"until,omitempty" jsonschema:"only before this time, in the same forms"`
	Limit     int    `json:"limit,omitempty" jsonschema:"how many results at most, 1 to 50; 10 without it"`
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"about how many tokens the answer may take, 200 to 20000; 2000 without it"`
}

// Found is memory_search's answer.
type Found struct {
	Note    string `json:"note"`
	Results []Item `json:"results"`
	// Omitted is how many more there are than the tokens are enough for, Dropped how many lines were left out of the texts.
	Omitted int `json:"omitted,omitempty"`
	Dropped int `json:"dropped_lines,omitempty"`
	// Embedder is what became of the search by meaning: ok or failed; empty where none is configured.
	Embedder string `json:"embedder,omitempty"`
}

func (f Found) text() string {
	var b strings.Builder
	b.WriteString(note + "\n\n")
	if len(f.Results) == 0 {
		b.WriteString("Nothing in memory fits.\n")
	}
	for n, i := range f.Results {
		b.WriteString(i.line(n + 1))
	}
	return b.String() + rest(f.Omitted, f.Dropped)
}

// rest says what is not there.
func rest(omitted, dropped int) string {
	text := ""
	if omitted > 0 {
		text += fmt.Sprintf("\n%d more did not fit into max_tokens.\n", omitted)
	}
	if dropped > 0 {
		text += fmt.Sprintf("\n%d lines were left out, since they read like instructions.\n", dropped)
	}
	return text
}

const (
	usualLimit = 10
	mostLimit  = 50
	// usualTokens is the budget of an answer where none is asked for.
	usualTokens = 2000
	// embedPatience is how long an embedder is waited for.
	embedPatience = 3 * time.Second
)

func (s searchArgs) filter(a *asking) (memory.Filter, error) {
	f, err := a.filter(s.where)
	if err != nil {
		return f, err
	}
	switch s.Status {
	case "", memory.StatusSuccess, memory.StatusError, memory.StatusBlocked:
	default:
		return f, errors.New("status is success, error or blocked")
	}
	f.Session, f.Agent, f.Tool, f.Tag, f.Status = s.Session, s.Agent, s.Tool, strings.ToLower(s.Tag), s.Status
	return f, a.period(&f, s.Since, s.Until)
}

func search(ctx context.Context, a *asking, s searchArgs) (Found, error) {
	if s.Limit == 0 {
		s.Limit = usualLimit
	}
	tokens, err := budget(s.MaxTokens, usualTokens)
	asked := terms.Query(s.Query)
	switch {
	case err != nil:
		return Found{}, err
	case s.Limit < 1 || s.Limit > mostLimit:
		return Found{}, fmt.Errorf("limit is between 1 and %d", mostLimit)
	case len(asked) == 0:
		return Found{}, errors.New("there is nothing to look for in query: every word of it stands in most texts")
	}
	f, err := s.filter(a)
	if err != nil {
		return Found{}, err
	}
	items, embedder, err := a.find(ctx, f, s.Query, asked, s.Limit)
	if err != nil {
		return Found{}, err
	}
	if err := a.log(audit.Entry{Action: audit.Search, Query: s.Query, Filter: &f, Count: len(items)}); err != nil {
		return Found{}, err
	}
	out := Found{Note: note, Embedder: embedder}
	var all []Item
	for n := range items {
		all = append(all, a.hit(&items[n], f.AllProjects))
	}
	out.Results, out.Omitted = fit(all, tokens)
	out.Dropped = a.dropped
	return out, nil
}

// find asks by words and by meaning, side by side.
func (a *asking) find(ctx context.Context, f memory.Filter, text string, asked []string, limit int) ([]rank.Item, string, error) {
	var vector memory.Found
	embedder := ""
	var wait sync.WaitGroup
	wait.Go(func() { vector, embedder = a.near(ctx, f, text) })
	keyword, err := a.store.Find(ctx, memory.Query{Filter: f, Terms: asked, Limit: rank.Candidates, Around: rank.Around})
	wait.Wait()
	if err != nil {
		return nil, embedder, err
	}
	return rank.Rank(rank.Question{Terms: asked, Now: a.Now(), Limit: limit}, keyword, vector), embedder, nil
}

// near asks by meaning, where an embedder is configured; how that ended is for who asks to see.
func (a *asking) near(ctx context.Context, f memory.Filter, text string) (memory.Found, string) {
	e, err := llm.NewEmbedder(a.settings)
	if errors.Is(err, llm.ErrNone) {
		return memory.Found{}, ""
	}
	if err != nil {
		return memory.Found{}, "failed"
	}
	defer e.Close()
	within, cancel := context.WithTimeout(ctx, embedPatience)
	defer cancel()
	vector, err := e.Query(within, a.masked(text))
	if err != nil {
		return memory.Found{}, "failed"
	}
	found, err := a.store.Find(ctx, memory.Query{Filter: f, Vector: vector, Model: e.Model(), Limit: rank.Nearest})
	if err != nil {
		return memory.Found{}, "failed"
	}
	return found, "ok"
}

// hit is an item that was found.
func (a *asking) hit(i *rank.Item, wide bool) Item {
	id := i.Message
	if i.Call != "" {
		id = i.Call
	}
	out := a.base(id, i.Session, i.Agent, i.Role, i.Hit.Time)
	out.Tool, out.Status, out.Outcome = a.name(i.Tool), a.name(i.Status), a.name(i.Outcome)
	out.Relevance = float64(int(i.Relevance*100)) / 100
	if wide {
		out.Project = a.name(i.Project)
	}
	text := i.Text
	if i.Command != "" {
		out.Command = a.clean(i.Command, maxCommand)
		text = strings.TrimPrefix(strings.TrimPrefix(text, i.Tool+"\n"), "$ "+i.Command)
	}
	out.Text = a.clean(text, maxExcerpt)
	out.Cut = strings.HasSuffix(out.Text, "…")
	return out
}
