package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/confedit"
	antigravityhost "github.com/boathook/boathook/internal/host/antigravity"
	"github.com/boathook/boathook/internal/shellquote"
)

func lookAntigravity(in *Installation, p *planner) {
	m, script := antigravityMember(in.Dir), filepath.Join(in.Dir, stubName)
	in.File = m.path
	in.script(p, script)
	data, ok := in.here(m.path, "no hook runs")
	if !ok || !in.strict(m.path, data) {
		return
	}
	value, err := confedit.Member(data, m.key)
	if err != nil || value == nil {
		in.renamed(m, data)
		return
	}
	var hooks map[string]any
	if json.Unmarshal(value, &hooks) != nil {
		return // said by strict
	}
	if on, ok := hooks["enabled"].(bool); ok {
		in.Disabled = !on
		delete(hooks, "enabled")
	}
	list, unknown := registered(antigravityhost.Host(), hooks)
	for _, e := range list {
		in.Events = append(in.Events, e.Name)
	}
	ours, others := m.count(value)
	if others > 0 && ours > 0 {
		in.fault(ByHand, m.path, "has commands in the hook %q that boathook did not write; move them to a hook of their own", m.key)
	}
	if len(list) == 0 || ours == 0 {
		in.fault(in.again(), m.path, "has no command of boathook's in the hook %q", m.key)
		return
	}
	for _, name := range unknown {
		in.fault(ByHand, m.path, "has an entry %q in the hook %q, and Antigravity has no such event", name, m.key)
	}
	in.compare(m.path, hooks, antigravityHooks(list, script), p.recorded(m.path, data))
	in.gates(antigravityhost.Host(), m.path)
}

// renamed says that our hook is not there, or is under another name: a second one beside it would double every event.
func (in *Installation) renamed(m member, data []byte) {
	if ours, _ := members(data); len(ours) > 0 {
		in.fault(ByHand, m.path, "has boathook's commands in the hook %q: give it the name %q again", ours[0], m.key)
		return
	}
	in.fault(in.again(), m.path, "has no hook %q", m.key)
}

// script checks the stub: Antigravity takes a missing one, or one that can't be run, for a refusal of every tool.
func (in *Installation) script(p *planner, path string) {
	data, ok := in.here(path, "Antigravity takes that for a refusal of every tool")
	if !ok {
		return
	}
	marked, ours := stubOwner(data)
	written := p.recorded(path, data)
	switch {
	case !ours:
		in.fault(ByHand, path, "is not boathook's: move it away, then install again")
		return
	case in.strange && !written:
		in.fault(in.again(), path, "is not what boathook wrote there: it was edited, or came with the project. What it names is not followed here; Antigravity runs it all the same")
		return
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o100 == 0 {
		in.fault(Executable, path, "is not executable (mode %04o): Antigravity takes that for a refusal of every tool", info.Mode().Perm())
	}
	in.Version, in.DataDir = marked.Version, marked.DataDir
	in.Program, in.Config = stubCalls(data, marked.Config)
	like := in.as(p)
	like.state = marked.State
	same := bytes.Equal(data, like.stub())
	if !same {
		in.fault(Reinstall, path, "is not as boathook wrote it")
	}
	in.vouch(p, written, same)
}

// stubCalls are the program and the config that a stub names.
func stubCalls(script []byte, otherwise string) (program, config string) {
	config = otherwise
	for line := range strings.Lines(string(script)) {
		if word, ok := strings.CutPrefix(line, "program="); ok && program == "" {
			program, _, _ = shellquote.First(word)
		}
		if _, after, ok := strings.Cut(line, ` hook "$@" --config `); ok {
			if word, _, ok := shellquote.First(strings.TrimSuffix(strings.TrimSpace(after), ")")); ok {
				config = word
			}
		}
	}
	return program, config
}

// strict looks for what makes Antigravity drop the whole file.
func (in *Installation) strict(path string, data []byte) bool {
	if text := dropped(data); text != "" {
		in.fault(ByHand, path, "%s: Antigravity drops the whole file for that, without a word", text)
		return false
	}
	return true
}

// antigravityRules are what is known of the handlers that it takes: one that is wrong costs all hooks of the file.
func antigravityRules(e event) rules {
	return rules{types: []string{"command", "prompt"}, whole: true, zero: true, flat: !e.Tool, untyped: true}
}

// dropped says what Antigravity would drop a file for, empty where nothing is wrong.
func dropped(data []byte) string {
	if err := confedit.Strict(data); err != nil {
		return "line " + strings.TrimSpace(err.Error())
	}
	names, err := confedit.Names(data)
	if err != nil {
		return "is no object"
	}
	for _, name := range names {
		value, err := confedit.Member(data, name)
		if err != nil || len(value) == 0 {
			continue
		}
		if value[0] != '{' {
			return fmt.Sprintf("%q is not an object", name)
		}
		if why := droppedHook(value); why != "" {
			return fmt.Sprintf("%q: %s", name, why)
		}
	}
	return ""
}

// droppedHook looks at one named hook. What stands at other events does not matter.
func droppedHook(value []byte) string {
	var hook map[string]any
	if err := json.Unmarshal(value, &hook); err != nil {
		return "is no object"
	}
	if on, there := hook["enabled"]; there && on != true && on != false {
		return `"enabled" is neither true nor false`
	}
	for _, e := range antigravityhost.Host().Events {
		value := hook[e.Name]
		list, ok := value.([]any)
		if value != nil && !ok {
			return e.Name + " is no list"
		}
		for i, element := range list {
			if entry, ok := element.(map[string]any); ok && e.Tool && entry[hooksKey] == nil {
				continue // it never runs, and costs no other
			}
			if why := antigravityRules(e).element(element); why != "" {
				return fmt.Sprintf("%s[%d] %s", e.Name, i, why)
			}
		}
	}
	return ""
}

// antigravityDoubles looks for hooks of boathook's beside the member of that name, and in a project beside the user's own.
func antigravityDoubles(env Env, project string) (boathooks []string) {
	var holding []string
	for _, path := range antigravityHookFiles(env, project) {
		ours, _ := membersOf(path)
		if len(ours) > 0 {
			holding = append(holding, path)
		}
		if len(ours) > 1 {
			boathooks = append(boathooks, fmt.Sprintf("%s (hooks %s)", path, list(ours)))
		}
	}
	if len(holding) > 1 {
		boathooks = append(boathooks, holding[1:]...)
	}
	return boathooks
}

func antigravityHookFiles(env Env, project string) []string {
	dirs := antigravityPlaces(env)
	if project != "" {
		dirs = append(dirs, filepath.Join(project, ".agents"))
	}
	var out []string
	for _, dir := range dirs {
		out = append(out, filepath.Join(dir, "hooks.json"))
	}
	return out
}
