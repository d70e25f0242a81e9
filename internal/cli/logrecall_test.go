package cli

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/record"
)

func TestRecallInARow(t *testing.T) {
	for want, of := range map[string]record.Recall{
		"":                           {Outcome: "nothing"},
		"memory: 2 items, 31 tokens": {Outcome: "injected", Items: []string{"a", "b"}, Tokens: 31},
		"memory: told, 31 tokens":    {Outcome: "injected", Tokens: 31},
		"memory: 1 item, 9 tokens, embedder: timeout, 3 lines left out": {Outcome: "injected", Items: []string{"a"}, Tokens: 9, Embedder: "timeout", Dropped: 3},
		"memory: waits for approval":                                    {Outcome: "held", Embedder: "ok"},
		"memory: asked at the next event":                               {Outcome: "waiting"},
		"memory: too late":                                              {Outcome: "deadline"},
		"memory: failed: locked":                                        {Outcome: "failed", Reason: "locked"},
		"memory: embedder: failed":                                      {Outcome: "nothing", Embedder: "failed"},
		"memory: 1 line left out":                                       {Outcome: "nothing", Dropped: 1},
	} {
		got := strings.Join(recallNotes(record.Record{Recall: &of}), "; ")
		if got != want {
			t.Errorf("%+v: %q, want %q", of, got, want)
		}
		row := whatText(aRecord(func(r *record.Record) { r.Recall = &of }))
		if want != "" && !strings.Contains(row, "("+want+")") || want == "" && row != "npm test" {
			t.Errorf("row %q", row)
		}
	}
	if recallNotes(record.Record{}) != nil {
		t.Error("memory was not asked")
	}
}
