package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/install"
)

const uninstallLong = `Take boathook's hooks out of the agents' configurations: of those named, else of all. A file that nobody edited since
gets its old bytes back; from one that was edited only boathook's own entries go. A pinta-gemini that install replaced
comes back.

The config and what was recorded stay, for a later install. --purge removes them too, after it has stopped the worker,
with the backups and every directory that boathook made, also where a hook made it before the first install. What others
put into those directories stays, and is named. 'boathook purge' deletes records alone, all or some.`

func newUninstall(env *Env) *cobra.Command {
	var o changeOptions
	var config, workspace string
	var purge, managed bool
	cmd := &cobra.Command{
		Use:   "uninstall [AGENT...]",
		Short: "Take the hooks out again",
		Long:  uninstallLong,
		Example: `  boathook uninstall                  all agents; the records stay
  boathook uninstall gemini           one agent
  boathook uninstall --workspace .    the hooks of one project
  boathook uninstall --purge          leave nothing
  boathook uninstall --purge --dry-run`,
		ValidArgs: install.Agents(),
		RunE: func(cmd *cobra.Command, agents []string) error {
			if cmd.Flags().Changed("workspace") && workspace == "" {
				return o.fail(env, usage("--workspace wants a directory"))
			}
			if managed {
				return runManaged(env, o, install.Request{Agents: agents, Config: env.absolute(config), Workspace: env.absolute(workspace), Purge: purge}, true)
			}
			world := installEnv(env)
			req := install.Request{Agents: agents, Config: env.absolute(config), Workspace: env.absolute(workspace), Purge: purge}
			c := changer{env: env, o: o, verb: "uninstall", done: "uninstalled", nothing: "nothing to change: none of boathook's hooks is installed",
				plan:  func() (*install.Plan, error) { return planUninstall(cmd.Context(), env, world, req) },
				apply: func(p *install.Plan) (*install.Plan, error) { return install.Uninstall(world, req, p) },
				after: func(p *install.Plan) []string {
					if stays := staying(p); len(stays) > 0 && !purge {
						return append(p.Restart, "left: "+strings.Join(stays, ", ")+"; 'boathook uninstall --purge' removes that too")
					}
					return p.Restart
				},
			}
			return c.run()
		},
	}
	cmd.Flags().StringVar(&config, "config", "", "config `PATH` that install was given")
	cmd.Flags().StringVar(&workspace, "workspace", "", "take the hooks out of the project `DIR` alone")
	cmd.Flags().BoolVar(&managed, "managed", false, "take out what is installed for everybody on this machine; root only")
	cmd.Flags().BoolVar(&purge, "purge", false, "remove the config, the records and the backups too")
	o.common(cmd, "removed files")
	return cmd
}

// planUninstall plans, and notes what has not been sent and would go.
func planUninstall(ctx context.Context, env *Env, world install.Env, req install.Request) (*install.Plan, error) {
	p, err := install.PlanUninstall(world, req)
	if err == nil && req.Purge && !p.Empty() {
		p.Notes = append(p.Notes, unsentNotes(ctx, env, p.Config, p.DataDir)...)
	}
	return p, err
}

// staying is what an uninstall leaves of what there is.
func staying(p *install.Plan) []string {
	var out []string
	if _, err := os.Stat(p.Config); err == nil {
		out = append(out, "the config "+p.Config)
	}
	for _, name := range []string{"events.db", "spool"} {
		if _, err := os.Stat(filepath.Join(p.DataDir, name)); err == nil {
			return append(out, "the records in "+p.DataDir)
		}
	}
	return out
}
