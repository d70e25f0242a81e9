package remote

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/boathook/boathook/internal/memory"
)

// operation does one thing with a store: args are JSON, and what it gives will be.
type operation func(ctx context.Context, s memory.Store, args []byte) (any, error)

// typed is an operation whose arguments are of one type.
func typed[A any](do func(context.Context, memory.Store, A) (any, error)) operation {
	return func(ctx context.Context, s memory.Store, args []byte) (any, error) {
		var a A
		if err := json.Unmarshal(args, &a); err != nil {
			return nil, fmt.Errorf("read what is asked: %w", err)
		}
		return do(ctx, s, a)
	}
}

// operationOf is nil for a name that there is not.
func operationOf(op string) operation {
	switch op {
	case opWrite:
		return typed(func(ctx context.Context, s memory.Store, b memory.Batch) (any, error) { return s.Write(ctx, b) })
	case opFind:
		return typed(func(ctx context.Context, s memory.Store, q memory.Query) (any, error) {
			f, err := s.Find(ctx, q)
			return pack(f), err
		})
	case opSessions:
		return typed(func(ctx context.Context, s memory.Store, a listArgs) (any, error) {
			rows, next, err := s.Sessions(ctx, a.Filter, a.At, a.Limit)
			return sessionsPage{rows, next}, err
		})
	case opEntries:
		return typed(func(ctx context.Context, s memory.Store, a listArgs) (any, error) {
			rows, next, err := s.Entries(ctx, a.Filter, a.At, a.Limit)
			return entriesPage{rows, next}, err
		})
	case opGet:
		return typed(func(ctx context.Context, s memory.Store, a getArgs) (any, error) { return s.Get(ctx, a.Filter, a.IDs) })
	case opOccurs:
		return typed(func(ctx context.Context, s memory.Store, text string) (any, error) { return s.Occurs(ctx, text) })
	case opStats:
		return typed(func(ctx context.Context, s memory.Store, f memory.Filter) (any, error) { return s.Stats(ctx, f) })
	}
	return keeping(op)
}

// keeping are the operations of those who look after a store.
func keeping(op string) operation {
	switch op {
	case opUnembedded:
		return typed(func(ctx context.Context, s memory.Store, a embedArgs) (any, error) {
			return s.Unembedded(ctx, a.Model, a.Width, a.Limit)
		})
	case opEmbed:
		return typed(func(ctx context.Context, s memory.Store, a embedArgs) (any, error) {
			return struct{}{}, s.Embed(ctx, a.Model, a.Width, a.Vectors)
		})
	case opForget:
		return typed(func(ctx context.Context, s memory.Store, sel memory.Selection) (any, error) {
			return s.Forget(ctx, sel)
		})
	case opRetain:
		return typed(func(ctx context.Context, s memory.Store, a retainArgs) (any, error) {
			removed, more, err := s.Retain(ctx, a.Retention, a.Now)
			return retained{removed, more}, err
		})
	}
	return nil
}
