package storetest

import (
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/memory"
)

func (s *suite) forget(sel memory.Selection) memory.Removed {
	s.Helper()
	done, err := s.s.Forget(s.ctx(), sel)
	if err != nil {
		s.Fatalf("forget: %v", err)
	}
	if done.Pending != "" && !s.o.Pending {
		s.Errorf("still to be done: %s", done.Pending)
	}
	return done
}

// testForget: a session, then a project goes, and nothing of it is left.
func testForget(s *suite) {
	s.shop()
	s.embedAll("m", 4)
	done := s.forget(memory.Selection{Filter: memory.Filter{Projects: []string{"p"}, Session: "claude/1"}})
	if done.Sessions != 1 || done.Messages != 2 || done.ToolCalls != 2 || done.Chunks < 4 {
		s.Errorf("removed %+v", done)
	}
	slices.Sort(done.Origins)
	if diff := cmp.Diff([]string{"hook 1 assistant 4", "hook 1 call 2", "hook 1 call 3", "hook 1 user 1"}, done.Origins); diff != "" {
		s.Error(diff)
	}
	if n := s.occurs("migration first"); n != 0 {
		s.Errorf("the text stands in %d places", n)
	}
	if n := s.occurs("migrated"); n != 0 {
		s.Errorf("the word stands in %d places", n)
	}
	if got := s.sorted(s.find(all(), "walrus")); !slices.Equal(got, []string{"another walrus for the second session", "the walrus does not deploy"}) {
		s.Errorf("found %q", got)
	}
	if done := s.forget(memory.Selection{}); done.Sessions+done.Messages+done.ToolCalls+done.Chunks != 0 {
		s.Errorf("no project: removed %+v", done)
	}
	if done := s.forget(memory.Selection{Filter: of("p")}); done.Sessions != 1 || done.Messages != 1 {
		s.Errorf("project: removed %+v", done)
	}
	if got := s.entries(all()); len(got) != 1 || got[0].Project != "q" {
		s.Errorf("entries %q", texts(got))
	}
	if found := s.find(of("p"), "walrus"); found.Documents != 0 || len(found.Hits) != 0 {
		s.Errorf("p has %+v", found)
	}
	// What is told again is there again.
	s.shop()
	if got := s.entries(all()); len(got) != 6 {
		s.Errorf("entries %q", texts(got))
	}
}

// testForgetDry: a dry run counts what would go, and leaves it.
func testForgetDry(s *suite) {
	s.shop()
	for _, sel := range []memory.Selection{
		{Filter: of("p")}, {Filter: of("p"), Text: "walrus"}, {Filter: memory.Filter{AllProjects: true, Status: "error"}}, {Filter: of("p"), Anonymize: true},
		{Filter: all(), Rows: []string{id(s.entries(all())[0])}},
	} {
		sel.DryRun = true
		dry := s.forget(sel)
		if len(s.entries(all())) != 6 || len(s.find(all(), "walrus").Hits) < 6 || len(s.sessions(all())) != 3 {
			s.Fatalf("%+v: a dry run changed something", sel)
		}
		sel.DryRun = false
		done := s.forget(sel)
		dry.Pending, done.Pending = "", ""
		slices.Sort(dry.Origins)
		slices.Sort(done.Origins)
		if diff := cmp.Diff(dry, done); diff != "" {
			s.Errorf("%+v: %s", sel, diff)
		}
		s.forget(memory.Selection{Filter: all()})
		s.shop()
	}
}

