package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
)

// Unembedded lists chunks without a vector of a model, the oldest first.
func (s *Store) Unembedded(ctx context.Context, model string, width, limit int) (out []memory.Chunk, err error) {
	const doing = "look for chunks without a vector in PostgreSQL"
	f, err := s.vectors(ctx)
	if err != nil {
		return nil, failed(doing, err)
	}
	p, there := space{f, width}, false
	err = s.ask(ctx, nil, statement{"SELECT to_regclass($1) IS NOT NULL", []any{p.table()}, func(r pgx.CollectableRow) error {
		return r.Scan(&there)
	}})
	if err != nil {
		return nil, failed(doing, err)
	}
	if width != columnWidth {
		missing, args := "true", []any(nil)
		if there {
			missing, args = "NOT EXISTS (SELECT FROM "+p.table()+" v WHERE v.chunk_id = c.chunk_id AND v.embedding_model = %s)", []any{model}
		}
		out, err = s.unembedded(ctx, f.in("c").and("NOT c.gone").and(missing, args...), limit)
		return out, failed(doing, err)
	}
	// Those without any have an index of their own; those of another model come only after them.
	out, err = s.unembedded(ctx, f.in("c").and("NOT c.gone AND c.embedding IS NULL"), limit)
	if err == nil && len(out) == 0 {
		out, err = s.unembedded(ctx, f.in("c").and("NOT c.gone AND c.embedding IS NOT NULL AND c.embedding_model <> %s", model), limit)
	}
	return out, failed(doing, err)
}

func (s *Store) unembedded(ctx context.Context, w *where, limit int) (out []memory.Chunk, err error) {
	sql := "SELECT " + chunkColumns + " FROM ltm_chunks c JOIN ltm_sessions s ON s.tenant_id = c.tenant_id AND s.session_id = c.session_id WHERE " +
		w.String() + " ORDER BY c.chunk_id LIMIT " + w.arg(max(limit, 0))
	err = s.ask(ctx, nil, statement{sql, w.args, func(r pgx.CollectableRow) error {
		var c memory.Chunk
		err := scanChunk(r, &c)
		c.Terms = nil
		out = append(out, c)
		return err
	}})
	return out, err
}

// Embed gives chunks their vectors. Those that are not there any more are passed over. A chunk has one vector of the width that
// stands in ltm_chunks: that of the last model.
func (s *Store) Embed(ctx context.Context, model string, width int, vectors []memory.Embedding) error {
	doing := fmt.Sprintf("embed with %s, width %d", model, width)
	ids, texts := make([]int64, 0, len(vectors)), make([]string, 0, len(vectors))
	for _, v := range vectors {
		if err := checkVector(v.Vector, width); err != nil {
			return failed(doing, err)
		}
		ids, texts = append(ids, v.Chunk), append(texts, literal(v.Vector))
	}
	f, err := s.vectors(ctx)
	if err != nil || len(ids) == 0 {
		return failed(doing, err)
	}
	p := space{f, width}
	kind := f.vector + ".vector"
	if width == columnWidth {
		return failed(doing, s.ask(ctx, nil, statement{sql: `UPDATE ltm_chunks c SET embedding = x.v::` + kind + `, embedding_model = $2
			FROM unnest($3::bigint[], $4::text[]) AS x(id, v) WHERE c.tenant_id = $1 AND c.chunk_id = x.id AND NOT c.gone`,
			args: []any{f.tenant, model, ids, texts}}))
	}
	return failed(doing, s.ask(ctx, nil,
		statement{sql: "SELECT ltm_make_width($1) WHERE to_regclass($2) IS NULL", args: []any{width, p.table()}},
		statement{sql: `INSERT INTO ` + p.table() + ` AS old (chunk_id, tenant_id, embedding_model, embedding)
			SELECT c.chunk_id, $1, $2, x.v::` + kind + ` FROM unnest($3::bigint[], $4::text[]) AS x(id, v)
			JOIN ltm_chunks c ON c.chunk_id = x.id AND c.tenant_id = $1 AND NOT c.gone
			ON CONFLICT (chunk_id, embedding_model) DO UPDATE SET embedding = excluded.embedding`, args: []any{f.tenant, model, ids, texts}}))
}
