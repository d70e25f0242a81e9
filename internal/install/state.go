package install

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/atomicfile"
)

// The manifest comes and goes in one step, with the directories that are made for it: they are put together beside the
// outermost of them and renamed. What a killed process leaves has one of these endings.
const (
	comingSuffix = ".boathook-new"
	goingSuffix  = ".boathook-old"
)

// leftovers are the remains of a process that was killed while the manifest came or went.
func (p *planner) leftovers() []string {
	var out []string
	for at := p.state; at != p.env.Home && at != filepath.Dir(at); at = filepath.Dir(at) {
		for _, suffix := range []string{comingSuffix, goingSuffix} {
			if exists(at + suffix) {
				out = append(out, at+suffix)
			}
		}
	}
	return out
}

// writeState writes backups and manifest into dir.
func writeState(dir string, text []byte, backups map[string][]byte) error {
	if exists(dir) {
		return fillState(dir, text, backups)
	}
	top := dir
	for up := filepath.Dir(top); !exists(up); up = filepath.Dir(up) {
		top = up
	}
	below, _ := filepath.Rel(top, dir)
	stage := top + comingSuffix
	err := makeAll(filepath.Join(stage, below))
	if err == nil {
		err = fillState(filepath.Join(stage, below), text, backups)
	}
	if err == nil {
		err = os.Rename(stage, top)
	}
	if err != nil {
		clearState(stage)
		return fmt.Errorf("create directory: %w", err)
	}
	return atomicfile.SyncDir(filepath.Dir(top))
}

// makeAll is os.MkdirAll for directories that are nobody else's, whatever the umask.
func makeAll(path string) error {
	if up := filepath.Dir(path); !exists(up) {
		if err := makeAll(up); err != nil {
			return err
		}
	}
	if exists(path) {
		return nil
	}
	return mkdir(path, 0o700)
}

func fillState(dir string, text []byte, backups map[string][]byte) error {
	if err := makeAll(filepath.Join(dir, backupsName)); err != nil && len(backups) > 0 {
		return fmt.Errorf("create directory: %w", err)
	}
	for name, data := range backups {
		if err := atomicfile.WriteSync(filepath.Join(dir, backupsName, name), data, 0o600); err != nil {
			return err
		}
	}
	return atomicfile.WriteSync(filepath.Join(dir, manifestName), text, 0o600)
}

// removeState removes backups and manifest, and with them those directories above that boathook made and nobody else uses.
func removeState(dir string, made []string) error {
	top := dir
	for up := filepath.Dir(top); slices.Contains(made, up) || filepath.Base(up) == ownerName; up = filepath.Dir(up) {
		if entries, err := os.ReadDir(up); err != nil || len(entries) != 1 {
			break
		}
		top = up
	}
	gone := top + goingSuffix
	if err := os.Rename(top, gone); err != nil && !absent(err) {
		return fmt.Errorf("remove %s: %w", top, err)
	}
	clearState(gone)
	_ = atomicfile.SyncDir(filepath.Dir(top)) // it is gone; a power loss may bring it back, and then the next run finds it
	return nil
}

// clearState removes a directory with what is boathook's in it: the files that are in a directory of the installer's.
func clearState(path string) {
	entries, _ := os.ReadDir(path)
	for _, e := range entries {
		below := filepath.Join(path, e.Name())
		switch base := filepath.Base(path); {
		case e.IsDir(), e.Name() == ownerName: // the second may be a link to where the data are
			clearState(below)
		case base == backupsName, e.Name() == manifestName, isTemp(e.Name()):
			_ = os.Remove(below)
		}
	}
	if left, err := os.ReadDir(path); err == nil && len(left) == 0 {
		_ = os.Remove(path)
	}
}
