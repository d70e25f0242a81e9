package postgres

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
)

const chunkColumns = `c.chunk_id, c.session_id, s.project_hash, c.row_id, c.piece, s.source, c.role, c.chunk_text, coalesce(c.tool_name, ''),
	coalesce(c.status, ''), coalesce(c.command, ''), c.metadata->>'tags', c.ts, c.terms`

// hitColumns and hitJoins bring what of its session and its neighbours belongs to a chunk; near has the chunks in their order.
const (
	hitColumns = chunkColumns + `, near.distance, coalesce(s.outcome, ''), s.ended_at, before.terms, after.terms`
	hitJoins   = ` FROM near` + nearChunk + sessionOfChunk + `
LEFT JOIN LATERAL (SELECT b.terms FROM ltm_chunks b WHERE b.tenant_id = c.tenant_id AND b.session_id = c.session_id AND NOT b.gone
	AND (b.ts, b.row_id, b.piece) < (c.ts, c.row_id, c.piece) ORDER BY b.ts DESC, b.row_id DESC, b.piece DESC LIMIT 1) AS before ON true
LEFT JOIN LATERAL (SELECT a.terms FROM ltm_chunks a WHERE a.tenant_id = c.tenant_id AND a.session_id = c.session_id AND NOT a.gone
	AND (a.ts, a.row_id, a.piece) > (c.ts, c.row_id, c.piece) ORDER BY a.ts, a.row_id, a.piece LIMIT 1) AS after ON true
WHERE c.tenant_id = $1 ORDER BY near.place`
)

// One row each, looked up by its key for each that was found: a limit keeps the planner from turning the join round where it thinks
// that there are few rows, as it does before the tables were analysed.
const (
	nearChunk      = ` CROSS JOIN LATERAL (SELECT * FROM ltm_chunks x WHERE x.chunk_id = near.chunk_id AND x.tenant_id = $1 LIMIT 1) AS c`
	foundChunk     = ` CROSS JOIN LATERAL (SELECT * FROM ltm_chunks x WHERE x.chunk_id = h.chunk_id AND x.tenant_id = $1 LIMIT 1) AS c`
	sessionOfChunk = ` CROSS JOIN LATERAL (SELECT * FROM ltm_sessions x WHERE x.tenant_id = c.tenant_id AND x.session_id = c.session_id LIMIT 1) AS s`
)

func scanChunk(r pgx.CollectableRow, c *memory.Chunk, more ...any) error {
	var row, terms string
	var tags *string
	err := r.Scan(append([]any{&c.ID, &c.Session, &c.Project, &row, &c.Piece, &c.Agent, &c.Role, &c.Text, &c.Tool, &c.Status, &c.Command, &tags,
		&c.Time, &terms}, more...)...)
	if err != nil {
		return err
	}
	c.Time, c.Terms = at(c.Time), splitTerms(terms)
	if strings.HasPrefix(row, "t") {
		c.Call = row
	} else {
		c.Message = row
	}
	if tags != nil && *tags != "[]" {
		return json.Unmarshal([]byte(*tags), &c.Tags)
	}
	return nil
}

func scanHit(r pgx.CollectableRow, h *memory.Hit) error {
	var ended *time.Time
	var before, after *string
	if err := scanChunk(r, &h.Chunk, &h.Distance, &h.Outcome, &ended, &before, &after); err != nil {
		return err
	}
	h.Ended = maybe(ended)
	if before != nil {
		h.Before = splitTerms(*before)
	}
	if after != nil {
		h.After = splitTerms(*after)
	}
	return nil
}
