// Command judge is an example of a hook: it denies, asks, rewrites and tells the model something. judge.py and judge.mjs beside
// it are the same in Python and JavaScript, and all three answer testdata/vectors alike.
//
// Name it in ~/.config/boathook/config.toml:
//
//	[[hooks]]
//	on = ["tool:before", "prompt:submit"]
//	command = ["/path/to/judge"]
//	fail = "closed"
//
// or wire it into an agent yourself, with --agent and --event, or without.
package main

import (
	"context"
	"strings"

	"github.com/boathook/boathook/hook"
)

func main() { hook.Main(judge) }

func judge(_ context.Context, e *hook.Event) hook.Decision {
	switch e.Event {
	case hook.PromptSubmit:
		if strings.Contains(strings.ToLower(e.Prompt), "deploy") {
			return hook.AddContext("Deploys go through 'make deploy', after its checks.")
		}
	case hook.ToolBefore:
		return tool(e)
	}
	return hook.Allow()
}

func tool(e *hook.Event) hook.Decision {
	command := e.Command()
	switch {
	case strings.Contains(command, "git push") && strings.Contains(command, "--force"):
		return hook.Deny("Force pushes are made by people.")
	case strings.HasPrefix(command, "npm publish"):
		return hook.Ask("Publish this package?")
	case strings.HasPrefix(command, "npm install") && !strings.Contains(command, "--ignore-scripts"):
		return e.RewriteCommand(command + " --ignore-scripts").WithContext("Install scripts are off on this machine.")
	}
	if e.IsTool("write_file", "edit_file") {
		for _, path := range e.Tool.Paths {
			if strings.HasSuffix(path, ".env") {
				return hook.Deny("Secrets are not written by agents: " + path)
			}
		}
	}
	return hook.Allow()
}
