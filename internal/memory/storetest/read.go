package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/memory"
)

// shop fills a store with three sessions of two projects.
func (s *suite) shop() {
	s.Helper()
	other := session("q", "3")
	other.Agent, other.ID = "codex", "codex/3"
	open := session("p", "2")
	open.Active = at(40)
	done := session("p", "1")
	done.Ended, done.Active, done.Outcome = at(30), at(30), "success"
	foreign := say("3", "user", "the walrus does not deploy", 20)
	foreign.Session = "codex/3"
	s.write(memory.Batch{
		Sessions: []memory.Session{done, open, other},
		Messages: []memory.Message{
			say("1", "user", "the walrus does not deploy", 1), say("1", "assistant", "the walrus needs a migration first", 4),
			say("2", "user", "another walrus for the second session", 10), foreign,
		},
		ToolCalls: []memory.ToolCall{
			run("1", "walrus deploy", "walrus: connection refused", "error", 2), run("1", "walrus migrate", "walrus migrated", "success", 3),
		},
	})
}

// testEntries: messages and calls come in the order of their time, and by what the filter says.
func testEntries(s *suite) {
	s.shop()
	for _, tt := range []struct {
		name string
		f    func(*memory.Filter)
		want []string
	}{
		{"all of p", func(*memory.Filter) {}, []string{"the walrus does not deploy", "walrus deploy", "walrus migrate", "the walrus needs a migration first", "another walrus for the second session"}},
		{"no project", func(f *memory.Filter) { f.Projects = nil }, nil},
		{"a project that is not there", func(f *memory.Filter) { f.Projects = []string{"' OR 1=1 --"} }, nil},
		{"both", func(f *memory.Filter) { f.Projects = []string{"p", "q"}; f.Role = "user" }, []string{"the walrus does not deploy", "another walrus for the second session", "the walrus does not deploy"}},
		{"all", func(f *memory.Filter) { f.Projects, f.AllProjects, f.Agent = nil, true, "codex" }, []string{"the walrus does not deploy"}},
		{"session", func(f *memory.Filter) { f.Session = "claude/2" }, []string{"another walrus for the second session"}},
		{"not session", func(f *memory.Filter) { f.NotSession = "claude/1" }, []string{"another walrus for the second session"}},
		{"open", func(f *memory.Filter) { f.OpenSince = at(35); f.Role = "user" }, []string{"the walrus does not deploy"}},
		{"open long ago", func(f *memory.Filter) { f.OpenSince = at(40); f.Session = "claude/2" }, []string{"another walrus for the second session"}},
		{"role", func(f *memory.Filter) { f.Role = "assistant" }, []string{"the walrus needs a migration first"}},
		{"tools", func(f *memory.Filter) { f.Role = "tool" }, []string{"walrus deploy", "walrus migrate"}},
		{"tool", func(f *memory.Filter) { f.Tool = "bash" }, []string{"walrus deploy", "walrus migrate"}},
		{"another tool", func(f *memory.Filter) { f.Tool = "read_file" }, nil},
		{"status", func(f *memory.Filter) { f.Status = "error" }, []string{"walrus deploy"}},
		{"since and until", func(f *memory.Filter) { f.Since, f.Until = at(2), at(4) }, []string{"walrus deploy", "walrus migrate"}},
	} {
		f := of("p")
		tt.f(&f)
		if diff := cmp.Diff(tt.want, texts(s.entries(f))); diff != "" {
			s.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// answers: who asks for the assistant's gets those of Gemini CLI's records, too.
func (s *suite) answers() {
	s.Helper()
	answer := say("1", "gemini", "a walrus in the words of Gemini's record", 5)
	s.write(memory.Batch{Messages: []memory.Message{answer}})
	f := of("p")
	f.Role = "assistant"
	want := []string{answer.Text, "the walrus needs a migration first"}
	if diff := cmp.Diff(want, s.sorted(s.find(f, "walrus"))); diff != "" {
		s.Errorf("answers, whatever their agent calls them: %s", diff)
	}
	if got := texts(s.entries(f)); len(got) != 2 {
		s.Errorf("answers, whatever their agent calls them: %q", got)
	}
}

// testFilters: the same filters for what is found.
func testFilters(s *suite) {
	s.shop()
	all := []string{"another walrus for the second session", "the walrus does not deploy", "the walrus needs a migration first", "walrus deploy", "walrus migrate"}
	for _, tt := range []struct {
		name string
		f    func(*memory.Filter)
		want []string
	}{
		{"all of p", func(*memory.Filter) {}, all},
		{"no project", func(f *memory.Filter) { f.Projects = nil }, nil},
		{"another", func(f *memory.Filter) { f.Projects = []string{"q"} }, []string{"the walrus does not deploy"}},
		{"agent", func(f *memory.Filter) { f.Projects, f.AllProjects, f.Agent = nil, true, "codex" }, []string{"the walrus does not deploy"}},
		{"session", func(f *memory.Filter) { f.Session = "claude/2" }, all[:1]},
		{"session of another project", func(f *memory.Filter) { f.Session = "codex/3" }, nil},
		{"not session", func(f *memory.Filter) { f.NotSession = "claude/1" }, all[:1]},
		{"open", func(f *memory.Filter) { f.OpenSince = at(35) }, all[1:]},
		{"role", func(f *memory.Filter) { f.Role = "assistant" }, []string{"the walrus needs a migration first"}},
		{"tool", func(f *memory.Filter) { f.Tool = "bash" }, []string{"walrus deploy", "walrus migrate"}},
		{"status", func(f *memory.Filter) { f.Status = "success" }, []string{"walrus migrate"}},
		{"since", func(f *memory.Filter) { f.Since = at(4) }, []string{"another walrus for the second session", "the walrus needs a migration first"}},
		{"until", func(f *memory.Filter) { f.Until = at(2) }, []string{"the walrus does not deploy"}},
		{"a tag that nothing has", func(f *memory.Filter) { f.Tag = "no-such-tag" }, nil},
	} {
		f := of("p")
		tt.f(&f)
		if diff := cmp.Diff(tt.want, s.sorted(s.find(f, "walrus"))); diff != "" {
			s.Errorf("%s: %s", tt.name, diff)
		}
	}
	// The tags are those of package chunk; each selects what has it.
	found := s.find(of("p"), "walrus")
	for _, h := range found.Hits {
		for _, tag := range h.Tags {
			f := of("p")
			f.Tag = tag
			if ids := chunkIDs(s.find(f, "walrus")); !slices.Contains(ids, h.ID) {
				s.Errorf("tag %s does not select chunk %d", tag, h.ID)
			}
			if got := s.entries(f); len(got) == 0 {
				s.Errorf("tag %s selects no entry", tag)
			}
		}
	}
	s.answers()
}

func chunkIDs(found memory.Found) (out []int64) {
	for _, h := range found.Hits {
		out = append(out, h.ID)
	}
	return out
}

// testPages: a list that is read in pages of any size is the same.
func testPages(s *suite) {
	var b memory.Batch
	for i := range 7 {
		b.Sessions = append(b.Sessions, session("p", fmt.Sprint(i)))
		for j := range 4 { // many of the same time
			b.Messages = append(b.Messages, say(fmt.Sprint(i), "user", fmt.Sprintf("message %d %d", i, j), j/2))
		}
	}
	s.write(b)
	whole := texts(s.entries(of("p")))
	if len(whole) != 28 {
		s.Fatalf("entries: %q", whole)
	}
	for _, size := range []int{1, 3, 27, 28, 100} {
		got := inPages(s, size, func(p memory.Page) ([]memory.Entry, memory.Page, error) {
			return s.s.Entries(s.ctx(), of("p"), p, size)
		})
		if diff := cmp.Diff(whole, texts(got)); diff != "" {
			s.Errorf("pages of %d: %s", size, diff)
		}
		ids := map[string]bool{}
		for _, x := range inPages(s, size, func(p memory.Page) ([]memory.Session, memory.Page, error) {
			return s.s.Sessions(s.ctx(), of("p"), p, size)
		}) {
			ids[x.ID] = true
		}
		if len(ids) != 7 {
			s.Errorf("pages of %d: %d sessions", size, len(ids))
		}
	}
	if _, _, err := s.s.Entries(s.ctx(), of("p"), "' OR 1", 5); err == nil {
		s.Error("a page that nobody made is read")
	}
	if _, _, err := s.s.Sessions(s.ctx(), of("p"), "x", 5); err == nil {
		s.Error("a page of sessions that nobody made is read")
	}
}

// inPages reads a list to its end.
func inPages[T any](s *suite, size int, read func(memory.Page) ([]T, memory.Page, error)) (out []T) {
	s.Helper()
	for p := memory.Page(""); ; {
		some, next, err := read(p)
		if err != nil || len(some) > size {
			s.Fatalf("pages of %d: %d rows, %v", size, len(some), err)
		}
		out = append(out, some...)
		if p = next; p == "" {
			return out
		}
	}
}

// testGet: rows are read by their ids, those of the projects alone.
func testGet(s *suite) {
	s.shop()
	var ids []string
	for _, e := range s.entries(all()) {
		ids = append(ids, id(e))
	}
	slices.Reverse(ids)
	ids = append(ids, "m-none", "t-none", "", "'; --")
	got, err := s.s.Get(s.ctx(), all(), ids)
	if err != nil {
		s.Fatal(err)
	}
	if len(got) != 6 || id(got[0]) != ids[0] || id(got[5]) != ids[5] {
		s.Errorf("got %q", texts(got))
	}
	if got, err := s.s.Get(s.ctx(), of("q"), ids); err != nil || len(got) != 1 || got[0].Agent != "codex" {
		s.Errorf("of q: %q, %v", texts(got), err)
	}
	if got, err := s.s.Get(s.ctx(), memory.Filter{}, ids); err != nil || len(got) != 0 {
		s.Errorf("of no project: %q, %v", texts(got), err)
	}
}

func id(e memory.Entry) string {
	if e.Message != nil {
		return e.Message.ID
	}
	return e.Call.ID
}

// testFind: the chunks with the rarest terms come first, with what rank needs of them.
func testFind(s *suite) {
	done := session("p", "1")
	done.Ended, done.Active, done.Outcome = at(30), at(30), "error"
	b := memory.Batch{Sessions: []memory.Session{done}}
	for i := range 30 {
		b.Messages = append(b.Messages, say("1", "user", fmt.Sprintf("common filler number%d", i), i))
	}
	b.Messages[7].Text += " walrus"
	b.Messages[9].Text += " walrus walrus"
	b.Messages[11].Text += " okapi"
	s.write(b)
	found := s.find(of("p"), "walrus", "okapi", "common", "absent")
	if found.Documents < 30 || found.Frequency[term("walrus")] != 2 || found.Frequency[term("okapi")] != 1 || found.Frequency[term("absent")] != 0 || found.Frequency[term("common")] < 25 {
		s.Errorf("%d documents, frequencies %v", found.Documents, found.Frequency)
	}
	if got := s.hits(found); len(got) < 3 || !strings.Contains(got[0], "okapi") || !strings.Contains(got[1]+got[2], "walrus") {
		s.Errorf("found %q", got)
	}
	h := found.Hits[0]
	if h.ID == 0 || h.Session != "claude/1" || h.Project != "p" || h.Agent != "claude" || h.Role != "user" || h.Outcome != "error" ||
		!h.Ended.Equal(at(30)) || !h.Time.Equal(at(11)) || !slices.Contains(h.Terms, term("okapi")) {
		s.Errorf("the hit is %+v", h)
	}
	some, err := s.s.Find(s.ctx(), memory.Query{Filter: of("p"), Terms: []string{term("common")}, Limit: 5})
	if err != nil || len(some.Hits) != 5 {
		s.Errorf("%d hits of 5, %v", len(some.Hits), err)
	}
	if got := s.find(of("p")); len(got.Hits) != 0 {
		s.Errorf("nothing asked: %q", s.hits(got))
	}
	if _, err := s.s.Find(s.ctx(), memory.Query{Filter: of("p"), Terms: []string{"a"}, Vector: []float32{1}, Model: "m", Limit: 1}); err == nil {
		s.Error("terms and a vector at once are no error")
	}
}

// testNeighbours: a hit brings the terms of what was before and after it in its session, in whatever order they were written.
func testNeighbours(s *suite) {
	words := []string{"walrus", "tapir", "wombat", "lemur", "dingo"}
	s.write(memory.Batch{Sessions: []memory.Session{session("p", "1"), session("p", "2")}})
	for _, i := range []int{3, 0, 4, 2, 1} {
		s.write(memory.Batch{Messages: []memory.Message{say("1", "user", words[i]+" okapi sentence", i), say("2", "user", "noise "+words[i], i)}})
	}
	check := func(word, before, after string) {
		s.Helper()
		f := of("p")
		f.Session = "claude/1"
		hits := s.find(f, word).Hits
		if len(hits) != 1 {
			s.Fatalf("%s: %d hits", word, len(hits))
		}
		h := hits[0]
		if before == "" && len(h.Before) != 0 || before != "" && !slices.Contains(h.Before, term(before)) {
			s.Errorf("before %s: %q", word, h.Before)
		}
		if after == "" && len(h.After) != 0 || after != "" && !slices.Contains(h.After, term(after)) {
			s.Errorf("after %s: %q", word, h.After)
		}
	}
	for i, w := range words {
		before, after := "", ""
		if i > 0 {
			before = words[i-1]
		}
		if i < len(words)-1 {
			after = words[i+1]
		}
		check(w, before, after)
	}
}

// testContext: nothing is done for a context that has ended.
func testContext(s *suite) {
	s.shop()
	ctx, cancel := contextEnded()
	defer cancel()
	began := time.Now()
	_, find := s.s.Find(ctx, memory.Query{Filter: of("p"), Terms: []string{term("walrus")}, Limit: 5})
	_, write := s.s.Write(ctx, memory.Batch{Messages: []memory.Message{say("1", "user", "never", 50)}})
	_, forget := s.s.Forget(ctx, memory.Selection{Filter: of("p")})
	_, _, list := s.s.Entries(ctx, of("p"), "", 5)
	for i, err := range []error{find, write, forget, list} {
		if err == nil {
			s.Errorf("%d: no error", i)
		}
	}
	if took := time.Since(began); took > time.Minute {
		s.Errorf("took %v", took)
	}
	if got := s.entries(of("p")); len(got) != 5 {
		s.Errorf("entries %q", texts(got))
	}
}
