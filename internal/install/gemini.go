package install

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/confedit"
	geminihost "github.com/boathook/boathook/internal/host/gemini"
)

// Gemini CLI takes hooks from a directory below ~/.gemini/extensions without a consent or a trusted folder (0.61.0);
// hooks in settings.json run only in trusted folders. The directory is all boathook's.

func gemini() agent {
	return agent{
		id: "gemini", title: "Gemini CLI", detect: geminiIsHere, places: geminiPlaces, add: addGemini, undo: undoGemini, mark: geminiMark, holds: geminiHolds,
		files: geminiPaths, look: lookGemini, doubles: geminiDoubles,
		restart: "restart Gemini CLI: it reads its hooks when it starts",
		stop:    "restart Gemini CLI: a running one keeps calling its hooks, which then do nothing",
	}
}

// geminiTimeout is in milliseconds, Gemini's own default.
const geminiTimeout = 60000

// geminiShell is set for the bash that Gemini starts for a hook, over whatever its own environment or a project's .env says
// (0.61.0). Each of these variables can make bash run or print something else before it comes to the command, or skip the
// command: bash takes a hook's standard input, a socket, for a network login and reads ~/.bashrc where SHLVL is below 2,
// which it counts up first.
var geminiShell = object{
	{"SHLVL", "1"}, {"BASH_ENV", ""}, {"ENV", ""}, {"SHELLOPTS", ""}, {"BASHOPTS", ""}, {"LD_PRELOAD", ""}, {"LD_AUDIT", ""},
}

// geminiDir is Gemini's directory; GEMINI_CLI_HOME stands for the home directory there (0.61.0).
func geminiDir(env Env) string {
	if home := lookup(env, "GEMINI_CLI_HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".gemini")
	}
	return filepath.Join(env.Home, ".gemini")
}

func geminiIsHere(env Env) bool {
	return exists(geminiDir(env)) || onPath(env, "gemini") != ""
}

func geminiExtension(env Env) string {
	return filepath.Join(geminiDir(env), "extensions", ownerName)
}

func geminiPlaces(env Env) []string {
	return []string{geminiExtension(env), filepath.Join(env.Home, ".gemini", "extensions", ownerName)}
}

const markFile = ".boathook.json"

// geminiFiles are ours, in the order in which they are written. The mark is there first and goes last; the hooks come when
// all else is there.
func geminiFiles(dir string) (mark, extension, hooks string) {
	return filepath.Join(dir, markFile), filepath.Join(dir, "gemini-extension.json"), filepath.Join(dir, "hooks", "hooks.json")
}

func geminiPaths(dir string) []string {
	mark, extension, hooks := geminiFiles(dir)
	return []string{mark, extension, hooks}
}

func addGemini(p *planner, at place) error {
	if err := p.ownExtension(at.Dir); err != nil {
		return err
	}
	mark, extension, hooks := geminiFiles(at.Dir)
	list, err := p.events(geminihost.Host(), hooks, isGeminiHook)
	if err != nil {
		return err
	}
	if err := p.addPintaExtension(filepath.Dir(at.Dir)); err != nil {
		return err
	}
	p.geminiSwitches()
	about := object{{"name", ownerName}, {"version", p.env.Version}, {"description", geminiDescription}}
	if err := p.own(mark, append(p.mark(), '\n'), 0o644); err != nil {
		return err
	}
	if err := p.own(extension, indented(about), 0o644); err != nil {
		return err
	}
	return p.own(hooks, geminiHooks(p, list), 0o644)
}

const geminiDescription = "Guards and records what the agent does. Installed by 'boathook install', removed by 'boathook uninstall'."

func geminiHooks(p *planner, list []event) []byte {
	var hooks object
	for _, e := range list {
		group := object{{"hooks", []any{object{
			{"type", "command"}, {"name", ownerName},
			{"command", shellCommand(p.env.Exe, p.plan.Config, "gemini", e.Name)}, {"timeout", geminiTimeout},
			{"env", geminiShell},
		}}}}
		if e.Tool {
			group = append(object{{"matcher", ""}}, group...)
		}
		hooks = append(hooks, pair{e.Name, []any{group}})
	}
	return indented(object{{"hooks", hooks}})
}

