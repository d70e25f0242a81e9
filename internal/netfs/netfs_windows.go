package netfs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// base is the one that belongs to the machine, not to a profile that roams.
func base() string { return os.Getenv("LOCALAPPDATA") }

func private(fs.FileInfo, int) bool { return true }

func probe(dir string) bool {
	root := filepath.VolumeName(dir)
	if strings.HasPrefix(root, `\\`) {
		return true
	}
	name, err := windows.UTF16PtrFromString(root + `\`)
	return err == nil && windows.GetDriveType(name) == windows.DRIVE_REMOTE
}
