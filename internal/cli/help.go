package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// newTopic is a text in the help that belongs to no command. It may be named as one: `boathook config`.
func newTopic(env *Env, name, short string, text func(width int) string) *cobra.Command {
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
	topic.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(cmd.OutOrStdout(), text(env.helpWidth())) })
	return topic
}

func newExitCodes(env *Env) *cobra.Command {
	return newTopic(env, "exit-codes", "What the exit codes mean", func(width int) string {
		return layout(`boathook's exit codes:

  0  done; also when the reader of a pipe has seen enough (boathook log | head)
  1  failed: the message on stderr says what and how to mend it; 'boathook doctor': at least one check fails
  2  the command line makes no sense; nothing was done
  3  refused, and nothing was changed: it is not boathook's to change, or there was no terminal to ask on (--yes goes on
     without), or the answer was not yes, or an agent started what is for a person (allow-once, policy trust)

'boathook hook' is the exception: it exits 0 whatever happens, because an agent may take any other code for a deny.
`, width)
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

// helps gives a command and all below it their help: what they do, then how they are called.
func helps(env *Env, root *cobra.Command) {
	// No template of cobra is set anywhere: text/template would come in, 4 MB of program.
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		_, err := fmt.Fprint(cmd.OutOrStderr(), usageText(cmd, env.helpWidth()))
		return err
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		text := cmd.Long
		if text == "" {
			text = cmd.Short
		}
		width := env.helpWidth()
		fmt.Fprint(cmd.OutOrStdout(), layout(text, width)+"\n"+usageText(cmd, width))
	})
}

// usageText is the part of a help that is the same for all commands.
func usageText(cmd *cobra.Command, width int) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	line := func(text string) { b.WriteString(usageLine(text, width)) }
	if cmd.HasAvailableSubCommands() {
		line(cmd.CommandPath() + " COMMAND")
	}
	if !cmd.HasAvailableSubCommands() || worksAlone(cmd) {
		line(cmd.UseLine())
	}
	if cmd.HasExample() {
		b.WriteString("\nExamples:\n" + layoutCommands(cmd.Example, width))
	}
	for _, g := range cmd.Groups() {
		b.WriteString("\n" + g.Title + "\n" + commandList(cmd, g.ID, width))
	}
	if len(cmd.Groups()) == 0 && cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n" + commandList(cmd, "", width))
	}
	if cmd.HasParent() && cmd.HasAvailableLocalFlags() { // the program's own are --help and --version, and it has to fit a screen
		b.WriteString("\nFlags:\n" + flagLines(cmd, width))
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\n" + layout("'"+cmd.CommandPath()+" COMMAND --help' says more about a command.", width))
	}
	return b.String()
}

// usageLine is how a command is called; what is in brackets stays on one line.
func usageLine(text string, width int) string {
	const joined = "\x00"
	var b strings.Builder
	depth := 0
	for _, r := range text {
		depth += map[rune]int{'[': 1, ']': -1}[r]
		if r == ' ' && depth > 0 {
			b.WriteString(joined)
		} else {
			b.WriteRune(r)
		}
	}
	var out strings.Builder
	for i, line := range wrapHanging(b.String(), width-2, 4) {
		out.WriteString(strings.Repeat(" ", 2+4*min(i, 1)) + strings.ReplaceAll(line, joined, " ") + "\n")
	}
	return out.String()
}

// worksAlone tells whether a command that has others below it does something without them.
func worksAlone(cmd *cobra.Command) bool { return cmd.Flags().Lookup("foreground") != nil }

func commandList(parent *cobra.Command, group string, width int) string {
	var items []item
	lead := ""
	if group == groupTopics {
		lead = parent.Name() + " help "
	}
	for _, c := range parent.Commands() {
		if c.GroupID != group || !c.IsAvailableCommand() && c.Name() != "help" {
			continue
		}
		items = append(items, item{indent: 2, name: lead + c.Name(), text: c.Short, hang: len(lead) + c.NamePadding() + 3})
	}
	var b strings.Builder
	writeItems(&b, items, width)
	return b.String()
}
