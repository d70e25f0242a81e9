package worker

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// A full disk costs no event that was accepted, and nothing is taken for poison.
func TestFullDisk(t *testing.T) {
	o := options(t)
	if err := unix.Mount("tmpfs", o.DataDir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("CAN'T MOUNT a small file system here, the full disk isn't tested: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(o.DataDir, unix.MNT_DETACH) })
	spoolEvents(t, o, 0, 5)
	must(t, Run(t.Context(), o))
	spoolEvents(t, o, 5, 205)
	filler := filepath.Join(o.DataDir, "filler")
	fill(t, filler)
	if err := o.Spool.Append(id(999), make([]byte, 1<<16)); !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("append on a full disk: %v", err)
	}
	must(t, o.Spool.CountFailed())
	wantPending(t, o.Spool, 200)

	o.GiveUp = 100 * time.Millisecond
	if err := Run(t.Context(), o); err == nil {
		t.Fatal("stored on a full disk")
	}
	if bad, err := o.Spool.Quarantined(); err != nil || len(bad) > 0 {
		t.Fatalf("quarantined %v, %v", bad, err)
	}
	if kept, _ := filepath.Glob(StorePath(o.DataDir) + ".corrupt-*"); len(kept) > 0 {
		t.Fatalf("moved aside %v", kept)
	}

	must(t, os.Remove(filler))
	must(t, Run(t.Context(), o))
	wantPending(t, o.Spool, 0)
	if got := counters(t, o.DataDir)[CounterNotKept]; got != 1 {
		t.Fatalf("counted %d appends that failed", got)
	}
	if diff := cmp.Diff(ids(0, 205), stored(t, o.DataDir)); diff != "" {
		t.Fatal(diff)
	}
}

// The cap is kept on a full disk too, where counting needs room that only removing makes.
func TestCapOnAFullDisk(t *testing.T) {
	o := options(t)
	if err := unix.Mount("tmpfs", o.DataDir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("CAN'T MOUNT a small file system here, the cap on a full disk isn't tested: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(o.DataDir, unix.MNT_DETACH) })
	spoolEvents(t, o, 0, 100)
	fill(t, filepath.Join(o.DataDir, "filler"))
	o.Spool.MaxBytes = 1
	n, err := o.Spool.Enforce()
	must(t, err)
	d, err := o.Spool.TakeDropped()
	must(t, err)
	if n != 100 || d.Count != 100 {
		t.Fatalf("dropped %d, counted %+v", n, d)
	}
}

func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	defer f.Close()
	for size := 1 << 16; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			if !errors.Is(err, unix.ENOSPC) {
				t.Fatal(err)
			}
			size /= 2
		}
	}
}
