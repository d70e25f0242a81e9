package storetest

import (
	"encoding/json"
	"math/rand/v2"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/memory"
)

// testWrite: what was written is there once, and is the same when it is read.
func testWrite(s *suite) {
	b := wholeBatch()
	if got := s.write(b); got != (memory.Written{New: 2}) {
		s.Errorf("wrote %+v", got)
	}
	for range 2 {
		if got := s.write(b); got != (memory.Written{Known: 2}) {
			s.Errorf("wrote again: %+v", got)
		}
	}
	got := s.entries(of("p"))
	if len(got) != 2 || got[0].Message == nil || got[1].Call == nil {
		s.Fatalf("entries: %+v", got)
	}
	m, c := *got[0].Message, *got[1].Call
	if m.ID == "" || c.ID == "" || got[0].Project != "p" || got[1].Agent != "claude" {
		s.Errorf("entries: %+v", got)
	}
	wantM, wantC := b.Messages[0], b.ToolCalls[0]
	wantM.ID, wantC.ID = m.ID, c.ID
	wantM.Content = json.RawMessage(`{"a":null,"b":[1,"<&>"]}`)
	if diff := cmp.Diff(wantM, m, sameJSON()); diff != "" {
		s.Error("the message: " + diff)
	}
	if diff := cmp.Diff(wantC, c, sameJSON()); diff != "" {
		s.Error("the call: " + diff)
	}
	want := b.Sessions[0]
	want.Active = at(2)
	if diff := cmp.Diff([]memory.Session{want}, s.sessions(of("p"))); diff != "" {
		s.Error("the session: " + diff)
	}
}

// wholeBatch has a message and a call with all that they may have.
func wholeBatch() memory.Batch {
	return memory.Batch{
		Sessions: []memory.Session{session("p", "1")},
		Messages: []memory.Message{
			{
				Session: "claude/1", Role: "user", Text: "why does <it> fail?", Content: json.RawMessage(`{"b": [1, "<&>"], "a": null}`), Time: at(1),
				Model: "m", TokensInput: 1, TokensOutput: 2, TokensTotal: 3, Source: memory.FromTranscript, Origin: "t1",
			},
		},
		ToolCalls: []memory.ToolCall{
			{
				Session: "claude/1", CallID: "c1", Tool: "bash", HostTool: "Bash", Kind: "shell", Status: "error", Command: "go test ./...",
				Paths: []string{"a/b.go", "c"}, Args: json.RawMessage(`{"command":"go test ./..."}`), Result: json.RawMessage(`{"code":1}`),
				Output: "FAIL", Error: "exit 1", Time: at(2), Duration: 1500 * time.Millisecond, Source: memory.FromHook, Origin: "h1",
			},
		},
	}
}

// sameJSON compares JSON by what it says.
func sameJSON() cmp.Option {
	return cmp.Comparer(func(a, b json.RawMessage) bool {
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		var x, y any
		return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && cmp.Equal(x, y)
	})
}

// tale is what hooks and a transcript tell of one session.
func tale() (out []memory.Batch) {
	add := func(b memory.Batch) { out = append(out, b) }
	s := session("p", "1")
	add(memory.Batch{Sessions: []memory.Session{s}})
	s.Ended, s.Active, s.Summary, s.Outcome = at(9), at(9), "all of it", "success"
	add(memory.Batch{Sessions: []memory.Session{s}})
	for i, text := range []string{"yes", "fix the build", "yes", "yes"} {
		add(memory.Batch{Messages: []memory.Message{say("1", "user", text+" \r\n", i)}})
		m := say("1", "user", text, i)
		m.Time, m.Source, m.Origin, m.TokensInput = m.Time.Add(time.Second), memory.FromTranscript, m.Origin+"t", 7
		add(memory.Batch{Messages: []memory.Message{m}})
	}
	a := say("1", "assistant", "an answer that was cut", 3)
	add(memory.Batch{Messages: []memory.Message{a}})
	a.Source, a.Text, a.Origin, a.Role = memory.FromTranscript, "an answer that was cut short", "t a", "gemini"
	add(memory.Batch{Messages: []memory.Message{a}})
	for i, status := range []string{"error", "", "blocked"} {
		c := run("1", "make", "out", status, 4+i)
		add(memory.Batch{ToolCalls: []memory.ToolCall{c}})
		c.Source, c.Origin, c.Status, c.Duration, c.Result = memory.FromTranscript, c.Origin+"t", "success", 0, json.RawMessage(`{"x":1}`)
		add(memory.Batch{ToolCalls: []memory.ToolCall{c}})
	}
	add(memory.Batch{Covers: []memory.Cover{{Session: "claude/1", Until: at(8)}}})
	return out
}

