package sqlite

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/terms"
)

// places are the columns that have texts, by table.
func places() map[string][]string {
	return map[string][]string{
		"ltm_projects":   {"project_hash"},
		"ltm_sessions":   {"session_id", "workspace_root", "source", "summary", "outcome"},
		"ltm_messages":   {"message_id", "role", "model", "source", "origin", "hook", "told", "content_text", "content_json"},
		"ltm_tool_calls": {"tool_call_id", "message_id", "call_id", "tool_name", "host_tool", "kind", "status", "origin", "hook", "told", "command", "paths", "args_json", "error", "output", "result_json"},
		"ltm_chunks":     {"row_id", "role", "tool", "status", "tags", "command", "chunk_text"},
		"ltm_terms":      {"terms"},
		"ltm_models":     {"model"},
	}
}

// spellings are the ways in which a text may stand in a column: as it is, and within JSON.
func spellings(text string) []string {
	out := []string{text}
	var quoted strings.Builder
	enc := json.NewEncoder(&quoted)
	enc.SetEscapeHTML(false)
	if enc.Encode(text) == nil {
		q := strings.TrimSpace(quoted.String())
		if inner := q[1 : len(q)-1]; inner != text {
			out = append(out, inner)
		}
	}
	return out
}

// contains is a condition on columns, with what it asks for.
func contains(columns []string, text string) (cond string, args []any) {
	var parts []string
	for _, spelling := range spellings(text) {
		for _, c := range columns {
			parts = append(parts, "instr("+c+", ?)")
			args = append(args, spelling)
		}
	}
	return "(" + strings.Join(parts, " OR ") + ")", args
}

// Occurs counts the fields in which a text stands. Where the text is one word, the entries of the index that it has count too.
func (s *Store) Occurs(ctx context.Context, text string) (n int, err error) {
	if text == "" {
		return 0, nil
	}
	err = s.reading(ctx, "look for a text in", func(c *conn) error {
		for table, columns := range places() {
			for _, column := range columns {
				texts := []string{text}
				if lower := strings.ToLower(text); table == "ltm_terms" && lower != text {
					texts = append(texts, lower)
				}
				for _, t := range texts {
					cond, args := contains([]string{column}, t)
					found, _, err := c.number("SELECT count(*) FROM "+table+" WHERE "+cond, args...)
					if err != nil {
						return err
					}
					n += int(found)
				}
			}
		}
		found, err := c.indexed(text)
		n += found
		return err
	})
	return n, err
}

// indexed counts where a word stands in the index.
func (c *conn) indexed(text string) (n int, err error) {
	words := terms.Of(text)
	if len(words) == 0 || strings.ContainsAny(text, " \n\t") {
		return 0, nil
	}
	if err := c.searching(); err != nil {
		return 0, err
	}
	in, err := c.scope(memory.Filter{AllProjects: true})
	for _, project := range in.order {
		found, _, ferr := c.number("SELECT count(*) FROM ltm_index WHERE ltm_index MATCH ?", token(project, strings.ToLower(text)))
		if err == nil {
			err = ferr
		}
		n += int(found)
	}
	return n, err
}
