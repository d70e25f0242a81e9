package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/netfs"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/internal/redact"
	"github.com/boathook/boathook/internal/shellquote"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// World is what all checks look at. Nothing changes it, but for the probe that two of them share.
type World struct {
	Env
	// Places are where hooks are; LookErr says that the manifest can't be read.
	Places  []install.Installation
	LookErr error
	// Wired are the configs that the hooks read; of hooks in a project, that of the manifest.
	Wired    []string
	Settings config.Settings
	// Actor is the user that hooks act as: this one, but for root the one whose the config and the data are.
	Actor int
	// OnNetwork says that the data had to stay on a network file system.
	OnNetwork bool

	secrets []string
	masks   *redact.Redactor
	probe   probe
}

// Load reads what all checks look at; status looks at it too. It may hang where a disk does.
func Load(env Env) *World {
	w := &World{Env: env}
	places, err := install.Look(env.Install)
	w.LookErr = err
	for _, in := range places {
		if w.wants(in.Agent) {
			w.Places = append(w.Places, in)
		}
	}
	w.Wired = install.Configs(places)
	w.Settings = config.Load(config.Request{
		Path: w.configPath(), Home: env.Install.Home, Env: env.Install.Lookup, Managed: env.Install.Managed,
	})
	w.Settings = w.Settings.Settle()
	w.OnNetwork = w.Settings.DataDirMoved == "" && w.Settings.DataDir != "" && netfs.Remote(w.Settings.DataDir)
	w.Actor = env.Install.UID
	if w.Actor == 0 {
		w.Actor = ownfile.Acting(w.Settings.Path, w.Settings.DataDir)
	}
	w.secrets = secretsOf(env.Install.Lookup, w.Settings)
	w.masks, _ = redact.New(redact.Options{}) // without patterns nothing can be wrong with them
	return w
}

// configPath is the config that was named, else the one that hooks read, else the one in the default place.
func (w *World) configPath() string {
	if w.Config != "" {
		return w.Config
	}
	if len(w.Wired) > 0 {
		return w.Wired[0]
	}
	if dir := paths.ConfigDir(w.Install.Home, w.Install.Lookup); dir != "" {
		if path := filepath.Join(dir, "config.toml"); isThere(path) {
			return path
		}
	}
	return ""
}

// wants tells whether an agent is to be looked at.
func (w *World) wants(agent string) bool {
	return len(w.Agents) == 0 || slices.Contains(w.Agents, agent)
}

// agents are those to look at.
func (w *World) agents() []string {
	return slices.DeleteFunc(install.Agents(), func(a string) bool { return !w.wants(a) })
}

func (w *World) of(agent string) []install.Installation {
	return slices.DeleteFunc(slices.Clone(w.Places), func(in install.Installation) bool { return in.Agent != agent })
}

// installed tells whether hooks are anywhere.
func (w *World) installed() bool { return len(w.Places) > 0 }

// configFile is how a cure names the config.
func (w *World) configFile() string {
	if w.Settings.Path == "" {
		return "config.toml"
	}
	return w.Settings.Path
}

func (w *World) variable(name string) string {
	if w.Install.Lookup == nil {
		return ""
	}
	v, _ := w.Install.Lookup(name)
	return v
}

// Spool is where events wait.
func (w *World) Spool() spool.Spool {
	return spool.Spool{Dir: filepath.Join(w.Settings.DataDir, "spool"), MaxBytes: w.Settings.SpoolMax, Fsync: w.Settings.Fsync}
}

func (w *World) data(name string) string { return filepath.Join(w.Settings.DataDir, name) }

// ErrOthers says that the store is another user's.
var ErrOthers = errors.New("the store belongs to another user: run this as that user, without sudo")

// Open opens the store for reading; the caller closes it. It makes files beside the store, so that root must not open
// another user's: they would be root's.
func (w *World) Open(ctx context.Context) (*store.Store, error) {
	if info, err := os.Stat(worker.StorePath(w.Settings.DataDir)); err == nil {
		if uid, known := owner(info); known && w.Install.UID >= 0 && uid != w.Install.UID {
			return nil, ErrOthers
		}
	}
	return store.OpenReadOnly(ctx, worker.StorePath(w.Settings.DataDir))
}

// reinstall is the command that puts an installation right.
func reinstall(in install.Installation) string {
	text := "boathook install " + in.Agent
	if in.Workspace {
		text += " --workspace " + shellquote.Word(filepath.Dir(in.Dir))
	}
	if in.Config != "" {
		text += " --config " + shellquote.Word(in.Config)
	}
	return text
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
