package cli

import (
	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/memory/remote"
	"github.com/boathook/boathook/internal/version"
)

const mcpLong = `Serve memory to an agent over the Model Context Protocol, on stdin and stdout: the tools memory_search, memory_timeline and
memory_get, all of them for reading alone. Register this command with an agent whose model shall look for itself what was done
before; those that can be told something at a prompt need it less. Nothing registers it by itself.

It gives the memory of one project: that around the working directory, or around --project. What a model asks may be what a text
that it has read wants of it; so it gets at other projects only where you register the command with --all-projects. What is given
is marked as reference data, masked, and without lines that read like instructions. Each question is written into
memory-audit.jsonl.

It is boathook-memory, the program beside this one, that serves.`

func newMCP(env *Env) *cobra.Command {
	var data, config, project string
	var all bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve memory to an agent that asks for it, by the Model Context Protocol",
		Long:  mcpLong,
		Example: `  claude mcp add boathook-memory -- boathook mcp
  codex mcp add boathook-memory -- boathook mcp
  gemini mcp add --scope user boathook-memory boathook mcp
  copilot mcp add boathook-memory -- boathook mcp
  qwen mcp add boathook-memory boathook mcp`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if env.Typed {
				return usage("mcp is started by an agent, which talks to it on stdin; to search memory yourself there is 'boathook memory search'")
			}
			program, err := remote.Beside(env.Exe)
			if err != nil {
				return exitWith(exitFailed, err)
			}
			args := []string{program, "mcp", "--of", version.String()}
			if config == "" {
				if config, err = env.installedConfig(); err != nil {
					return err
				}
			}
			for _, flag := range []struct{ name, path string }{{"--config", config}, {"--data", data}, {"--project", project}} {
				if flag.path != "" {
					args = append(args, flag.name, env.absolute(flag.path))
				}
			}
			if all {
				args = append(args, "--all-projects")
			}
			return become(program, args)
		},
	}
	cmd.Flags().StringVar(&config, "config", "", configUsage)
	cmd.Flags().StringVar(&data, "data", "", "data directory, instead of the config's")
	cmd.Flags().StringVar(&project, "project", "", "a directory of the project whose memory it is (default: the working directory)")
	cmd.Flags().BoolVar(&all, "all-projects", false, "let the agent ask about other projects, too")
	_ = cmd.MarkFlagFilename("config", "toml") // these are there
	_ = cmd.MarkFlagDirname("data")
	_ = cmd.MarkFlagDirname("project")
	return cmd
}
