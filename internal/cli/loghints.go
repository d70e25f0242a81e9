package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/shellquote"
)

// installation is what install's manifest says of the hooks in place, as far as log wants to know.
type installation struct {
	agents []string
	// config is the file that install wrote for the hooks, empty when it found one that was there already.
	config string
}

// readInstallation reads DIR/install/manifest.json. One that is missing or broken is install's business: nothing is
// installed then, as far as log can tell.
func readInstallation(dir string) installation {
	var m struct {
		Entries []struct{ Agent, Kind, Path string }
	}
	var out installation
	data, err := os.ReadFile(filepath.Join(dir, "install", "manifest.json"))
	if err != nil || json.Unmarshal(data, &m) != nil {
		return out
	}
	for _, e := range m.Entries {
		switch {
		case e.Agent != "" && !slices.Contains(out.agents, e.Agent):
			out.agents = append(out.agents, e.Agent)
		case e.Agent == "" && e.Kind == "file":
			out.config = e.Path
		}
	}
	return out
}

// goneConfig is the config that hooks were installed with and that is no longer there; empty when all is well.
func (p *logPrinter) goneConfig() string {
	in := readInstallation(p.dir)
	if len(in.agents) == 0 || in.config == "" || p.settings.Managed {
		return ""
	}
	if _, err := os.Lstat(in.config); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return goneText(in.config, strings.Join(in.agents, " "))
}

// goneText is said where a config is missing: hooks take that for an uninstall.
func goneText(path, agents string) string {
	return fmt.Sprintf("config %s is gone: hooks installed with it do nothing; run 'boathook install %s --config %s'", path, agents, shellquote.Word(path))
}

// nothingYet is what a newcomer sees.
func (p *logPrinter) nothingYet() {
	if p.goneConfig() != "" {
		return // the hooks do nothing; problems says so
	}
	_, err := os.Stat(filepath.Join(p.dir, "install", "manifest.json"))
	known := errors.Is(err, fs.ErrNotExist) && p.o.data == "" && readable(p.settings.Path) // its data_dir was changed
	if agents := readInstallation(p.dir).agents; known || len(agents) > 0 {
		fmt.Fprintf(p.env.Stderr, "installed, no events yet: restart the agent, then use it (events go to %s)\n", plain(p.dir))
		return
	}
	fmt.Fprintf(p.env.Stderr, `No event is recorded yet in %s.

  boathook install gemini        put the hooks in place (or: antigravity), then restart the agent
  boathook try                   see events without installing anything
`, plain(p.dir))
}

func readable(path string) bool {
	_, err := os.Stat(path)
	return path != "" && err == nil
}

// problems prints what is wrong with the settings.
func (p *logPrinter) problems() {
	for _, text := range p.settings.Problems {
		p.env.warn(text)
	}
	p.env.warn(p.goneConfig())
	if p.settings.Path != "" {
		p.env.warnOpen(p.settings.Path)
		p.env.warnOpen(filepath.Join(filepath.Dir(p.settings.Path), "boathook.env"))
	}
}

// warnOpen tells of a settings file that others can read: it may hold the guard's token. Windows has no such modes.
func (e *Env) warnOpen(path string) {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return
	}
	e.warn(fmt.Sprintf("%s may hold a token and is open to other users (mode %04o): chmod 600 %s", path, info.Mode().Perm(), shellquote.Word(path)))
}
