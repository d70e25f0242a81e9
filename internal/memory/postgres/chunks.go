package postgres

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/chunk"
	"github.com/boathook/boathook/internal/memory/merge"
)

// chunkRow is a chunk that is there.
type chunkRow struct {
	id          int64
	row         string
	session     string
	piece       int
	project     int
	text, terms string
}

type chunkPut struct {
	ID       int64           `json:"chunk_id,omitempty"`
	Project  int             `json:"project_no,omitempty"`
	Session  string          `json:"session_id,omitempty"`
	Row      string          `json:"row_id,omitempty"`
	Group    string          `json:"row_group,omitempty"`
	Message  *string         `json:"message_id"`
	Piece    int             `json:"piece"`
	Role     string          `json:"role"`
	Tool     *string         `json:"tool_name"`
	Status   *string         `json:"status"`
	Command  *string         `json:"command"`
	Text     string          `json:"chunk_text"`
	Terms    string          `json:"terms"`
	Metadata json.RawMessage `json:"metadata"`
	Time     time.Time       `json:"ts"`
}

const addChunks = `INSERT INTO ltm_chunks (tenant_id, project_no, session_id, row_id, row_group, message_id, piece, role, tool_name, status, command,
	chunk_text, terms, metadata, ts)
SELECT $1, x.* FROM json_to_recordset($2::json) AS x(project_no integer, session_id text, row_id text, row_group text, message_id text,
	piece integer, role text, tool_name text, status text, command text, chunk_text text, terms text, metadata jsonb, ts timestamptz)`

const touchChunks = `UPDATE ltm_chunks c SET role = x.role, tool_name = x.tool_name, status = x.status, command = x.command, metadata = x.metadata,
	ts = x.ts, message_id = x.message_id
FROM json_to_recordset($2::json) AS x(chunk_id bigint, role text, tool_name text, status text, command text, metadata jsonb, ts timestamptz, message_id text)
WHERE c.tenant_id = $1 AND c.chunk_id = x.chunk_id AND (c.role, c.tool_name, c.status, c.command, c.metadata, c.ts, c.message_id)
	IS DISTINCT FROM (x.role, x.tool_name, x.status, x.command, x.metadata, x.ts, x.message_id)`

// What a chunk said goes at once; the row itself is removed by retention.
const dropChunks = `UPDATE ltm_chunks SET gone = true, chunk_text = '', terms = '', command = NULL, metadata = '{}'
WHERE tenant_id = $1 AND chunk_id = ANY ($2)`

const dropEmbeddings = `UPDATE ltm_chunks SET gone = true, chunk_text = '', terms = '', command = NULL, metadata = '{}', embedding = NULL,
	embedding_model = NULL WHERE tenant_id = $1 AND chunk_id = ANY ($2)`

// indexPut is a chunk's place in the index.
type indexPut struct {
	Row    string  `json:"r"`
	Piece  int     `json:"p"`
	Tokens []int64 `json:"t"`
}

func messageChunks(row merge.MessageRow) []memory.Chunk {
	if row.Hidden || row.Anonymous() {
		return nil
	}
	return chunk.Message(row.Shown)
}

func callChunks(row merge.CallRow) []memory.Chunk {
	if row.Hidden || row.Anonymous() {
		return nil
	}
	return chunk.Call(row.Shown)
}

func (w *writer) scanChunk(r pgx.CollectableRow) error {
	var c chunkRow
	err := r.Scan(&c.row, &c.session, &c.piece, &c.id, &c.project, &c.text, &c.terms)
	w.have[c.row] = append(w.have[c.row], c)
	return err
}

