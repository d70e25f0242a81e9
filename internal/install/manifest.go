package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/paths"
)

// manifest is what uninstall can't see in the files themselves.
type manifest struct {
	Version int `json:"version"`
	// Uses are the configs that hooks were installed with, for purge.
	Uses []use `json:"uses,omitempty"`
	// Places are where hooks are.
	Places []place `json:"places,omitempty"`
	// Files are those that boathook wrote or edited.
	Files []file `json:"files,omitempty"`
	// Dirs are the directories that it made.
	Dirs []string `json:"dirs,omitempty"`
}

const manifestVersion = 2

// use is a config and the data directory that it said. Made says that boathook wrote the config.
type use struct {
	Config  string `json:"config"`
	DataDir string `json:"data_dir"`
	Made    bool   `json:"made,omitempty"`
}

// file is what there was before boathook's hand was on it.
type file struct {
	Path string `json:"path"`
	// Before is the hash of the original bytes, which are in the backups, and empty where there was no file.
	Before string `json:"before,omitempty"`
	// After are the hashes of what install wrote: more than one, since a killed install may have left either.
	After []string `json:"after,omitempty"`
	// Replaced are the texts of members of others that went while ours is there.
	Replaced map[string]string `json:"replaced,omitempty"`
	// Made are the members that were made to hold our entries, outer ones before inner ones: the names with slashes between.
	Made []string `json:"made,omitempty"`
}

// maxAfter is how many versions of a file are remembered.
const maxAfter = 4

// installDir is where a first install puts the manifest.
func installDir(env Env) string { return filepath.Join(paths.DataDir(env.Home, env.Lookup), "install") }

// findState finds the one manifest that there is: by the marks in the agents' configurations, else in the default places with
// this environment and without. There is never a second: whatever a config or the environment say by now, it goes on there.
// A mark where only the environment leads counts last: a project's .env may have set that.
func (p *planner) findState() {
	if p.req.Managed {
		p.state = managedState(p.env)
		return
	}
	p.state = installDir(p.env)
	var candidates, strange []string
	for _, a := range agents() {
		for _, dir := range ownPlaces(a, p.env) {
			m, ok := a.mark(dir)
			if ok && m.State == "" && filepath.IsAbs(m.Config) { // the data are where the manifest is, mostly
				m.State = filepath.Join(config.Load(config.Request{Path: m.Config, Home: p.env.Home}).DataDir, "install")
			}
			switch {
			case !ok || !filepath.IsAbs(m.State):
			case p.usual(a, dir):
				candidates = append(candidates, m.State)
			default:
				strange = append(strange, m.State)
			}
		}
	}
	candidates = append(candidates, p.state, filepath.Join(paths.DataDir(p.env.Home, nil), "install"))
	candidates = append(candidates, strange...)
	for _, dir := range candidates {
		if filepath.IsAbs(dir) && exists(filepath.Join(dir, manifestName)) {
			p.state = dir
			return
		}
	}
}

// ownPlaces are the places of an agent's own. Without a home directory they would be the working directory's, and so a
// project's: then there are none.
func ownPlaces(a agent, env Env) []string {
	return slices.DeleteFunc(a.places(env), func(dir string) bool { return !filepath.IsAbs(dir) })
}

const (
	manifestName = "manifest.json"
	backupsName  = "backups"
)

// load reads the manifest; without one it is empty.
func (p *planner) load() error {
	p.findState()
	p.old = manifest{Version: manifestVersion}
	path := filepath.Join(p.state, manifestName)
	text, err := []byte(nil), fs.ErrNotExist
	if filepath.IsAbs(path) { // else it would be the working directory's
		text, err = readFile(path)
	}
	if err != nil && !absent(err) {
		return fmt.Errorf("read manifest: %w", err)
	}
	if err == nil {
		if err := json.Unmarshal(text, &p.old); err != nil {
			return refuse("read manifest %s: %w; move it away, and install and uninstall go by what they find", path, err)
		}
		if p.old.Version != manifestVersion {
			return refuse("read manifest %s: version %d, and this boathook knows %d; use the boathook that wrote it", path, p.old.Version, manifestVersion)
		}
		p.text = text
	}
	p.next = p.old
	p.next.Uses, p.next.Places = slices.Clone(p.old.Uses), slices.Clone(p.old.Places)
	p.next.Files, p.next.Dirs = slices.Clone(p.old.Files), slices.Clone(p.old.Dirs)
	p.backups = map[string][]byte{}
	return nil
}

// remember plans to write the manifest, and the backups before it, where they are not there yet.
func (p *planner) remember() {
	text := indented(p.next)
	for name, data := range p.backups {
		if have, err := readFile(p.backupPath(name)); err == nil && bytes.Equal(have, data) {
			delete(p.backups, name)
		}
	}
	if !bytes.Equal(text, p.text) || len(p.backups) > 0 {
		p.change(Change{Op: Remember, Path: p.state, before: p.text, after: text, backups: p.backups, Makes: p.staged})
		p.text, p.backups = text, map[string][]byte{}
	}
}

// backup keeps bytes of a user's and says where they will be.
func (p *planner) backup(path string, data []byte) string {
	name := backupName(path, sum(data))
	p.backups[name] = data
	return p.backupPath(name)
}

func backupName(path, hash string) string { return filepath.Base(path) + "." + hash[:16] }

func (p *planner) backupPath(name string) string {
	return filepath.Join(p.state, backupsName, name)
}

// file finds what the manifest knows of a path, behind whatever links lead to it by now.
func (m manifest) file(path string) (file, bool) {
	for _, f := range m.Files {
		if resolved(f.Path) == resolved(path) {
			return f, true
		}
	}
	return file{Path: path}, false
}

func (m *manifest) drop(path string) {
	m.Files = slices.DeleteFunc(m.Files, func(f file) bool { return resolved(f.Path) == resolved(path) })
}

// put replaces what is known of a file, and adds the hash of what is going to be written.
func (m *manifest) put(f file, after string) {
	if !slices.Contains(f.After, after) {
		f.After = append(slices.Clone(f.After), after)
	}
	f.After = f.After[max(0, len(f.After)-maxAfter):]
	for i, have := range m.Files {
		if resolved(have.Path) == resolved(f.Path) {
			m.Files[i] = f
			return
		}
	}
	m.Files = append(m.Files, f)
}

func (m *manifest) made(dir string) {
	if !slices.Contains(m.Dirs, dir) {
		m.Dirs = append(m.Dirs, dir)
	}
}

// Installed tells which agents have hooks that write into a data directory, and the config that install wrote for them,
// empty when it found one that was there already. A manifest that can't be read tells nothing.
func Installed(env Env, dataDir string) (agents []string, config string) {
	p := &planner{env: env}
	if p.load() != nil {
		return nil, ""
	}
	for _, u := range p.old.Uses {
		if u.DataDir != dataDir {
			continue
		}
		if u.Made {
			config = u.Config
		}
		for _, at := range p.old.Places {
			if !slices.Contains(agents, at.Agent) {
				agents = append(agents, at.Agent)
			}
		}
	}
	return agents, config
}
