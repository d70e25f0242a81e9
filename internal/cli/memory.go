package cli

import (
	"github.com/spf13/cobra"
)

// The groups of memory's commands.
const (
	groupMemoryUse  = "memory-use"
	groupMemoryPast = "memory-past"
	groupMemoryCare = "memory-care"
)

func newMemory(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "Keep what agents did, find it again, and tell it to the next session",
		Long: `Memory keeps what was asked, answered and run in your agents' sessions, masked, and finds it again. It is off until
'boathook memory enable': then every session is written to a database of your own (SQLite in the data directory; PostgreSQL
for a team), and, if you say so, what fits a new prompt goes to the model beside it, as reference data.

A project sees its own past alone. What may not be kept stands between <private> and </private> in a prompt, or is excluded in
the config; 'boathook memory forget' removes what is there, to the last byte.

The exit codes are those of all commands ('boathook help exit-codes'); --json prints one object, and where it fails that has
"error" and "exit_code". docs/memory.md has the members.`,
		Example: `  boathook memory enable                      turn it on; asks what may go into prompts
  boathook memory search 'port in use'        what was said and done about it in this project
  boathook memory show ID                     one message or command in full
  boathook memory stats                       how much there is, and how fast it is found`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddGroup(
		&cobra.Group{ID: groupMemoryUse, Title: "Turn on, search, look:"},
		&cobra.Group{ID: groupMemoryPast, Title: "Bring in, take out:"},
		&cobra.Group{ID: groupMemoryCare, Title: "Operate and measure:"},
	)
	// A line for each command, in the order of the help: add(cmd, groupMemoryPast, newMemoryBackfill(env)).
	add(cmd, groupMemoryUse, newMemoryEnable(env), newMemoryDisable(env), newMemorySearch(env), newMemoryShow(env), newMemoryTimeline(env))
	add(cmd, groupMemoryCare, newMemoryStats(env), newMemoryDoctor(env), newMemoryMigrate(env), newMemoryRoles(env))
	add(cmd, groupMemoryPast, newMemoryBackfill(env), newMemoryIngest(env), newMemoryForget(env), newMemoryPrune(env), newMemoryExport(env))
	add(cmd, groupMemoryCare, newMemoryEval(env))
	completeNoFiles(cmd.Commands())
	return cmd
}
