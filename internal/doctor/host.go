package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/boathook/boathook/internal/foreign"
	"github.com/boathook/boathook/internal/install"
)

func hostChecks() []Check {
	var out []Check
	for _, p := range programs() {
		out = append(out, Check{ID: "host." + p.agent, Title: p.title, Run: func(ctx context.Context, w *World) []Result { return p.look(ctx, w) }})
	}
	return out
}

func (p program) look(ctx context.Context, w *World) []Result {
	if !w.wants(p.agent) {
		return nil
	}
	path := w.onPath(p.command)
	if path == "" {
		return p.notOnPath(w)
	}
	version, err := p.version(ctx, w, path)
	switch {
	case errors.Is(err, errUnasked):
		return info("at %s; it is not started to ask its version, which is slow or writes to the home directory", path)
	case errors.Is(err, errStranger):
		return info("%s was not started to ask its version: %s", path, err)
	case err != nil:
		return []Result{warn(p.command+" --version", "%s at %s does not say its version (%s)", p.title, path, w.Foreign(err.Error()))}
	case p.replayed:
		return info("version %s at %s; boathook follows captures of %s and was never tried with the real program", version, path, p.tested)
	case version != p.shown():
		return info("version %s at %s; boathook is tested with %s: 'boathook verify' shows whether all is well with yours", version, path, p.shown())
	}
	return ok("version %s at %s", version, path)
}

func (p program) notOnPath(w *World) []Result {
	for _, found := range install.Detect(w.Install) {
		if found == p.agent {
			return info("no %s on this PATH; its files are in the home directory", p.command)
		}
	}
	if len(w.of(p.agent)) > 0 {
		return info("no %s on this PATH; the hooks are installed", p.command)
	}
	if p.rare {
		return nil
	}
	return info("is not on this machine")
}

// onPath finds a program in the absolute directories of PATH.
func (w *World) onPath(name string) string {
	for _, dir := range filepath.SplitList(w.variable("PATH")) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

var versionText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+\.\d+(?:\.\d+)?[\w.+-]*`) })

// plainVersion finds a version in a text, and bounds it.
func plainVersion(text string) string {
	const most = 48
	v := versionText().FindString(text)
	return v[:min(len(v), most)]
}

// version reads the package's own file, which takes no process, else asks the program.
func (p program) version(ctx context.Context, w *World, path string) (string, error) {
	if v := p.packaged(path); v != "" {
		return v, nil
	}
	if v := inPath(path); v != "" {
		return v, nil
	}
	if p.slow {
		return "", errUnasked
	}
	out, err := w.versionOf(ctx, path)
	if err != nil {
		return "", err
	}
	v := plainVersion(string(out))
	if v == "" {
		return "", fmt.Errorf("no version in its answer")
	}
	return v, nil
}

// packaged looks for the package.json above the file behind the link on PATH.
func (p program) packaged(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || p.module == "" {
		return ""
	}
	dir := filepath.Dir(real)
	for range 4 {
		data, err := foreign.Read(filepath.Join(dir, "package.json"))
		var about struct{ Name, Version string }
		if err == nil && json.Unmarshal(data, &about) == nil && about.Name == p.module {
			return plainVersion(about.Version)
		}
		dir = filepath.Dir(dir)
	}
	return ""
}
