package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/shellquote"
	"github.com/boathook/boathook/internal/version"
)

const installLong = `Put boathook's hooks into the configurations of the agents that are named, else of all that are on this machine. Every
edit is shown as a diff, every new file by name (with --diff whole), and all of it is asked about once before anything
is changed; nothing else is touched, and 'boathook uninstall' brings back the same bytes.

  gemini        an extension in ~/.gemini/extensions/boathook
  antigravity   a named hook in ~/.gemini/config/hooks.json, or with --workspace in DIR/.agents/hooks.json
  claude        entries of their own in ~/.claude/settings.json (CLAUDE_CONFIG_DIR)
  codex         entries at the end of the lists in ~/.codex/hooks.json (CODEX_HOME); Codex asks you to
                review them first, and --trust says that you have
  copilot       a file of its own, ~/.copilot/hooks/boathook.json (COPILOT_HOME)
  cursor        entries in ~/.cursor/hooks.json
  windsurf      entries in ~/.codeium/windsurf/hooks.json
  cline         a script for each event in ~/.cline/hooks (CLINE_DIR)
  qwen          entries of their own in ~/.qwen/settings.json (QWEN_HOME)
  amp           a plugin, ~/.config/amp/plugins/boathook.ts
  opencode      a plugin, ~/.config/opencode/plugin/boathook.js

A file that its agent would drop as a whole is never written, and one that is broken in this way already, or that can't
be written, is left alone, with the reason: the other agents that were found are installed all the same, and the exit
code is 1.

The first install writes ~/.config/boathook/config.toml. It takes over what the environment and
~/.gemini/pinta-gemini.env say at that moment, and the hooks read it from then on: what an agent's environment or a
project's .env says no longer counts. In a config that is there already only what the environment of this command says
otherwise is changed, and shown first.

An installed pinta-gemini would send every event a second time. It is moved to ~/.gemini/boathook-replaced, from where
uninstall brings it back, unless --keep-pinta is given.

--managed installs for everybody on the machine, as root: into the places that agents read for an administrator, with
his config /etc/boathook/config.toml, which no user and no repository can weaken. Hooks of a user's own beside them
stay silent. Agents that have no such place are named.

Run it again after moving or upgrading boathook, or to change --events or --config.`

const installExample = `  boathook install                                 every agent on this machine: show the changes, ask, make them
  boathook install --yes                           the same without asking
  boathook install claude                          one agent
  boathook install claude --on-failure block       no tool runs where the hook itself fails
  boathook install codex --trust                   and Codex runs them without a review
  sudo boathook install --managed --dry-run        what it would do for everybody
  boathook install gemini --dry-run                only show them
  boathook install gemini --events all             the model events too
  boathook install gemini --events default,BeforeToolSelection
  boathook install antigravity --workspace .       hooks for this project alone`

