package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/paths"
)

// configUsage is what --config is in all commands that ask for the hooks'.
const configUsage = "the config file of the hooks (default: the one that the installed hooks read)"

// lookTime is how long the agents' files may take to say which config their hooks read: a disk may hang.
const lookTime = 3 * time.Second

// installedConfig is the config that a command without --config uses, empty where there is none. Where hooks read several,
// it says once which.
func (e *Env) installedConfig() (string, error) {
	configs, err := e.hookConfigs()
	if err != nil || len(configs) == 0 {
		return "", err
	}
	if first := configs[0]; len(configs) > 1 && e.chosen != first {
		e.chosen = first
		e.warn(fmt.Sprintf("the installed hooks read %d configs, and this looks at %s; --config chooses another: %s",
			len(configs), first, strings.Join(configs[1:], ", ")))
	}
	return configs[0], nil
}

// hookConfigs are the configs that the installed hooks read, the user's own first, else the one in the default place where
// it is there. Those that are gone are left out: hooks do nothing by them.
func (e *Env) hookConfigs() ([]string, error) {
	wired, err := e.wiredConfigs()
	if err != nil {
		return nil, err
	}
	usual := e.defaultConfig()
	there := slices.DeleteFunc(slices.Clone(wired), gone)
	switch {
	case len(there) > 0:
		return there, nil
	case len(wired) > 0 && wired[0] != usual:
		return wired[:1], nil // that it is gone is said: the data of the default place are not the hooks'
	case usual == "" || !readable(usual):
		return nil, nil
	}
	return []string{usual}, nil
}

func (e *Env) wiredConfigs() ([]string, error) {
	if e.Home == "" {
		return nil, nil
	}
	found := make(chan []string, 1)
	go func() {
		places, _ := install.Look(installEnv(e)) // without a manifest the agents' files say it
		found <- install.Configs(places)
	}()
	select {
	case wired := <-found:
		return wired, nil
	case <-time.After(lookTime):
		return nil, exitWith(exitFailed, fmt.Errorf("find the config of the hooks: the agents' files could not be read within %s; pass --config PATH", lookTime))
	}
}

func (e *Env) defaultConfig() string {
	dir := paths.ConfigDir(e.Home, e.LookupEnv)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "config.toml")
}

func gone(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// all are the places that a command goes through which means every worker: one for each data directory of the hooks'
// configs.
func (p place) all(env *Env) ([]place, error) {
	if p.data != "" || p.config != "" || p.noConfig {
		return []place{p}, nil
	}
	configs, err := env.hookConfigs()
	if err != nil || len(configs) < 2 {
		return []place{p}, err
	}
	var out []place
	var dirs []string
	for _, path := range configs {
		s, err := env.settings(path) // what is wrong with it is said where it is used
		if err == nil && slices.Contains(dirs, s.DataDir) {
			continue
		}
		dirs = append(dirs, s.DataDir)
		out = append(out, place{config: path})
	}
	return out, nil
}
