package install

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/audit"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/netfs"
	"github.com/boathook/boathook/internal/off"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/internal/wake"
)

// uses collects the configs and data directories that there may be: those of the manifest, of the marks, and of the config
// that is named or in the default place, each with what it says now.
func (p *planner) uses() {
	add := func(u use) {
		if filepath.IsAbs(u.DataDir) && !slices.ContainsFunc(p.next.Uses, func(have use) bool { return have.Config == u.Config && have.DataDir == u.DataDir }) {
			p.next.Uses = append(p.next.Uses, u)
		}
	}
	for _, a := range agents() {
		for _, dir := range a.places(p.env) {
			believed := p.usual(a, dir) || slices.Contains(p.old.Places, place{Agent: a.id, Dir: dir})
			if m, ok := a.mark(dir); ok && believed && filepath.IsAbs(m.Config) {
				add(use{Config: m.Config, DataDir: m.DataDir})
			}
		}
	}
	p.plan.Config = p.configPath()
	configs := []string{p.plan.Config}
	for _, u := range p.next.Uses {
		configs = append(configs, u.Config)
	}
	for i, path := range configs {
		r := config.Request{Home: p.env.Home, Env: p.env.Lookup, Managed: p.env.Managed}
		if exists(path) {
			r.Path = path
		}
		s := config.Load(r)
		p.secret(s.Guard.Token)
		p.secret(slices.Collect(maps.Values(s.Telemetry.Headers))...)
		if i == 0 {
			p.plan.DataDir = s.DataDir
		}
		for _, dir := range []string{s.DataDir, s.Settle().DataDir} {
			if exists(path) || exists(dir) || exists(off.Path(path)) {
				add(use{Config: path, DataDir: dir})
			}
		}
	}
}

// purge plans the removal of the configs, the data and the backups, and of the directories made for them. The configs go
// first: a hook that still runs writes nothing without.
func (p *planner) purge() error {
	for _, a := range agents() {
		dirs := a.places(p.env)
		for _, at := range p.next.Places {
			if at.Agent == a.id {
				dirs = append(dirs, at.Dir)
			}
		}
		for _, dir := range dirs {
			if a.holds(p, dir) && !p.undone(dir) {
				return refuse("purge the data: the hooks of %s are still installed (%s) and need them; uninstall them too", a.id, dir)
			}
		}
	}
	for _, u := range p.next.Uses {
		if err := p.purgeConfig(u); err != nil {
			return err
		}
	}
	for _, u := range p.next.Uses {
		if len(dataFiles(u.DataDir)) > 0 || len(p.plan.Changes) > 0 && exists(u.DataDir) { // a hook may be about to write
			p.change(Change{Op: RemoveData, Path: u.DataDir, Why: "every recorded event and the machine's key"})
		}
	}
	dirs := slices.Clone(p.next.Dirs)
	for _, u := range p.next.Uses {
		for _, made := range madeWith(u) {
			if !slices.Contains(dirs, made) {
				dirs = append(dirs, made)
			}
		}
		for _, dir := range []string{u.DataDir, filepath.Dir(u.Config)} {
			if (filepath.Base(dir) == ownerName || netfs.IsLocal(dir)) && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	p.rmdirs(dirs)
	for _, u := range p.next.Uses {
		p.stays(u.DataDir)
		p.stays(filepath.Dir(u.Config))
	}
	if dir := p.state; exists(dir) {
		p.change(Change{Op: Forget, Path: dir, Why: "the manifest and the backups, and the directories made for them", dirs: append(dirs, p.old.Dirs...)})
	}
	return nil
}

// madeWith are the directories that hooks and 'boathook off' made for the data and the switch, as they recorded it: what they
// find missing before the first install no plan sees.
func madeWith(u use) []string {
	return append(ownfile.Made(u.DataDir), ownfile.Made(filepath.Dir(u.Config))...)
}

// undone tells that the plan changes something in a place.
func (p *planner) undone(dir string) bool {
	return slices.ContainsFunc(p.plan.Changes, func(c Change) bool { return within(c.Path, dir) || within(dir, filepath.Dir(c.link)) && c.link != "" })
}

func (p *planner) purgeConfig(u use) error {
	p.sweep(u.Config)
	if err := p.purgeOff(u); err != nil {
		return err
	}
	now, err := p.read(u.Config)
	if err != nil || !now.exists {
		return err
	}
	if !p.wrote(u.Config, now.data) {
		p.note("%s stays: boathook did not write it", u.Config)
		return p.disownConfig(u)
	}
	p.remove(now)
	return nil
}

// purgeOff removes what 'boathook off' left beside a config: a later install must not begin switched off.
func (p *planner) purgeOff(u use) error {
	path := off.Path(u.Config)
	if path == "" {
		return nil
	}
	p.sweep(path)
	for _, name := range append([]string{ownfile.MadeFile, off.LockFile}, leftSwitches(path)...) {
		if left, err := p.read(filepath.Join(filepath.Dir(path), name)); err == nil && left.exists && (name != off.LockFile || isPID(left.data)) {
			p.remove(left)
		}
	}
	now, err := p.read(path)
	if err != nil || !now.exists {
		return err
	}
	if _, err := off.Parse(now.data); err == nil {
		p.remove(now)
	}
	return nil
}

// isPID tells whether a file holds what a lock's holder writes, or nothing.
func isPID(data []byte) bool {
	return strings.Trim(strings.TrimSpace(string(data)), "0123456789") == ""
}

// leftSwitches are what an 'off' of earlier versions left that was killed: off.PROCESS.
func leftSwitches(path string) []string {
	entries, _ := os.ReadDir(filepath.Dir(path)) // none, where there is none
	var out []string
	for _, e := range entries {
		pid, is := strings.CutPrefix(e.Name(), filepath.Base(path)+".")
		if is && e.Type().IsRegular() && pid != "" && strings.Trim(pid, "0123456789") == "" {
			out = append(out, e.Name())
		}
	}
	return out
}

// stays tells what is not boathook's in a directory of its name.
func (p *planner) stays(dir string) {
	if p.goes(dir) || filepath.Base(dir) != ownerName && !slices.Contains(p.old.Dirs, dir) {
		return
	}
	left := slices.DeleteFunc(p.left(dir), func(name string) bool { return within(p.state, filepath.Join(dir, name)) })
	if exists(dir) && len(left) > 0 {
		p.note("%s stays, with what boathook did not put there: %s", dir, list(left))
	}
}

// dataNames are all names that boathook has in a data directory, beside the installer's own. A name that ends in a slash is
// a directory, which goes when it is empty.
var dataNames = []string{
	"spool/new/*.json", "spool/tmp/*.json", "spool/bad/*.json", "spool/bad/*.reason", "spool/new/", "spool/tmp/", "spool/bad/",
	"spool/dropped", "spool/dropped.*", "spool/failed", "spool/quarantined", "spool/enforce.lock", "spool/",
	"events.db", "events.db-wal", "events.db-shm", "events.db-journal", "events.db.corrupt-*", "key", "key.????????",
	audit.File, audit.File + ".old",
	".boathook-doctor-*", wake.StampFile, "worker.log", "worker.log.old", "worker.log.1", "worker.flush", wake.LockFile, ownfile.MadeFile,
}

// dataFiles lists what of boathook's is in a data directory, what is inside another before it.
func dataFiles(dir string) []string {
	var out []string
	for _, pattern := range dataNames {
		matches, _ := filepath.Glob(filepath.Join(globEscape(dir), pattern)) // the patterns are fine
		for _, path := range matches {
			info, err := os.Lstat(path)
			if err != nil || linked(dir, path) || info.IsDir() != strings.HasSuffix(pattern, "/") || !info.IsDir() && !info.Mode().IsRegular() {
				continue
			}
			if strings.HasPrefix(pattern, "key") && info.Size() != keySize {
				continue // another's
			}
			if strings.HasPrefix(pattern, audit.File) && !audit.Ours(path) {
				continue // pinta-gemini's, where the directory was its own
			}
			if info.IsDir() && !onlyThese(path, out) {
				continue
			}
			out = append(out, path)
		}
	}
	return out
}

// linked tells whether a path leads through a link below the data directory: what is there is not boathook's.
func linked(dir, path string) bool {
	for up := filepath.Dir(path); len(up) > len(dir); up = filepath.Dir(up) {
		if !isDir(up) {
			return true
		}
	}
	return false
}

// keySize is that of the machine's key: 32 bytes in hex.
const keySize = 64

func onlyThese(dir string, paths []string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !slices.Contains(paths, filepath.Join(dir, e.Name())) })
}