// testOrder: the order in which things are told doesn't matter, nor how often.
func testOrder(s *suite) {
	var want []memory.Entry
	var wantSessions []memory.Session
	var wantHits []string
	rounds := 6
	for i := range rounds {
		told := tale()
		if i > 0 {
			told = append(told, told[:rand.N(len(told))]...)
			rand.Shuffle(len(told), func(i, j int) { told[i], told[j] = told[j], told[i] })
		}
		for _, b := range told {
			s.write(b)
		}
		got, sessions := s.entries(of("p")), s.sessions(of("p"))
		hits := s.sorted(s.find(of("p"), "yes", "build", "answer", "make"))
		if i == 0 {
			want, wantSessions, wantHits = got, sessions, hits
			if len(want) != 8 {
				s.Fatalf("entries: %q", texts(want))
			}
		}
		if diff := cmp.Diff(want, got, sameJSON()); diff != "" {
			s.Fatal("entries: " + diff)
		}
		if diff := cmp.Diff(wantSessions, sessions); diff != "" {
			s.Fatal("sessions: " + diff)
		}
		if diff := cmp.Diff(wantHits, hits); diff != "" {
			s.Fatal("chunks: " + diff)
		}
		if i%2 == 1 { // on what is there as well as on nothing
			if _, err := s.s.Forget(s.ctx(), memory.Selection{Filter: of("p")}); err != nil {
				s.Fatal(err)
			}
		}
	}
}

// testMerge: a hook and a transcript that tell of the same are one row, and each is believed in what it knows.
func testMerge(s *suite) {
	s.write(memory.Batch{Sessions: []memory.Session{session("p", "1")}})
	hook := run("1", "rm -rf /", "", "blocked", 3)
	hook.Error = "not here"
	s.write(memory.Batch{ToolCalls: []memory.ToolCall{hook}, Messages: []memory.Message{say("1", "user", "clean up", 2)}})
	call := hook
	call.Source, call.Origin, call.Status, call.Error, call.Duration = memory.FromTranscript, "t1", "error", "denied", 0
	call.Args, call.Time, call.CallID = json.RawMessage(`{ "command" : "rm -rf /" }`), at(4), "id"
	m := say("1", "user", "clean up\r\n\r\n", 5)
	m.Source, m.Origin, m.TokensInput = memory.FromImport, "t2", 12
	got := s.write(memory.Batch{ToolCalls: []memory.ToolCall{call}, Messages: []memory.Message{m}})
	if got != (memory.Written{Changed: 2}) {
		s.Errorf("wrote %+v", got)
	}
	all := s.entries(of("p"))
	if len(all) != 2 {
		s.Fatalf("entries %q", texts(all))
	}
	c := all[0].Call
	if c == nil || c.Status != "blocked" || c.Error != "not here" || c.Duration != time.Second || !c.Time.Equal(at(4)) || c.CallID != "id" {
		s.Errorf("the call is %+v", c)
	}
	if m := all[1].Message; m.TokensInput != 12 || !m.Time.Equal(at(5)) || m.Source != memory.FromImport || m.Origin != "t2" {
		s.Errorf("the message is %+v", m)
	}
	// What is not known takes nothing away, and what is told twice is there twice.
	m.TokensInput = 0
	s.write(memory.Batch{Messages: []memory.Message{m, say("1", "user", "clean up", 7)}})
	all = s.entries(of("p"))
	if len(all) != 3 || all[1].Message.TokensInput != 12 || all[1].Message.ID == all[2].Message.ID {
		s.Errorf("entries %q", texts(all))
	}
}

