// Command boathook is called by the hooks of coding agents; see README.md.
package main

import (
	"os"
	"slices"

	"github.com/boathook/boathook/internal/cli"
	"github.com/boathook/boathook/internal/execrun"
	"github.com/boathook/boathook/internal/hookrun"
	"github.com/boathook/boathook/internal/memory/forhooks"
)

func main() {
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "hook" && !asksForHelp(args) {
		os.Exit(hookrun.Main(args[1:], forhooks.Deps)) // no command line framework: an agent waits
	}
	if len(args) > 0 && args[0] == "exec" && !execrun.AsksForHelp(args[1:]) && (len(args) > 1 || !cli.IsTerminal(os.Stdin)) {
		os.Exit(execrun.Main(args[1:], hookrun.Mark)) // nor does it wait here
	}
	os.Exit(cli.Main(args))
}

// asksForHelp tells a person from an agent: an agent must get its answer however it was wired.
func asksForHelp(args []string) bool {
	return slices.Contains(args, "--help") || slices.Contains(args, "-h") || len(args) == 1 && cli.IsTerminal(os.Stdin)
}
