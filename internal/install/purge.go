package install

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/internal/wake"
)

// purge plans the removal of the config, the data and the backups, and of the directories made for them.
func (p *planner) purge() error {
	for _, e := range p.plan.next.Entries {
		if e.Agent != "" && e.Kind != kindDir {
			return refuse("purge the data: the hooks of %s are still installed and need them; uninstall them too", e.Agent)
		}
	}
	for _, e := range p.old.Entries {
		if e.Agent == "" && e.Kind == kindFile && exists(e.Path) {
			now, err := p.read(e.Path)
			if err != nil {
				return err
			}
			p.remove(now)
		}
	}
	if exists(p.plan.Config) && !p.goes(p.plan.Config) {
		p.note("%s stays: boathook did not write it", p.plan.Config)
	}
	p.purgeData()
	p.rmdirs(p.dirs(func(entry) bool { return true }))
	p.plan.next = manifest{Version: manifestVersion}
	return nil
}

// purgeData removes the data directory if boathook made it, or if it is where boathook's data always are. In a directory
// that was there before, only what boathook puts there goes.
func (p *planner) purgeData() {
	dir := p.plan.DataDir
	if !exists(dir) {
		return
	}
	made, known := p.old.get(dir)
	ours := known && made.Kind == kindDir || dir == paths.DataDir(p.env.Home, nil) || dir == paths.DataDir(p.env.Home, p.env.Lookup)
	if ours {
		p.change(Change{Op: RemoveTree, Path: dir, Why: "every recorded event, the machine's key and the backups"})
		return
	}
	p.note("%s was there before boathook: only boathook's own files in it go", dir)
	for _, pattern := range dataNames {
		matches, _ := filepath.Glob(filepath.Join(globEscape(dir), pattern)) // the patterns are fine
		for _, path := range matches {
			p.change(Change{Op: RemoveTree, Path: path})
		}
	}
}

// dataNames are the names in the data directory.
var dataNames = []string{"install", "spool", "events.db*", "key", "worker.*"}

func globEscape(dir string) string {
	var out []rune
	for _, r := range dir {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			out = append(out, '\\')
		}
		out = append(out, r)
	}
	return string(out)
}

// A worker may take ten seconds to end: it finishes the event that it has in hand.
const (
	stopTries = 500
	stopPause = 20 * time.Millisecond
)

// stopWorker ends the worker and keeps another from starting while the data go. The process id in the lock's file counts
// only while the lock is held.
func stopWorker(dataDir string) (free func(), err error) {
	path := filepath.Join(dataDir, wake.LockFile)
	if !exists(dataDir) {
		return func() {}, nil
	}
	asked := 0
	for range stopTries {
		if l, err := lock.TryLock(path); err == nil {
			return func() { _ = l.Unlock() }, nil
		}
		pid, _ := lock.Holder(path) // none: it has just taken the lock, or let it go
		if pid > 1 && pid != os.Getpid() && pid != asked && lock.Held(path) {
			asked = pid
			_ = terminate(pid)
		}
		time.Sleep(stopPause)
	}
	return nil, fmt.Errorf("stop worker (process %d): it did not end within %s; end it and run this again", asked, stopTries*stopPause)
}
