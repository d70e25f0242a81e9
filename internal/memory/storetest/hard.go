package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/boathook/boathook/internal/memory"
)

func contextEnded() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx, cancel
}

// testIsolation: whatever is asked, only rows of the projects come that were named.
func testIsolation(s *suite) {
	projects := []string{"p", "q", "r", "p ", "P", "p' OR '1'='1", "1", "%", "p\u202e"}
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string { return fmt.Sprintf("word%d", r.IntN(40)) }
	sentence := func() string { return strings.Join([]string{word(), word(), word(), word()}, " ") }
	for i, p := range projects {
		id := fmt.Sprint("s", i)
		b := memory.Batch{Sessions: []memory.Session{session(p, id)}}
		for j := range 40 {
			b.Messages = append(b.Messages, say(id, "user", sentence(), j))
			b.ToolCalls = append(b.ToolCalls, run(id, sentence(), sentence(), "success", j))
		}
		s.write(b)
	}
	s.askAtRandom(r, projects, word)
}

// askAtRandom asks in some of the projects, each of which has a session of its number.
func (s *suite) askAtRandom(r *rand.Rand, projects []string, word func() string) {
	s.Helper()
	n := 400
	if s.o.Slow || raced {
		n = 60
	}
	hits := 0
	for range n {
		f := memory.Filter{}
		for range r.IntN(3) {
			f.Projects = append(f.Projects, projects[r.IntN(len(projects))])
		}
		if r.IntN(4) == 0 {
			f.Session = fmt.Sprint("claude/s", r.IntN(len(projects)))
		}
		named := map[string]bool{}
		for _, p := range f.Projects {
			named[p] = true
		}
		found := s.findTerms(f, term(word()), term(word()), strings.ToUpper(word()), "' OR 1 --")
		hits += len(found.Hits)
		for _, h := range found.Hits {
			if !named[h.Project] {
				s.Fatalf("%+v finds a row of %q", f, h.Project)
			}
		}
		some, _, err := s.s.Entries(s.ctx(), f, "", 20)
		if err != nil {
			s.Fatal(err)
		}
		for _, e := range some {
			if !named[e.Project] {
				s.Fatalf("%+v lists a row of %q", f, e.Project)
			}
		}
	}
	if hits == 0 {
		s.Error("nothing was found at all")
	}
}

// testHostile: any text is kept as far as a database can, and breaks nothing.
func testHostile(s *suite) {
	s.write(memory.Batch{Sessions: []memory.Session{session("p'\"; --", "1")}})
	f := of("p'\"; --")
	line := strings.Repeat("x", 1<<20)
	for i, text := range []string{
		"nul \x00 byte zebra", "invalid \xff\xfe utf-8 zebra", "lone \xed\xa0\x80 surrogate zebra", "bidi \u202e override zebra", "zebra '); DROP TABLE ltm_chunks; --",
		`zebra "quoted" \ back\slash`, "zebra \x1f separators \x1e", line + " zebra", "zebra 한국어 문장 😀", "\x1b[31mzebra", "zebra " + strings.Repeat("a\n", 5000),
	} {
		quoted, _ := json.Marshal(map[string]string{"command\x00": text, "n": "\u0000"})
		c := run("1", text, text, "success", i)
		c.Args, c.Result, c.Error, c.Paths = quoted, quoted, text, []string{text}
		m := say("1", "user", text, i)
		m.Content = quoted
		b := memory.Batch{Messages: []memory.Message{m}, ToolCalls: []memory.ToolCall{c}}
		if got := s.write(b); got != (memory.Written{New: 2}) {
			s.Errorf("%.40q: wrote %+v", text, got)
		}
		if got := s.write(b); got != (memory.Written{Known: 2}) {
			s.Errorf("%.40q again: wrote %+v", text, got)
		}
	}
	got := s.entries(f)
	if len(got) != 22 {
		s.Errorf("%d entries", len(got))
	}
	for _, t := range texts(got) {
		if !utf8.ValidString(t) || strings.Contains(t, "\x00") || !strings.Contains(t, "zebra") {
			s.Errorf("entry %.60q", t)
		}
	}
	if found := s.findTerms(f, term("zebra"), "\x00", "\xff", "'", `"`, "* OR", "zebra NEAR", ""); len(found.Hits) == 0 {
		s.Error("nothing found")
	}
	for _, text := range []string{"' OR 1", "%", "_", `\`, "\x00", "\xff", `"`, "DROP TABLE"} {
		if _, err := s.s.Occurs(s.ctx(), text); err != nil {
			s.Errorf("occurs %q: %v", text, err)
		}
	}
}

