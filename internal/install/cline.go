package install

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	clinehost "github.com/boathook/boathook/internal/host/cline"
)

// Cline runs every script in its directory that has an event's name, whatever its case, with or without an extension
// (3.0.65). Ours is a file of its own; where the name is taken, it has another of the extensions.

func cline() agent {
	return agent{
		id: "cline", title: "Cline", detect: func(env Env) bool { return here(env, clineDir(env), "cline") },
		places: func(env Env) []string { return []string{filepath.Join(clineDir(env), "hooks")} },
		add:    addCline, undo: undoCline, files: clinePaths, look: lookCline, doubles: clineDoubles,
		mark: clineMark, holds: func(_ *planner, dir string) bool { return len(clineScripts(dir)) > 0 },
		restart: "start a new Cline task: it looks for hooks when one begins",
		stop:    "start a new Cline task: one that runs may keep calling its hooks, which then do nothing",
	}
}

// clineDir is Cline's directory; CLINE_DIR stands for all of it (3.0.65).
func clineDir(env Env) string { return agentDir(env, "CLINE_DIR", ".cline") }

// clineExtensions are those that Cline gives to a shell, the best first: the line with #! says which.
var clineExtensions = []string{"", ".sh", ".bash", ".zsh"}

func clinePaths(dir string) []string {
	var out []string
	for _, e := range clinehost.Host().Events {
		for _, extension := range clineExtensions {
			out = append(out, filepath.Join(dir, e.Name+extension))
		}
	}
	return out
}

// Cline takes an answer from standard output alone, and ignores exit codes.
const clineScript = `#!/bin/sh
# Written by 'boathook install cline', removed by 'boathook uninstall cline'.
MARK
exec 2>/dev/null
UNSET
COMMAND
exit 0
`

func clineText(p *planner, ev event) []byte {
	return []byte(strings.NewReplacer(
		"MARK", stubMark+string(p.mark()),
		"UNSET", unsetRuntime, "COMMAND", guarded(p.env.Exe, p.plan.Config, "cline", ev.Name),
	).Replace(clineScript))
}

// clineHook is a script of ours in a directory.
type clineHook struct {
	path, event string
	mark        mark
	text        []byte
}

// clineScripts finds ours, by the events' names.
func clineScripts(dir string) map[string]clineHook {
	out := map[string]clineHook{}
	for _, name := range clineNames(dir) {
		path := filepath.Join(dir, name)
		text, err := readFile(path)
		if err != nil {
			continue
		}
		m, ok := stubOwner(text)
		_, after, runs := strings.Cut(string(text), " hook --agent cline --event ")
		if !ok || !runs {
			continue
		}
		event, _, _ := strings.Cut(after, " ")
		if _, twice := out[event]; !twice {
			out[event] = clineHook{path: path, event: event, mark: m, text: text}
		}
	}
	return out
}

func clineNames(dir string) []string {
	entries, _ := os.ReadDir(dir) // without one there are none
	var out []string
	for _, e := range entries {
		if !e.IsDir() && !isTemp(e.Name()) {
			out = append(out, e.Name())
		}
	}
	return out
}

func clineMark(dir string) (mark, bool) {
	for _, hook := range clineScripts(dir) {
		return hook.mark, true
	}
	return mark{}, false
}

func addCline(p *planner, at place) error {
	have := clineScripts(at.Dir)
	there := map[string]bool{}
	for event := range have {
		there[event] = true
	}
	events, err := p.choose(clinehost.Host(), there)
	if err != nil {
		return err
	}
	for _, e := range events {
		path, err := p.clineFile(at.Dir, e.Name, have)
		if err != nil {
			return err
		}
		if err := p.own(path, clineText(p, e), 0o755); err != nil {
			return err
		}
		delete(have, e.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if err := p.disown(have[name].path, isClineScript); err != nil {
			return err
		}
	}
	return nil
}

// clineFile is where the script for an event is or goes: a name that nobody has in any case.
func (p *planner) clineFile(dir, event string, have map[string]clineHook) (string, error) {
	if hook, ok := have[event]; ok {
		return hook.path, nil
	}
	taken := clineNames(dir)
	for _, extension := range clineExtensions {
		name := event + extension
		if !slices.ContainsFunc(taken, func(other string) bool { return strings.EqualFold(other, name) }) {
			return filepath.Join(dir, name), nil
		}
	}
	return "", refuse("write a hook for %s into %s: files of each name that it could have are there; move one away first", event, dir)
}

func isClineScript(text []byte) bool {
	_, ok := stubOwner(text)
	return ok && strings.Contains(string(text), " hook --agent cline --event ")
}

func undoCline(p *planner, at place) error {
	for _, path := range clinePaths(at.Dir) {
		p.sweep(path)
	}
	scripts := clineScripts(at.Dir)
	for _, event := range slices.Sorted(maps.Keys(scripts)) {
		if err := p.disown(scripts[event].path, isClineScript); err != nil {
			return err
		}
	}
	for _, f := range slices.Clone(p.next.Files) { // that are gone, or are no longer ours
		if filepath.Dir(f.Path) == at.Dir {
			if err := p.disown(f.Path, isClineScript); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookCline compares each script with what install would write now.
func lookCline(in *Installation, p *planner) {
	h, scripts := clinehost.Host(), clineScripts(in.Dir)
	in.File = in.Dir
	if len(scripts) == 0 {
		in.fault(in.again(), in.Dir, "has no script of boathook's: no hook runs")
		return
	}
	written, same := true, 0
	for _, e := range h.Events {
		hook, ok := scripts[e.Name]
		if !ok {
			continue
		}
		in.Events = append(in.Events, e.Name)
		recorded := p.recorded(hook.path, hook.text)
		written = written && recorded
		if in.strange && !recorded {
			in.fault(in.again(), hook.path, "is not what boathook wrote there: what it names is not followed here; Cline runs it all the same")
			continue
		}
		in.Version, in.DataDir = hook.mark.Version, hook.mark.DataDir
		in.wired([]string{clineLine(hook.text)})
		like := in.as(p)
		like.state = hook.mark.State
		if string(hook.text) != string(clineText(like, e)) {
			in.fault(Reinstall, hook.path, "is not as boathook wrote it")
			continue
		}
		same++
		in.Intact = append(in.Intact, e.Name)
	}
	if in.Program != "" {
		in.vouch(p, written, same == len(in.Events))
	}
	in.gates(h, in.Dir)
}

// clineLine is the command in a script, as a line.
func clineLine(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, " hook --agent cline --event ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// clineDoubles looks into the other directories in which Cline finds scripts.
func clineDoubles(env Env, project string) []string {
	dirs := append([]string{filepath.Join(env.Home, "Documents", "Cline", "Hooks")}, inProject(project, ".clinerules/hooks", ".cline/hooks")...)
	var out []string
	for _, dir := range dirs {
		if scripts := clineScripts(dir); len(scripts) > 0 && resolved(dir) != resolved(filepath.Join(clineDir(env), "hooks")) {
			out = append(out, dir)
		}
	}
	return out
}