// testForgetText: only rows that contain a text go, wherever in them it stands.
func testForgetText(s *suite) {
	s.shop()
	hidden := run("1", "curl x", "fine", "success", 8)
	hidden.Result = []byte(`{"body":"an \"okapi\" of\nlines"}`)
	s.write(memory.Batch{ToolCalls: []memory.ToolCall{hidden}, Messages: []memory.Message{say("2", "user", "no such animal", 9)}})
	done := s.forget(memory.Selection{Filter: of("p"), Text: "refused"})
	if done.ToolCalls != 1 || done.Messages != 0 || done.Sessions != 0 {
		s.Errorf("refused: removed %+v", done)
	}
	done = s.forget(memory.Selection{Filter: of("p"), Text: "an \"okapi\" of\nlines"})
	if done.ToolCalls != 1 || s.occurs("okapi") != 0 {
		s.Errorf("okapi: removed %+v", done)
	}
	done = s.forget(memory.Selection{Filter: all(), Text: "%"})
	if done.Messages+done.ToolCalls+done.Chunks != 0 {
		s.Errorf("%%: removed %+v", done)
	}
	done = s.forget(memory.Selection{Filter: of("p"), Text: "walrus"})
	if done.Messages != 3 || done.ToolCalls != 1 || done.Sessions != 1 {
		s.Errorf("walrus: removed %+v", done)
	}
	if got := texts(s.entries(of("p"))); !slices.Equal(got, []string{"no such animal"}) {
		s.Errorf("entries %q", got)
	}
}

// testForgetRows: rows go by their ids, those of the filter's projects alone.
func testForgetRows(s *suite) {
	s.shop()
	var ids []string
	for _, e := range s.entries(all()) {
		ids = append(ids, id(e))
	}
	if done := s.forget(memory.Selection{Filter: of("q"), Rows: ids[:1]}); done.Messages+done.Chunks != 0 {
		s.Errorf("of another project: removed %+v", done)
	}
	done := s.forget(memory.Selection{Filter: of("p"), Rows: append(ids[:2:2], "m-none", "'; --")})
	if done.Messages != 1 || done.ToolCalls != 1 || done.Sessions != 0 || done.Chunks < 2 {
		s.Errorf("removed %+v", done)
	}
	if got := s.entries(of("p")); len(got) != 3 {
		s.Errorf("entries %q", texts(got))
	}
	if done := s.forget(memory.Selection{Filter: memory.Filter{}, Rows: ids}); done.Messages+done.ToolCalls != 0 {
		s.Errorf("of no project: removed %+v", done)
	}
}

// testForgetPart: rows of a time go; a summary, which may tell of them, goes with them, and so does a session of which nothing is left.
func testForgetPart(s *suite) {
	s.shop()
	told := session("p", "1")
	told.Summary, told.Active = "about the walrus", at(50)
	s.write(memory.Batch{Sessions: []memory.Session{told}})
	f := of("p")
	f.Since, f.Until = at(3), at(11)
	done := s.forget(memory.Selection{Filter: f})
	if done.Messages != 2 || done.ToolCalls != 1 || done.Sessions != 1 {
		s.Errorf("removed %+v", done)
	}
	got := s.sessions(of("p"))
	if len(got) != 1 || got[0].ID != "claude/1" || got[0].Summary != "" {
		s.Errorf("sessions %+v", got)
	}
	if found := s.find(of("p"), "walrus"); len(s.hits(found)) != 2 || found.Documents != len(found.Hits) {
		s.Errorf("found %+v", found)
	}
}

