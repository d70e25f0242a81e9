package main

import (
	"flag"
	"os"
	"strings"
	"testing"

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
	how := "nothing yet"
	switch t.How {
	case proof.Live:
		how = "the real program, " + t.Version
	case proof.Replay:
		how = "its documented contract, replayed"
	}
	return "| [" + t.Title + "](docs/hosts/" + t.ID + ".md) | `" + t.ID + "` | " + strings.Join(labels, ", ") + " | " + how + " |\n"
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
