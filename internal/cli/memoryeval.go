package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/eval"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/sqlite"
)

// memoryEval is `boathook memory eval`.
type memoryEval struct {
	place
	corpus, questions, store, write string
	seed                            uint64
	json                            bool
}

func newMemoryEval(env *Env) *cobra.Command {
	var o memoryEval
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure how well memory finds what was said",
		Long: `Write a corpus to a store, ask questions of it, by words alone, and hold what is found against the turns that answer them. Both are
lines of JSON, the turns and the questions:

  {"session":"s1","project":"shop","id":"t1","role":"user","ts":"2026-01-31T14:30:00Z","text":"why does it fail?"}
  {"question":"what did we do about the failure?","project":"shop","gold":["t2","t3"]}

ts may be left out: then turns are in the order of their lines. A question may have a "kind", by which figures are given too.
Without --corpus it is boathook's own: generated sessions of seven projects, in Korean, English and both.

The store is a temporary SQLite database, or PostgreSQL: that of the config, where the corpus stands in projects of its own
and is removed at the end, for which the login must be one that may forget.

turn recall@N is which share of the turns that answer a question is among the first N found; session recall@N the same of
their sessions; MRR is the mean of 1/place of the first such turn.`,
		Example: `  boathook memory eval
  boathook memory eval --corpus turns.jsonl --questions q.jsonl --json
  boathook memory eval --write DIR              write boathook's own corpus to files`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(o.json, memoryFailed(o.run(ctx, env)))
		},
	}
	o.place.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.corpus, "corpus", "", "the turns, a JSONL `FILE`")
	f.StringVar(&o.questions, "questions", "", "the questions, a JSONL `FILE`")
	f.StringVar(&o.store, "store", open.SQLite, "sqlite, or postgres")
	f.StringVar(&o.write, "write", "", "write the generated corpus to turns.jsonl and questions.jsonl in `DIR`, and measure nothing")
	f.Uint64Var(&o.seed, "seed", eval.Seed, "of the generated corpus: another number, other names and orders")
	f.BoolVar(&o.json, "json", false, "print JSON")
	complete(cmd, "store", []string{open.SQLite, open.Postgres})
	complete(cmd, "seed", nil)
	_ = cmd.MarkFlagFilename("corpus", "jsonl") // these are there
	_ = cmd.MarkFlagFilename("questions", "jsonl")
	_ = cmd.MarkFlagDirname("write")
	return cmd
}

func (o *memoryEval) run(ctx context.Context, env *Env) error {
	switch {
	case (o.corpus == "") != (o.questions == ""):
		return usage("--corpus and --questions belong together")
	case o.store != open.SQLite && o.store != open.Postgres:
		return usage("--store is sqlite or postgres, not %q", o.store)
	case o.write != "" && o.corpus != "":
		return usage("--write is for the generated corpus, and --corpus names another")
	}
	turns, questions, err := o.read(env)
	if err != nil {
		return exitWith(exitFailed, err)
	}
	if o.write != "" {
		return o.writeFiles(env, turns, questions)
	}
	store, turns, questions, end, err := o.open(ctx, env, turns, questions)
	if err != nil {
		return err
	}
	report, err := o.measure(ctx, env, store, turns, questions)
	if err = errors.Join(err, end()); err != nil {
		return err
	}
	if o.json {
		return env.printJSON(struct {
			Store string `json:"store"`
			eval.Report
		}{o.store, report}, nil)
	}
	return env.evalTables(o.store, report)
}

// read reads the files, or generates what would be in them.
func (o *memoryEval) read(env *Env) ([]eval.Turn, []eval.Question, error) {
	if o.corpus == "" {
		turns, questions := eval.Generate(o.seed)
		return turns, questions, nil
	}
	file, err := os.Open(env.absolute(o.corpus))
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	turns, err := eval.ReadTurns(file, o.corpus)
	if err != nil {
		return nil, nil, err
	}
	asked, err := os.Open(env.absolute(o.questions))
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = asked.Close() }() // as above
	questions, err := eval.ReadQuestions(asked, o.questions)
	return turns, questions, err
}

// open opens the store. End closes it; of a temporary one nothing is left then.
func (o *memoryEval) open(ctx context.Context, env *Env, turns []eval.Turn, questions []eval.Question) (
	store memory.Store, ownTurns []eval.Turn, ownQuestions []eval.Question, end func() error, err error) {
	if o.store == open.Postgres {
		dir, settings, err := o.find(env)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		settings.Memory.Provider = open.Postgres
		store, err := open.Store(ctx, open.Options{DataDir: dir, Settings: settings, Exe: env.Exe})
		if err != nil {
			return nil, nil, nil, nil, exitWith(exitFailed, err)
		}
		if err := mayForget(ctx, store); err != nil {
			return nil, nil, nil, nil, errors.Join(err, store.Close())
		}
		turns, questions = eval.Apart(turns, questions, fmt.Sprintf("boathook-eval-%d/", env.Now().UnixNano()))
		return store, turns, questions, store.Close, nil
	}
	dir, err := os.MkdirTemp(env.tempDir(), "boathook-eval-")
	if err != nil {
		return nil, nil, nil, nil, exitWith(exitFailed, err)
	}
	s, err := sqlite.Open(ctx, filepath.Join(dir, sqlite.FileName))
	if err != nil {
		return nil, nil, nil, nil, errors.Join(exitWith(exitFailed, err), os.RemoveAll(dir))
	}
	return s, turns, questions, func() error { return errors.Join(s.Close(), os.RemoveAll(dir)) }, nil
}

// mayForget finds out, before anything is written, whether it can be removed again.
func mayForget(ctx context.Context, store memory.Store) error {
	nobody := memory.Filter{Session: memory.SessionID(importAgent, "boathook-eval"), AllProjects: true}
	if _, err := store.Forget(ctx, memory.Selection{Filter: nobody}); err != nil {
		return fmt.Errorf("nothing was written, for it could not be removed again: %w", err)
	}
	return nil
}

// cleanUp is how long removing the corpus may take after an interrupt.
const cleanUp = time.Minute

func (o *memoryEval) measure(ctx context.Context, env *Env, store memory.Store, turns []eval.Turn, questions []eval.Question) (r eval.Report, err error) {
	steps := newBar(env, "", o.json)
	defer steps.end()
	loaded, err := eval.Load(ctx, store, turns, func(done, of int) { steps.step("wrote %d of %d turns", done, of) })
	if o.store == open.Postgres {
		defer func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUp)
			defer cancel()
			if rerr := loaded.Remove(ctx, store); rerr != nil {
				prefix, _, _ := strings.Cut(turns[0].Project, "/")
				err = errors.Join(err, fmt.Errorf("%w; its projects begin with %s/", rerr, prefix))
			}
		}()
	}
	if err != nil {
		return r, err
	}
	return loaded.Run(ctx, store, questions, eval.Options{
		Clock: env.Now, Progress: func(done, of int) { steps.step("asked %d of %d questions", done, of) },
	})
}
