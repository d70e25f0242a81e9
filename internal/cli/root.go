package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/version"
)

// Run executes one command line and returns the exit code.
func Run(ctx context.Context, env *Env, args []string) int {
	root := newRoot(env)
	root.SetArgs(args)
	if len(args) > 0 && strings.HasPrefix(args[0], "__complete") {
		unquoteUsages(root)
	}
	cmd, err := root.ExecuteContextC(ctx)
	return finish(env, cmd, err)
}

const (
	groupSetup  = "setup"
	groupSee    = "see"
	groupWired  = "wired"
	groupTopics = "topics"
)

func newRoot(env *Env) *cobra.Command {
	var asVersion bool
	root := &cobra.Command{
		Use:           "boathook",
		Short:         "Guard and record what coding agents do, through their hooks",
		Long:          rootHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !asVersion {
				return cmd.Help()
			}
			_, err := fmt.Fprintf(env.Stdout, "boathook %s\n", version.String())
			return err
		},
	}
	// Not cobra's own: its templates look methods up by name, and then the linker keeps all methods of all types.
	root.Flags().BoolVarP(&asVersion, "version", "v", false, "print the version")
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	helps(env, root)
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(
		&cobra.Group{ID: groupSetup, Title: "Set up:"},
		&cobra.Group{ID: groupSee, Title: "See what happens:"},
		&cobra.Group{ID: groupWired, Title: "For agents, shells and scripts:"},
		&cobra.Group{ID: groupTopics, Title: "Help topics:"},
	)
	add(root, groupSetup, completeInstall(newInstall(env)), completeUninstall(newUninstall(env)), newOff(env), newOn(env), newPurge(env))
	add(root, groupSee, newStatus(env), newDoctor(env), newLog(env), newPolicy(env), newWhy(env), newPending(env), newAllowOnce(env), newMemory(env), newTry(env), newVerify(env), newTelemetry(env), newCollector(env), newHosts(env), newHooks(env), newDecode(env), newSchema(env))
	add(root, groupWired, newHook(env), newExec(env), newMCP(env), newWorker(env), newVersion(env))
	add(root, groupTopics, newExitCodes(env), newConfigHelp(env))
	root.SetHelpCommand(newHelp())
	root.SetHelpCommandGroupID(groupWired)
	root.SetCompletionCommandGroupID(groupWired)
	completionShells(root)
	completeNoFiles(root.Commands())
	expectChanges(env, root)
	return root
}

func add(root *cobra.Command, group string, commands ...*cobra.Command) {
	for _, c := range commands {
		c.GroupID = group
		root.AddCommand(c)
	}
}

const rootHelp = `boathook stands between a coding agent and what it does: your guard and your hooks judge its tool calls, and a redacted
record of every event is kept. Where it fails, the agent goes on.

Start here:
  boathook try               watch it work in a throw-away home; touches nothing of yours
  boathook install           put the hooks in place; shows every change and asks first
  boathook log -f            watch what your agents do
  boathook doctor            find out why something does not work`
