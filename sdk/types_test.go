package sdk

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	jsonschema "github.com/boathook/boathook/internal/schema"
)

var update = flag.Bool("update", false, "write the types into the helpers")

// TestTypes: the types of the helpers are those of the schemas.
func TestTypes(t *testing.T) {
	types := append(load(t, "event"), load(t, "decision")...)
	for _, tc := range []struct {
		path, comment string
		write         func([]named) string
	}{
		{"python/boathook.py", "#", python},
		{"typescript/boathook.d.mts", "//", typescript},
	} {
		text, err := os.ReadFile(tc.path)
		if err != nil {
			t.Fatal(err)
		}
		begin, end := tc.comment+" --- generated from the JSON Schemas: begin ---\n", tc.comment+" --- generated from the JSON Schemas: end ---\n"
		before, rest, ok := strings.Cut(string(text), begin)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("%s has no place for the types", tc.path)
		}
		want := before + begin + tc.write(types) + end + after
		if want == string(text) {
			continue
		}
		if !*update {
			t.Errorf("%s: the types are not those of the schemas; write them with: go test ./sdk -update", tc.path)
			continue
		}
		if err := os.WriteFile(tc.path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// named is one type: the schema's own, or one of its definitions.
type named struct {
	name string
	schema
}

// load lists the definitions before the type that uses them.
func load(t *testing.T, name string) []named {
	t.Helper()
	text, err := jsonschema.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	var out []named
	for _, d := range s.Defs {
		out = append(out, named{title(d.name), d.schema})
	}
	slices.SortStableFunc(out, func(a, b named) int { return len(a.Properties) - len(b.Properties) }) // a tool has an mcp
	return append(out, named{title(name), s})
}

func title(name string) string {
	if name == "mcp" {
		return "MCP"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func refName(ref string) string { return title(strings.TrimPrefix(ref, "#/$defs/")) }

func quoted(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Quote(s)
	}
	return out
}

func python(types []named) string {
	var b strings.Builder
	for _, n := range types {
		if len(n.Enum) > 0 {
			b.WriteString(n.name + " = Literal[\n    " + strings.Join(quoted(n.Enum), ",\n    ") + ",\n]\n\n")
			continue
		}
		base := "TypedDict"
		if len(n.Required) > 0 {
			base = "_" + n.name
			b.WriteString("\nclass " + base + "(TypedDict):\n")
			pythonFields(&b, n, true)
		}
		b.WriteString("\nclass " + n.name + "(" + base + ", total=False):\n")
		b.WriteString("    \"\"\"" + n.Description + "\"\"\"\n\n")
		pythonFields(&b, n, false)
	}
	return "\n" + b.String()
}

func pythonFields(b *strings.Builder, n named, required bool) {
	wrote := false
	for _, p := range n.Properties {
		if slices.Contains(n.Required, p.name) != required {
			continue
		}
		if p.Description != "" {
			b.WriteString("    # " + p.Description + "\n")
		}
		b.WriteString("    " + p.name + ": " + pythonType(p.schema) + "\n")
		wrote = true
	}
	if !wrote {
		b.WriteString("    pass\n")
	}
	b.WriteString("\n")
}

func pythonType(s schema) string {
	switch {
	case s.Ref != "":
		return refName(s.Ref)
	case len(s.Enum) > 0:
		return "Literal[" + strings.Join(quoted(s.Enum), ", ") + "]"
	}
	switch s.Type {
	case "string":
		return "str"
	case "integer":
		return "int"
	case "number":
		return "float"
	case "boolean":
		return "bool"
	case "array":
		return "List[" + pythonType(*s.Items) + "]"
	case "object":
		return "Dict[str, Any]"
	}
	return "Any"
}

func typescript(types []named) string {
	var b strings.Builder
	for _, n := range types {
		b.WriteString("\n")
		if len(n.Enum) > 0 {
			b.WriteString("export type " + n.name + " =\n  | " + strings.Join(quoted(n.Enum), "\n  | ") + ";\n")
			continue
		}
		b.WriteString("/** " + n.Description + " */\nexport interface " + n.name + " {\n")
		for _, p := range n.Properties {
			if p.Description != "" {
				b.WriteString("  /** " + p.Description + " */\n")
			}
			mark := "?"
			if slices.Contains(n.Required, p.name) {
				mark = ""
			}
			b.WriteString("  " + p.name + mark + ": " + typescriptType(p.schema) + ";\n")
		}
		b.WriteString("}\n")
	}
	return b.String() + "\n"
}

func typescriptType(s schema) string {
	switch {
	case s.Ref != "":
		return refName(s.Ref)
	case len(s.Enum) > 0:
		return strings.Join(quoted(s.Enum), " | ")
	}
	switch s.Type {
	case "string", "boolean":
		return s.Type
	case "integer", "number":
		return "number"
	case "array":
		return typescriptType(*s.Items) + "[]"
	case "object":
		return "Record<string, unknown>"
	}
	return "unknown"
}
