// Package install puts boathook's hooks into agents' configurations and takes them out again. A Plan is computed first,
// without writing anything, so that it can be shown; then its changes are made one by one and taken back if one fails.
//
// What is boathook's is found by looking: a few paths in each place where an agent reads hooks, known by marks in the files
// themselves. The manifest, of which there is one, only adds what the files can't say: the bytes that were there
// before, the directories that were made, the projects and configs that were used. It is written before anything relies on
// it, so that an install or uninstall that was killed at any instruction is finished by the next one.
package install

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/internal/spelling"
)

// Env is the world as the installer sees it.
type Env struct {
	// Home is the user's home directory; Lookup finds environment variables.
	Home   string
	Lookup paths.Lookup
	// Exe is the program that the hooks will run, Version its version.
	Exe, Version string
	// Managed is the administrator's config file, empty where there can be none.
	Managed string
	// Root is where the machine's own files begin; empty means where they do.
	Root string
	// UID is the user's id, -1 where the system has none.
	UID  int
	GOOS string
}

// Request is what the user asked for. Paths are absolute.
type Request struct {
	// Agents are ids as in Agents(); none means all that are installed, for Uninstall alone.
	Agents []string
	// Found says that the agents were found and not named: one that can't be changed is a failure, and the others go on.
	Found bool
	// Workspace is a project instead of the user's own configuration.
	Workspace string
	// Config is the config file that the hooks will read; empty means the default place.
	Config string
	// Events are "default", "all" and names of events; the union of them is registered. None means those that are
	// installed, else "default".
	Events []string
	// OnFailure is what an agent that can be told is to do with a call when the hook fails: Block or Continue. Empty means what
	// is installed, else Continue.
	OnFailure string
	// Managed installs for everybody on the machine, or takes that out.
	Managed bool
	// Trust has Codex trust boathook's own hooks, as its user's review would.
	Trust bool
	// KeepPinta leaves an installed pinta-gemini in place.
	KeepPinta bool
	// Purge makes Uninstall remove the config, the data and the backups too.
	Purge bool
}

// What an agent may do when a hook fails.
const (
	Continue = "continue"
	Block    = "block"
)

// Refused is an error that means: nothing was changed, because it isn't boathook's to change, or would not work. Usage says
// that what was asked for makes no sense as typed.
type Refused struct {
	Err   error
	Usage bool
}

func (r *Refused) Error() string { return r.Err.Error() }
func (r *Refused) Unwrap() error { return r.Err }

func refuse(format string, args ...any) error {
	return &Refused{Err: fmt.Errorf(format, args...)}
}

func misuse(format string, args ...any) error {
	return &Refused{Err: fmt.Errorf(format, args...), Usage: true}
}

// place is a directory in which an agent looks for hooks.
type place struct {
	Agent string `json:"agent"`
	Dir   string `json:"dir"`
	// Workspace says that it is in a project, which may be somebody else's.
	Workspace bool `json:"workspace,omitempty"`
}

// agent is one agent as the installer knows it. The functions may return a *Refused.
type agent struct {
	id, title string
	// detect tells whether the agent seems to be on this machine.
	detect func(env Env) bool
	// places are where its hooks are without any memory of an install; the first is where install puts them.
	places func(env Env) []string
	// workspace is the place in a project, empty where there is none.
	workspace string
	// add puts the changes that install the hooks into the plan, undo those that take them out.
	add, undo func(p *planner, at place) error
	// files are those that install writes or edits in a place.
	files func(dir string) []string
	// look fills in what stands in a place; doubles finds hooks of ours elsewhere, which make every event come twice.
	look    func(in *Installation, p *planner)
	doubles func(env Env, project string) []string
	// mark is what the files in a place say of their install; holds tells whether hooks of ours are there at all.
	mark  func(dir string) (mark, bool)
	holds func(p *planner, dir string) bool
	// restart and stop tell what the user must do before the hooks run, and before they no longer do.
	restart, stop string
}

func agents() []agent {
	return []agent{gemini(), antigravity(), claude(), codex(), copilot(), cursor(), windsurf(), cline(), qwen(), amp(), opencode()}
}

// Agents lists the ids of the agents that can be installed.
func Agents() []string {
	var out []string
	for _, a := range agents() {
		out = append(out, a.id)
	}
	return out
}

// Detect lists the agents that seem to be on this machine.
func Detect(env Env) []string {
	var out []string
	for _, a := range agents() {
		if a.detect(env) {
			out = append(out, a.id)
		}
	}
	return out
}

// Variables are those that say where agents and boathook keep their files.
func Variables() []string {
	return []string{
		"HOME", "PATH", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
		"GEMINI_CLI_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "CLINE_DIR", "QWEN_HOME",
	}
}

// InWorkspaces tells whether an agent's hooks can be in a project.
func InWorkspaces(id string) bool {
	return slices.ContainsFunc(agents(), func(a agent) bool { return a.id == id && a.workspace != "" })
}

// aliases are other names that people and the agents themselves use.
var aliases = map[string]string{
	"agy": "antigravity", "antigravity1": "antigravity", "antigravity2": "antigravity", "gemini-cli": "gemini",
	"claude-code": "claude", "codex-cli": "codex", "copilot-cli": "copilot", "github-copilot": "copilot", "cursor-agent": "cursor",
	"cascade": "windsurf", "qwen-code": "qwen", "ampcode": "amp", "opencode-ai": "opencode",
}

// meant is the agent that somebody who mistyped its name may have meant.
func meant(id string) string {
	for _, name := range Agents() {
		if spelling.Distance(strings.ToLower(id), name) <= 2 {
			return " (did you mean " + name + "?)"
		}
	}
	return ""
}

// find gives each agent that is named once.
func find(ids []string) ([]agent, error) {
	named := map[string]bool{}
	for _, id := range ids {
		if real, ok := aliases[strings.ToLower(id)]; ok {
			id = real
		}
		if lower := strings.ToLower(id); slices.Contains(Agents(), lower) {
			id = lower
		}
		named[id] = true
	}
	var out []agent
	for _, a := range agents() {
		if named[a.id] {
			out = append(out, a)
			delete(named, a.id)
		}
	}
	for id := range named {
		return nil, misuse("unknown agent %q%s; there are %s", id, meant(id), strings.Join(Agents(), ", "))
	}
	return out, nil
}

// root is where the machine's files begin.
func (env Env) root() string {
	if env.Root == "" {
		return string(filepath.Separator)
	}
	return env.Root
}

func (env Env) goos() string {
	if env.GOOS == "" {
		return runtime.GOOS
	}
	return env.GOOS
}
