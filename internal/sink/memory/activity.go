package memory

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/ownfile"
)

// activity reads the activity log that Gemini CLI keeps of a session beside its chats in its debug mode, as of 0.61: requests and answers
// as they went over the wire, a line each. It stands in for a record that is gone; where there is one, the record has all of it.
func (t *taking) activity(of over) (reading, error) {
	chats := filepath.Dir(of.path)
	if of.agent != "gemini" || filepath.Base(chats) != "chats" || of.id == "" || strings.ContainsAny(of.id, `/\`) {
		return nil, nil
	}
	path := filepath.Join(filepath.Dir(chats), "logs", "session-"+of.id+".jsonl")
	if !lies(t.sink.Home, of.agent, path) {
		return nil, errElsewhere
	}
	f, err := ownfile.Open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open activity log: %w", err)
	}
	s := rows.Session{ID: of.key, Agent: of.agent}
	return func(ctx context.Context, write func(rows.Batch) error) error {
		defer func() { _ = f.Close() }()
		return eachAnswer(ctx, io.LimitReader(f, maxRecord), func(m rows.Message) error {
			m.Session = s.ID
			m, ok := t.sink.Intake.Message(of.agent, m)
			if !ok {
				return nil
			}
			return write(rows.Batch{Sessions: []rows.Session{s}, Messages: []rows.Message{m}})
		})
	}, nil
}

// maxLine is how long a line may be that is read: each request has the whole conversation.
const maxLine = 32 << 20

// exchange is what of a line is of interest.
type exchange struct {
	Type    string `json:"type"`
	Payload struct {
		ID        string  `json:"id"`
		Timestamp float64 `json:"timestamp"`
		URL       string  `json:"url"`
		Response  *struct {
			Status     int     `json:"status"`
			Body       string  `json:"body"`
			DurationMS float64 `json:"durationMs"`
		} `json:"response"`
	} `json:"payload"`
	Timestamp float64 `json:"timestamp"`
}

// asked is a request that waits for its answer.
type asked struct {
	model string
	at    time.Time
}

// maxAsked bounds how many requests wait at once.
const maxAsked = 256

// eachAnswer calls f for every answer of the model that says something.
func eachAnswer(ctx context.Context, in io.Reader, f func(rows.Message) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	open := map[string]asked{}
	for lines.Scan() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var e exchange
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Type != "network" {
			continue
		}
		p := &e.Payload
		if m := generating().FindStringSubmatch(p.URL); m != nil && len(open) < maxAsked {
			open[p.ID] = asked{m[1], time.UnixMilli(int64(p.Timestamp)).UTC()}
		}
		of, known := open[p.ID]
		if p.Response == nil || !known {
			continue
		}
		delete(open, p.ID)
		m := answer([]byte(p.Response.Body))
		if p.Response.Status != 200 || strings.TrimSpace(m.Text) == "" {
			continue
		}
		m.Model, m.Time, m.Origin = of.model, of.at.Add(time.Duration(p.Response.DurationMS)*time.Millisecond), "activity:"+p.ID
		if err := f(m); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read activity log: %w", err)
	}
	return nil
}

// generating is the address of a request for an answer; its group is the model.
var generating = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`/models/([A-Za-z0-9._-]{1,100}):(?:streamGenerateContent|generateContent)`)
})

// answer is what a body says: one object, or a stream of them.
func answer(body []byte) rows.Message {
	m := rows.Message{Role: rows.RoleGemini, Source: rows.FromTranscript}
	pieces := [][]byte{body}
	if bytes.Contains(body, []byte("data:")) {
		pieces = bytes.Split(body, []byte("\n"))
	}
	var text strings.Builder
	for _, piece := range pieces {
		piece = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(piece), []byte("data:")))
		var c struct {
			Candidates []struct {
				Content struct {
					Parts []struct {
						Text    string `json:"text"`
						Thought bool   `json:"thought"`
					} `json:"parts"`
				} `json:"content"`
			} `json:"candidates"`
			Usage struct {
				Prompt     int64 `json:"promptTokenCount"`
				Candidates int64 `json:"candidatesTokenCount"`
				Total      int64 `json:"totalTokenCount"`
			} `json:"usageMetadata"`
		}
		if len(piece) == 0 || json.Unmarshal(piece, &c) != nil {
			continue
		}
		if len(c.Candidates) > 0 {
			for _, part := range c.Candidates[0].Content.Parts {
				if !part.Thought {
					text.WriteString(part.Text)
				}
			}
		}
		if c.Usage.Total > 0 {
			m.TokensInput, m.TokensOutput, m.TokensTotal = c.Usage.Prompt, c.Usage.Candidates, c.Usage.Total
		}
	}
	m.Text = text.String()
	return m
}
