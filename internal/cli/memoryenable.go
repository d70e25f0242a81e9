package cli

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/project"
)

// memoryEnable is enable's flags.
type memoryEnable struct {
	changeOptions
	config, inject, provider, projectID string
}

func newMemoryEnable(env *Env) *cobra.Command {
	var o memoryEnable
	cmd := &cobra.Command{
		Use:   "enable",
		Short: "Turn memory on; asks what may go into prompts",
		Long: `Turn memory on: what agents do in sessions is kept, masked, on this machine. The first time it begins with the oldest event that
is recorded already, else from then on ('boathook memory disable' ends that, and 'boathook memory forget' removes what is there).
It shows the change of the config first, and asks:

  --inject off      keep and search, and put nothing into prompts
  --inject on       what fits a prompt goes to the model beside it, as reference data, a few hundred tokens at most
  --inject review   it waits until you have seen it: 'boathook memory show --pending'

For a team, --provider postgres keeps it in PostgreSQL; the connection string goes into boathook.env beside the config, as
BOATHOOK_MEMORY_DSN. There a project is what all of you call it: its normalized remote, if you confirm that once, or the id
of --project-id. Without either its rows stay this machine's own.`,
		Example: `  boathook memory enable
  boathook memory enable --inject review --yes
  boathook memory enable --provider postgres --project-id github.com/acme/shop
  boathook memory enable --dry-run`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return o.fail(env, runMemoryEnable(env, o)) },
	}
	f := cmd.Flags()
	f.StringVar(&o.inject, "inject", "", "whether memory goes into prompts: `WHAT` is off, on or review")
	f.StringVar(&o.provider, "provider", "", "where it is kept: sqlite or postgres")
	f.StringVar(&o.projectID, "project-id", "", "what the project around this directory is called on every machine")
	f.StringVar(&o.config, "config", "", configUsage)
	o.common(cmd, "new files")
	complete(cmd, "inject", []string{"off", "on", "review"})
	complete(cmd, "provider", []string{open.SQLite, open.Postgres})
	complete(cmd, "project-id", nil)
	_ = cmd.MarkFlagFilename("config", "toml") // it is there
	return cmd
}

func newMemoryDisable(env *Env) *cobra.Command {
	var o memoryEnable
	cmd := &cobra.Command{
		Use:   "disable",
		Short: "Turn memory off; what is kept stays",
		Long: `Turn memory off: nothing more is kept, and nothing goes into prompts. What is there stays and can be searched; 'boathook memory
forget --all-projects' removes it, 'boathook memory enable' goes on with it.`,
		Example: `  boathook memory disable
  boathook memory disable --yes`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			path, _, err := o.place(env)
			if err != nil {
				return o.fail(env, err)
			}
			set := []install.Setting{{Key: "memory.enabled", Value: "false"}}
			return o.configure(env, path, set, "disable memory", "memory is off", "nothing to change: memory is off already")
		},
	}
	cmd.Flags().StringVar(&o.config, "config", "", configUsage)
	o.common(cmd, "new files")
	_ = cmd.MarkFlagFilename("config", "toml") // it is there
	return cmd
}

// place is the config of the hooks with what it says, whether it is there or not.
func (o memoryEnable) place(env *Env) (string, config.Settings, error) {
	path := env.absolute(o.config)
	if path == "" {
		found, err := env.installedConfig()
		if err != nil {
			return "", config.Settings{}, err
		}
		if path = found; path == "" {
			path = env.defaultConfig()
		}
	}
	if path == "" {
		return "", config.Settings{}, exitWith(exitFailed, errors.New("find the config: there is no home directory; set HOME or pass --config PATH"))
	}
	return path, config.Load(config.Request{Path: path, Home: env.Home, Env: env.LookupEnv, Managed: config.ManagedPath()}), nil
}

func runMemoryEnable(env *Env, o memoryEnable) error {
	if err := oneOf("--inject", o.inject, "off", "on", "review"); err != nil {
		return err
	}
	if err := oneOf("--provider", o.provider, open.SQLite, open.Postgres); err != nil {
		return err
	}
	path, s, err := o.place(env)
	if err != nil {
		return err
	}
	in := bufio.NewReader(env.Stdin)
	set := []install.Setting{{Key: "memory.enabled", Value: "true"}}
	provider := s.Memory.Provider
	if o.provider != "" {
		provider = o.provider
		set = append(set, install.Setting{Key: "memory.provider", Value: provider})
	}
	if o.inject == "" && o.asks(env) {
		if o.inject, err = askInject(env, in, s.Memory.Inject); err != nil {
			return err
		}
	}
	if o.inject != "" {
		set = append(set, install.Setting{Key: "memory.inject", Value: o.inject})
	}
	ids, err := o.project(env, in, s, provider == open.Postgres)
	if err != nil {
		return err
	}
	if ids != nil {
		set = append(set, install.Setting{Key: "memory.projectIds", Value: ids})
	}
	if s.Minimal && !o.json {
		env.warn("privacy is minimal: no contents are kept, and so nothing new is remembered")
	}
	if provider == open.Postgres && s.Memory.DSN == "" && !o.json {
		env.warn(fmt.Sprintf("%s is not set yet: write %s=postgres://USER:PASSWORD@HOST/DATABASE into %s, then 'boathook memory migrate'",
			s.Memory.DSNEnv, s.Memory.DSNEnv, filepath.Join(filepath.Dir(path), "boathook.env")))
	}
	if o.asks(env) {
		env.Stdin = in // what was read ahead is still to be had
	}
	return o.configure(env, path, set, "enable memory", "memory is on", "nothing to change: memory is on already, and says just that")
}

