package cli

import (
	"github.com/spf13/cobra"
)

func newPolicy(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "See, write and test what agents may do",
		Long: `The policy decides about each tool call on this machine, before it runs: it reads the command as a shell would, tells what
it does to the world, and goes by the rules of the built-in packs and by your own.

Nothing has to be set up for the built-in rules. Your own stand in policy.toml beside the config, a project's in
.boathook/policy.toml, an administrator's where only root can write.`,
		Example: `  boathook policy explain 'rm -rf "$HOME"'   what would become of a command, and why
  boathook policy init                       write a policy of your own to begin with
  boathook policy test                       run the examples of all rules
  boathook policy replay --since 7d          what the policy would have decided`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPolicyExplain(env), newPolicyInit(env), newPolicyTest(env), newPolicyCheck(env), newPolicyList(env), newPolicyShow(env), newPolicyJudge(env), newPolicyReplay(env), newPolicyTrust(env), newPolicyUntrust(env))
	completeNoFiles(cmd.Commands())
	return cmd
}
