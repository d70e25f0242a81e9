// Command boathook is called by the hooks of coding agents; see README.md.
package main

import (
	"os"
	"slices"

	"github.com/boathook/boathook/internal/cli"
	"github.com/boathook/boathook/internal/hookrun"
)

func main() {
	args := os.Args[1:]
	if len(args) > 1 && args[0] == "hook" && !slices.Contains(args, "--help") && !slices.Contains(args, "-h") {
		os.Exit(hookrun.Main(args[1:])) // no command line framework: an agent waits
	}
	os.Exit(cli.Main(args))
}