func newInstall(env *Env) *cobra.Command {
	var o installOptions
	cmd := &cobra.Command{
		Use:       "install [AGENT...]",
		Short:     "Put the hooks into the agents' configurations",
		Long:      installLong,
		Example:   installExample,
		ValidArgs: install.Agents(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("workspace") && o.workspace == "" {
				return o.fail(env, usage("--workspace wants a directory"))
			}
			return runInstall(env, o, args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.detect, "detect", false, "every agent that is on this machine, which is what no name means too")
	f.StringVar(&o.onFailure, "on-failure", "", "claude: `WHAT` becomes of a call whose hook fails, block or continue (default: as installed, else continue)")
	complete(cmd, "on-failure", []string{install.Block, install.Continue})
	f.BoolVar(&o.managed, "managed", false, managedUsage)
	f.StringVar(&o.workspace, "workspace", "", "install into the project `DIR` instead of your own configuration")
	f.StringVar(&o.config, "config", "", "config `PATH` for the hooks (default ~/.config/boathook/config.toml)")
	f.StringSliceVar(&o.events, "events", nil, "default, all, or names (default: what is installed, else default)")
	f.BoolVar(&o.trust, "trust", false, "codex: write that you trust these hooks, which it otherwise asks you to review")
	f.BoolVar(&o.keepPinta, "keep-pinta", false, "leave an installed pinta-gemini in place")
	o.common(cmd, "new files")
	return cmd
}

type installOptions struct {
	changeOptions
	detect            bool
	workspace, config string
	onFailure         string
	events            []string
	keepPinta, trust  bool
	managed           bool
}

func runInstall(env *Env, o installOptions, agents []string) error {
	if o.managed {
		return runManaged(env, o.changeOptions, install.Request{
			Agents: agents, Workspace: env.absolute(o.workspace), Config: env.absolute(o.config), Events: o.events, OnFailure: o.onFailure,
		}, false)
	}
	world := installEnv(env)
	found := len(agents) == 0
	agents = once(agents)
	switch {
	case o.detect && !found:
		return o.fail(env, usage("install takes agents or --detect, not both"))
	case o.onFailure != "" && o.onFailure != install.Block && o.onFailure != install.Continue:
		return o.fail(env, usage("--on-failure is %s or %s, not %q", install.Block, install.Continue, o.onFailure))
	case found:
		agents = detected(world, o.workspace != "")
		if len(agents) == 0 {
			return o.fail(env, noneFound(o.workspace != ""))
		}
	}
	req := install.Request{
		Agents: agents, Found: found, Workspace: env.absolute(o.workspace), Config: env.absolute(o.config), Events: o.events,
		OnFailure: o.onFailure, KeepPinta: o.keepPinta, Trust: o.trust,
	}
	c := changer{env: env, o: o.changeOptions, verb: "install", done: "installed",
		plan:  func() (*install.Plan, error) { return install.PlanInstall(world, req) },
		apply: func(p *install.Plan) (*install.Plan, error) { return install.Install(world, req, p) },
		after: func(p *install.Plan) []string {
			there := slices.DeleteFunc(slices.Clone(agents), func(id string) bool { return slices.Contains(p.Skipped, id) })
			undo := "undo all of this: boathook uninstall " + strings.Join(there, " ")
			if req.Workspace != "" {
				undo += " --workspace " + shellquote.Word(req.Workspace)
			}
			if settings, err := env.settings(p.Config); err == nil {
				env.warnOff(settings) // since before: an uninstall leaves the switch
			}
			watch := "then watch what it does: boathook log -f"
			if configs, err := env.hookConfigs(); err == nil && len(configs) > 1 && configs[0] != p.Config {
				watch += " --config " + shellquote.Word(p.Config) // without, it looks at the first
			}
			return append(p.Restart, watch, undo)
		},
		nothing: nothingToChange(agents),
	}
	return c.run()
}

// once is a list with each of its texts once.
func once(list []string) []string {
	var out []string
	for _, text := range list {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// detected are the agents that were found; for a project those that have hooks there.
func detected(world install.Env, workspace bool) []string {
	return slices.DeleteFunc(install.Detect(world), func(id string) bool { return workspace && !install.InWorkspaces(id) })
}

// noneFound says whose hooks can be installed where none of them is here.
func noneFound(workspace bool) error {
	if workspace {
		into := slices.DeleteFunc(install.Agents(), func(id string) bool { return !install.InWorkspaces(id) })
		return exitWith(exitFailed, fmt.Errorf("find agents: none that has hooks in a project is on this machine; name one to install its hooks all the same: %s", strings.Join(into, ", ")))
	}
	return exitWith(exitFailed, fmt.Errorf("find agents: none of %s is on this machine; name one to install its hooks all the same", strings.Join(install.Agents(), ", ")))
}

func nothingToChange(agents []string) string {
	last := len(agents) - 1
	if last == 0 {
		return "nothing to change: " + agents[0] + " has these hooks already"
	}
	return "nothing to change: " + strings.Join(agents[:last], ", ") + " and " + agents[last] + " have these hooks already"
}

func installEnv(env *Env) install.Env {
	return install.Env{
		Home: env.Home, Lookup: env.LookupEnv, Exe: env.Exe, Version: version.String(), Managed: config.ManagedPath(),
		UID: os.Getuid(), GOOS: runtime.GOOS,
	}
}

func (e *Env) absolute(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(e.Dir, path)
}
