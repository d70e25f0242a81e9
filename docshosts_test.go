package main

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/proof"
)

var update = flag.Bool("update", false, "write the parts of documents that are made from data")

// TestReadmeHasCapabilities: the list of agents says of each what runs have shown.
func TestReadmeHasCapabilities(t *testing.T) {
	var want strings.Builder
	want.WriteString("| agent | | shown | how |\n|---|---|---|---|\n")
	for _, h := range registry.Hosts() {
		want.WriteString(agentRow(proof.TableOf(h)))
	}
	replaced(t, "README.md", "<!-- agents -->\n", "<!-- /agents -->", want.String())
}

func agentRow(t proof.Table) string {
	var labels []string
	for _, l := range t.Labels {
		labels = append(labels, string(l))
	}
	return "| [" + t.Title + "](docs/hosts/" + t.ID + ".md) | `" + t.ID + "` | " + strings.Join(labels, ", ") + " | " + howShown(t) + " |\n"
}

func howShown(t proof.Table) string {
	switch t.How {
	case proof.Live:
		return "the real program, " + t.Version
	case proof.Replay:
		return "its documented contract, replayed"
	}
	return "nothing yet"
}

// TestMemoryHasCapabilities: docs/memory.md says of each agent at which of its events a model can be told what memory found.
func TestMemoryHasCapabilities(t *testing.T) {
	var want strings.Builder
	want.WriteString("| agent | with the prompt, at | later, at | shown |\n|---|---|---|---|\n")
	for _, h := range registry.Hosts() {
		want.WriteString("| " + h.Title + " | " + tellingEvents(h, canon.PromptSubmit) + " | " +
			tellingEvents(h, canon.ToolBefore, canon.ToolAfter, canon.ToolError) + " | " + howShown(proof.TableOf(h)) + " |\n")
	}
	replaced(t, "docs/memory.md", "<!-- agents -->\n", "<!-- /agents -->", want.String())
}

// tellingEvents are an agent's installed events of some kinds that can tell its model something.
func tellingEvents(h *host.Host, kinds ...canon.Kind) string {
	var names []string
	for _, ev := range h.Events {
		if ev.Default && ev.Can.Context && slices.Contains(kinds, ev.Kind) {
			names = append(names, "`"+ev.Name+"`")
		}
	}
	if names == nil {
		return "–"
	}
	return strings.Join(names, " ")
}

// TestDocsHaveCapabilities: each agent's document has its table of capabilities as the program has it, between two marks.
func TestDocsHaveCapabilities(t *testing.T) {
	for _, h := range registry.Hosts() {
		replaced(t, "docs/hosts/"+h.ID+".md", "<!-- capabilities -->\n", "<!-- /capabilities -->", proof.Markdown(proof.TableOf(h)))
	}
}

// replaced holds that a document has a text between two marks; -update writes it.
func replaced(t *testing.T, path, begin, end, want string) {
	t.Helper()
	before, rest, ok := strings.Cut(readText(t, path), begin)
	have, after, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Errorf("%s: no place for what is made from data (%s)", path, strings.TrimSpace(begin))
	case have == want:
	case !*update:
		t.Errorf("%s: the table of capabilities is not the program's; write it with: go test . -run Capabilities -update", path)
	default:
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Error(err)
		}
	}
}
