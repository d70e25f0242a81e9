package cli

import (
	"strings"

	"github.com/boathook/boathook/internal/install"
)

const managedUsage = "for everybody on this machine, where agents read what an administrator set; root only"

// runManaged installs for everybody, or takes that out.
func runManaged(env *Env, o changeOptions, req install.Request, undo bool) error {
	world := installEnv(env)
	req.Managed = true
	c := changer{env: env, o: o, verb: "install", done: "installed for everybody",
		plan:  func() (*install.Plan, error) { return install.PlanInstall(world, req) },
		apply: func(p *install.Plan) (*install.Plan, error) { return install.Install(world, req, p) },
		after: func(p *install.Plan) []string {
			return append(p.Restart, "the settings of all these hooks are in "+p.Config,
				"undo all of this: sudo boathook uninstall --managed"+strings.Join(append([]string{""}, req.Agents...), " "))
		},
		nothing: "nothing to change: these hooks are installed for everybody already",
	}
	if undo {
		c = changer{env: env, o: o, verb: "uninstall", done: "uninstalled for everybody",
			plan:    func() (*install.Plan, error) { return install.PlanUninstall(world, req) },
			apply:   func(p *install.Plan) (*install.Plan, error) { return install.Uninstall(world, req, p) },
			after:   func(p *install.Plan) []string { return p.Restart },
			nothing: "nothing to change: none of boathook's hooks is installed for everybody",
		}
	}
	return c.run()
}
