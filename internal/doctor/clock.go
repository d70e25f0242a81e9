package doctor

import (
	"context"
	"os"
	"time"

	"github.com/boathook/boathook/internal/duration"
)

func clockChecks() []Check {
	return []Check{
		{ID: "clock.disk", Title: "clock and disk", Run: clockDisk},
		{ID: "clock.events", Title: "clock and events", Run: clockEvents},
		{ID: "clock.servers", Title: "clock and servers", Run: clockServers},
	}
}

// skewed is from where on a difference is worth a word: spans land in the wrong place, and certificates may not be valid.
const skewed = time.Minute

// clockDisk compares the time that a file system gives a file with the system's own. It makes a file for a moment.
func clockDisk(_ context.Context, w *World) []Result {
	dir := w.Settings.DataDir
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || writable(dir) != nil || w.stranger(dir) {
		return nil
	}
	f, err := os.CreateTemp(dir, ".boathook-doctor-*")
	if err != nil {
		return nil
	}
	defer os.Remove(f.Name())
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	return w.skew(time.Now(), info.ModTime(), "the file system of "+dir, "set the clock of the machine that the file system is on")
}

// skew judges a difference; real is what the system says.
func (w *World) skew(real, other time.Time, whose, cure string) []Result {
	d := other.Sub(real).Round(time.Second)
	if d.Abs() < skewed {
		return ok("%s has the same time", whose)
	}
	word := "ahead of"
	if d < 0 {
		word = "behind"
	}
	return []Result{warn(cure, "%s is %s %s this machine", whose, duration.Text(d.Abs()), word)}
}

// clockEvents looks for events of the future: the clock was wrong then, or is now.
func clockEvents(ctx context.Context, w *World) []Result {
	s, err := w.Open(ctx)
	if err != nil {
		return nil // the store's checks say so
	}
	defer func() { _ = s.Close() }() // it was only read
	now := w.Now()
	g, err := s.Glance(ctx, now, now)
	if err != nil || g.Newest.IsZero() {
		return nil
	}
	if ahead := g.Newest.Sub(now).Round(time.Second); ahead > skewed {
		return []Result{warn("set this machine's clock (date; timedatectl)", "the newest event is %s in the future: the clock was wrong when it was recorded, or is now", duration.Text(ahead))}
	}
	return ok("no event is in the future")
}

func clockServers(ctx context.Context, w *World) []Result {
	if w.Offline {
		return nil
	}
	const cure = "set this machine's clock (date; timedatectl), or the server's"
	var out []Result
	if t := w.telemetry(); t.url != "" {
		if p := w.probed(ctx); !p.server.IsZero() {
			out = append(out, w.skew(p.now, p.server, Address(t.url), cure)...)
		}
	}
	if t := w.guard(); t.url != "" && !w.Settings.Guard.Disabled {
		if at, known := w.serverTime(ctx, t); known {
			out = append(out, w.skew(w.Now(), at, Address(t.url), cure)...)
		}
	}
	return out
}
