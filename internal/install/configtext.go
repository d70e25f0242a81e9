package install

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/config"
)

const configHead = `# boathook's settings. The installed hooks, the worker and boathook's own commands read this file.
# 'boathook help config' explains every setting; lines that begin with # show the defaults.
`

// render writes every setting in the table's order: those in values as they are, the others as comments.
func render(values map[string]any) string {
	var b strings.Builder
	b.WriteString(configHead)
	table := ""
	for _, k := range config.Keys() {
		name := k.Name
		if at := strings.LastIndexByte(name, '.'); at >= 0 {
			if name[:at] != table {
				table = name[:at]
				fmt.Fprintf(&b, "\n[%s]\n", table)
			}
			name = name[at+1:]
		} else {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "# %s%s\n", k.Doc, choices(k))
		if v, ok := values[k.Name]; ok {
			fmt.Fprintf(&b, "%s = %s\n", name, tomlValue(k, v))
			continue
		}
		fmt.Fprintf(&b, "# %s = %s\n", name, tomlValue(k, fallback(k)))
	}
	return b.String()
}

func choices(k config.Key) string {
	if len(k.Choices) == 0 {
		return ""
	}
	return " (" + strings.Join(k.Choices, ", ") + ")"
}

func fallback(k config.Key) any {
	switch k.Type {
	case config.List:
		return []string{}
	case config.Map:
		return map[string]string{}
	case config.Choice:
		return k.Choices[0]
	}
	return k.Default
}

func tomlValue(k config.Key, v any) string {
	switch v := v.(type) {
	case []string:
		items := make([]string, len(v))
		for i, s := range v {
			items[i] = tomlString(s)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]string:
		var items []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			items = append(items, tomlString(name)+" = "+tomlString(v[name]))
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	text := fmt.Sprint(v)
	if k.Type == config.Bool || k.Type == config.Int {
		return text
	}
	return tomlString(text)
}

// tomlString is a basic string. TOML 1.0 knows every escape that JSON writes, and wants DEL escaped too.
func tomlString(s string) string {
	return strings.ReplaceAll(string(compact(s)), "\x7f", `\u007f`)
}