// testMadeBy: a call that names its message by the message's origin in the same batch is that message's, also when both are told again.
func testMadeBy(s *suite) {
	m, c := say("1", "assistant", "let me look", 1), run("1", "ls", "a", "success", 1)
	c.Message = m.Origin
	b := memory.Batch{Sessions: []memory.Session{session("p", "1")}, Messages: []memory.Message{m}, ToolCalls: []memory.ToolCall{c}}
	s.write(b)
	if got := s.write(b); got != (memory.Written{Known: 2}) {
		s.Errorf("wrote again: %+v", got)
	}
	var message, made string
	for _, e := range s.entries(of("p")) {
		if e.Message != nil {
			message = e.Message.ID
			continue
		}
		made = e.Call.Message
	}
	if message == "" || made != message {
		s.Errorf("the call is of message %q, not %q", made, message)
	}
}

// testCover: what hooks told of an agent's answers is gone where a transcript has told all, but for what both have.
func testCover(s *suite) {
	told := func(text string, minutes int) memory.Message {
		m := say("1", "assistant", text, minutes)
		m.Source, m.Origin = memory.FromTranscript, "t "+text
		return m
	}
	s.write(memory.Batch{Sessions: []memory.Session{session("p", "1")}, Messages: []memory.Message{
		say("1", "user", "question", 1), say("1", "assistant", "partialzebra", 2), say("1", "assistant", "both", 3), told("both", 3),
		told("partialzebra and the rest", 2), say("1", "assistant", "later", 9),
	}, Covers: []memory.Cover{{Session: "claude/1", Until: at(5)}}})
	check := func() {
		s.Helper()
		want := []string{"question", "partialzebra and the rest", "both", "later"}
		if diff := cmp.Diff(want, texts(s.entries(of("p")))); diff != "" {
			s.Error(diff)
		}
		if got := s.find(of("p"), "partialzebra"); len(got.Hits) != 1 {
			s.Errorf("found %q", s.hits(got))
		}
	}
	check()
	// One that comes late is not kept either, and nothing is by a cover of less.
	s.write(memory.Batch{Messages: []memory.Message{say("1", "assistant", "late zebra", 4)}, Covers: []memory.Cover{{Session: "claude/1", Until: at(1)}}})
	s.write(memory.Batch{Messages: []memory.Message{say("1", "assistant", "partialzebra", 2), say("1", "assistant", "both", 3)}})
	check()
	if n := s.occurs("late zebra"); n != 0 {
		s.Errorf("what was dropped stands in %d places", n)
	}
}

// testSessions: a session is what all have told of it.
func testSessions(s *suite) {
	s.write(memory.Batch{Messages: []memory.Message{say("1", "user", "before anything is known", 3)}})
	if got := s.sessions(all()); len(got) != 1 || got[0].Project != "" || got[0].Agent != "claude" {
		s.Errorf("sessions %+v", got)
	}
	a := session("p", "1")
	a.Summary = "first"
	s.write(memory.Batch{Sessions: []memory.Session{a}})
	b := memory.Session{ID: a.ID, Agent: "claude", Active: at(20), Ended: at(20), Summary: "last", Outcome: "error"}
	s.write(memory.Batch{Sessions: []memory.Session{b}})
	a.Active, a.Started = at(10), at(2)
	s.write(memory.Batch{Sessions: []memory.Session{a}})
	want := memory.Session{
		ID: a.ID, Project: "p", Root: a.Root, Agent: "claude", Started: at(0), Ended: at(20), Active: at(20), Summary: "last", Outcome: "error",
	}
	if diff := cmp.Diff([]memory.Session{want}, s.sessions(of("p"))); diff != "" {
		s.Error(diff)
	}
	if got := s.sessions(memory.Filter{}); len(got) != 0 {
		s.Errorf("no project has %+v", got)
	}
}

// testProject: a session whose project becomes known takes its rows there.
func testProject(s *suite) {
	s.write(memory.Batch{Messages: []memory.Message{say("1", "user", "wombat", 3)}})
	if got := s.find(of("p"), "wombat"); len(got.Hits) != 0 {
		s.Errorf("found %q", s.hits(got))
	}
	s.write(memory.Batch{Sessions: []memory.Session{session("p", "1")}})
	if got := s.find(of("p"), "wombat"); len(got.Hits) != 1 || got.Hits[0].Project != "p" || got.Documents != 1 {
		s.Errorf("found %+v", got)
	}
	if got := s.find(of(""), "wombat"); len(got.Hits) != 0 || got.Documents != 0 {
		s.Errorf("the project without a name has %+v", got)
	}
}
