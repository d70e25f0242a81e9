package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
)

// newConfigHelp lists every setting from the table that the program itself reads, so that it cannot go stale.
func newConfigHelp() *cobra.Command {
	return newTopic("config", "Every setting, its default and its variables", configHelp)
}

func configHelp() string {
	var b strings.Builder
	b.WriteString(`Settings live in ~/.config/boathook/config.toml (TOML; a dot is a table: guard.endpoint is endpoint under [guard]).
A broken line costs itself alone; a value that is no choice counts as the strict one. Variables count where a hook runs
without --config, or where the file says environment = "trusted"; in boathook.env beside the file they always count.

`)
	for _, k := range config.Keys() {
		fmt.Fprintf(&b, "  %s%s\n      %s\n", k.Name, forms(k), k.Doc)
		if names := variables(k); names != "" {
			fmt.Fprintf(&b, "      variables: %s\n", names)
		}
	}
	return b.String()
}

func forms(k config.Key) string {
	switch {
	case len(k.Choices) > 0:
		return " = " + strings.Join(k.Choices, " | ")
	case k.Default != "":
		return " = " + k.Default
	}
	return ""
}

func variables(k config.Key) string {
	names := make([]string, len(k.Env))
	for i, e := range k.Env {
		names[i] = e.Name
	}
	return strings.Join(names, ", ")
}
