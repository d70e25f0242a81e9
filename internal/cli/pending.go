package cli

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/pending"
)

func newPending(env *Env) *cobra.Command {
	var asJSON bool
	var config, data string
	cmd := &cobra.Command{
		Use:   "pending",
		Short: "Show the calls that were denied and can be let through once",
		Long: `Show the calls that the policy denied within the last day, the last one first, each with the code by which 'boathook
allow-once' lets it through. A call that nobody may let through has none.

It is for you and not for an agent: below an agent it refuses (exit code 3), since a code that a model reads is nobody's
consent.`,
		Example: `  boathook pending
  boathook allow-once K7QF3M`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			return env.failJSON(asJSON, showPending(env, config, data, asJSON))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&config, "config", "", configUsage)
	cmd.Flags().StringVar(&data, "data", "", "data directory, instead of the config's")
	_ = cmd.MarkFlagFilename("config", "toml") // these are there
	_ = cmd.MarkFlagDirname("data")
	return cmd
}

func newAllowOnce(env *Env) *cobra.Command {
	var asJSON bool
	var config, data string
	cmd := &cobra.Command{
		Use:   "allow-once CODE",
		Short: "Let one denied call through, once",
		Long: `Let a call through that the policy denied: exactly this call of this agent, once, within the next minutes
(policy.allow_once_min). Then tell the agent to try again. 'boathook pending' shows the codes.

What an organisation's rule denied, and what touches boathook itself, can't be let through. The command is yours, to be
typed at a terminal: below an agent, or where there is no terminal, it refuses (exit code 3) and changes nothing.`,
		Example: `  boathook allow-once K7QF3M`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("allow-once wants one code; 'boathook pending' shows them")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions, // codes are not for whoever presses a key
		RunE: func(_ *cobra.Command, args []string) error {
			return env.failJSON(asJSON, allowOnce(env, config, data, args[0], asJSON))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&config, "config", "", configUsage)
	cmd.Flags().StringVar(&data, "data", "", "data directory, instead of the config's")
	_ = cmd.MarkFlagFilename("config", "toml") // these are there
	_ = cmd.MarkFlagDirname("data")
	return cmd
}

// refuseAgents refuses what only a person may do where an agent has started it.
func (e *Env) refuseAgents(what string) error {
	look := e.Under
	if look == nil {
		look = func() (string, int, bool) { return pending.UnderAgent(e.LookupEnv, os.Getpid(), pending.System()) }
	}
	agent, pid, under := look()
	if !under {
		return nil
	}
	how := "a variable says so"
	if pid > 0 {
		how = fmt.Sprintf("process %d", pid)
	}
	return exitWith(exitRefused, fmt.Errorf("%s is for a person, and this runs below %s (%s): use a terminal of your own", what, agent, how))
}

// refuseAbsent refuses what only a person may do where none can be: a process that an agent has left behind has no parent that tells,
// and no terminal either.
func (e *Env) refuseAbsent(what string) error {
	present := e.Present
	if present == nil {
		present = foreground
	}
	if present() {
		return nil
	}
	return exitWith(exitRefused, fmt.Errorf("%s is for a person at a terminal, and this runs in none: type it there", what))
}

func (e *Env) pendingStore(config, data string) (pending.Store, time.Duration, error) {
	s, err := e.settings(config)
	if err != nil {
		return pending.Store{}, 0, err
	}
	dir, err := e.dataDir(data, s)
	return pending.Store{Dir: dir, Now: e.Now}, s.Policy.AllowOnce, err
}

func showPending(env *Env, config, data string, asJSON bool) error {
	if err := env.refuseAgents("pending"); err != nil {
		return err
	}
	store, _, err := env.pendingStore(config, data)
	if err != nil {
		return err
	}
	list, err := store.List()
	if err != nil {
		return exitWith(exitFailed, err)
	}
	if asJSON {
		if list == nil {
			list = []pending.Entry{}
		}
		return env.printJSON(map[string]any{"pending": list}, nil)
	}
	if len(list) == 0 {
		return env.sentence("No call was denied within the last day.", 0)
	}
	rows := [][]string{{"CODE", "WHEN", "AGENT", "RULE", "STATE", "WHAT"}}
	for _, e := range list {
		code, state := e.Code, "denied"
		switch {
		case e.Locked:
			code, state = "-", "can't be lifted"
		case env.Now().Before(e.Until):
			state = "let through for " + duration.Text(e.Until.Sub(env.Now()).Round(time.Second))
		}
		rows = append(rows, []string{code, duration.Ago(env.Now(), e.Last), e.Agent, dash(e.Rule), state, shorten(plain(dash(e.What)), 200)})
	}
	if err := env.rows(rows); err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, "\n'boathook allow-once CODE' lets one through, once.")
	return err
}

func allowOnce(env *Env, config, data, code string, asJSON bool) error {
	if err := env.refuseAgents("allow-once"); err != nil {
		return err
	}
	if err := env.refuseAbsent("allow-once"); err != nil {
		return err
	}
	store, within, err := env.pendingStore(config, data)
	if err != nil {
		return err
	}
	e, err := store.Allow(code, within)
	switch {
	case errors.Is(err, pending.ErrUnknown):
		return exitWith(exitFailed, fmt.Errorf("%w: 'boathook pending' shows them", err))
	case errors.Is(err, pending.ErrLocked):
		return exitWith(exitRefused, err)
	case err != nil:
		return exitWith(exitFailed, err)
	case asJSON:
		return env.printJSON(map[string]any{"allowed": e}, nil)
	}
	if err := env.sentence(plain(fmt.Sprintf("%s may make this call once, until %s:", e.Agent, e.Until.In(env.Now().Location()).Format(time.TimeOnly))), 0); err != nil {
		return err
	}
	if err := env.hanging("  ", shorten(plain(dash(e.What)), 200), 2, 0); err != nil {
		return err
	}
	return env.sentence("Tell the agent to try it again.", 0)
}
