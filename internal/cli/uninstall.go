package cli

import (
	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/install"
)

func newUninstall(env *Env) *cobra.Command {
	var o changeOptions
	var config string
	var purge bool
	cmd := &cobra.Command{
		Use:   "uninstall [AGENT...]",
		Short: "Take the hooks out again",
		Long: `Take boathook's hooks out of the agents' configurations: of those named, else of all. A file that nobody edited since
gets its old bytes back; from one that was edited only boathook's own entries go. A pinta-gemini that install replaced
comes back.

The config and what was recorded stay, for a later install. --purge removes them too, after it has stopped the worker,
with the backups and every directory that boathook made.`,
		Example: `  boathook uninstall                  all agents; the records stay
  boathook uninstall gemini           one agent
  boathook uninstall --purge          leave nothing
  boathook uninstall --purge --dry-run`,
		ValidArgs: install.Agents(),
		RunE: func(_ *cobra.Command, agents []string) error {
			world := installEnv(env)
			req := install.Request{Agents: agents, Config: env.absolute(config), Purge: purge}
			c := changer{env: env, o: o, verb: "uninstall", done: "uninstalled", nothing: "nothing to change: none of boathook's hooks is installed",
				plan:  func() (*install.Plan, error) { return install.PlanUninstall(world, req) },
				apply: func(p *install.Plan) (*install.Plan, error) { return install.Uninstall(world, req, p) },
				after: func(p *install.Plan) []string {
					if purge {
						return p.Restart
					}
					return append(p.Restart, "the config and the records stay; 'boathook uninstall --purge' removes them")
				},
			}
			return c.run()
		},
	}
	cmd.Flags().StringVar(&config, "config", "", "config `PATH` that install was given")
	cmd.Flags().BoolVar(&purge, "purge", false, "remove the config, the records and the backups too")
	o.common(cmd)
	return cmd
}
