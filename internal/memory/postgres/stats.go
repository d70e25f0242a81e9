package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
)

// Stats counts what the filter selects; the bytes are those of the tables and their indexes, whoever's rows they have.
func (s *Store) Stats(ctx context.Context, f memory.Filter) (memory.Stats, error) {
	const doing = "count what is in PostgreSQL"
	can, err := s.ready(ctx)
	if err != nil {
		return memory.Stats{}, failed(doing, err)
	}
	if !can.embeds { // it may have been added since
		s.forgetFeatures()
		if can, err = s.ready(ctx); err != nil {
			return memory.Stats{}, failed(doing, err)
		}
	}
	out := memory.Stats{Backend: "postgres", Version: can.version, Vectors: can.embeds, Notes: can.notes()}
	err = s.ask(ctx, nil, can.counts(f, &out)...)
	if err == nil && can.embeds {
		err = s.embedded(ctx, can, f, &out)
	}
	return out, failed(doing, err)
}

func (f *features) counts(in memory.Filter, out *memory.Stats) []statement {
	sessions := f.in("s").sessions(in).times(sortAt, in)
	messages, calls, chunks := f.in("m").messages(in), f.in("m").calls(in), f.in("c").chunks(in)
	count := func(what, from string, w *where, into *int) statement {
		return statement{"SELECT " + what + from + " WHERE " + w.String(), w.args, func(r pgx.CollectableRow) error {
			var first, last *time.Time
			if err := r.Scan(into, &first, &last); err != nil {
				return err
			}
			if t := maybe(first); !t.IsZero() && (out.Oldest.IsZero() || t.Before(out.Oldest)) {
				out.Oldest = t
			}
			if t := maybe(last); t.After(out.Newest) && t.After(unknown()) {
				out.Newest = t
			}
			return nil
		}}
	}
	const join = " JOIN ltm_sessions s ON s.tenant_id = m.tenant_id AND s.session_id = m.session_id"
	none := ", NULL::timestamptz, NULL::timestamptz FROM ltm_sessions s"
	span := func(t string) string { return "count(*), min(nullif(" + t + ".ts, 'epoch')), max(" + t + ".ts)" }
	return []statement{
		count("count(DISTINCT s.project_no)", none, sessions, &out.Projects),
		count("count(*)", none, sessions, &out.Sessions),
		count(span("m"), " FROM ltm_messages m"+join, messages, &out.Messages),
		count(span("m"), " FROM ltm_tool_calls m"+join, calls, &out.ToolCalls),
		count(span("c"), " FROM ltm_chunks c JOIN ltm_sessions s ON s.tenant_id = c.tenant_id AND s.session_id = c.session_id", chunks, &out.Chunks),
		{`SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
			WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname LIKE 'ltm\_%'`, nil,
			func(r pgx.CollectableRow) error { return r.Scan(&out.Bytes) }},
	}
}

// embedded counts the vectors of each model.
func (s *Store) embedded(ctx context.Context, can *features, f memory.Filter, out *memory.Stats) error {
	widths, err := s.widths(ctx)
	if err != nil {
		return err
	}
	var all []statement
	for _, width := range append(widths, columnWidth) {
		p := space{can, width}
		w := can.in("c").chunks(f)
		sql := "SELECT " + p.column("embedding_model") + ", count(*) FROM " + p.from() +
			" JOIN ltm_sessions s ON s.tenant_id = c.tenant_id AND s.session_id = c.session_id WHERE " + p.column("embedding") + " IS NOT NULL AND " +
			w.String() + " GROUP BY 1"
		all = append(all, statement{sql, w.args, func(r pgx.CollectableRow) error {
			var model string
			var n int
			if err := r.Scan(&model, &n); err != nil {
				return err
			}
			if out.Embedded == nil {
				out.Embedded = map[string]int{}
			}
			out.Embedded[model] += n
			return nil
		}})
	}
	return s.ask(ctx, nil, all...)
}

// widths are those that have a table of their own.
func (s *Store) widths(ctx context.Context) (out []int, err error) {
	err = s.ask(ctx, nil, statement{`SELECT substr(relname, 13)::integer FROM pg_class WHERE relnamespace = current_schema()::regnamespace
		AND relkind = 'r' AND relname ~ '^ltm_vectors_[0-9]+$' ORDER BY 1`, nil, func(r pgx.CollectableRow) error {
		var n int
		err := r.Scan(&n)
		out = append(out, n)
		return err
	}})
	return out, err
}

// notes are what a person should know of the database.
func (f *features) notes() (out []string) {
	switch {
	case f.vector == "" && f.available == "":
		out = append(out, "the server has no pgvector: memory is found by keywords alone; install it (0.8 or newer), then run boathook memory migrate")
	case f.vector == "":
		out = append(out, fmt.Sprintf("pgvector %s is installed, and not created in this database: memory is found by keywords alone; "+
			"have an administrator run CREATE EXTENSION vector, then run boathook memory migrate", f.available))
	case !f.embeds:
		out = append(out, "pgvector is there since the tables were made: run boathook memory migrate to search by vectors")
	case !f.iterative:
		out = append(out, fmt.Sprintf("pgvector %s is older than 0.8: a search that a filter narrows may miss some of what is near", f.vectorVersion))
	}
	if f.server < 15 {
		out = append(out, fmt.Sprintf("PostgreSQL %d is older than 15, the oldest that is tested", f.server))
	}
	if f.above {
		out = append(out, "this login is above row security (a superuser, or with BYPASSRLS): let agents use one that has ltm_writer or ltm_reader "+
			"(boathook memory roles --sql)")
	}
	return out
}
