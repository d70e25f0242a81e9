package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/shellquote"
)

// goneConfig is the config that hooks were installed with and that is no longer there; empty when all is well.
func (p *logPrinter) goneConfig() string {
	agents, config := install.Installed(installEnv(p.env), p.dir)
	if len(agents) == 0 || config == "" || p.settings.Managed {
		return ""
	}
	if _, err := os.Lstat(config); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return goneText(config, strings.Join(agents, " "))
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
	if agents, _ := install.Installed(installEnv(p.env), p.dir); known || len(agents) > 0 {
		fmt.Fprintf(p.env.Stderr, "installed, no events yet: restart the agent, then use it (events go to %s)\n", plain(p.dir))
		return
	}
	fmt.Fprintf(p.env.Stderr, `No event is recorded yet in %s.

  boathook install               put the hooks in place, then restart the agent
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
	p.env.warnOff(p.settings)
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
