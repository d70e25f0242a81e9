package main

import (
	"context"
	"fmt"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// sessionsAtOnce are written in one transaction.
const sessionsAtOnce = 5

// fill writes sessions until there are so many chunks, and says how many rows it wrote in a second.
func fill(ctx context.Context, s memory.Store, c *corpus, chunks int) (rate float64, err error) {
	began, rows := time.Now(), 0
	var making time.Duration
	for c.made*rowsOfSession < chunks {
		start := time.Now()
		var all memory.Batch
		for range min(sessionsAtOnce, (chunks-c.made*rowsOfSession+rowsOfSession-1)/rowsOfSession) {
			b := c.batch()
			all.Sessions = append(all.Sessions, b.Sessions...)
			all.Messages = append(all.Messages, b.Messages...)
			all.ToolCalls = append(all.ToolCalls, b.ToolCalls...)
		}
		making += time.Since(start)
		done, err := s.Write(ctx, all)
		if err != nil {
			return 0, fmt.Errorf("fill memory: %w", err)
		}
		// A session's row counts too.
		if want := len(all.Messages) + len(all.ToolCalls); done.New < want {
			return 0, fmt.Errorf("fill memory: of %d rows %d were new", want, done.New)
		}
		rows += len(all.Messages) + len(all.ToolCalls)
	}
	return float64(rows) / (time.Since(began) - making).Seconds(), nil
}

// holds makes sure that there are as many chunks as are meant to be asked.
func holds(ctx context.Context, s memory.Store, chunks int) (memory.Stats, error) {
	stats, err := s.Stats(ctx, memory.Filter{AllProjects: true})
	if err != nil {
		return stats, fmt.Errorf("look at memory: %w", err)
	}
	if stats.Chunks < chunks || stats.Chunks > chunks+chunks/20 { // prompts of smaller sizes are there, too
		return stats, fmt.Errorf("memory has %d chunks, not %d", stats.Chunks, chunks)
	}
	return stats, nil
}
