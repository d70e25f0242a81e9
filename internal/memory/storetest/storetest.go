// Package storetest is what every memory.Store must do, as tests: the stores' packages run it, each on its own kind.
package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/terms"
)

// Options say what the store under test is able to do.
type Options struct {
	// Vectors says that it finds by vectors.
	Vectors bool
	// Pending says that bytes of what was forgotten may be on the disk until a vacuum, which Removed.Pending tells of.
	Pending bool
	// Slow has the tests of many writers and of random questions do less.
	Slow bool
}

// Run runs the suite. Each call of open gives a store that is empty; the suite closes it.
func Run(t *testing.T, open func(t *testing.T) memory.Store, o Options) {
	for _, tt := range []struct {
		name string
		run  func(*suite)
	}{
		{"write", testWrite}, {"order", testOrder}, {"merge", testMerge}, {"made by", testMadeBy}, {"cover", testCover}, {"sessions", testSessions},
		{"project", testProject}, {"entries", testEntries}, {"pages", testPages}, {"get", testGet}, {"find", testFind}, {"filters", testFilters},
		{"neighbours", testNeighbours}, {"isolation", testIsolation}, {"hostile", testHostile}, {"poison", testPoison}, {"context", testContext},
		{"concurrent", testConcurrent}, {"forget", testForget}, {"forget dry", testForgetDry}, {"forget text", testForgetText},
		{"forget rows", testForgetRows}, {"forget part", testForgetPart}, {"anonymize", testAnonymize}, {"retain", testRetain},
		{"retain project", testRetainProject}, {"vectors", testVectors}, {"models", testModels}, {"stats", testStats},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			})
			tt.run(&suite{T: t, s: s, o: o})
		})
	}
}

// suite is one test's store.
type suite struct {
	*testing.T
	s memory.Store
	o Options
}

// began is when what the tests tell of began. It is recent, so that no store holds it for too old.
var began = time.Now().UTC().Truncate(time.Hour).Add(-48 * time.Hour)

func at(minutes int) time.Time { return began.Add(time.Duration(minutes) * time.Minute) }

func (s *suite) ctx() context.Context { return s.Context() }

func (s *suite) write(b memory.Batch) memory.Written {
	s.Helper()
	done, err := s.s.Write(s.ctx(), b)
	if err != nil {
		s.Fatalf("write: %v", err)
	}
	return done
}

// session is a session of a project, with its batch's other items.
func session(project, id string) memory.Session {
	return memory.Session{ID: memory.SessionID("claude", id), Project: project, Root: "/root/" + project, Agent: "claude", Started: at(0), Active: at(1)}
}

// say is a message that a hook told of.
func say(id, role, text string, minutes int) memory.Message {
	return memory.Message{
		Session: memory.SessionID("claude", id), Role: role, Text: text, Time: at(minutes), Source: memory.FromHook,
		Origin: fmt.Sprintf("hook %s %s %d", id, role, minutes),
	}
}

// run is a tool call that a hook told of.
func run(id, command, output, status string, minutes int) memory.ToolCall {
	return memory.ToolCall{
		Session: memory.SessionID("claude", id), Tool: "bash", HostTool: "Bash", Kind: "shell", Command: command, Status: status, Output: output,
		Args: []byte(fmt.Sprintf(`{"command": %q}`, command)), Time: at(minutes), Duration: time.Second, Source: memory.FromHook,
		Origin: fmt.Sprintf("hook %s call %d", id, minutes),
	}
}

// of is a filter for a project.
func of(projects ...string) memory.Filter { return memory.Filter{Projects: projects} }

func all() memory.Filter { return memory.Filter{AllProjects: true} }

// entries are all that a filter selects.
func (s *suite) entries(f memory.Filter) (out []memory.Entry) {
	s.Helper()
	for p := memory.Page(""); ; {
		some, next, err := s.s.Entries(s.ctx(), f, p, 100)
		if err != nil {
			s.Fatalf("entries: %v", err)
		}
		out = append(out, some...)
		if next == "" {
			return out
		}
		p = next
	}
}

// texts are what entries say, in their order.
func texts(all []memory.Entry) (out []string) {
	for _, e := range all {
		if e.Message != nil {
			out = append(out, e.Message.Text)
			continue
		}
		out = append(out, e.Call.Command)
	}
	return out
}

func (s *suite) sessions(f memory.Filter) []memory.Session {
	s.Helper()
	out, _, err := s.s.Sessions(s.ctx(), f, "", 1000)
	if err != nil {
		s.Fatalf("sessions: %v", err)
	}
	return out
}

// find looks for words.
func (s *suite) find(f memory.Filter, words ...string) memory.Found {
	s.Helper()
	var asked []string
	for _, w := range words {
		asked = append(asked, term(w))
	}
	return s.findTerms(f, asked...)
}

// term is what a word is found by.
func term(word string) string {
	if all := terms.Of(word); len(all) > 0 {
		return all[0]
	}
	return word
}

func (s *suite) findTerms(f memory.Filter, asked ...string) memory.Found {
	s.Helper()
	found, err := s.s.Find(s.ctx(), memory.Query{Filter: f, Terms: asked, Limit: 200})
	if err != nil {
		s.Fatalf("find %q: %v", asked, err)
	}
	return found
}

// hits are what the rows say whose chunks were found, in their order, each once.
func (s *suite) hits(found memory.Found) []string {
	s.Helper()
	var ids []string
	for _, h := range found.Hits {
		if id := h.Message + h.Call; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	got, err := s.s.Get(s.ctx(), all(), ids)
	if err != nil {
		s.Fatalf("get: %v", err)
	}
	return texts(got)
}

// sorted are the same, in the order of the alphabet.
func (s *suite) sorted(found memory.Found) []string {
	s.Helper()
	out := s.hits(found)
	slices.Sort(out)
	return out
}

func (s *suite) occurs(text string) int {
	s.Helper()
	n, err := s.s.Occurs(s.ctx(), text)
	if err != nil {
		s.Fatalf("occurs: %v", err)
	}
	return n
}
