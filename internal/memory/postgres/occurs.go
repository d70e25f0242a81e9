package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/terms"
)

// texts are the columns that have texts, by table.
func texts() map[string][]string {
	return map[string][]string{
		"ltm_projects": {"project_hash"},
		"ltm_sessions": {"session_id", "project_hash", "workspace_root", "source", "summary", "outcome"},
		"ltm_messages": {"message_id", "role", "model", "source", "origin", "hook", "told", "content_text", "content_json::text"},
		"ltm_tool_calls": {"tool_call_id", "message_id", "call_id", "tool_name", "host_tool", "kind", "status", "origin", "hook", "told", "command",
			"paths::text", "args_json::text", "error_text", "output_text", "result_json::text"},
		"ltm_chunks": {"row_id", "role", "tool_name", "status", "command", "chunk_text", "metadata::text", "terms"},
	}
}

// Occurs counts the fields of the tenant's rows in which a text stands. Where the text is one word, the entries of the index that it
// has count too.
func (s *Store) Occurs(ctx context.Context, text string) (n int, err error) {
	const doing = "look for a text in PostgreSQL"
	if text == "" || storable(text) != text { // no field can hold it
		return 0, nil
	}
	f, err := s.ready(ctx)
	if err != nil {
		return 0, failed(doing, err)
	}
	add := func(r pgx.CollectableRow) error {
		var found int
		err := r.Scan(&found)
		n += found
		return err
	}
	var all []statement
	for table, columns := range texts() {
		w := f.in(table)
		var sums []string
		for _, column := range columns {
			forms := spellings(text)
			if lower := strings.ToLower(text); column == "terms" && lower != text {
				forms = append(forms, lower)
			}
			for _, form := range forms {
				sums = append(sums, "count(*) FILTER (WHERE strpos("+column+", "+w.arg(form)+") > 0)")
			}
		}
		all = append(all, statement{"SELECT " + strings.Join(sums, " + ") + " FROM " + table + " WHERE " + w.String(), w.args, add})
	}
	k := known{}
	all = append(all, k.ask(f.tenant, memory.Filter{AllProjects: true}))
	if err := s.ask(ctx, nil, all...); err != nil {
		return 0, failed(doing, err)
	}
	if len(terms.Of(text)) == 0 || strings.ContainsAny(text, " \n\t") {
		return n, nil
	}
	tokens := make([]int64, 0, len(k.names))
	for _, project := range k.names {
		tokens = append(tokens, token(project, strings.ToLower(text)))
	}
	err = s.ask(ctx, nil, statement{"SELECT coalesce(sum(chunks), 0)::bigint FROM ltm_frequency($1, $2::bigint[], 1000000)", []any{f.tenant, tokens}, add})
	return n, failed(doing, err)
}
