package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

func storeChecks() []Check {
	return []Check{
		{ID: "store.integrity", Title: "store", Run: storeIntegrity},
		{ID: "store.size", Title: "store's size", Run: storeSize},
		{ID: "store.flow", Title: "events", Run: flow},
	}
}

// maxQuick is the size up to which a store is looked through without being asked to.
const maxQuick = 256 << 20

func storeIntegrity(ctx context.Context, w *World) []Result {
	path := worker.StorePath(w.Settings.DataDir)
	s, err := w.Open(ctx)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return info("nothing is stored yet")
	case errors.Is(err, ErrOthers):
		return info("can't be looked at: it belongs to another user")
	case errors.Is(err, store.ErrNewer):
		return []Result{fail("install the newer boathook again; don't remove the file", "%s was written by a newer version than this: events wait in the spool", path)}
	case errors.Is(err, store.ErrCorrupt):
		return damaged(w, path, err)
	case err != nil:
		return []Result{fail("ls -l "+path, "%s", w.Foreign(err.Error()))}
	}
	defer func() { _ = s.Close() }() // it was only read
	out := corruptOnes(path)
	check, what := s.Quick, "sound"
	info, err := os.Stat(path)
	switch {
	case w.Full:
		check, what = s.Integrity, "sound, checked whole"
	case err == nil && info.Size() > maxQuick:
		return append(ok("opens (it is large: --full looks through it): %s", path), out...)
	}
	err = check(ctx)
	switch {
	case ctx.Err() != nil:
		return append([]Result{{Status: Info, Text: path + " opens; to look through it took too long"}}, out...)
	case errors.Is(err, store.ErrCorrupt):
		return damaged(w, path, err)
	case err != nil:
		return storeFailed(w, err)
	}
	return append(ok("%s: %s", what, path), out...)
}

func damaged(w *World, path string, err error) []Result {
	return []Result{fail("mv "+path+" "+path+".damaged (what is behind is sent and shown no more); the worker makes a new one by itself when it meets this", "%s is damaged: %s", path, w.Foreign(err.Error()))}
}

// corruptOnes tells of stores that the worker moved aside.
func corruptOnes(path string) []Result {
	aside, _ := filepath.Glob(path + ".corrupt-*Z") // a path with signs of a pattern finds none
	if len(aside) == 0 {
		return nil
	}
	return []Result{warn("look at what is in it, then rm "+aside[0], "a damaged store was moved aside: %s", some(aside))}
}

func storeSize(ctx context.Context, w *World) []Result {
	path := worker.StorePath(w.Settings.DataDir)
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	bytes := info.Size()
	if wal, err := os.Stat(path + "-wal"); err == nil {
		bytes += wal.Size()
	}
	s, err := w.Open(ctx)
	if err != nil {
		return nil
	}
	defer func() { _ = s.Close() }() // it was only read
	now := w.Now()
	g, err := s.Glance(ctx, now, now)
	if err != nil {
		return storeFailed(w, err)
	}
	r := w.Settings.Retention
	if g.Rows == 0 {
		return ok("%s, no event", Size(bytes))
	}
	return ok("%s, %s since %s; contents are kept %s, the rest %s", Size(bytes), Count(g.Rows, "event"), g.Oldest.Local().Format("2006-01-02"), Kept(r.Body), Kept(r.Metadata))
}

// Kept is how long something is kept.
func Kept(d time.Duration) string {
	if d == 0 {
		return "for good"
	}
	return Count(int64(d/(24*time.Hour)), "day")
}

// flow tells when each agent was last heard of.
func flow(ctx context.Context, w *World) []Result {
	if !w.installed() {
		return nil
	}
	last := map[string]time.Time{}
	s, err := w.Open(ctx)
	if errors.Is(err, ErrOthers) {
		return info("can't be told: the store belongs to another user")
	}
	if err == nil {
		g, _ := s.Glance(ctx, w.Now(), w.Now()) // an error is said by the store's checks
		for _, a := range g.Agents {
			last[a.Agent] = a.Last
		}
		_ = s.Close() // it was only read
	}
	var out []Result
	for _, agent := range w.hooked() {
		at, heard := last[agent]
		switch {
		case !heard:
			out = append(out, Result{Status: Info, Text: "none from " + agent + " yet: restart it, then use it" + unseen(agent)})
		case w.Now().Sub(at) > freshLog:
			out = append(out, Result{Status: Info, Text: "none from " + agent + " since " + at.Local().Format("2006-01-02 15:04") + unseen(agent)})
		default:
			out = append(out, ok("the last from %s came %s ago", agent, duration.Text(max(w.Now().Sub(at), 0).Round(time.Second)))...)
		}
	}
	return out
}

// unseen is what boathook can't find out.
func unseen(agent string) string {
	if agent != "gemini" {
		return ""
	}
	return " ('gemini -e none' runs no hook, and can't be seen from here)"
}
