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

// TestDocsHaveCapabilities: each agent's document has its table of capabilities as the program has it, between two marks.
func TestDocsHaveCapabilities(t *testing.T) {
	const begin, end = "<!-- capabilities -->\n", "<!-- /capabilities -->"
	for _, h := range registry.Hosts() {
		path := "docs/hosts/" + h.ID + ".md"
		text := readText(t, path)
		before, rest, ok := strings.Cut(text, begin)
		have, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Errorf("%s: no place for the table of capabilities (%s)", path, strings.TrimSpace(begin))
			continue
		}
		want := proof.Markdown(proof.TableOf(h))
		if have == want {
			continue
		}
		if !*update {
			t.Errorf("%s: the table of capabilities is not the program's; write it with: go test . -run Capabilities -update", path)
			continue
		}
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Error(err)
		}
	}
}
