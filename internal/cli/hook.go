package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// newHook is there for help and completion. main runs the real hook before it comes here, without cobra: an agent waits
// for it.
func newHook(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook --agent AGENT --event EVENT [--config PATH]",
		Short: "Answer one hook event of an agent (agents call this)",
		Long: `Answer one hook event of an agent. The commands that 'boathook install' writes call this; so may yours.

  stdin    the agent's JSON, one object
  stdout   the answer in that agent's own dialect, one JSON object (nothing where any text would change the request)
  stderr   nothing, ever
  exit     0, always: agents take other codes for a deny

On events that can stop a tool the guard is asked. Whatever fails (no JSON, no guard, no disk), the agent gets its
neutral answer in time. The event is kept, redacted; 'boathook log' shows it.

An --agent that is not known is served as an Antigravity one, and the record says so.`,
		Example: `  echo '{"tool_name":"run_shell_command","tool_input":{"command":"ls"}}' |
    boathook hook --agent gemini --event BeforeTool`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { // typed by somebody who wonders what it does
			cmd.SetOut(env.Stderr)
			if err := cmd.Help(); err != nil {
				return err
			}
			return exitWith(exitUsage, nil)
		},
	}
	cmd.Flags().String("agent", "", "the agent that calls: "+strings.Join(agentNames(), ", "))
	cmd.Flags().String("event", "", "the agent's own name of the event: BeforeTool, PreToolUse, …")
	cmd.Flags().String("config", "", "config file; with it the agent's environment has no say in any setting")
	complete(cmd, "agent", agentNames())
	completeEvents(cmd)
	_ = cmd.MarkFlagFilename("config", "toml") // it is there
	return cmd
}
