package doctor

import (
	"strings"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/shellquote"
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
		return edit + "write " + leaf(meant) + ", or take it out"
	}
	if strings.Contains(problem, "not a KEY=value line") {
		return edit + "make it KEY=value, or take it out"
	}
	if strings.Contains(problem, ": every user may write it, ") {
		return "chmod 600 " + shellquote.Word(at)
	}
	if _, head, ok := strings.Cut(problem, ": read as ["); ok {
		return edit + "make it [" + head
	}
	if strings.Contains(problem, "unknown key") {
		return edit + "take it out ('boathook help config' has every key)"
	}
	if k, ok := keyIn(problem); ok {
		return edit + example(k)
	}
	if text, ok := hookField(problem); ok {
		return edit + text
	}
	return edit + "make it name = \"value\" or the head of a table, or take it out ('boathook help config' has every key)"
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

// example is how a setting is written, in its table.
func example(k config.Key) string {
	text := leaf(k.Name) + " = " + value(k)
	if at := strings.LastIndexByte(k.Name, '.'); at > 0 {
		text += ", under [" + k.Name[:at] + "]"
	}
	return text
}

// leaf is the name of a setting in its table.
func leaf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// hookField is how the field of a [[hooks]] table is written that a problem is about.
func hookField(problem string) (string, bool) {
	_, rest, ok := strings.Cut(problem, ": hooks.")
	if !ok {
		return "", false
	}
	name, _, _ := strings.Cut(rest, " ")
	text, ok := map[string]string{
		"name": `"…"`, "on": `["tool:before"]`, "tools": `["bash"]`, "agents": `["claude"]`, "command": `["/path/to/program"]`,
		"timeout": "5000", "fail": `"open" or "closed"`,
	}[name]
	return name + " = " + text + " in that [[hooks]] table", ok
}

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
