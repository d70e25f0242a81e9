package install

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/confedit"
	antigravityhost "github.com/boathook/boathook/internal/host/antigravity"
	"github.com/boathook/boathook/internal/shellquote"
)

// Antigravity's two programs read named hooks from ~/.gemini/config/hooks.json, and from .agents/hooks.json in a project.
// The file is strict JSON: one comment, one wrong type or one lifecycle event in the shape of a tool event, and all hooks
// in it are dropped without a word (agy 1.0.7, 1.1.25).

func antigravity() agent {
	return agent{
		id: "antigravity", title: "Antigravity", detect: antigravityIsHere, add: addAntigravity, found: foundAntigravity, workspace: true,
		restart: "start a new Antigravity session: running ones keep the hooks that they read",
	}
}

// antigravityTimeout is in seconds and has to be a whole number.
const antigravityTimeout = 30

func antigravityIsHere(env Env) bool {
	for _, name := range []string{"config", "antigravity", "antigravity-cli"} {
		if exists(filepath.Join(env.Home, ".gemini", name)) {
			return true
		}
	}
	return onPath(env, "agy") || onPath(env, "antigravity")
}

func antigravityDir(env Env) string { return filepath.Join(env.Home, ".gemini", "config") }

func addAntigravity(p *planner) error {
	dir := antigravityDir(p.env)
	if p.req.Workspace != "" {
		if err := p.workspace(p.req.Workspace); err != nil {
			return err
		}
		dir = filepath.Join(p.req.Workspace, ".agents")
	}
	file, script := filepath.Join(dir, "hooks.json"), filepath.Join(dir, stubName)
	now, err := p.read(script)
	if err != nil {
		return err
	}
	if _, ours := stubOwner(now.data); now.exists && !ours {
		return refuse("write %s: a file of that name is there that boathook did not write; move it away first", script)
	}
	value, err := antigravityHooks(p, script)
	if err != nil {
		return err
	}
	replaced, err := p.replacedHooks(file)
	if err != nil {
		return err
	}
	if err := p.file(ownFile{path: script, text: p.stub(), perm: 0o755}); err != nil {
		return err
	}
	return p.member(member{
		path: file, key: ownerName, value: value, replaced: replaced, ours: antigravityOurs,
		check: func(data []byte) error { return p.antigravityFile(file, data) },
	})
}

func antigravityHooks(p *planner, script string) ([]byte, error) {
	list, err := events(antigravityhost.Host(), p.req.Events)
	if err != nil {
		return nil, err
	}
	var hooks object
	for _, e := range list {
		handler := object{
			{"type", "command"}, {"command", shellquote.Word(script) + " --agent antigravity --event " + e.Name}, {"timeout", antigravityTimeout},
		}
		if e.Tool {
			hooks = append(hooks, pair{e.Name, []any{object{{"matcher", ""}, {"hooks", []any{handler}}}}})
			continue
		}
		hooks = append(hooks, pair{e.Name, []any{handler}})
	}
	return compact(hooks), nil
}

// antigravityFile refuses a file that Antigravity would drop, and warns where it may.
func (p *planner) antigravityFile(path string, data []byte) error {
	if err := confedit.Strict(data); err != nil {
		return refuse("edit %s:%w: Antigravity drops the whole file for that, without a word; mend it first", path, err)
	}
	names, err := confedit.Names(data)
	if err != nil {
		return badFile(path, err)
	}
	for _, name := range names {
		if value, err := confedit.Member(data, name); err == nil && value[0] != '{' {
			p.note("%s: %q is not an object, and Antigravity drops the whole file for such a thing", path, name)
		}
	}
	return nil
}

// antigravityOurs tells whether every command of a named hook runs our script.
func antigravityOurs(value []byte) bool {
	var hook map[string]any
	if json.Unmarshal(value, &hook) != nil {
		return false
	}
	commands := commandsIn(hook, nil)
	for _, c := range commands {
		program, _, _ := strings.Cut(c, " --agent antigravity --event ")
		if path.Base(strings.Trim(program, "'")) != stubName {
			return false
		}
	}
	return len(commands) > 0
}

// commandsIn collects every "command" in a tree.
func commandsIn(v any, out []string) []string {
	switch v := v.(type) {
	case map[string]any:
		for name, below := range v {
			if text, ok := below.(string); ok && name == "command" {
				out = append(out, text)
				continue
			}
			out = commandsIn(below, out)
		}
	case []any:
		for _, below := range v {
			out = commandsIn(below, out)
		}
	}
	return out
}
