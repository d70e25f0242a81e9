package sqlite

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/terms"
)

// secretive fills a store in which one session, told by hooks and by a transcript in other words, has words that nothing else has.
func secretive(t *testing.T, s *Store) (words []string) {
	t.Helper()
	base := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	for i := range 20 {
		var b memory.Batch
		id := fmt.Sprintf("claude/%d", i)
		b.Sessions = []memory.Session{{ID: id, Agent: "claude", Project: "p", Root: "/home/" + id, Started: base, Active: base}}
		for j := range 10 {
			text := fmt.Sprintf("filler sentence %d of session %d about nothing at all", j, i)
			output := ""
			if i == 17 {
				word := fmt.Sprintf("zyzzogeton%dq", j)
				other := fmt.Sprintf("quixotry%dz", j)
				words = append(words, word, other)
				text, output = text+" "+word, other+" \"said\"\n"+word
				b.Sessions[0].Summary = "it was " + word
			}
			at := base.Add(time.Duration(j) * time.Minute)
			b.Messages = append(b.Messages, memory.Message{Session: id, Role: "user", Text: text, Time: at, Source: memory.FromHook, Origin: fmt.Sprint("h", j)})
			c := memory.ToolCall{
				Session: id, Tool: "bash", Command: text, Output: output, Time: at, Source: memory.FromHook, Origin: fmt.Sprint("c", j),
				Args: fmt.Appendf(nil, `{"command":%q}`, text), Status: "error", Error: output,
			}
			b.ToolCalls = append(b.ToolCalls, c)
			c.Source, c.Output, c.Result = memory.FromTranscript, "in other words: "+output, fmt.Appendf(nil, `{"out":%q}`, output)
			b.ToolCalls = append(b.ToolCalls, c)
		}
		if _, err := s.Write(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	return words
}

// Not a byte of what was forgotten is in any file of the directory, and of its words not even the index's tokens.
func TestForgetLeavesNoByte(t *testing.T) {
	for name, sel := range map[string]memory.Selection{
		"session":   {Filter: memory.Filter{Projects: []string{"p"}, Session: "claude/17"}},
		"anonymize": {Filter: memory.Filter{Projects: []string{"p"}, Session: "claude/17"}, Anonymize: true},
		"text":      {Filter: memory.Filter{AllProjects: true}, Text: "q"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			defer s.Close()
			words := secretive(t, s)
			if name == "text" {
				sel.Text = "zyzzogeton"
			}
			dir := filepath.Dir(s.path)
			if n := occurrences(t, dir, words[0]); n == 0 {
				t.Fatal("the word is not in the files to begin with")
			}
			if _, err := s.Find(t.Context(), memory.Query{Filter: memory.Filter{Projects: []string{"p"}}, Terms: terms.Of(words[0]), Limit: 9}); err != nil {
				t.Fatal(err)
			}
			done, err := s.Forget(t.Context(), sel)
			if err != nil || done.Messages != 10 || done.ToolCalls != 10 || done.Pending != "" {
				t.Fatalf("removed %+v, %v", done, err)
			}
			for _, w := range words {
				if n := occurrences(t, dir, w); n > 0 {
					t.Errorf("%s stands in %d places", w, n)
				}
				for _, term := range append(terms.Of(w), w) {
					if n := occurrences(t, dir, term) + occurrences(t, dir, token(1, term)); n > 0 {
						t.Errorf("the term %s or its token stands in %d places", term, n)
					}
				}
				if n, err := s.Occurs(t.Context(), w); n != 0 || err != nil {
					t.Errorf("%s occurs %d times, %v", w, n, err)
				}
			}
		})
	}
}

// occurrences counts a text in the files of a directory.
func occurrences(t *testing.T, dir, text string) (n int) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		n += bytes.Count(b, []byte(text))
	}
	return n
}

// A reader that holds the log is waited for, and then told of.
func TestForgetSaysThatALogIsHeld(t *testing.T) {
	s := open(t)
	defer s.Close()
	secretive(t, s)
	r, err := OpenReadOnly(t.Context(), s.path)
	if err != nil {
		t.Fatal(err)
	}
	held := make(chan struct{})
	release := make(chan struct{})
	ended := make(chan error)
	go func() {
		ended <- r.reading(t.Context(), "hold", func(c *conn) error {
			_, _, err := c.number("SELECT count(*) FROM ltm_messages")
			close(held)
			<-release
			return err
		})
	}()
	<-held
	done, err := s.Forget(t.Context(), memory.Selection{Filter: memory.Filter{AllProjects: true}})
	if err != nil || done.Pending == "" {
		t.Errorf("removed %+v, %v", done, err)
	}
	close(release)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	r.Close()
	if done, err := s.Forget(t.Context(), memory.Selection{Filter: memory.Filter{AllProjects: true}}); err != nil || done.Pending != "" {
		t.Errorf("removed %+v, %v", done, err)
	}
	if n := occurrences(t, filepath.Dir(s.path), "filler sentence"); n > 0 {
		t.Errorf("the text stands in %d places", n)
	}
}
