package install

import (
	"encoding/json"
	"os"
	"path/filepath"

	geminihost "github.com/boathook/boathook/internal/host/gemini"
)

// Gemini CLI takes hooks from a directory below ~/.gemini/extensions without a consent or a trusted folder (0.61.0);
// hooks in settings.json run only in trusted folders.

func gemini() agent {
	return agent{
		id: "gemini", title: "Gemini CLI", detect: geminiIsHere, add: addGemini, found: foundGemini,
		restart: "restart Gemini CLI: it reads its hooks when it starts",
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
	return exists(geminiDir(env)) || onPath(env, "gemini")
}

func geminiExtension(env Env) string {
	return filepath.Join(geminiDir(env), "extensions", "boathook")
}

const markFile = ".boathook.json"

func addGemini(p *planner) error {
	dir := geminiExtension(p.env)
	if err := p.ownExtension(dir); err != nil {
		return err
	}
	hooks, err := geminiHooks(p)
	if err != nil {
		return err
	}
	if err := p.addPintaExtension(); err != nil {
		return err
	}
	p.geminiSwitches()
	manifest := object{{"name", ownerName}, {"version", p.env.Version}, {"description", geminiDescription}}
	// The hooks come last, so that Gemini never sees half an extension with hooks.
	if err := p.file(ownFile{path: filepath.Join(dir, markFile), text: append(p.mark(), '\n'), perm: 0o644}); err != nil {
		return err
	}
	if err := p.file(ownFile{path: filepath.Join(dir, "gemini-extension.json"), text: indented(manifest), perm: 0o644, edited: editedKeep}); err != nil {
		return err
	}
	return p.file(ownFile{path: filepath.Join(dir, "hooks", "hooks.json"), text: hooks, perm: 0o644, edited: editedHandlers})
}

const geminiDescription = "Guards and records what the agent does. Installed by 'boathook install', removed by 'boathook uninstall'."

func geminiHooks(p *planner) ([]byte, error) {
	list, err := events(geminihost.Host(), p.req.Events)
	if err != nil {
		return nil, err
	}
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
	return indented(object{{"hooks", hooks}}), nil
}

// ownExtension refuses a directory of our name that isn't ours, and another extension of our name: two of one name keep
// Gemini from starting (0.61.0).
func (p *planner) ownExtension(dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		data, err := os.ReadFile(filepath.Join(dir, markFile))
		if err != nil {
			return refuse("install extension %s: a directory of that name is there that boathook did not make; move it away first", dir)
		}
		if _, ok := readMark(data); !ok {
			return refuse("install extension %s: its %s is not boathook's; move the directory away first", dir, markFile)
		}
	}
	others, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		return nil // none are there
	}
	for _, other := range others {
		path := filepath.Join(filepath.Dir(dir), other.Name(), "gemini-extension.json")
		var ext struct{ Name string }
		if data, err := os.ReadFile(path); err == nil && filepath.Dir(path) != dir && json.Unmarshal(data, &ext) == nil && ext.Name == ownerName {
			return refuse("install extension %s: %s has the name boathook already, and Gemini takes no two of one name; remove it first", dir, path)
		}
	}
	return nil
}