func oneOf(flag, value string, choices ...string) error {
	for _, c := range choices {
		if value == c || value == "" {
			return nil
		}
	}
	return usage("%s is %s or %s, not %q", flag, strings.Join(choices[:len(choices)-1], ", "), choices[len(choices)-1], value)
}

// asks tells whether a person is there to answer and wants to.
func (o memoryEnable) asks(env *Env) bool { return !o.yes && !o.json && !o.dryRun && canAsk(env) }

func askInject(env *Env, in *bufio.Reader, now string) (string, error) {
	fmt.Fprintf(env.Stdout, "May what fits a prompt go to the model beside it? off, on or review [%s] ", now)
	answer, _ := in.ReadString('\n') // no answer is the one that is there
	switch answer = strings.ToLower(strings.TrimSpace(answer)); answer {
	case "":
		return now, nil
	case "off", "on", "review":
		return answer, nil
	case "n", "no":
		return "off", nil
	case "y", "yes":
		return "on", nil
	}
	return "", exitWith(exitRefused, fmt.Errorf("nothing was changed: %q is none of off, on, review", answer))
}

// project gives the project around the working directory the id that the team knows it by, where that is asked for.
func (o memoryEnable) project(env *Env, in *bufio.Reader, s config.Settings, shared bool) (map[string]string, error) {
	if o.projectID == "" && (!shared || env.Dir == "" || env.Dir == env.Home) {
		return nil, nil
	}
	p, err := project.Resolver{IDs: s.Memory.ProjectIDs}.Of(env.Dir)
	if err != nil {
		if o.projectID == "" {
			return nil, nil
		}
		return nil, exitWith(exitFailed, err)
	}
	id := strings.TrimSpace(o.projectID)
	switch {
	case id != "":
	case p.ID != "" || p.Remote == "":
		return nil, nil // it has one, or there is none to be had: it stays this machine's own
	case o.yes:
		return nil, nil // --project-id confirms it
	case o.asks(env):
		fmt.Fprintf(env.Stdout, "Your team's memory knows a project by one id. Is %s to be %s there? [y/N] ", plain(p.Root), plain(p.Remote))
		answer, _ := in.ReadString('\n') // no answer is no
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes":
			id = p.Remote
		default:
			return nil, nil
		}
	default:
		return nil, nil
	}
	if id == p.ID {
		return nil, nil
	}
	ids := maps.Clone(s.Memory.ProjectIDs)
	if ids == nil {
		ids = map[string]string{}
	}
	ids[p.Root] = id
	return ids, nil
}

// configure shows the change, asks, and makes it.
func (o memoryEnable) configure(env *Env, path string, set []install.Setting, verb, done, nothing string) error {
	world := installEnv(env)
	c := changer{env: env, o: o.changeOptions, verb: verb, done: done, nothing: nothing,
		plan:  func() (*install.Plan, error) { return install.Configure(world, path, set, nil) },
		apply: func(p *install.Plan) (*install.Plan, error) { return install.Configure(world, path, set, p) },
		after: func(*install.Plan) []string { return afterMemory(world, verb, o.inject) },
	}
	return c.run()
}

func afterMemory(world install.Env, verb, inject string) []string {
	if verb == "disable memory" {
		return []string{"turn it on again: boathook memory enable", "remove what is kept: boathook memory forget --all-projects"}
	}
	out := []string{
		"read the sessions of the past too: boathook memory backfill --dry-run", "look into it: boathook memory search 'port in use'", "undo this: boathook memory disable",
	}
	if inject == "" {
		out = append([]string{"let what fits go into prompts, or show it to you first: boathook memory enable --inject on, or review"}, out...)
	}
	if places, err := install.Look(world); err == nil && len(places) == 0 {
		return append([]string{"no hooks are installed, and without them nothing new is kept: boathook install"}, out...)
	}
	return out
}
