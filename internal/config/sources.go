package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/paths"
)

// variables are the pairs of all env files, an earlier file winning.
type variables struct {
	vars map[string]string
	from map[string]string
}

func (v variables) layer() layer {
	return layer{name: "env files", get: envGet(v.vars, nil, v.from)}
}

// envFiles reads the files that the config names, else boathook.env beside it and the one that pinta-gemini reads.
func (l *loader) envFiles() variables {
	out := variables{vars: map[string]string{}, from: map[string]string{}}
	for _, path := range l.envFileNames() {
		text, cut, err := l.read(path)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				l.problem("read " + path + ": " + err.Error())
			}
			continue
		}
		if cut {
			l.problem(fmt.Sprintf("%s: longer than %d bytes; the rest is ignored", path, maxFile))
		}
		vars, problems := parseEnv(path, text)
		l.s.Problems = append(l.s.Problems, problems...)
		for k, v := range vars {
			if _, have := out.vars[k]; !have {
				out.vars[k], out.from[k] = v, path
			}
		}
	}
	return out
}

func (l *loader) envFileNames() []string {
	k := known().keys["env_files"]
	v, source := l.find(k)
	list, ok := v.([]string)
	if !ok {
		home := l.home("")
		if home == "" && !l.s.TrustEnv {
			l.problem("the home directory of this account is not known: no pinta-gemini.env is read")
		}
		return DefaultEnvFiles(l.s.Path, home)
	}
	var out []string
	for _, path := range list {
		if path, ok = l.absolute(path, source); ok {
			out = append(out, path)
		} else {
			l.problem(l.where(k, source) + ": env_files has a path that is not absolute; it is ignored")
		}
	}
	return out
}

// absolute takes only a path that is the same wherever an agent runs: a relative one would be looked for in, or made in,
// every project.
func (l *loader) absolute(path, source string) (string, bool) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home := l.home(source); filepath.IsAbs(home) {
			path = filepath.Join(home, rest)
		}
	}
	return path, filepath.IsAbs(path)
}

// DefaultEnvFiles are the env files read beside a config file where it names none.
func DefaultEnvFiles(configPath, home string) []string {
	var out []string
	if configPath != "" {
		out = append(out, filepath.Join(filepath.Dir(configPath), "boathook.env"))
	}
	if filepath.IsAbs(home) {
		out = append(out, filepath.Join(home, ".gemini", "pinta-gemini.env"))
	}
	return out
}

// envGet looks a key's variables up by rank, each first in the process (if it may be asked) and then in the files.
func envGet(files map[string]string, process paths.Lookup, from map[string]string) func(Key) (any, string, bool) {
	return func(k Key) (any, string, bool) {
		for _, name := range k.Env {
			if process != nil {
				if v, ok := process(name.Name); ok && v != "" {
					return withSuffix(v, name.Suffix), "environment " + name.Name, true
				}
			}
			if v := files[name.Name]; v != "" {
				return withSuffix(v, name.Suffix), from[name.Name] + " " + name.Name, true
			}
		}
		return nil, "", false
	}
}

func withSuffix(v, suffix string) string {
	if suffix == "" {
		return v
	}
	path, query := cutQuery(v)
	return strings.TrimRight(path, "/") + suffix + query
}

// show prints a value for people; a secret shows only that it is set.
func show(k Key, v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case map[string]string:
		names := make([]string, 0, len(v))
		for name, value := range v {
			if k.Secret {
				name = HeaderName(name, value)
			}
			names = append(names, name)
		}
		sort.Strings(names)
		return strings.Join(names, ",")
	case []string:
		return strings.Join(v, ",")
	case string:
		if k.Secret && v != "" {
			return "(set)"
		}
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	}
	return fmt.Sprint(v)
}

// HeaderName is the name of a header as it may be shown. Where a map was written in the wrong form ("Authorization: Bearer
// …==") its names have the secret: what no header can have for a name, or what has no value, is not shown.
func HeaderName(name, value string) string {
	const most = 40
	strange := func(r rune) bool {
		letter := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}
	if name == "" || len(name) > most || strings.ContainsFunc(name, strange) || strings.Trim(value, "= \t") == "" {
		return "(not a header name)"
	}
	return name
}
