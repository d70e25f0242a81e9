package judge

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/boathook/boathook/internal/bounded"
	"github.com/boathook/boathook/internal/ignore"
)

// Disk is what of the disk may be known, within a time and a number of questions. It implements place.Facts. What is not answered in
// time is not known, and then nothing more is asked.
type Disk struct {
	// Stuck, where it is set, names what must not be looked at, since whoever does may hang for ever.
	Stuck func(dir string) bool

	mu   sync.Mutex
	left time.Duration
	asks int
}

// maxAsks bounds the questions about one call.
const maxAsks = 2000

// NewDisk is a disk with so much patience for all questions together.
func NewDisk(patience time.Duration, stuck func(dir string) bool) *Disk {
	return &Disk{Stuck: stuck, left: patience}
}

// Resolve implements place.Facts.
func (d *Disk) Resolve(path string) (string, bool) {
	var real string
	var ok bool
	if !d.ask(path, func() { real, ok = resolve(path, 0) }) {
		return "", false
	}
	return real, ok
}

// Exists implements place.Facts.
func (d *Disk) Exists(path string) (exists, known bool) {
	var err error
	if !d.ask(path, func() { _, err = os.Lstat(path) }) {
		return false, false
	}
	switch {
	case err == nil:
		return true, true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return false, true
	}
	return false, false
}

// Ignored implements place.Facts.
func (d *Disk) Ignored(root, path string) bool {
	var is bool
	return d.ask(root, func() { is = ignore.Ignored(root, path) }) && is
}

// ask lets f look at the disk and tells whether it came back in time; what f writes must not be read otherwise.
func (d *Disk) ask(path string, f func()) bool {
	if !filepath.IsAbs(path) || d.Stuck != nil && d.Stuck(path) {
		return false
	}
	left, ok := d.take()
	if !ok {
		return false
	}
	start := time.Now()
	if !bounded.Do(left, f) {
		d.spend(left)
		return false
	}
	d.spend(time.Since(start))
	return true
}

func (d *Disk) take() (time.Duration, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asks++
	return d.left, d.left > 0 && d.asks <= maxAsks
}

func (d *Disk) spend(t time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left -= t
}

// maxLinks bounds a chain of links, as the kernel does.
const maxLinks = 40

// resolve follows links as far as there is anything; a link that leads nowhere yet counts as what it would make.
func resolve(path string, links int) (string, bool) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real, true
	}
	if links > maxLinks || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return "", false
	}
	if target, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		return resolve(target, links+1)
	}
	up := filepath.Dir(path)
	if up == path {
		return "", false
	}
	above, ok := resolve(up, links)
	return filepath.Join(above, filepath.Base(path)), ok
}
