package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/foreign"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/wake"
	"github.com/boathook/boathook/internal/worker"
)

func spoolChecks() []Check {
	return []Check{
		{ID: "spool.depth", Title: "waiting events", Run: spoolDepth},
		{ID: "spool.lost", Title: "lost events", Run: spoolLost},
		{ID: "spool.leftovers", Title: "leftovers", Run: spoolLeftovers},
	}
}

// waitsLong is from where on an event waits longer than a worker that works ever lets it.
const waitsLong = time.Minute

// look is how long a worker that is behind is watched to tell a backlog from a standstill.
const look = 500 * time.Millisecond

func spoolDepth(ctx context.Context, w *World) []Result {
	sp := w.Spool()
	files, bytes, oldest, err := sp.Usage()
	if err != nil {
		return []Result{fail("ls -l "+sp.Dir, "%s", w.Foreign(err.Error()))}
	}
	if files == 0 {
		return ok("none")
	}
	waiting := Count(int64(files), "event") + ", " + Size(bytes)
	if limit := w.Settings.SpoolMax; limit > 0 && bytes*10 > limit*9 {
		return []Result{fail("boathook worker drain, or edit "+w.configFile()+": spool.max_mb", "%s: at %d MiB the oldest are dropped", waiting, limit>>20).with(restart(w))}
	}
	age := time.Since(oldest).Round(time.Second) // by the file system's clock
	if age < waitsLong {
		return ok("%s, the oldest %s old", waiting, duration.Text(max(age, 0)))
	}
	if !lock.Held(w.data(wake.LockFile)) {
		return []Result{warn("boathook worker drain", "%s, the oldest waits for %s, and no worker runs: the next hook starts one", waiting, duration.Text(age)).with(restart(w))}
	}
	if moves(ctx, w, files, oldest) {
		return info("%s, and the worker is at it", waiting)
	}
	return []Result{fail("boathook worker stop; then boathook worker drain; look at "+w.data(worker.LogFile), "%s, the oldest waits for %s, though a worker runs: it is stuck", waiting, duration.Text(age)).with(restart(w))}
}

// moves tells whether the worker takes anything while it is watched.
func moves(ctx context.Context, w *World, files int, oldest time.Time) bool {
	for range 4 {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(look / 4):
		}
		now, _, first, err := w.Spool().Usage()
		if err == nil && (now < files || first.After(oldest)) {
			return true
		}
	}
	return false
}

// spoolLost counts what is not in the store and never will be.
func spoolLost(ctx context.Context, w *World) []Result {
	var out []Result
	bad, err := w.Spool().Quarantined()
	if err == nil && len(bad) > 0 {
		last := bad[len(bad)-1]
		dir := filepath.Join(w.Spool().Dir, "bad")
		out = append(out, warn("look at "+dir+", then remove what is in it", "%s put aside in %s; the last: %s", Count(int64(len(bad)), "file"), dir, w.Foreign(last.Reason)))
	}
	counters := w.counters(ctx)
	if n := max(counters[worker.CounterNotKept], w.failed()); n > 0 {
		out = append(out, warn("free disk space, and see the lines on the data directory", "%s could not be recorded since the store was made (a full or read-only disk)", Count(n, "event")))
	}
	if n := counters[worker.CounterDropped]; n > 0 {
		out = append(out, warn("edit "+w.configFile()+": spool.max_mb", "%s were dropped since the store was made: the spool was full", Count(n, "event")))
	}
	if n := counters[store.CounterCapped]; n > 0 {
		sent := "all were sent before, or nobody was to get them"
		if unsent := counters[store.CounterUnsent]; unsent > 0 {
			sent = Count(unsent, "event") + " of them had not been sent"
		}
		out = append(out, warn("edit "+w.configFile()+": store.max_mb", "%s were removed since the store was made: the store was full; %s", Count(n, "event"), sent))
	}
	return orOK(out, "none")
}

func (w *World) counters(ctx context.Context) map[string]int64 {
	s, err := w.Open(ctx)
	if err != nil {
		return nil
	}
	defer func() { _ = s.Close() }() // it was only read
	counters, _ := s.Counters(ctx)   // an error is said by the store's checks
	return counters
}

// failed is what hooks counted and no worker has read yet. The spool's own Totals would make the file.
func (w *World) failed() int64 {
	data, err := foreign.Read(filepath.Join(w.Spool().Dir, "failed"))
	if err != nil || len(data) > 64 {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// leftoverAge is from where on nobody writes a temporary file any more.
const leftoverAge = time.Hour

func spoolLeftovers(_ context.Context, w *World) []Result {
	dir := filepath.Join(w.Spool().Dir, "tmp")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var old []string
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".json") && time.Since(info.ModTime()) > leftoverAge {
			old = append(old, filepath.Join(dir, e.Name()))
		}
	}
	if len(old) == 0 {
		return ok("none")
	}
	r := warn("rm "+filepath.Join(dir, "*.json"), "%s of hooks that were killed while they wrote: %s", Count(int64(len(old)), "file"), some(old))
	return []Result{r.with("rm "+dir, "remove "+some(old), func(context.Context) error {
		for _, path := range old {
			if err := unlessGone(os.Remove(path)); err != nil {
				return err
			}
		}
		return nil
	})}
}
