package doctor

import (
	"strings"

	"github.com/boathook/boathook/internal/config"
)

// cureOf is what to do about a problem of the settings, which begins with its place.
func (w *World) cureOf(problem string) string {
	at := place(problem)
	if name, ok := strings.CutPrefix(at, "environment "); ok {
		return "unset " + name + ", or give it a value that fits"
	}
	if strings.HasPrefix(problem, "read ") {
		return "look at it: ls -l " + at
	}
	edit := "edit " + at + ": "
	if file, variable, ok := inEnvFile(at); ok {
		if k, known := keyIn(problem); known {
			return "edit " + file + ": " + variable + "=" + strings.ReplaceAll(value(k), `"`, "")
		}
	}
	_, rest, _ := strings.Cut(problem, "did you mean ")
	if meant, _, ok := strings.Cut(rest, "?"); ok {
		return edit + "write " + meant + ", or take it out"
	}
	if strings.Contains(problem, "not a KEY=value line") {
		return edit + "make it KEY=value, or take it out"
	}
	if strings.Contains(problem, "unknown key") {
		return edit + "take it out ('boathook help config' has every key)"
	}
	if k, ok := keyIn(problem); ok {
		return edit + example(k)
	}
	return edit + "make it name = \"value\", or take it out ('boathook help config' has every key)"
}

// keyIn is the setting that a problem is about: the longest name in it, since some begin with others.
func keyIn(problem string) (found config.Key, ok bool) {
	for _, k := range config.Keys() {
		at := strings.Index(problem, ": "+k.Name)
		if at < 0 || len(k.Name) <= len(found.Name) {
			continue
		}
		if rest := problem[at+2+len(k.Name):]; rest == "" || strings.ContainsAny(rest[:1], " :;,") {
			found, ok = k, true
		}
	}
	return found, ok
}

// inEnvFile splits a place that is a variable in a file.
func inEnvFile(at string) (file, variable string, ok bool) {
	space := strings.LastIndexByte(at, ' ')
	if space < 0 || strings.Trim(at[space+1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
		return "", "", false
	}
	return at[:space], at[space+1:], true
}

// example is how a setting is written.
func example(k config.Key) string { return k.Name + " = " + value(k) }

func value(k config.Key) string {
	value := `"…"`
	switch k.Type {
	case config.Bool:
		value = "true or false"
	case config.Int:
		value = k.Default + ", or another whole number in its bounds"
	case config.Choice:
		value = `"` + strings.Join(k.Choices, `" or "`) + `"`
	case config.List:
		value = `["…", "…"]`
	case config.Map:
		value = `{ name = "…" }`
	}
	switch {
	case strings.HasSuffix(k.Name, "endpoint"):
		value = `"http://HOST:PORT/…", or https`
	case strings.Contains(k.Doc, "PEM"), k.Name == "data_dir":
		value = `"/…", an absolute path`
	}
	return value
}
