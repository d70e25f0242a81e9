package wake

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"github.com/boathook/boathook/internal/ownfile"
)

// passed names the variables that the worker gets: what corresponds to PATH, HOME and TMPDIR, and what the system's own
// libraries need.
func passed() []string {
	return []string{
		"PATH", "HOME", "LANG", "TMPDIR", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", "SYSTEMROOT", "SYSTEMDRIVE",
	}
}

// startDetached starts argv without a console and out of reach of the console's Ctrl-C.
func startDetached(exe string, argv []string, dir string, env []string) (ended func(), err error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	p, err := os.StartProcess(exe, argv, &os.ProcAttr{
		Dir: dir, Env: env, Files: []*os.File{null, null, null},
		Sys: &syscall.SysProcAttr{
			CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP,
			HideWindow:    true,
		},
	})
	if err != nil {
		return nil, err
	}
	return func() { _, _ = p.Wait() }, nil
}

// sealDescriptors has nothing to do: the runtime passes an explicit list of handles.
func sealDescriptors() {}

// setTime refuses a link, which Chtimes would follow.
func setTime(path string, now time.Time) error {
	fi, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !fi.Mode().IsRegular() {
		return ownfile.ErrForeign
	}
	return os.Chtimes(path, now, now)
}