// testPoison: a batch with a row that no store takes is refused as a whole.
func testPoison(s *suite) {
	s.write(memory.Batch{Sessions: []memory.Session{session("p", "1")}})
	good := say("1", "user", "a good one", 1)
	for name, bad := range map[string]memory.Batch{
		"no session":      {Messages: []memory.Message{{Role: "user", Text: "x", Source: memory.FromHook, Origin: "o"}}},
		"no role":         {Messages: []memory.Message{{Session: "claude/1", Text: "x", Source: memory.FromHook, Origin: "o"}}},
		"no source":       {Messages: []memory.Message{{Session: "claude/1", Role: "user", Text: "x", Origin: "o"}}},
		"content":         {Messages: []memory.Message{{Session: "claude/1", Role: "user", Content: json.RawMessage("{"), Source: memory.FromHook, Origin: "o"}}},
		"no tool":         {ToolCalls: []memory.ToolCall{{Session: "claude/1", Source: memory.FromHook, Origin: "o"}}},
		"arguments":       {ToolCalls: []memory.ToolCall{{Session: "claude/1", Tool: "bash", Args: json.RawMessage(`{"a":1} x`), Source: memory.FromHook, Origin: "o"}}},
		"session no id":   {Sessions: []memory.Session{{Project: "p", Agent: "claude"}}},
		"cover of nobody": {Covers: []memory.Cover{{Until: at(1)}}},
	} {
		bad.Messages = append([]memory.Message{good}, bad.Messages...)
		if _, err := s.s.Write(s.ctx(), bad); !errors.Is(err, memory.ErrPoison) {
			s.Errorf("%s: %v", name, err)
		}
		if got := s.entries(all()); len(got) != 0 {
			s.Fatalf("%s: %q", name, texts(got))
		}
	}
	s.write(memory.Batch{Messages: []memory.Message{good}})
	if got := s.entries(all()); len(got) != 1 {
		s.Errorf("entries %q", texts(got))
	}
}

// testConcurrent: many write, many read, and nothing is lost, doubled or half there.
func testConcurrent(s *suite) {
	writers, batches := 6, 20
	if s.o.Slow {
		writers, batches = 3, 6
	}
	s.write(memory.Batch{Sessions: []memory.Session{session("p", "shared")}})
	var writing, reading sync.WaitGroup
	stop := make(chan struct{})
	for w := range writers {
		writing.Go(func() {
			id := fmt.Sprint("w", w)
			for i := range batches {
				b := memory.Batch{Sessions: []memory.Session{session("p", id)}}
				b.Messages = append(b.Messages, say(id, "user", fmt.Sprintf("walrus %d of %d", i, w), i), say(id, "assistant", fmt.Sprintf("answer %d of %d", i, w), i),
					say("shared", "user", fmt.Sprintf("shared %d", i), i)) // by all of them
				if _, err := s.s.Write(s.ctx(), b); err != nil {
					s.Errorf("write: %v", err)
				}
			}
		})
	}
	for range 3 {
		reading.Go(func() { s.readUntil(stop) })
	}
	writing.Wait()
	close(stop)
	reading.Wait()
	if got := s.entries(of("p")); len(got) != 2*writers*batches+batches {
		s.Errorf("%d entries", len(got))
	}
	if got := s.find(of("p"), "walrus"); len(s.hits(got)) != min(writers*batches, 200) {
		s.Errorf("%d hits", len(got.Hits))
	}
}

// readUntil finds and lists until it is told to stop.
func (s *suite) readUntil(stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		if _, err := s.s.Find(s.ctx(), memory.Query{Filter: of("p"), Terms: []string{term("walrus")}, Limit: 50}); err != nil {
			s.Errorf("find: %v", err)
		}
		some, _, err := s.s.Entries(s.ctx(), memory.Filter{Projects: []string{"p"}, Session: "claude/w0"}, "", 1000)
		if err != nil || len(some)%2 != 0 {
			s.Errorf("%d entries, %v", len(some), err)
		}
	}
}
