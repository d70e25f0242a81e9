package install

import (
	"encoding/json"
	"path/filepath"
	"slices"

	geminihost "github.com/boathook/boathook/internal/host/gemini"
)

// GeminiDir is the directory of Gemini CLI's settings and extensions.
func GeminiDir(env Env) string { return geminiDir(env) }

func lookGemini(in *Installation, p *planner) {
	marked, extension, hooks := geminiFiles(in.Dir)
	in.File = hooks
	if _, ok := in.here(marked, "boathook can't tell that the directory is its own"); ok && in.Version == "" {
		in.fault(ByHand, marked, "is not boathook's mark: move the directory away, then install again")
	}
	if data, ok := in.here(extension, "Gemini CLI takes the directory for no extension"); ok {
		in.about(extension, data)
	}
	data, ok := in.here(hooks, "no hook runs")
	if !ok {
		return
	}
	var file struct{ Hooks map[string]any }
	if err := json.Unmarshal(data, &file); err != nil {
		in.fault(Reinstall, hooks, "is not valid JSON: no hook runs")
		return
	}
	list, unknown := registered(geminihost.Host(), file.Hooks)
	for _, e := range list {
		in.Events = append(in.Events, e.Name)
	}
	var lines []string
	commands(data, func(_, command string) { lines = append(lines, command) })
	written := p.recorded(hooks, data)
	if in.strange && !written {
		in.fault(in.again(), hooks, "is not what boathook wrote there, and nothing but the environment leads there: what it names is not followed here; Gemini CLI runs it all the same")
		return
	}
	in.wired(lines)
	if len(list) == 0 || in.Program == "" {
		in.fault(Reinstall, hooks, "has no hook of boathook's")
		return
	}
	for _, name := range unknown {
		in.fault(Reinstall, hooks, "has an entry %q, and Gemini CLI has no such event", name)
	}
	var want struct{ Hooks json.RawMessage }
	_ = json.Unmarshal(geminiHooks(in.as(p), list), &want)
	in.compare(hooks, file.Hooks, want.Hooks, written)
	in.vouch(p, written, len(in.Intact) > 0)
	in.gates(geminihost.Host(), hooks)
}

// about checks what makes the directory an extension.
func (in *Installation) about(path string, data []byte) {
	var ext struct{ Name, Version string }
	switch err := json.Unmarshal(data, &ext); {
	case err != nil:
		in.fault(Reinstall, path, "is not valid JSON: Gemini CLI loads no such extension")
	case ext.Name != ownerName, ext.Version == "":
		in.fault(Reinstall, path, "has to have the name boathook and a version: Gemini CLI loads the extension under another name or not at all")
	}
}

// geminiDoubles looks into Gemini's other extensions and settings.
func geminiDoubles(env Env, project string) (out []string) {
	dir := geminiDir(env)
	files, _ := filepath.Glob(filepath.Join(globEscape(filepath.Join(dir, "extensions")), "*", "hooks", "hooks.json"))
	files = append(files, filepath.Join(dir, "settings.json"))
	if project != "" && project != env.Home {
		files = append(files, filepath.Join(project, ".gemini", "settings.json"))
	}
	_, _, own := geminiFiles(geminiExtension(env))
	for _, path := range files {
		if path != own && runs(path, isGeminiHook) {
			out = append(out, path)
		}
	}
	return out
}

// runs tells whether a file has a command of ours.
func runs(path string, ours func(string) bool) bool {
	data, err := readFile(path)
	if err != nil {
		return false
	}
	found := false
	commands(data, func(_, command string) { found = found || ours(command) })
	return found
}

// names of the members of Antigravity's file that run a command of ours.
func membersOf(path string) (ours []string, pinta bool) {
	data, _ := readFile(path) // without one there are none
	return members(data)
}

func members(data []byte) (ours []string, pinta bool) {
	var file map[string]json.RawMessage
	if json.Unmarshal(data, &file) != nil {
		return nil, false
	}
	for name, value := range file {
		found := false
		commands(value, func(_, command string) { found = found || isAntigravityHook(command) })
		if found {
			ours = append(ours, name)
		}
	}
	slices.Sort(ours)
	_, pinta = file[pintaName]
	return ours, pinta
}
