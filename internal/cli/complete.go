package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/install"
)

// unquoteUsages takes the marks of value names out of what a shell shows beside a flag.
func unquoteUsages(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	for _, c := range cmd.Commands() {
		unquoteUsages(c)
	}
}

// complete gives a flag the values that a shell offers.
func complete(cmd *cobra.Command, flag string, values []string) {
	// The only error is a flag that is not there or is completed twice: a test walks all commands.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// completeWith does the same where the values depend on what was typed before.
func completeWith(cmd *cobra.Command, flag string, values func(args []string, typed string) []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		other := func(value string) bool { return !strings.HasPrefix(value, typed) }
		return slices.DeleteFunc(values(args, typed), other), cobra.ShellCompDirectiveNoFileComp
	})
}

// completeEvents offers the events of the agent that --agent names, else those of all.
func completeEvents(cmd *cobra.Command) {
	completeWith(cmd, "event", func([]string, string) []string { return eventsOf(cmd.Flag("agent").Value.String()) })
}

func completeLog(cmd *cobra.Command) {
	complete(cmd, "agent", agentNames())
	complete(cmd, "tool", toolNames())
	complete(cmd, "decision", decisions())
	complete(cmd, "rule", builtInRules())
	complete(cmd, "effect", effectNames())
	completeWith(cmd, "event", func(_ []string, typed string) []string {
		names := slices.Concat(kindNames(), families(), eventsOf(cmd.Flag("agent").Value.String()))
		return listed(names, typed)
	})
	for _, flag := range []string{"session", "trace", "turn", "grep", "since", "until", "lines"} {
		complete(cmd, flag, nil) // no files
	}
	_ = cmd.MarkFlagFilename("config", "toml") // these are there
	_ = cmd.MarkFlagDirname("data")
}

// completeInstall offers each agent once, and the events of those named.
func completeInstall(cmd *cobra.Command) *cobra.Command {
	completeWith(cmd, "events", func(agents []string, typed string) []string {
		names := []string{"default", "all"}
		for _, e := range eventsOf(agents...) {
			if !slices.Contains(names, e) {
				names = append(names, e)
			}
		}
		return listed(names, typed)
	})
	_ = cmd.MarkFlagDirname("workspace")
	return completeUninstall(cmd)
}

func completeUninstall(cmd *cobra.Command) *cobra.Command {
	cmd.ValidArgs, cmd.ValidArgsFunction = nil, otherAgents
	_ = cmd.MarkFlagFilename("config", "toml")
	return cmd
}

// completeNoFiles keeps a shell from offering files where a command takes no arguments.
func completeNoFiles(commands []*cobra.Command) {
	for _, c := range commands {
		if c.ValidArgsFunction == nil && len(c.ValidArgs) == 0 {
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

func otherAgents(_ *cobra.Command, named []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names := slices.DeleteFunc(install.Agents(), func(a string) bool { return slices.Contains(named, a) })
	return names, cobra.ShellCompDirectiveNoFileComp
}

// listed goes on with a list: the names after what stands before the last comma and its !.
func listed(names []string, typed string) []string {
	done := typed[:strings.LastIndexByte(typed, ',')+1]
	if strings.HasPrefix(typed[len(done):], "!") {
		done += "!"
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = done + name
	}
	return out
}

func agentNames() []string {
	var out []string
	for _, h := range registry.Hosts() {
		out = append(out, h.ID)
	}
	return out
}

// eventsOf lists the own event names of some agents; of all when none of them is known.
func eventsOf(labels ...string) []string {
	var out []string
	for _, h := range registry.Hosts() {
		wanted := slices.ContainsFunc(labels, func(label string) bool {
			named, known := registry.Lookup(label)
			return known && named.ID == h.ID
		})
		if !wanted && slices.ContainsFunc(labels, isAgent) {
			continue
		}
		for _, e := range h.Events {
			if !slices.Contains(out, e.Name) {
				out = append(out, e.Name)
			}
		}
	}
	return out
}

func isAgent(label string) bool {
	_, known := registry.Lookup(label)
	return known
}

// toolNames lists the canonical names, then the agents' own.
func toolNames() []string {
	var canonical, own []string
	for _, h := range registry.Hosts() {
		for _, t := range h.Tools {
			canonical, own = append(canonical, t.Name), append(own, t.HostName)
		}
	}
	slices.Sort(canonical)
	slices.Sort(own)
	canonical, own = slices.Compact(canonical), slices.Compact(own)
	own = slices.DeleteFunc(own, func(name string) bool { return slices.Contains(canonical, name) })
	return append(canonical, own...)
}

func kindNames() []string {
	var out []string
	for _, k := range canon.Kinds() {
		out = append(out, string(k))
	}
	return out
}
