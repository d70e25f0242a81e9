// Package wake starts the worker, detached, when none is running. Every hook calls it once its record is in the spool.
// The worker outlives the hook and holds nothing of it: no pipe of the agent, no terminal, no environment. It must not
// import database/sql or net/http.
package wake

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
)

// Names in the data directory: the lock that the worker holds for its life, and the file whose time stamp is the last
// start.
const (
	LockFile  = "worker.lock"
	StampFile = "worker.stamp"
)

// interval is how often a worker is started that doesn't come up, so that two hundred hooks don't each start one that
// crashes.
const interval = time.Second

// Options says what to start. Exe and DataDir are absolute.
type Options struct {
	Exe     string
	DataDir string
	Config  string
	// NoConfig says that the environment comes first; else a worker without Config takes the one in the default place.
	NoConfig bool
	// Pass names variables that the worker gets beside those that any program needs.
	Pass []string
	// Getenv and Now are the caller's environment and clock; nil is the system's.
	Getenv func(string) string
	Now    func() time.Time
}

// Start makes sure that a worker will see what was spooled before the call. It returns at once when one runs, and when
// one was started within the last second: that one scans the spool after it takes its lock, or died, and then the next
// hook after the interval starts another. It may be called by any number of processes at once.
func Start(o Options) error {
	if lock.Held(filepath.Join(o.DataDir, LockFile)) {
		return nil
	}
	stamp := filepath.Join(o.DataDir, StampFile)
	now := o.now()
	if recent(stamp, now) {
		return nil
	}
	if err := touch(stamp, now); err != nil {
		return fmt.Errorf("stamp worker start: %w", err)
	}
	sealDescriptors()
	if _, err := startDetached(o.Exe, o.args(), o.DataDir, o.env()); err != nil {
		return fmt.Errorf("start worker %s: %w", o.Exe, err)
	}
	return nil
}

// Seal keeps what the agent left open for the hook from the processes that this one starts.
func Seal() { sealDescriptors() }

// Drain has another process store and send what waits, and returns when that has ended or the limit is over. Then that
// process goes on, for as long as it was told, with nothing of the caller's: whoever waits for the caller's pipes to close
// does not wait for it.
func Drain(o Options, limit time.Duration) error {
	sealDescriptors()
	args := append([]string{o.Exe, "worker", "drain", "--wait", limit.String()}, o.where()...)
	ended, err := startDetached(o.Exe, args, o.DataDir, o.env())
	if err != nil {
		return fmt.Errorf("start drain %s: %w", o.Exe, err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		ended()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return nil
	case <-timer.C:
		return fmt.Errorf("drain: not done within %s", limit)
	}
}

// Interval is how long Starting may say so of a worker that never comes up.
const Interval = interval

// Starting tells whether a worker was started so short a time ago that it may not hold its lock yet.
func Starting(dataDir string, now time.Time) bool {
	return recent(filepath.Join(dataDir, StampFile), now)
}

// Forget lifts the limit on starts. The worker calls it when it ends in good order, so that only one that died delays the
// next.
func Forget(dataDir string) {
	_ = os.Remove(filepath.Join(dataDir, StampFile))
}

// recent reports a start within the interval. A stamp of the future is none: the clock went backwards, and to wait until
// it has caught up would strand events.
func recent(stamp string, now time.Time) bool {
	fi, err := os.Lstat(stamp)
	if err != nil {
		return false
	}
	age := now.Sub(fi.ModTime())
	return age >= 0 && age < interval
}

// touch sets the stamp's own time, never that of a file it links to. One whose time can't be set is another user's, such as
// root's: the directory is ours, and it is made anew. Else no worker would ever be started again.
func touch(stamp string, now time.Time) error {
	err := setTime(stamp, now)
	if err == nil {
		return nil
	}
	if !os.IsNotExist(err) {
		_ = os.Remove(stamp) // what stays in the way is said next
	}
	f, err := ownfile.Open(stamp, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return setTime(stamp, now)
}

func (o Options) args() []string {
	return append([]string{o.Exe, "worker"}, o.where()...)
}

func (o Options) where() []string {
	args := []string{"--data", o.DataDir}
	switch {
	case o.NoConfig:
		args = append(args, "--no-config")
	case o.Config != "":
		args = append(args, "--config", o.Config)
	}
	return args
}

// env is all that the worker gets of the hook's environment, which a repository may have written into.
func (o Options) env() []string {
	getenv := o.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	return Environ(getenv, o.Pass...)
}

// Environ is what any program of boathook's gets of an environment, and what pass names beside it.
func Environ(getenv func(string) string, pass ...string) []string {
	out := []string{}
	for _, key := range append(passed(), pass...) {
		if v := getenv(key); v != "" {
			out = append(out, key+"="+v)
		}
	}
	return out
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}
