package eval_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/eval"
	"github.com/boathook/boathook/internal/memory/rank"
	"github.com/boathook/boathook/internal/memory/sqlite"
	"github.com/boathook/boathook/internal/memory/terms"
)

func newSQLite(t *testing.T) memory.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestGateSQLite: what is kept is found again, well enough, and by its own project alone; as well as by a store that reads everything.
func TestGateSQLite(t *testing.T) {
	r := eval.Gate(t, newSQLite(t), leakQueries, time.Now)
	eval.Compare(t, r, eval.Gate(t, newModel(), 0, time.Now))
}

// TestHalves: either half of the questions is answered well enough by itself.
func TestHalves(t *testing.T) {
	turns, questions := eval.Generate(eval.Seed)
	store := newModel()
	l, err := eval.Load(t.Context(), store, turns, nil)
	if err != nil {
		t.Fatal(err)
	}
	var halves [2][]eval.Question
	for n, q := range questions {
		halves[n%2] = append(halves[n%2], q)
	}
	for n, half := range halves {
		r, err := l.Run(t.Context(), store, half, eval.Options{Clock: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("half %d: %+v", n, r.All)
		if r.All.Turn.At10 < eval.GateTurnAt10 || r.All.Session.At5 < eval.GateSessionAt5 || r.All.MRR < eval.GateMRR {
			t.Errorf("half %d: %+v", n, r.All)
		}
	}
}

var seeds = flag.Uint64("eval.seeds", 3, "how many other corpora are asked")

// TestOtherSeeds: another corpus of the same stories is answered as well: nothing hangs on one draw.
func TestOtherSeeds(t *testing.T) {
	for seed := range *seeds {
		turns, questions := eval.Generate(seed)
		store := newModel()
		l, err := eval.Load(t.Context(), store, turns, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := l.Run(t.Context(), store, questions, eval.Options{Clock: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("seed %d: %+v, Korean %+v", seed, r.All, r.Korean)
		if r.All.Turn.At10 < eval.GateTurnAt10 || r.All.Session.At5 < eval.GateSessionAt5 || r.All.MRR < eval.GateMRR || r.Korean.Session.At5 < eval.GateKoreanAt5 {
			t.Errorf("seed %d: %+v, Korean %+v", seed, r.All, r.Korean)
		}
	}
}

// TestUnrelatedPrompts: what has nothing to do with a project's past gets nothing of it; what asks for it mostly does.
func TestUnrelatedPrompts(t *testing.T) {
	turns, questions := eval.Generate(eval.Seed)
	store := newModel()
	if _, err := eval.Load(t.Context(), store, turns, nil); err != nil {
		t.Fatal(err)
	}
	told := func(project, prompt string) bool {
		q := memory.Query{Filter: memory.Filter{Projects: []string{project}}, Terms: terms.Query(prompt), Limit: rank.Candidates, Around: rank.Around}
		if len(q.Terms) == 0 {
			return false
		}
		found, err := store.Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return len(rank.Rank(rank.Question{Terms: q.Terms, Limit: 8, Floor: rank.Floor}, found, memory.Found{})) > 0
	}
	projects := map[string]bool{}
	for _, one := range turns {
		projects[one.Project] = true
	}
	text, err := os.ReadFile("corpus/unrelated.txt")
	if err != nil {
		t.Fatal(err)
	}
	prompts, asked, wrong := 0, 0, 0
	for prompt := range strings.Lines(string(text)) {
		prompt = strings.TrimSpace(prompt)
		prompts++
		for p := range projects {
			asked++
			if told(p, prompt) {
				wrong++
				t.Logf("%s is told something at %q", p, prompt)
			}
		}
	}
	if prompts < 50 || wrong*50 > asked {
		t.Errorf("%d of %d unrelated prompts are told something", wrong, asked)
	}
	right := 0
	for _, q := range questions {
		if told(q.Project, q.Question) {
			right++
		}
	}
	t.Logf("%d of %d unrelated prompts, %d of %d questions are told something", wrong, asked, right, len(questions))
	if right*10 < len(questions)*7 {
		t.Errorf("only %d of %d questions are told something", right, len(questions))
	}
}
