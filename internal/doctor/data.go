package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/shellquote"
)

func dataChecks() []Check {
	return []Check{
		{ID: "data.dir", Title: "data directory", Run: dataDir},
		{ID: "data.modes", Title: "data modes", Run: dataModes},
		{ID: "data.space", Title: "disk space", Run: dataSpace},
		{ID: "data.network", Title: "data on a local disk", Run: dataNetwork},
	}
}

func dataDir(_ context.Context, w *World) []Result {
	dir := w.Settings.DataDir
	if dir == "" {
		return []Result{fail("set HOME, or edit "+w.configFile()+": data_dir", "there is no home directory, and no data_dir is set: nothing is recorded")}
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil && isThere(dir):
		return []Result{fail("mend the link "+dir, "%s leads nowhere (%s): nothing is recorded", dir, cause(err))}
	case err != nil && !w.installed():
		return []Result{{Status: Info, Text: dir + " is not there yet: install makes it"}}
	case err != nil:
		return []Result{{Status: Info, Text: dir + " is not there: the next hook makes it"}}
	case !info.IsDir():
		return []Result{fail("mv "+shellquote.Word(dir)+" "+shellquote.Word(dir+".old"), "%s is no directory: nothing is recorded", dir)}
	}
	if uid, known := owner(info); known && w.strange(uid) {
		return []Result{w.others(uid, dir, "-R ")}
	}
	if w.Install.UID == 0 && w.Actor != 0 { // nothing is wrong but who looks
		return []Result{warn("run doctor as that user, without sudo", "%s: this is root, and hooks act as uid %d here", dir, w.Actor)}
	}
	if hasModes && info.Mode().Perm()&0o700 != 0o700 {
		return []Result{fail("chmod 700 "+shellquote.Word(dir), "%s can't be written by its owner (mode %04o): nothing is recorded", dir, info.Mode().Perm()).
			with("chmod "+dir, "chmod 700 "+dir, chmod(dir, 0o700))}
	}
	if err := writable(dir); err != nil {
		return []Result{fail("mount it writable, or edit "+w.configFile()+": data_dir", "%s can't be written (%s): nothing is recorded", dir, err)}
	}
	return ok("%s", dir)
}

func dataModes(ctx context.Context, w *World) []Result {
	dir := w.Settings.DataDir
	if !hasModes || dir == "" {
		return nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil
	}
	var open, foreign []string
	for _, path := range install.OwnData(dir) {
		if ctx.Err() != nil {
			break
		}
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink != 0 {
			continue // what is no file of boathook's is said elsewhere
		}
		if uid, known := owner(info); known && w.strange(uid) {
			foreign = append(foreign, path)
		} else if info.Mode().Perm()&0o077 != 0 && !brief(path) {
			open = append(open, path)
		}
	}
	var out []Result
	if len(foreign) > 0 {
		text := "not yours, so that hooks and worker don't touch it"
		if w.Actor != w.Install.UID {
			text = fmt.Sprintf("not of uid %d, as which hooks and worker act here, so that they don't touch it", w.Actor)
		}
		out = append(out, fail(fmt.Sprintf("sudo chown %d %s", w.Actor, quoted(foreign)), "%s: %s", some(foreign), text))
	}
	if len(open) > 0 {
		out = append(out, warn("chmod go= "+quoted(open), "%s: open to other users", some(open)).
			with("chmod -R "+dir, "chmod go= "+some(open), func(context.Context) error { return closeAll(open) }))
	}
	return orOK(out, "open to nobody else")
}

// brief tells that a file of SQLite's was only just made: whoever opens the store makes them, also doctor, and they get their
// mode before their content. The -shm holds no data.
func brief(path string) bool {
	if strings.HasSuffix(path, "-shm") {
		return true
	}
	if !strings.HasSuffix(path, "-wal") {
		return false
	}
	info, err := os.Lstat(path)
	return err != nil || info.Size() == 0 || info.Mode().Perm()&0o077 == 0
}

func closeAll(paths []string) error {
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink != 0 {
			continue // gone meanwhile
		}
		if err := unlessGone(os.Chmod(path, info.Mode().Perm()&0o700)); err != nil {
			return err
		}
	}
	return nil
}

// asThem cures what root sees in another user's home: there is nothing wrong with it but who looks.
const asThem = "run this as that user, without sudo"

// strange tells whether a file is not of the user that hooks act as.
func (w *World) strange(uid int) bool { return w.Install.UID >= 0 && uid != w.Actor }

// others is a path that belongs to another user than hooks act as.
func (w *World) others(uid int, path, recursive string) Result {
	return fail(fmt.Sprintf("sudo chown %s%d %s", recursive, w.Actor, shellquote.Word(path)), "%s belongs to another user (uid %d)", path, uid)
}

// quoted are the first of many paths as a shell takes them.
func quoted(paths []string) string {
	words := make([]string, len(paths))
	for i, path := range paths {
		words[i] = shellquote.Word(path)
	}
	return some(words)
}

// some names the first of many.
func some(paths []string) string {
	const most = 3
	if len(paths) <= most {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:most], ", "), len(paths)-most)
}

func dataSpace(_ context.Context, w *World) []Result {
	dir := w.Settings.DataDir
	for dir != "" && !isThere(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	free, _, known := room(dir)
	if !known {
		return nil
	}
	return space(free, dir)
}

// Below the first hooks soon can't write; below the second a store of usual size has no room to grow.
const (
	leastRoom = 16 << 20
	scantRoom = 256 << 20
)

func space(free uint64, dir string) []Result {
	switch {
	case free < leastRoom:
		return []Result{fail("free some disk space on "+dir, "%s free in %s: hooks can hardly record anything", Size(int64(free)), dir)}
	case free < scantRoom:
		return []Result{warn("free some disk space on "+dir, "only %s free in %s", Size(int64(free)), dir)}
	}
	return ok("%s free", Size(int64(free)))
}

// Size is a number of bytes for people.
func Size(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

func dataNetwork(_ context.Context, w *World) []Result {
	switch {
	case w.Settings.DataDir == "":
		return nil
	case w.Settings.DataDirMoved != "":
		return info("%s is on a network file system, where locks and databases fail: the data are in %s", w.Settings.DataDirMoved, w.Settings.DataDir)
	case w.OnNetwork:
		return []Result{warn("edit "+w.configFile()+": data_dir = a directory of this machine", "%s is on a network file system, where locks and databases fail", w.Settings.DataDir)}
	}
	return ok("yes")
}
