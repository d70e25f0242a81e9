package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/hook"
	"github.com/boathook/boathook/internal/host/registry"
)

// complete gives a flag the values that a shell offers.
func complete(cmd *cobra.Command, flag string, values []string) {
	// The only error is a flag that is not there or is completed twice: a test walks all commands.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

func agentNames() []string {
	var out []string
	for _, h := range registry.Hosts() {
		out = append(out, h.ID)
	}
	return out
}

func hostEventNames() []string {
	var out []string
	for _, h := range registry.Hosts() {
		for _, e := range h.Events {
			if !slices.Contains(out, e.Name) {
				out = append(out, e.Name)
			}
		}
	}
	return out
}

func kindNames() []string {
	var out []string
	for _, k := range hook.Kinds() {
		out = append(out, string(k))
	}
	return out
}
