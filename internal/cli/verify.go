package cli

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/verify"
)

func newVerify(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that agents and hooks still understand each other",
		Long: `Check that the agents still do what boathook was built on. Run it after an agent or boathook was upgraded:

  boathook verify selftest   starts each installed hook as the agent would, in a throw-away home
  boathook verify watch      shows what arrives while you use the agent
  boathook verify report     looks at what was recorded: events, arguments, fields, and whether denies were obeyed
  boathook verify teardown   removes what a killed selftest left

All of them only read what is yours. Names of fields are shown, never what was in them. The exit code is 0 when all is
well and 1 when anything is not, so that a script can go by it.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSelftest(env), newWatch(env), newReport(env), newTeardown(env))
	completeNoFiles(cmd.Commands())
	return cmd
}

// agentFlag adds --agent.
func agentFlag(cmd *cobra.Command, agent *string) {
	cmd.Flags().StringVar(agent, "agent", "", "only this `AGENT`: "+strings.Join(agentNames(), ", "))
	complete(cmd, "agent", agentNames())
}

// chosenHosts are all, or the one that is named.
func chosenHosts(label string) ([]*host.Host, error) {
	id, err := agentID(label)
	if err != nil {
		return nil, err
	}
	var out []*host.Host
	for _, h := range verify.Hosts() {
		if id == "" || h.ID == id {
			out = append(out, h)
		}
	}
	return out, nil
}

// installedPlaces are where install remembers to have put hooks, or where they are found.
func installedPlaces(env *Env) []install.Installation {
	found, err := install.Look(installEnv(env))
	if err != nil {
		env.warn(err.Error()) // the user's own configuration is looked at all the same
	}
	return found
}

// fewAgents is how many are named one by one.
const fewAgents = 3

// notInstalled is the error where there is nothing to verify.
func notInstalled(hosts []*host.Host, places []install.Installation) error {
	var names, commands, gone []string
	for _, h := range hosts {
		if slices.ContainsFunc(places, func(in install.Installation) bool { return in.Agent == h.ID && !in.Workspace }) {
			gone = append(gone, h.Title+"'s: 'boathook install "+h.ID+"' puts them back")
		}
		names = append(names, h.Title)
		commands = append(commands, "'boathook install "+h.ID+"'")
	}
	if len(gone) > 0 {
		return exitWith(exitFailed, errors.New("hooks that were installed are missing. "+strings.Join(gone, "; ")))
	}
	if len(hosts) > fewAgents {
		return exitWith(exitFailed, errors.New("no hooks are installed: put them in place with 'boathook install'"))
	}
	return exitWith(exitFailed, errors.New("no hooks are installed for "+strings.Join(names, " or ")+": put them in place with "+strings.Join(commands, " or ")))
}

// needsShell refuses where hooks can't be installed anyway.
func needsShell(what string) error {
	if runtime.GOOS == "windows" {
		return exitWith(exitRefused, errors.New(what+": hooks need a POSIX shell, and install does not support Windows yet"))
	}
	return nil
}

// tempDir is the directory for temporary files.
func (e *Env) tempDir() string {
	if dir := e.variable("TMPDIR"); dir != "" {
		return e.absolute(dir)
	}
	return os.TempDir()
}