func globEscape(dir string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(dir)
}

// A worker may take ten seconds to end: it finishes the event that it has in hand. A hook that was past looking at its
// config when that went away writes within a second.
const (
	stopTries = 500
	stopPause = 20 * time.Millisecond
	looks     = 5
	maxLooks  = 40
)

var lookPause = 150 * time.Millisecond // shorter in tests

// removeData removes what is boathook's from a data directory, and looks again until nothing comes back.
func removeData(dir string) error {
	for n, quiet := 0, 0; quiet < looks; n++ {
		if n == maxLooks {
			return fmt.Errorf("remove data in %s: something writes there again and again; end the agents that still run", dir)
		}
		if n > 0 {
			time.Sleep(lookPause)
		}
		quiet++
		if len(dataFiles(dir)) == 0 {
			continue
		}
		quiet = 0
		if err := removeOnce(dir); err != nil {
			return err
		}
	}
	return nil
}

func removeOnce(dir string) error {
	free, err := stopWorker(dir)
	if err != nil {
		return err
	}
	defer free()
	for _, path := range dataFiles(dir) {
		if err := os.Remove(path); err != nil && exists(path) && !isDir(path) { // a directory: a hook has just written there
			return fmt.Errorf("remove data: %w", err)
		}
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// stopWorker ends the worker and keeps another from starting while the data go. The process id in the lock's file counts
// only while the lock is held.
func stopWorker(dataDir string) (free func(), err error) {
	path := filepath.Join(dataDir, wake.LockFile)
	if !exists(path) {
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

// configPath is the config that is named, or the default one.
func (p *planner) configPath() string {
	if p.req.Config != "" {
		return p.req.Config
	}
	return filepath.Join(paths.ConfigDir(p.env.Home, p.env.Lookup), "config.toml")
}
