package cli

import (
	"fmt"

	"github.com/boathook/boathook/internal/record"
)

// recallNotes say what memory told the model at an event, or why not, where that is worth a word.
func recallNotes(r record.Record) []string {
	m := r.Recall
	if m == nil {
		return nil
	}
	var text string
	switch m.Outcome {
	case "injected":
		text = "memory: " + count(len(m.Items), "item")
		if len(m.Items) == 0 { // minimal privacy keeps no ids
			text = "memory: told"
		}
		text += fmt.Sprintf(", %d tokens", m.Tokens)
	case "held":
		text = "memory: waits for approval"
	case "waiting":
		text = "memory: asked at the next event"
	case "deadline":
		text = "memory: too late"
	case "failed":
		text = "memory: failed"
		if m.Reason != "" {
			text += ": " + shorten(plain(m.Reason), maxNote)
		}
	}
	if m.Embedder != "" && m.Embedder != "ok" {
		text = joined(text, "embedder: "+m.Embedder)
	}
	if m.Dropped > 0 {
		text = joined(text, count(m.Dropped, "line")+" left out")
	}
	if text == "" {
		return nil
	}
	return []string{text}
}

func joined(a, b string) string {
	if a == "" {
		return "memory: " + b
	}
	return a + ", " + b
}
