package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/boathook/boathook/internal/record"
)

// Recalls reads what memory said to events since a time, the newest first. It looks at the newest so many events.
func (s *Store) Recalls(ctx context.Context, since time.Time, events int) ([]record.Recall, error) {
	texts, err := s.texts(ctx, `SELECT json FROM (SELECT time_ns, json FROM events ORDER BY seq DESC LIMIT ?)
WHERE time_ns >= ? AND instr(json, '"recall":{') > 0`, events, since.UnixNano())
	if err != nil {
		return nil, fmt.Errorf("read recalls of %s: %w", s.path, classify(err))
	}
	var out []record.Recall
	for _, text := range texts {
		var r struct{ Recall *record.Recall }
		if json.Unmarshal([]byte(text), &r) == nil && r.Recall != nil && r.Recall.Outcome != "" {
			out = append(out, *r.Recall)
		}
	}
	return out, nil
}
