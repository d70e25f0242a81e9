package remote

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"
)

// Keeper keeps a service running, with a socket in the data directory and a pool of connections that stays warm.
type Keeper struct {
	Place Place
	Log   *slog.Logger
}

// A service that has ended is started again after restWait at first, and at most after maxRest; one that lived for livedLong begins
// anew with that.
const (
	restWait  = time.Second
	maxRest   = time.Minute
	livedLong = time.Minute
)

// Run starts the service, starts it again whenever it ends, and ends it with ctx.
func (k Keeper) Run(ctx context.Context) {
	told := ""
	for tries := 0; ctx.Err() == nil; tries++ {
		began := time.Now()
		err := k.once(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) >= livedLong {
			tries = 0
		}
		if text := err.Error(); text != told { // once is enough for the log
			k.Log.Warn("memory service ended", "error", text)
			told = text
		}
		rest := min(restWait<<min(tries, 10), maxRest)
		select {
		case <-ctx.Done():
		case <-time.After(rest/2 + rand.N(rest/2+1)):
		}
	}
}

// greetWait is how long a service may take to start.
const greetWait = 30 * time.Second

// once runs one service until it ends.
func (k Keeper) once(ctx context.Context) error {
	program, err := Beside(k.Place.Exe)
	if err != nil {
		return err
	}
	h := k.Place.hello()
	h.Settings, h.Listen = &k.Place.Settings, k.Place.DataDir
	greeting, cancel := context.WithTimeout(ctx, greetWait)
	defer cancel()
	c, l, w, err := startAndGreet(greeting, program, k.Place.DataDir, h)
	if err != nil {
		return err
	}
	c.grace = stopWait + childGrace
	defer c.end()
	defer l.close()
	if w.Note != "" {
		k.Log.Info("memory service", "note", w.Note)
	}
	k.Log.Debug("memory service started", "process", c.cmd.Process.Pid)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-l.dead:
	}
	c.end()
	if said := c.said.String(); said != "" {
		return errors.New(said)
	}
	return l.reason()
}
