package store

import (
	"context"
	"encoding/json"
	"fmt"
)

// PurgeMatching is Purge of the events whose JSON a function selects. It is called for each event, in the order of their insertion,
// and may use the store.
func (s *Store) PurgeMatching(ctx context.Context, match func(line []byte) bool) (Purged, error) {
	done, err := s.purgeMatching(ctx, match)
	if err != nil {
		return done, fmt.Errorf("purge %s: %w", s.path, classify(err))
	}
	return done, nil
}

func (s *Store) purgeMatching(ctx context.Context, match func([]byte) bool) (done Purged, err error) {
	if s.stmts.insert == nil {
		return done, errReadOnly
	}
	sessions := map[sessionKey]bool{}
	var found []removable
	remove := func() error {
		for len(found) > 0 {
			n := step(found, removeBytes)
			turns, err := s.remove(ctx, found[:n], allTurns)
			if err != nil {
				return err
			}
			done.Events, done.Turns, found = done.Events+n, done.Turns+turns, found[n:]
		}
		return nil
	}
	if err := s.Each(ctx, Filter{}, func(seq int64, line []byte) error {
		if !match(line) {
			return nil
		}
		var e struct {
			ID, Agent string
			Session   string `json:"session_id"`
		}
		_ = json.Unmarshal(line, &e) // a damaged row goes all the same
		found = append(found, removable{seq: seq, id: e.ID, key: sessionKey{e.Agent, e.Session}, bytes: len(line)})
		if e.Session != "" {
			sessions[sessionKey{e.Agent, e.Session}] = true
		}
		if len(found) < removeRows {
			return nil
		}
		return remove()
	}); err != nil {
		return done, err
	}
	if err := remove(); err != nil {
		return done, err
	}
	if err := s.forgetSessions(ctx, sessions, &done); err != nil {
		return done, err
	}
	done.Lingers, err = s.shrink(ctx)
	return done, err
}
