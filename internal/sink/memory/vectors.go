package memory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// VectorsName is the name of the cursor of Vectors, which is always at the head: what it has to do stands in the store of memory.
const VectorsName = "memory_vectors"

// Embedder turns texts into vectors, one for each. All have the same width, which may only be known once there is one.
type Embedder interface {
	Model() string
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

const (
	vectorsAtOnce = 32
	embedWait     = 30 * time.Second
	// maxEmbedded is how much of a chunk an embedder is given.
	maxEmbedded = 4 << 10
)

// Vectors is the sink that gives chunks their vectors. Model and width are stored with them; vectors of different models are never mixed.
type Vectors struct {
	Open     func(context.Context) (rows.Store, error)
	Embedder Embedder
	Log      *slog.Logger
	Now      func() time.Time

	mu    sync.Mutex
	store rows.Store
	width int
	tries int
	rest  time.Time
	// refused are chunks that the embedder doesn't take, until the worker ends.
	refused map[int64]bool
}

// Name implements worker.Sink.
func (v *Vectors) Name() string { return VectorsName }

// Pass implements worker.Sink.
func (v *Vectors) Pass(ctx context.Context, st *store.Store) (worker.Passed, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := toHead(ctx, st); err != nil {
		return worker.Passed{}, err
	}
	now := v.Now()
	if wait := v.rest.Sub(now); wait > 0 && wait <= maxWait {
		return worker.Passed{Behind: true, Next: v.rest}, nil
	}
	n, more, err := v.fill(ctx)
	switch {
	case ctx.Err() != nil:
		return worker.Passed{Turns: n, Behind: true}, nil
	case errors.Is(err, rows.ErrNoVectors):
		return worker.Passed{}, nil // keywords alone
	case err != nil:
		v.tries++
		v.rest = now.Add(wait(v.tries, err))
		v.Log.Warn("chunks wait for their vectors", "reason", err, "tries", v.tries, "next", v.rest.Format(time.RFC3339))
		v.drop()
		return worker.Passed{Turns: n, Behind: v.tries <= patience, Next: v.rest}, nil
	}
	v.tries, v.rest = 0, time.Time{}
	c, ok, err := st.Cursor(ctx, Name)
	if err != nil || !ok {
		return worker.Passed{Turns: n, Behind: more}, err
	}
	behind, err := st.Behind(ctx, c)
	if behind && !more { // what memory is about to take wants vectors, too
		return worker.Passed{Turns: n, Behind: true, Next: now.Add(time.Second)}, err
	}
	return worker.Passed{Turns: n, Behind: more}, err
}

// toHead has the cursor keep nothing in the event store.
func toHead(ctx context.Context, st *store.Store) error {
	c, ok, err := st.Cursor(ctx, VectorsName)
	if err != nil || !ok {
		return err
	}
	event, turn, err := st.Head(ctx)
	if err != nil || event == c.Event && turn == c.Turn {
		return err
	}
	next := c
	next.Event, next.Turn = event, turn
	if err := st.SetCursor(ctx, &c, next); !errors.Is(err, store.ErrCursorMoved) {
		return err
	}
	return nil
}

// maxBatches is how many batches one pass fills.
const maxBatches = 50

func (v *Vectors) fill(ctx context.Context) (n int, more bool, err error) {
	if v.store == nil {
		if v.store, err = v.Open(ctx); err != nil {
			v.store = nil
			return 0, false, err
		}
		context.AfterFunc(ctx, v.Close)
	}
	if v.width == 0 {
		one, err := v.embed(ctx, []string{"width"})
		if err != nil {
			return 0, false, err
		}
		v.width = len(one[0])
	}
	for range maxBatches {
		chunks, err := v.store.Unembedded(ctx, v.Embedder.Model(), v.width, vectorsAtOnce+len(v.refused))
		if err != nil {
			return n, false, err
		}
		chunks = v.wanted(chunks)
		if len(chunks) == 0 {
			return n, false, nil
		}
		done, err := v.give(ctx, chunks)
		n += done
		if err != nil {
			return n, false, err
		}
	}
	return n, true, nil
}

// wanted are the chunks that were not refused before.
func (v *Vectors) wanted(chunks []rows.Chunk) []rows.Chunk {
	var out []rows.Chunk
	for _, c := range chunks {
		if !v.refused[c.ID] && len(out) < vectorsAtOnce {
			out = append(out, c)
		}
	}
	return out
}

// give embeds chunks together, and each alone where the embedder takes others but not these.
func (v *Vectors) give(ctx context.Context, chunks []rows.Chunk) (n int, err error) {
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = line(c.Text, maxEmbedded)
	}
	vectors, err := v.embed(ctx, texts)
	if err != nil {
		return 0, err
	}
	out := make([]rows.Embedding, len(chunks))
	for i, c := range chunks {
		out[i] = rows.Embedding{Chunk: c.ID, Vector: vectors[i]}
	}
	err = v.store.Embed(ctx, v.Embedder.Model(), v.width, out)
	if !errors.Is(err, rows.ErrPoison) {
		return len(out), err
	}
	for _, one := range out {
		if err := v.store.Embed(ctx, v.Embedder.Model(), v.width, []rows.Embedding{one}); errors.Is(err, rows.ErrPoison) {
			if v.refused == nil {
				v.refused = map[int64]bool{}
			}
			v.refused[one.Chunk] = true
		} else if err != nil {
			return n, err
		} else {
			n++
		}
	}
	return n, nil
}

// embed asks for vectors and holds the answer to what was asked.
func (v *Vectors) embed(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, done := context.WithTimeout(ctx, embedWait)
	defer done()
	vectors, err := v.Embedder.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embed %d chunks: %w", len(texts), err)
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("embed %d chunks: the embedder gave %d vectors", len(texts), len(vectors))
	}
	for _, vector := range vectors {
		if len(vector) == 0 || v.width > 0 && len(vector) != v.width {
			return nil, fmt.Errorf("embed %d chunks: a vector has %d numbers, not %d", len(texts), len(vector), v.width)
		}
	}
	return vectors, nil
}

// Close closes the store of memory; a pass opens it again.
func (v *Vectors) Close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.drop()
}

func (v *Vectors) drop() {
	if v.store != nil {
		_ = v.store.Close()
		v.store = nil
	}
}
