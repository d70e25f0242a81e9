package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/schema"
)

func newSchema(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [event|decision|record]",
		Short: "Print the JSON Schema of an event, a decision or a stored record",
		Long: `Print a JSON Schema (draft 2020-12).

  event     the canonical event, as 'boathook decode' prints it (the default)
  decision  what a hook of yours answers it
  record    the event with the decision and what the hook run cost, as 'boathook log --json' prints it`,
		Example:   `  boathook schema record > record.schema.json`,
		ValidArgs: schema.Names(),
		RunE: func(_ *cobra.Command, args []string) error {
			name := "event"
			switch {
			case len(args) > 1:
				return usage("schema takes one name, not %s", strings.Join(args, " and "))
			case len(args) == 1:
				name = args[0]
			}
			doc, err := schema.Get(name)
			if err != nil {
				return exitWith(exitUsage, err)
			}
			_, err = env.Stdout.Write(doc)
			return err
		},
	}
}
