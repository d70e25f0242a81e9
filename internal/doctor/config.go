package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/shellquote"
)

func configChecks() []Check {
	return []Check{
		{ID: "config.file", Title: "config file", Run: configFile},
		{ID: "config.managed", Title: "managed config", Run: configManaged},
		{ID: "config.modes", Title: "config modes", Run: configModes},
		{ID: "config.environment", Title: "environment", Run: configEnvironment},
		{ID: "config.hooks", Title: "hooks of yours", Run: userHooks},
		{ID: "config.settings", Title: "settings", Run: configSettings},
	}
}

func configFile(_ context.Context, w *World) []Result {
	s := w.Settings
	var out []Result
	for _, p := range s.Problems {
		if s.Managed || !strings.Contains(p, w.Install.Managed) || w.Install.Managed == "" {
			out = append(out, warn(w.cureOf(p), "%s", w.Foreign(p)))
		}
	}
	switch {
	case len(out) > 0:
		return out
	case s.Missing:
		return []Result{fail("boathook install "+strings.Join(w.agents(), " ")+" --config "+shellquote.Word(s.Path), "%s is gone", s.Path)}
	case s.Path == "" || !isThere(s.Path):
		return info("there is none yet: install writes it; until then the defaults and the environment count")
	}
	return ok("%s", s.Path)
}

// place is the file and the line that a problem begins with.
func place(problem string) string {
	problem = strings.TrimPrefix(problem, "read ")
	at, _, _ := strings.Cut(problem, ": ")
	return at
}

func configManaged(_ context.Context, w *World) []Result {
	path := w.Install.Managed
	if path == "" || !isThere(path) {
		return nil
	}
	if w.Settings.Managed {
		return ok("%s is in force", path)
	}
	for _, p := range w.Settings.Problems {
		if strings.Contains(p, path) {
			return []Result{fail("sudo chown root "+path+" && sudo chmod 644 "+path, "%s", w.Foreign(p))}
		}
	}
	return info("%s says nothing", path)
}

// secretFiles are those that may hold a token.
func (w *World) secretFiles() []string {
	s := w.Settings
	if s.Path == "" {
		return nil
	}
	files := []string{s.Path, filepath.Join(filepath.Dir(s.Path), "boathook.env")}
	for _, path := range config.DefaultEnvFiles(s.Path, w.Install.Home) {
		if !slices.Contains(files, path) {
			files = append(files, path)
		}
	}
	if s.Telemetry.ClientKey != "" {
		files = append(files, s.Telemetry.ClientKey)
	}
	return files
}

func configModes(_ context.Context, w *World) []Result {
	if !hasModes {
		return nil
	}
	var out []Result
	seen := 0
	for _, path := range w.secretFiles() {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		seen++
		if uid, known := owner(info); known && w.strange(uid) {
			out = append(out, w.others(uid, path, ""))
			continue
		}
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			out = append(out, warn("chmod 600 "+shellquote.Word(path), "%s may hold a token and is open to other users (mode %04o)", path, mode).
				with("chmod "+path, "chmod 600 "+path, chmod(path, mode&0o700)))
		}
	}
	if seen == 0 {
		return nil
	}
	return orOK(out, "open to nobody else")
}

// configEnvironment tells of variables that are set and don't count. Their values are never said.
func configEnvironment(_ context.Context, w *World) []Result {
	if w.Settings.TrustEnv {
		if w.Settings.Path == "" || !w.installed() {
			return nil
		}
		return info(`environment = "trusted": the environment of an agent overrides the config, also what a project's .env sets`)
	}
	var out []Result
	for _, k := range config.Keys() {
		for _, e := range k.Env {
			if w.variable(e.Name) == "" || k.Foreign {
				continue
			}
			source := w.source(k.Name)
			if source != "default" {
				out = append(out, Result{Status: Info, Text: fmt.Sprintf("%s is set and does not count: %s comes from %s", e.Name, k.Name, source)})
				continue
			}
			out = append(out, warn("boathook install "+strings.Join(w.agents(), " ")+" (takes it over), or edit "+w.configFile()+": "+k.Name,
				"%s is set and does not count: hooks read the config alone, and that has no %s", e.Name, k.Name))
		}
	}
	for _, text := range config.Unused(w.Install.Lookup) {
		out = append(out, Result{Status: Info, Text: text})
	}
	return orOK(out, "no variable is set that would not count")
}

func (w *World) source(key string) string {
	for _, v := range w.Settings.Values {
		if v.Key == key {
			return v.Source
		}
	}
	return "default"
}

// said is a setting's value as somebody wrote it, empty where nobody did.
func (w *World) said(key string) string {
	for _, v := range w.Settings.Values {
		if v.Key == key && v.Source != "default" {
			return strings.TrimSpace(v.Value)
		}
	}
	return ""
}

func configSettings(_ context.Context, w *World) []Result {
	return ok("%d of %d differ from the default", len(w.changed()), len(w.Settings.Values))
}
