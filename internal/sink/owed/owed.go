// Package owed writes the cursors of sinks. A write that fails (a full disk, a database that another process has locked)
// is remembered, and made before anything else is sent: what a destination took must not be sent again because it could
// not be noted, and a destination that asked to be left alone is left alone. It must not be imported by the hook path.
package owed

import (
	"context"
	"errors"
	"fmt"

	"github.com/boathook/boathook/internal/store"
)

// Cursor writes one sink's cursor. It isn't used concurrently. Its zero value owes nothing.
type Cursor struct {
	owes         bool
	store        *store.Store
	before, next store.Cursor
	counts       map[string]int64
}

// Write moves the cursor from before to next and adds the counts, both or nothing, also when ctx has ended. ErrCursorMoved
// says that somebody else has moved it: then nothing is owed. After any other error the write is owed.
func (c *Cursor) Write(ctx context.Context, st *store.Store, before, next store.Cursor, counts map[string]int64) error {
	ctx = context.WithoutCancel(ctx)
	err := st.SetCursor(ctx, &before, next, counts)
	if errors.Is(err, store.ErrCursorMoved) {
		err = moved(ctx, st, before, err)
	}
	*c = Cursor{}
	if err != nil && !errors.Is(err, store.ErrCursorMoved) {
		*c = Cursor{owes: true, store: st, before: before, next: next, counts: counts}
	}
	return err
}

// moved makes sure that a cursor is elsewhere. Who would read it again, and find it where it was, would never end.
func moved(ctx context.Context, st *store.Store, before store.Cursor, err error) error {
	now, ok, rerr := st.Cursor(ctx, before.Name)
	switch {
	case rerr != nil:
		return rerr
	case ok && now.Event == before.Event && now.Turn == before.Turn:
		return fmt.Errorf("cursor %s stands where it was read, and can't be moved", before.Name)
	}
	return err
}

// Settle makes the write that is owed. After an error nothing may be sent. Where somebody else has moved the cursor
// meanwhile, or the store is another, nothing is owed any more.
func (c *Cursor) Settle(ctx context.Context, st *store.Store) error {
	if !c.owes {
		return nil
	}
	if !st.SameFile(c.store) {
		*c = Cursor{}
		return nil
	}
	err := c.Write(ctx, st, c.before, c.next, c.counts)
	if errors.Is(err, store.ErrCursorMoved) {
		return nil
	}
	return err
}
