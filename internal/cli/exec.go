package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// newExec is there for help and completion, as newHook is: main runs the real one before it comes here.
func newExec(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:    "exec [--agent AGENT --event EVENT] [--timeout MS] [--fail open|closed] [--environment ignored|trusted] -- PROGRAM [ARG...]",
		Hidden: true, // the main help fits a screen; 'boathook hooks --help' names it
		Short:  "Run a program of yours as the hook of an agent that you wired yourself",
		Long: `Run a program of yours as an agent's hook. Write this command where the agent wants its hook's.

  stdin    the agent's JSON; the program gets the canonical event ('boathook schema event')
  stdout   the program's decision ('boathook schema decision'), said in the agent's own dialect
  stderr   nothing, and exit 0, but where an agent knows no other deny

Without --agent and --event the environment and the payload show who calls; where they don't, the answer is silence.
A program that fails (exit code, no decision, not done in time) has no objection, or denies with --fail closed. It is
killed at its time limit, with all that it started. An option that there is not counts as --fail closed.

It does not get the variables of the agent's environment that make a loader or an interpreter run other code (LD_*, PYTHON*,
NODE_OPTIONS, BASH_ENV, …), and HOME is the account's: a repository's .env may have set them. With --environment
trusted it gets the environment whole.

No config is read, no guard is asked, and nothing is kept. For all of these, on every agent, name the program in the
config instead: 'boathook hooks --help'.`,
		Example: `  boathook exec --agent claude --event PreToolUse --fail closed -- ~/bin/judge.py`,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(env.Stderr)
			if err := cmd.Help(); err != nil {
				return err
			}
			return exitWith(exitUsage, nil)
		},
	}
	cmd.Flags().String("agent", "", "the agent that calls: "+strings.Join(agentNames(), ", "))
	cmd.Flags().String("event", "", "the agent's own name of the event: BeforeTool, PreToolUse, …")
	cmd.Flags().Int("timeout", 5000, "milliseconds that the program may take, at most 15000")
	cmd.Flags().String("fail", "open", "what no answer means: open, closed")
	cmd.Flags().String("environment", "ignored", "trusted: the program gets the agent's environment whole")
	complete(cmd, "agent", agentNames())
	complete(cmd, "environment", []string{"ignored", "trusted"})
	complete(cmd, "fail", []string{"open", "closed"})
	complete(cmd, "timeout", nil)
	completeEvents(cmd)
	return cmd
}
