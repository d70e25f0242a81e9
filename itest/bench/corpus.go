package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/project"
)

// The projects of what memory is filled with, and the tools: each of the two has one with 1 %, 6 % and 50 % of all chunks.
const (
	rowsOfSession = 100
	// corpusAge is how far back it reaches: nothing of it is too old to be kept.
	corpusAge = 80 * 24 * time.Hour
	askedHalf = "half"
	askedSix  = "six"
	askedOne  = "one"
)

// corpus makes sessions of texts whose words come as words do: a few often, most seldom. It is for one goroutine.
type corpus struct {
	r    *rand.Rand
	zipf *rand.Zipf
	// from is when its first session begins, sessions how many there will be, made how many there are.
	from           time.Time
	sessions, made int
	// said are parts of what was said in the project that is asked.
	said []string
}

func newCorpus(seed uint64, chunks int, now time.Time) *corpus {
	r := rand.New(rand.NewPCG(seed, 7))
	return &corpus{r: r, zipf: rand.NewZipf(r, 1.07, 4, 200_000), from: now.Add(-corpusAge), sessions: max(1, chunks/rowsOfSession)}
}

func (c *corpus) word() string {
	const letters = "bcdfghklmnprstvz"
	var out []byte
	for n := c.zipf.Uint64() + 20; n > 0; n /= 16 * 5 {
		out = append(out, letters[n%16], "aeiou"[n/16%5])
	}
	return string(out) + "k"
}

func (c *corpus) words(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = c.word()
	}
	return out
}

func (c *corpus) sentence(n int) string { return strings.Join(c.words(n), " ") }

// projectOf is the id of a session's project. Those of one project don't follow one another.
func projectOf(session int) string {
	switch at := session * 37 % 100; {
	case at < 50:
		return askedHalf
	case at < 56:
		return askedSix
	case at < 57:
		return askedOne
	default:
		return fmt.Sprint("other", at%4)
	}
}

// toolOf is the tool of a session's row; what is said has none.
func toolOf(row int) string {
	switch at := row * 37 % 100; {
	case at < 50:
		return askedHalf
	case at < 56:
		return askedSix
	case at < 57:
		return askedOne
	case at < 60:
		return "other"
	default:
		return ""
	}
}

// batch is the next session: a hundred rows, of which each is one chunk.
func (c *corpus) batch() memory.Batch {
	i := c.made
	c.made++
	id := memory.SessionID("claude", fmt.Sprint("bench-", i))
	at := c.from.Add(time.Duration(i) * corpusAge / time.Duration(c.sessions))
	name := projectOf(i)
	out := memory.Batch{Sessions: []memory.Session{{ID: id, Agent: "claude", Project: project.Named(name).Key, Started: at, Ended: at.Add(time.Hour)}}}
	for row := range rowsOfSession {
		at, origin := at.Add(time.Duration(row)*time.Second), fmt.Sprint(row)
		tool := toolOf(row)
		if tool == "" {
			words := c.words(12 + c.r.IntN(60))
			if name == askedHalf && len(c.said) < 2000 && c.r.IntN(20) == 0 {
				c.said = append(c.said, strings.Join(words[:10], " "))
			}
			out.Messages = append(out.Messages, memory.Message{
				Session: id, Role: memory.RoleUser, Text: strings.Join(words, " "), Time: at, Source: memory.FromHook, Origin: origin,
			})
			continue
		}
		command := c.sentence(6)
		out.ToolCalls = append(out.ToolCalls, memory.ToolCall{
			Session: id, Tool: tool, Command: command, Args: fmt.Appendf(nil, `{"command":%q}`, command), Output: c.sentence(20 + c.r.IntN(60)),
			Status: memory.StatusSuccess, Time: at, Source: memory.FromHook, Origin: origin,
		})
	}
	return out
}

// question asks for something that was said, among other words.
func (c *corpus) question() string {
	return "how was this done: " + c.said[c.r.IntN(len(c.said))] + " " + c.sentence(4)
}
