package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
)

// newConfigHelp lists every setting from the table that the program itself reads, so that it cannot go stale.
func newConfigHelp(env *Env) *cobra.Command {
	return newTopic(env, "config", "Every setting, its default and its variables", configHelp)
}

func configHelp(width int) string {
	var b strings.Builder
	b.WriteString(layout(`Settings live in ~/.config/boathook/config.toml (TOML; a dot is a table: guard.endpoint is endpoint under [guard]).
A broken line costs itself alone; a value that is no choice counts as the strict one. Variables count where a hook runs
without --config, or where the file says environment = "trusted"; in boathook.env beside the file they always count.`, width) + "\n")
	for _, k := range config.Keys() {
		writeItems(&b, []item{{indent: 2, name: k.Name + forms(k)}}, width)
		texts := []item{{indent: 2, hang: 6, text: k.Doc}}
		if names := variables(k); names != "" {
			texts = append(texts, variablesItem(names, width))
		}
		for _, it := range texts {
			it.write(&b, width, false)
		}
	}
	b.WriteString("\n" + layout(`Programs of your own that judge events stand in tables, as many as you like, at the end of the file:

  [[hooks]]
  on = ["tool:before"]             # kinds of event
  tools = ["bash"]                 # none is all; agents = [...] likewise
  command = ["/path/to/program"]   # or a line for the shell
  timeout = 5000                   # milliseconds
  fail = "open"                    # or "closed": no answer is a deny

'boathook hooks' shows them, tries them and writes a new one.`, width))
	return b.String()
}

// variablesItem has names beside the word, unless that leaves too little room for one of them.
func variablesItem(names string, width int) item {
	const word = "variables: "
	for name := range strings.SplitSeq(names, " ") {
		if columns(name) > width-6-len(word) {
			return item{indent: 2, hang: 6, text: word + names}
		}
	}
	return item{indent: 6, hang: 6 + len(word), name: word, text: names}
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
