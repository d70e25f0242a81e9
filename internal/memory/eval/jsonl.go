package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Turn is one thing that was said, a line of a corpus.
type Turn struct {
	Session string `json:"session"`
	Project string `json:"project"`
	// ID is what questions name it by; no two turns have the same.
	ID string `json:"id"`
	// Role is user, assistant, tool or system; empty is user.
	Role string `json:"role"`
	// TS is when it was said; without it the turns of a session are in the order of their lines.
	TS   time.Time `json:"ts,omitzero"`
	Text string    `json:"text"`
}

// Question is a line of a set of questions.
type Question struct {
	Question string `json:"question"`
	Project  string `json:"project"`
	// Gold are the ids of the turns that answer it.
	Gold []string `json:"gold"`
	// Kind is of what kind it is, for the figures by kind; it may be left out.
	Kind string `json:"kind,omitempty"`
}

// maxLine is how long a line may be, in bytes.
const maxLine = 16 << 20

// ReadTurns reads a corpus, a JSON object a line. Name is the file's, for errors, which say name:line.
func ReadTurns(r io.Reader, name string) ([]Turn, error) {
	seen := map[string]int{}
	return readLines(r, name, func(t Turn, line int) error {
		switch {
		case t.Session == "":
			return errors.New("session is missing")
		case t.Project == "":
			return errors.New("project is missing")
		case t.ID == "":
			return errors.New("id is missing")
		case seen[t.ID] > 0:
			return fmt.Errorf("the id %q is that of line %d", t.ID, seen[t.ID])
		}
		seen[t.ID] = line
		return nil
	})
}

// ReadQuestions reads questions as ReadTurns does turns.
func ReadQuestions(r io.Reader, name string) ([]Question, error) {
	return readLines(r, name, func(q Question, _ int) error {
		switch {
		case q.Question == "":
			return errors.New("question is missing")
		case q.Project == "":
			return errors.New("project is missing")
		case len(q.Gold) == 0:
			return errors.New("gold is missing: the ids of the turns that answer it")
		}
		return nil
	})
}

func readLines[T any](r io.Reader, name string, check func(T, int) error) ([]T, error) {
	var out []T
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	n := 0
	for lines.Scan() {
		n++
		text := bytes.TrimSpace(lines.Bytes())
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(text) == 0 {
			continue
		}
		var one T
		if err := json.Unmarshal(text, &one); err != nil {
			return nil, fmt.Errorf("read %s:%d: %w", name, n, err)
		}
		if err := check(one, n); err != nil {
			return nil, fmt.Errorf("read %s:%d: %w", name, n, err)
		}
		out = append(out, one)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s:%d: %w", name, n+1, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("read %s: it has no lines", name)
	}
	return out, nil
}
