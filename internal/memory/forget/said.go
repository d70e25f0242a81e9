package forget

import (
	"encoding/json"
	"slices"
	"strings"

	memoryaudit "github.com/boathook/boathook/internal/memory/audit"
)

// queries are those of the log of searches: one that stands in what goes says a part of it.
func (f *Forgetting) queries() (map[string]bool, error) {
	entries, err := memoryaudit.Log{Dir: f.o.Worker.DataDir}.Read(maxQueries)
	if err != nil {
		return nil, failed("read the log of searches", err)
	}
	out := map[string]bool{}
	for _, e := range entries {
		if len(e.Query) >= minQuery {
			out[e.Query] = true
		}
	}
	return out, nil
}

// askedIn tells whether a line of the log of searches has a query that says a part of what goes.
func (f *Forgetting) askedIn(line []byte) bool {
	var e memoryaudit.Entry
	return len(f.asked) > 0 && json.Unmarshal(line, &e) == nil && f.asked[e.Query]
}

// sayings notes of a row which queries say a part of it, and by what events are known to say it.
func (f *Forgetting) sayings(queries map[string]bool, session string, texts []string) {
	for q := range queries {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, q) }) {
			f.asked[q] = true
			delete(queries, q)
		}
	}
	if f.byRow() && f.o.Selection.Text == "" {
		f.said[session] = append(f.said[session], formsOf(mark(texts))...)
	}
}

// mark is by what an event of a row's session is known to say what the row says: several tell of one call, and one of a prompt and its
// answer.
func mark(texts []string) string {
	if s := sample(texts); s != "" {
		return s
	}
	best := ""
	for _, text := range texts {
		if text = strings.TrimSpace(text); len(text) > len(best) && !strings.Contains(text, "\n") {
			best = text
		}
	}
	if len(best) < minQuery {
		return ""
	}
	return best
}
