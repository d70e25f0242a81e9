package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/eval"
)

// corpusSum is that of the corpus which figures were published of.
const corpusSum = 0x2a991bb96af0aa1f

func written(t *testing.T, turns []eval.Turn, questions []eval.Question) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	for _, one := range turns {
		if err := e.Encode(one); err != nil {
			t.Fatal(err)
		}
	}
	for _, one := range questions {
		if err := e.Encode(one); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// TestCorpus: it is what it was said to be, and it is the same each time.
func TestCorpus(t *testing.T) {
	turns, questions := eval.Generate(eval.Seed)
	text := written(t, turns, questions)
	if again, questions := eval.Generate(eval.Seed); written(t, again, questions) != text {
		t.Error("the same seed gives two corpora")
	}
	if other, questions := eval.Generate(1); written(t, other, questions) == text {
		t.Error("another seed gives the same corpus")
	}
	h := fnv.New64a()
	if _, err := h.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if h.Sum64() != corpusSum {
		t.Errorf("the corpus has changed: its sum is now %#x; docs/memory.md has figures of another", h.Sum64())
	}
	sessions, projects, kinds := map[string]bool{}, map[string]bool{}, map[string]int{}
	ids := map[string]string{}
	for _, one := range turns {
		sessions[one.Session], projects[one.Project] = true, true
		if ids[one.ID] != "" {
			t.Errorf("two turns are %s", one.ID)
		}
		ids[one.ID] = one.Project
		if strings.Contains(one.Text, "{svc}") || strings.Contains(one.Text, "[[") || one.Text == "" {
			t.Errorf("%s says %q", one.ID, one.Text)
		}
	}
	korean := 0
	for _, q := range questions {
		kinds[q.Kind]++
		for _, id := range q.Gold {
			if ids[id] != q.Project {
				t.Errorf("%q: the turn %s is of project %q", q.Question, id, ids[id])
			}
		}
		if strings.ContainsFunc(q.Question, func(r rune) bool { return r >= '가' && r <= '힣' }) {
			korean++
		}
	}
	if len(sessions) < 60 || len(projects) < 6 || len(questions) < 300 || korean < 100 {
		t.Errorf("%d sessions, %d projects, %d questions, %d of them Korean", len(sessions), len(projects), len(questions), korean)
	}
	for _, kind := range []string{"error", "paraphrase", "identifier", "korean", "mixed", "english", "typo"} {
		if kinds[kind] < 10 {
			t.Errorf("%d questions of the kind %s", kinds[kind], kind)
		}
	}
}

// TestWrittenForm: a corpus that is written and read again is the same.
func TestWrittenForm(t *testing.T) {
	turns, questions := eval.Generate(3)
	both := written(t, turns, questions)
	cut := strings.Index(both, `{"question"`)
	t2, err := eval.ReadTurns(strings.NewReader(both[:cut]), "turns.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	q2, err := eval.ReadQuestions(strings.NewReader(both[cut:]), "q.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if written(t, t2, q2) != both {
		t.Error("what was read is not what was written")
	}
}

func TestReadErrors(t *testing.T) {
	const turn = `{"session":"s","project":"p","id":"1","role":"user","text":"x"}` + "\n"
	for _, c := range []struct{ name, text, want string }{
		{"no JSON", turn + "\n" + "{", "read t.jsonl:3: "},
		{"no session", `{"project":"p","id":"1"}`, "read t.jsonl:1: session is missing"},
		{"no project", `{"session":"p","id":"1"}`, "read t.jsonl:1: project is missing"},
		{"no id", `{"session":"p","project":"1"}`, "read t.jsonl:1: id is missing"},
		{"the same id", turn + turn, `read t.jsonl:2: the id "1" is that of line 1`},
		{"no time", strings.Replace(turn, `"role"`, `"ts":"yesterday","role"`, 1), "read t.jsonl:1: "},
		{"nothing", "\n\n", "read t.jsonl: it has no lines"},
		{"a long line", strings.Repeat("x", 17<<20), "read t.jsonl:1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := eval.ReadTurns(strings.NewReader(c.text), "t.jsonl")
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%.200v, want %s", err, c.want)
			}
		})
	}
	for _, c := range []struct{ name, text, want string }{
		{"no question", `{"project":"p","gold":["1"]}`, "read q.jsonl:1: question is missing"},
		{"no project", `{"question":"p","gold":["1"]}`, "read q.jsonl:1: project is missing"},
		{"no gold", `{"question":"p","project":"p"}`, "read q.jsonl:1: gold is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := eval.ReadQuestions(strings.NewReader(c.text), "q.jsonl")
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"session":"s","project":"p","id":"1","role":"user","ts":"2026-01-02T03:04:05Z","text":"x"}`)
	f.Add("\ufeff{\"question\":\"q\",\"project\":\"p\",\"gold\":[\"1\"]}\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		turns, err := eval.ReadTurns(strings.NewReader(text), "t")
		if err == nil && len(turns) == 0 {
			t.Error("neither turns nor an error")
		}
		for _, one := range turns {
			if one.ID == "" || one.Session == "" || one.Project == "" {
				t.Errorf("%+v", one)
			}
		}
		if questions, err := eval.ReadQuestions(strings.NewReader(text), "q"); err == nil && len(questions) == 0 {
			t.Error("neither questions nor an error")
		}
	})
}

// TestScores are those of answers whose order is known: "one" is the only word, and what has it more often comes first.
func TestScores(t *testing.T) {
	turns := []eval.Turn{
		{Session: "a", Project: "p", ID: "best", Text: "one one one one"},
		{Session: "a", Project: "p", ID: "far", Text: "nothing of it"},
		{Session: "b", Project: "p", ID: "second", Text: "one among several other words here"},
		{Session: "c", Project: "p", ID: "none", Text: "something else"},
		{Session: "d", Project: "q", ID: "foreign", Text: "one one one one one"},
	}
	store := newSQLite(t)
	l, err := eval.Load(t.Context(), store, turns, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := func(q ...eval.Question) eval.Report {
		t.Helper()
		r, err := l.Run(t.Context(), store, q, eval.Options{Clock: ticks()})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := run(eval.Question{Question: "one", Project: "p", Gold: []string{"best"}}); r.All.MRR != 1 || r.All.Turn.At1 != 1 || r.All.Session.At1 != 1 {
		t.Errorf("the best: %+v", r.All)
	}
	r := run(eval.Question{Question: "one", Project: "p", Gold: []string{"second"}, Kind: "k"},
		eval.Question{Question: "one", Project: "p", Gold: []string{"none"}}, eval.Question{Question: "the", Project: "p", Gold: []string{"best"}},
		eval.Question{Question: "하나 one", Project: "p", Gold: []string{"best", "none"}})
	if k := r.Kinds["k"]; k.Questions != 1 || k.MRR >= 1 || k.MRR <= 0 || k.Turn.At1 != 0 || k.Turn.At5 != 1 || k.Session.At1 != 0 || k.Session.At5 != 1 {
		t.Errorf("the second: %+v", k)
	}
	if r.All.Questions != 4 || r.All.Turn.At20 != 0.375 || r.Korean.Questions != 1 || r.Korean.Turn.At1 != 0.5 || r.Korean.MRR != 1 {
		t.Errorf("all %+v, Korean %+v", r.All, r.Korean)
	}
	if r.Latency != (eval.Latency{P50: 1, P95: 1, P99: 1}) {
		t.Errorf("a clock that ticks: %+v", r.Latency)
	}
	for _, q := range []eval.Question{
		{Question: "one", Project: "p", Gold: []string{"unknown"}}, {Question: "one", Project: "p", Gold: []string{"foreign"}},
	} {
		if _, err := l.Run(t.Context(), store, []eval.Question{q}, eval.Options{Clock: ticks()}); err == nil || !strings.HasPrefix(err.Error(), "ask question 1: ") {
			t.Errorf("gold %s: %v", q.Gold, err)
		}
	}
}

// ticks is a clock that goes on by a millisecond each time it is looked at.
func ticks() func() time.Time {
	at := time.Unix(0, 0)
	return func() time.Time {
		at = at.Add(time.Millisecond)
		return at
	}
}

// TestLoad: turns without times keep their order, a session has one project, and errors of the store come back.
func TestLoad(t *testing.T) {
	var turns []eval.Turn
	for n := range 250 {
		turns = append(turns, eval.Turn{Session: "s", Project: "p", ID: string(rune('a'+n/26)) + string(rune('a'+n%26)), Text: strings.Repeat("x", n+1)})
	}
	store := newSQLite(t)
	told := 0
	l, err := eval.Load(t.Context(), store, turns, func(done, of int) {
		if done <= told || of != len(turns) {
			t.Errorf("%d after %d of %d", done, told, of)
		}
		told = done
	})
	if err != nil || l.Turns != 250 || l.Sessions != 1 || told != 250 {
		t.Fatalf("%+v, %v, %d", l, err, told)
	}
	entries, _, err := store.Entries(t.Context(), memory.Filter{Projects: []string{"p"}}, "", 1000)
	if err != nil || len(entries) != 250 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	if !slices.IsSortedFunc(entries, func(a, b memory.Entry) int { return len(a.Message.Text) - len(b.Message.Text) }) {
		t.Error("their order is another")
	}
	if _, err := eval.Load(t.Context(), store, []eval.Turn{{Session: "s", Project: "p", ID: "1"}, {Session: "s", Project: "q", ID: "2"}}, nil); err == nil {
		t.Error("a session of two projects")
	}
	if _, err := eval.Load(t.Context(), failing{}, turns, nil); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("%v", err)
	}
}

type failing struct{ memory.Store }

func (failing) Write(context.Context, memory.Batch) (memory.Written, error) {
	return memory.Written{}, memory.ErrUnavailable
}

// leaky gives what another project has.
type leaky struct{ memory.Store }

func (l leaky) Find(ctx context.Context, q memory.Query) (memory.Found, error) {
	q.Projects = []string{"p", "q"}
	return l.Store.Find(ctx, q)
}

// TestLeaksAreSeen: a store that doesn't keep projects apart doesn't pass.
func TestLeaksAreSeen(t *testing.T) {
	store := newModel()
	l, err := eval.Load(t.Context(), store, []eval.Turn{
		{Session: "a", Project: "p", ID: "1", Text: "alpha beta gamma"}, {Session: "b", Project: "q", ID: "2", Text: "alpha beta gamma"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if leaks, err := l.Leaks(t.Context(), store, 100, 1); err != nil || len(leaks) > 0 {
		t.Errorf("%q, %v", leaks, err)
	}
	if leaks, err := l.Leaks(t.Context(), leaky{store}, 100, 1); err != nil || len(leaks) != 10 {
		t.Errorf("%q, %v", leaks, err)
	}
}

// TestApart: a corpus stands beside other things, is measured there, and goes without them.
func TestApart(t *testing.T) {
	store := newSQLite(t)
	mine := []eval.Turn{{Session: "a", Project: "p", ID: "1", Text: "a pump that leaks"}, {Session: "a", Project: "p", ID: "2", Text: "ok"}}
	if _, err := eval.Load(t.Context(), store, mine, nil); err != nil {
		t.Fatal(err)
	}
	turns, questions := eval.Apart(mine, []eval.Question{{Question: "which pump?", Project: "p", Gold: []string{"1"}}}, "x/")
	if mine[0].Project != "p" || turns[0].Project != "x/p" || questions[0].Project != "x/p" {
		t.Fatalf("%+v %+v %+v", mine[0], turns[0], questions[0])
	}
	l, err := eval.Load(t.Context(), store, turns, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := l.Run(t.Context(), store, questions, eval.Options{Clock: ticks()})
	if err != nil || r.All.MRR != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := l.Remove(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	for project, want := range map[string]int{"p": 2, "x/p": 0} {
		entries, _, err := store.Entries(t.Context(), memory.Filter{Projects: []string{project}}, "", 10)
		if err != nil || len(entries) != want {
			t.Errorf("%s has %d entries, %v", project, len(entries), err)
		}
	}
}