// testAnonymize: the rows stay, without what tells of people and texts, also where they are told again.
func testAnonymize(s *suite) {
	s.shop()
	before := s.entries(of("p"))
	done := s.forget(memory.Selection{Filter: of("p"), Anonymize: true})
	if done.Messages != 3 || done.ToolCalls != 2 || done.Chunks < 5 {
		s.Errorf("anonymized %+v", done)
	}
	check := func() {
		s.Helper()
		after := s.entries(of("p"))
		if len(after) != len(before) {
			s.Fatalf("%d entries", len(after))
		}
		for i, e := range after {
			if e.Message != nil {
				m := *before[i].Message
				m.Text, m.Content = "", nil
				if diff := cmp.Diff(m, *e.Message, sameJSON()); diff != "" {
					s.Error(diff)
				}
				continue
			}
			c := *before[i].Call
			c.Args, c.Result, c.Command, c.Output, c.Error, c.Paths = nil, nil, "", "", "", nil
			if diff := cmp.Diff(c, *e.Call, sameJSON()); diff != "" {
				s.Error(diff)
			}
		}
		if found := s.find(of("p"), "walrus"); len(found.Hits) != 0 || found.Documents != 0 {
			s.Errorf("found %+v", found)
		}
		for _, x := range s.sessions(of("p")) {
			if x.Root != "" || x.Summary != "" {
				s.Errorf("session %+v", x)
			}
		}
	}
	check()
	if n := s.occurs("migration first") + s.occurs("/root/p"); n != 0 {
		s.Errorf("the texts stand in %d places", n)
	}
	s.shop()
	check()
}

// testRetain: rows that are too old go, a part at a time; chunks have a time of their own.
func testRetain(s *suite) {
	s.shop()
	now := at(3).Add(90 * 24 * time.Hour)
	removed := s.retain(memory.Retention{Raw: 90 * 24 * time.Hour, Summaries: 365 * 24 * time.Hour}, now)
	if removed.Messages != 1 || removed.ToolCalls != 1 || removed.Chunks != 0 || removed.Sessions != 0 || len(removed.Origins) != 2 {
		s.Errorf("removed %+v", removed)
	}
	if got := s.entries(of("p")); len(got) != 3 {
		s.Errorf("entries %q", texts(got))
	}
	if found := s.find(of("p"), "refused"); len(found.Hits) != 1 || found.Hits[0].Call == "" {
		s.Errorf("found %+v", found)
	}
	if removed := s.retain(memory.Retention{}, now.Add(10000*24*time.Hour)); removed.Messages+removed.ToolCalls+removed.Chunks+removed.Sessions != 0 {
		s.Errorf("for good: removed %+v", removed)
	}
	removed = s.retain(memory.Retention{Raw: 90 * 24 * time.Hour, Summaries: 365 * 24 * time.Hour}, at(35).Add(365*24*time.Hour))
	if removed.Messages != 3 || removed.ToolCalls != 1 || removed.Chunks < 6 || removed.Sessions != 2 {
		s.Errorf("removed %+v", removed)
	}
	if n := s.occurs("walrus"); n != 0 {
		s.Errorf("the word stands in %d places", n)
	}
	if got := s.sessions(all()); len(got) != 1 || got[0].ID != "claude/2" {
		s.Errorf("sessions %+v", got)
	}
}

// retain does all that there is to do.
func (s *suite) retain(r memory.Retention, now time.Time) (sum memory.Removed) {
	s.Helper()
	for range 1000 {
		done, more, err := s.s.Retain(s.ctx(), r, now)
		if err != nil {
			s.Fatalf("retain: %v", err)
		}
		sum.Sessions, sum.Messages, sum.ToolCalls, sum.Chunks = sum.Sessions+done.Sessions, sum.Messages+done.Messages, sum.ToolCalls+done.ToolCalls, sum.Chunks+done.Chunks
		sum.Origins = append(sum.Origins, done.Origins...)
		if !more {
			return sum
		}
	}
	s.Fatal("retention has no end")
	return sum
}

// testRetainProject: a project may have other times.
func testRetainProject(s *suite) {
	s.shop()
	r := memory.Retention{Raw: time.Hour, Summaries: 2 * time.Hour, Of: map[string]memory.Retention{"p": {Raw: 1000 * time.Hour}, "none": {Raw: time.Nanosecond}}}
	removed := s.retain(r, at(60*24))
	if removed.Messages != 1 || removed.ToolCalls != 0 || removed.Sessions != 1 {
		s.Errorf("removed %+v", removed)
	}
	if got := s.entries(all()); len(got) != 5 || got[0].Project != "p" {
		s.Errorf("entries %q", texts(got))
	}
}
