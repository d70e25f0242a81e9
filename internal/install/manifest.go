package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// manifest is what install did, so that uninstall can undo exactly that. It is a JSON file in the data directory.
type manifest struct {
	Version int     `json:"version"`
	Entries []entry `json:"entries"`
}

const manifestVersion = 1

// entry is one thing that install made or changed.
type entry struct {
	Agent string `json:"agent,omitempty"`
	Kind  string `json:"kind"`
	// Path has no symbolic link as its last element.
	Path string `json:"path"`
	// Key is the member that is ours in a kindMember.
	Key string `json:"key,omitempty"`
	// Before is the hash of the original bytes, empty where there was no file; After that of what install wrote.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Backup has the original bytes, or the moved directory.
	Backup string `json:"backup,omitempty"`
	Mode   uint32 `json:"mode,omitempty"`
	// Replaced are members of others that ours stands for; they come back from the backup.
	Replaced []string `json:"replaced,omitempty"`
	// Edited says what uninstall does with a file of ours that the user changed.
	Edited string `json:"edited,omitempty"`
}

// The kinds of entries.
const (
	kindDir    = "dir"
	kindFile   = "file"   // a file that is ours as a whole
	kindMember = "member" // a user's file with a member of ours
	kindTree   = "tree"   // a directory that was moved to the backups
)

// What uninstall does with a file of ours that was edited.
const (
	editedDrop     = ""         // it goes all the same
	editedKeep     = "keep"     // it stays
	editedHandlers = "handlers" // our hook handlers go
)

func installDir(dataDir string) string   { return filepath.Join(dataDir, "install") }
func manifestPath(dataDir string) string { return filepath.Join(installDir(dataDir), "manifest.json") }
func lockPath(dataDir string) string     { return filepath.Join(installDir(dataDir), "lock") }
func backupDir(dataDir string) string    { return filepath.Join(installDir(dataDir), "backups") }

// readManifest gives an empty one where there is none.
func readManifest(dataDir string) (manifest, error) {
	m := manifest{Version: manifestVersion}
	path := manifestPath(dataDir)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("read manifest %s: %w", path, err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("read manifest %s: %w; move it away, and install and uninstall go by what they find", path, err)
	}
	if m.Version != manifestVersion {
		return m, refuse("read manifest %s: version %d, and this boathook knows %d; use the boathook that wrote it", path, m.Version, manifestVersion)
	}
	return m, nil
}

func (m manifest) encode() []byte {
	data, _ := json.MarshalIndent(m, "", "  ") // strings and numbers: it can't fail
	return append(data, '\n')
}

func (m manifest) get(path string) (entry, bool) {
	for _, e := range m.Entries {
		if e.Path == path {
			return e, true
		}
	}
	return entry{}, false
}

func (m *manifest) put(e entry) {
	for i, old := range m.Entries {
		if old.Path == e.Path {
			m.Entries[i] = e
			return
		}
	}
	m.Entries = append(m.Entries, e)
}

func (m *manifest) drop(path string) {
	m.Entries = slices.DeleteFunc(m.Entries, func(e entry) bool { return e.Path == path })
}

func (m manifest) clone() manifest {
	m.Entries = slices.Clone(m.Entries)
	return m
}