// chunks makes the chunks of a row what they should be. One whose text has not changed stays the same chunk, with its vectors.
func (w *writer) chunks(s *session, row string, now []memory.Chunk) {
	have := map[int]chunkRow{}
	for _, c := range w.have[row] {
		have[c.piece] = c
	}
	for _, c := range now {
		put := chunkOf(s, row, c)
		old, there := have[c.Piece]
		if there && old.text == put.Text && old.terms == put.Terms {
			delete(have, c.Piece)
			put.ID = old.id
			w.put.touch = append(w.put.touch, put)
			continue
		}
		w.put.chunks = append(w.put.chunks, put)
		w.put.index = append(w.put.index, indexPut{row, c.Piece, tokens(s.row.Project, c.Terms)})
		w.added[s.project]++
	}
	for _, old := range have {
		w.put.goneChunks = append(w.put.goneChunks, old.id)
		w.added[old.project]--
	}
}

func chunkOf(s *session, row string, c memory.Chunk) chunkPut {
	metadata, err := json.Marshal(map[string]any{"tags": slices.Concat([]string{}, c.Tags)})
	if err != nil {
		panic(err) // strings always have a form in JSON
	}
	return chunkPut{
		Project: s.project, Session: s.row.ID, Row: row, Group: merge.Group(row), Message: pointer(c.Message), Piece: c.Piece, Role: c.Role,
		Tool: pointer(c.Tool), Status: pointer(c.Status), Command: pointer(c.Command), Text: c.Text, Terms: joinTerms(c.Terms),
		Metadata: metadata, Time: stored(c.Time),
	}
}

// finish writes everything and commits.
func (w *writer) finish(ctx context.Context) error {
	statements, err := w.last()
	if err != nil {
		return err
	}
	return w.tx.commit(ctx, statements...)
}

func (w *writer) last() (out []statement, err error) {
	out = w.before
	add := func(sql string, n int, rows func() (string, error)) {
		if n == 0 || err != nil {
			return
		}
		var text string
		if text, err = rows(); err == nil {
			out = append(out, statement{sql: sql, args: []any{w.tenant, text}})
		}
	}
	p := w.put
	add(putMessages, len(p.messages), func() (string, error) { return array(p.messages) })
	add(putCalls, len(p.calls), func() (string, error) { return array(p.calls) })
	if len(p.goneMessages) > 0 {
		out = append(out, statement{sql: goneSQL("ltm_messages", "message_id", "content_json"), args: []any{w.tenant, p.goneMessages}})
	}
	if len(p.goneCalls) > 0 {
		out = append(out, statement{sql: goneSQL("ltm_tool_calls", "tool_call_id", "command", "paths", "args_json", "result_json", "output_text",
			"error_text"), args: []any{w.tenant, p.goneCalls}})
	}
	if len(p.goneChunks) > 0 {
		drop := dropChunks
		if w.embeds {
			drop = dropEmbeddings
		}
		out = append(out, statement{sql: drop, args: []any{w.tenant, p.goneChunks}},
			statement{sql: "SELECT ltm_unindex($1, $2::bigint[])", args: []any{w.tenant, p.goneChunks}})
	}
	add(touchChunks, len(p.touch), func() (string, error) { return array(p.touch) })
	add(addChunks, len(p.chunks), func() (string, error) { return array(p.chunks) })
	add("SELECT ltm_index($1, $2::json)", len(p.index), func() (string, error) { return array(p.index) })
	// Last, and in an order: whoever writes to the same project waits for the end of this transaction from here.
	for _, project := range slices.Sorted(maps.Keys(w.added)) {
		if n := w.added[project]; n != 0 {
			out = append(out, statement{sql: "UPDATE ltm_projects SET chunks = chunks + $3 WHERE tenant_id = $1 AND project_no = $2",
				args: []any{w.tenant, project, n}})
		}
	}
	return out, err
}

// goneSQL marks rows that are others now, and empties them.
func goneSQL(table, id string, texts ...string) string {
	sql := "UPDATE " + table + " SET gone = true, hook = NULL, told = NULL"
	for _, column := range texts {
		sql += ", " + column + " = NULL"
	}
	if table == "ltm_messages" {
		sql += ", content_text = NULL"
	}
	return sql + " WHERE tenant_id = $1 AND " + id + " = ANY ($2)"
}
