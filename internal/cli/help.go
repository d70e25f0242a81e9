package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// newTopic is a text in the help that belongs to no command. It may be named as one: `boathook config`.
func newTopic(name, short string, text func() string) *cobra.Command {
	topic := &cobra.Command{
		Use: name, Short: short, GroupID: groupTopics,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("%s is a help topic and not a command: there is nothing like %q", name, strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	topic.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(cmd.OutOrStdout(), text()) })
	return topic
}

func newExitCodes() *cobra.Command {
	return newTopic("exit-codes", "What the exit codes mean", func() string {
		return `boathook's exit codes:

  0  done; also when the reader of a pipe has seen enough (boathook log | head)
  1  failed: the message on stderr says what and how to mend it; 'boathook doctor': at least one check fails
  2  the command line makes no sense; nothing was done
  3  refused: going on would have changed something that is not boathook's to change; nothing was changed

'boathook hook' is the exception: it exits 0 whatever happens, because an agent may take any other code for a deny.
`
	})
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "Help about any command or topic",
		Long:  "Show the help of a command or a topic. 'boathook --help' lists them.",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return helpNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			at, rest, err := cmd.Root().Find(args)
			switch {
			case err != nil:
				return usage("no such command or help topic: %s%s", strings.Join(args, " "), didYouMean(cmd.Root(), args[0]))
			case len(rest) > 0:
				return usage("no such command or help topic: %s", strings.Join(args, " "))
			}
			at.InitDefaultHelpFlag()
			at.InitDefaultVersionFlag()
			return at.Help()
		},
	}
}

func helpNames(root *cobra.Command) []string {
	var out []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			out = append(out, cobra.CompletionWithDesc(c.Name(), c.Short))
		}
	}
	return out
}

// completionShells gives the command that cobra makes an answer to a shell that it does not know.
func completionShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		var shells []string
		for _, shell := range c.Commands() {
			shell.Args = noArgs
			shells = append(shells, shell.Name())
		}
		c.Use = "completion SHELL"
		c.Args = func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("no completion for %q: there are %s", args[0], strings.Join(shells, ", "))
			}
			return nil
		}
		c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
}

// printUsage is the part of a help that is the same for all commands.
func printUsage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", cmd.CommandPath())
	}
	if !cmd.HasAvailableSubCommands() || worksAlone(cmd) {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, g := range cmd.Groups() {
		fmt.Fprintf(&b, "\n%s\n%s", g.Title, commandList(cmd, g.ID))
	}
	if len(cmd.Groups()) == 0 && cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nCommands:\n%s", commandList(cmd, ""))
	}
	if cmd.HasAvailableLocalFlags() {
		fmt.Fprintf(&b, "\nFlags:\n%s\n", strings.TrimRight(cmd.LocalFlags().FlagUsages(), " \n"))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n'%s COMMAND --help' says more about a command.\n", cmd.CommandPath())
	}
	_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
	return err
}

// worksAlone tells whether a command that has others below it does something without them.
func worksAlone(cmd *cobra.Command) bool { return cmd.Flags().Lookup("foreground") != nil }

func commandList(parent *cobra.Command, group string) string {
	var b strings.Builder
	lead := ""
	if group == groupTopics {
		lead = parent.Name() + " help "
	}
	for _, c := range parent.Commands() {
		if c.GroupID != group || !c.IsAvailableCommand() && c.Name() != "help" {
			continue
		}
		fmt.Fprintf(&b, "  %s %s\n", fill(lead+c.Name(), len(lead)+c.NamePadding()), c.Short)
	}
	return b.String()
}
