package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/config"
)

// setting is a key as the document of the settings and the program have it.
type setting struct {
	Values string
	Env    []string
}

// TestDocsListEverySetting: the table of keys is the program's own: names, choices and defaults, variables in their order.
func TestDocsListEverySetting(t *testing.T) {
	want, got, last := map[string]setting{}, map[string]setting{}, ""
	for _, k := range config.Keys() {
		s := setting{Values: k.Default}
		if len(k.Choices) > 0 {
			s.Values = strings.Join(k.Choices, ", ")
		}
		for _, e := range k.Env {
			s.Env = append(s.Env, e.Name+e.Suffix)
		}
		want[k.Name] = s
	}
	_, table, _ := strings.Cut(readText(t, "docs/configuration.md"), "| key | values, default | variables |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		if key := strings.Trim(cells[0], " `"); key != "" {
			last = key
			got[last] = setting{Values: documented(cells[1], want[last].Values)}
		}
		s := got[last]
		s.Env = append(s.Env, variables(cells[2])...)
		got[last] = s
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// documented is a cell's choices, or its default: what is bold. A default in words is the program's.
func documented(cell, want string) string {
	cell = strings.TrimSpace(cell)
	m := regexp.MustCompile(`\*\*(.+?)\*\*`).FindStringSubmatch(cell)
	switch {
	case m == nil:
		return ""
	case strings.Contains(want, ", "):
		return strings.ReplaceAll(cell, "**", "")
	}
	return m[1]
}

// variables reads `A`, `A` + `/suffix` and `A_{TRACES_,}B` ¹.
func variables(cell string) (names []string) {
	for _, m := range regexp.MustCompile("`(\\w+)(\\{TRACES_,\\})?(\\w*)`(?: \\+ `([\\w/]+)`)?").FindAllStringSubmatch(cell, -1) {
		if m[2] != "" {
			names = append(names, m[1]+"TRACES_"+m[3])
		}
		names = append(names, m[1]+m[3]+m[4])
	}
	return names
}

// TestDocsListEveryPackage: the table of packages has all of them.
func TestDocsListEveryPackage(t *testing.T) {
	_, table, _ := strings.Cut(readText(t, "docs/ARCHITECTURE.md"), "\n## Packages and their seams\n")
	table, _, _ = strings.Cut(table, "\n\n`internal/deptest`")
	listed := map[string]bool{"internal/deptest": true}
	for _, m := range regexp.MustCompile("`(internal/[\\w/]*)(?:\\{([\\w,]+)\\})?`").FindAllStringSubmatch(table, -1) {
		for last := range strings.SplitSeq(m[2], ",") {
			listed[m[1]+last] = true
		}
	}
	files, err := filepath.Glob("internal/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	sinks, err := filepath.Glob("internal/sink/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	memories, err := filepath.Glob("internal/memory/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range slices.Concat(files, sinks, memories) {
		dir := filepath.ToSlash(filepath.Dir(file))
		if !listed[dir] {
			listed[dir] = true // said once
			t.Errorf("docs/ARCHITECTURE.md does not say what %s promises", dir)
		}
	}
}

// TestDocsNameEveryAttribute: what the sinks call their attributes and metrics stands in the document.
func TestDocsNameEveryAttribute(t *testing.T) {
	doc := readText(t, "docs/telemetry.md")
	name := regexp.MustCompile(`"((?:boathook|gen_ai|pinta|session|error|process|ingest|host|os|service|otel)\.[a-z_.]+)"`)
	n := 0
	for _, dir := range []string{"otlp", "metrics", "resource"} {
		files, err := filepath.Glob("internal/sink/" + dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, m := range name.FindAllStringSubmatch(readText(t, file), -1) {
				if n++; !strings.Contains(doc, m[1]) {
					t.Errorf("%s: docs/telemetry.md has no %s", file, m[1])
				}
			}
		}
	}
	if n < 60 {
		t.Errorf("%d names were found", n)
	}
}