func isGeminiHook(command string) bool {
	return bytes.Contains([]byte(command), []byte(" hook --agent gemini --event "))
}

func geminiMark(dir string) (mark, bool) {
	marked, _, _ := geminiFiles(dir)
	data, _ := readFile(marked) // none is no mark
	return readMark(data)
}

func geminiHolds(p *planner, dir string) bool {
	_, _, hooks := geminiFiles(dir)
	_, known := p.old.file(hooks)
	_, marked := geminiMark(dir)
	return marked || known && exists(hooks)
}

func undoGemini(p *planner, at place) error {
	marked, extension, hooks := geminiFiles(at.Dir)
	held := geminiHolds(p, at.Dir)
	for _, path := range []string{hooks, extension, marked} {
		ours := func(data []byte) bool {
			return held || bytes.Contains(data, []byte(" hook --agent gemini --event ")) || bytes.Contains(data, []byte(geminiDescription))
		}
		p.sweep(path)
		if err := p.disown(path, ours); err != nil {
			return err
		}
	}
	if held {
		p.rmdirs([]string{filepath.Dir(hooks), at.Dir})
		if left := p.left(at.Dir); exists(at.Dir) && !p.goes(at.Dir) && len(left) > 0 {
			p.note("%s stays: it has files that boathook did not write (%s)", at.Dir, list(left))
		}
	}
	return p.undoPinta(filepath.Dir(at.Dir))
}

// ownExtension refuses hooks in a directory of our name that aren't ours, and another extension of our name: two of one name
// keep Gemini from starting (0.61.0).
func (p *planner) ownExtension(dir string) error {
	marked, extension, hooks := geminiFiles(dir)
	data, err := readFile(marked)
	_, ours := readMark(data)
	_, known := p.old.file(hooks)
	switch {
	case ours, known && absent(err):
	case !absent(err):
		return refuse("install extension %s: its %s is not boathook's; move the directory away first", dir, markFile)
	case exists(extension), exists(hooks):
		return refuse("install extension %s: a directory of that name is there that boathook did not make; move it away first", dir)
	}
	others, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		return nil // none are there
	}
	for _, other := range others {
		path := filepath.Join(filepath.Dir(dir), other.Name(), "gemini-extension.json")
		var ext struct{ Name string }
		if data, err := readFile(path); err == nil && filepath.Dir(path) != dir && json.Unmarshal(data, &ext) == nil && ext.Name == ownerName {
			return refuse("install extension %s: %s has the name boathook already, and Gemini takes no two of one name; remove it first", dir, path)
		}
	}
	return nil
}

// geminiSwitches warns of settings that keep an extension's hooks from running (0.61.0).
func (p *planner) geminiSwitches() {
	path := filepath.Join(geminiDir(p.env), "settings.json")
	data, err := readFile(path)
	if err != nil {
		return
	}
	text, err := confedit.Plain(data)
	if err != nil {
		return
	}
	var s struct {
		HooksConfig struct {
			Enabled  *bool
			Disabled []string
		}
		Security struct{ AllowedExtensions []string }
	}
	if json.Unmarshal(text, &s) != nil {
		return
	}
	if s.HooksConfig.Enabled != nil && !*s.HooksConfig.Enabled {
		p.note("%s has hooksConfig.enabled = false: no hook runs until that is gone", path)
	}
	if slices.Contains(s.HooksConfig.Disabled, ownerName) {
		p.note("%s lists boathook in hooksConfig.disabled: its hooks don't run until that is gone", path)
	}
	if len(s.Security.AllowedExtensions) > 0 {
		p.note("%s has security.allowedExtensions: Gemini loads no extension that was put in place by hand", path)
	}
}
