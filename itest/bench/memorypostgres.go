package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/memory"
	store "github.com/boathook/boathook/internal/memory/postgres"
	"github.com/boathook/boathook/internal/memory/rank"
	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/postgres"
)

const (
	// limitPostgres is what 95 of a hundred hooks may take with memory in PostgreSQL, by words and vectors, as near as it is.
	limitPostgres = 100 * time.Millisecond
	// distance is what the network adds to a round trip, where it does.
	distance = 20 * time.Millisecond
	// leastPostgres is how many rows a second have to be stored at least.
	leastPostgres = 500
	// questionsOf is how often it is asked what is nearest, of each selection.
	questionsOf = 50
)

// memoryPostgres measures the hook with memory in PostgreSQL with so many chunks, all with vectors, and how well those are found.
func memoryPostgres(w io.Writer, chunks, rounds int) (err error) {
	tb := &bench{}
	defer tb.cleanup()
	ctx := context.Background()
	d := postgres.Start(tb, postgres.Options{Version: 17, Vector: true, Settings: map[string]string{
		"shared_buffers": "1GB", "maintenance_work_mem": "1GB", "max_wal_size": "8GB", "checkpoint_timeout": "1h",
	}})
	s, err := store.Open(ctx, store.Options{DSN: d.DSN})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Migrate(ctx); err != nil {
		return err
	}
	c := newCorpus(1, chunks, time.Now())
	rate, err := fill(ctx, s, c, chunks)
	if err != nil {
		return err
	}
	d.Exec(tb, "ANALYZE")
	fmt.Fprintf(w, "\nPostgreSQL, %d chunks, half of them in the project that is asked: %.0f rows/s written by the store\n", chunks, rate)
	errs := []error{judgeStored(w, "PostgreSQL", rate, leastPostgres)}

	clusters := newField(1, 100)
	truth, err := embedAll(ctx, w, tb, d, s, clusters, vectorModel)
	if err != nil {
		return err
	}
	errs = append(errs, truth.judge(ctx, w, s, "vectors in clusters", vectorModel, rank.Nearest))
	errs = append(errs, postgresHooks(w, tb, d, clusters, c, rounds))

	everywhere := newField(2, 0)
	if truth, err = embedAll(ctx, w, tb, d, s, everywhere, vectorModel+"-2"); err != nil {
		return err
	}
	return errors.Join(append(errs, truth.judge(ctx, w, s, "vectors in all directions", vectorModel+"-2", rank.Nearest))...)
}

// embedAll gives each chunk a vector of a field and makes the index of them, which is faster than to add to it one by one.
func embedAll(ctx context.Context, w io.Writer, tb *bench, d *postgres.Database, s memory.Store, f *field, model string) (*exact, error) {
	began, n := time.Now(), 0
	const index = "idx_ltm_chunks_embedding"
	d.Exec(tb, "DROP INDEX "+index)
	d.Exec(tb, "UPDATE ltm_chunks SET embedding = NULL, embedding_model = NULL WHERE embedding IS NOT NULL")
	d.Exec(tb, "VACUUM ltm_chunks")
	truth := newExact(f, questionsOf)
	for {
		some, err := s.Unembedded(ctx, model, vectorWidth, 1000)
		if err != nil {
			return nil, err
		}
		if len(some) == 0 {
			break
		}
		out := make([]memory.Embedding, len(some))
		for i, c := range some {
			out[i] = memory.Embedding{Chunk: c.ID, Vector: f.draw()}
			truth.add(c, out[i].Vector)
		}
		if err := s.Embed(ctx, model, vectorWidth, out); err != nil {
			return nil, err
		}
		n += len(some)
	}
	stored := time.Since(began)
	d.Exec(tb, fmt.Sprintf("CREATE INDEX %s ON ltm_chunks USING hnsw ((embedding::halfvec(%d)) halfvec_cosine_ops)", index, vectorWidth))
	d.Exec(tb, "VACUUM ANALYZE ltm_chunks")
	fmt.Fprintf(w, "%d vectors of %d numbers stored in %.0f s, their index made in %.0f s\n", n, vectorWidth, stored.Seconds(), (time.Since(began) - stored).Seconds())
	return truth, nil
}

// postgresHooks measures the hook with a worker's service that is warm, the same with the database further away, and one that has to
// start a service of its own.
func postgresHooks(w io.Writer, tb *bench, d *postgres.Database, f *field, c *corpus, rounds int) error {
	base := embedder(tb, f)
	far := postgres.Between(tb, d.Server.Addr())
	far.Distance(distance)
	off, offDir := memoryLab(tb)
	askers := []asker{greeter(off.Environ()), hookOf(off, offDir, "hook, memory off", 0, false)}
	var labs []*hooklab.Lab
	defer func() {
		for _, l := range labs {
			l.KillAll() // their workers would make vectors of what comes next
		}
	}()
	add := func(name, dsn string, limit time.Duration) *hooklab.Lab {
		l, dir := memoryLab(tb)
		l.Write(filepath.Join(filepath.Dir(l.Config), "boathook.env"), "BOATHOOK_MEMORY_DSN="+dsn+"\nLLM_BASE_URL="+base+"\n", 0o600)
		remembers(l, dir, fmt.Sprintf("provider = \"postgres\"\n[memory.embedding]\nprovider = \"openai-compatible\"\nmodel = %q\ndimensions = %d\n",
			vectorModel, vectorWidth))
		askers = append(askers, hookOf(l, dir, name, limit, limit > 0))
		labs = append(labs, l)
		return l
	}
	for _, l := range []*hooklab.Lab{
		add("hook, PostgreSQL", d.DSN, limitPostgres), add("… 20 ms further away", d.At(far.Addr()), limitPostgres),
	} {
		l.Worker()
		l.Until("the service of memory", func() bool {
			_, err := os.Lstat(filepath.Join(l.Data, "memory.sock"))
			return err == nil
		})
	}
	defer add("… without a worker", d.DSN, 0).Hold()()
	return latency(w, askers, c, rounds)
}

// judgeStored judges how fast rows were stored.
func judgeStored(w io.Writer, what string, rate float64, least int) error {
	verdict, err := "reached", error(nil)
	if rate < float64(least) {
		verdict, err = "missed", fmt.Errorf("%s: %.0f rows/s stored, at least %d", what, rate, least)
	}
	fmt.Fprintf(w, "%s: %.0f rows/s (at least %d): %s\n", what, rate, least, verdict)
	return err
}
