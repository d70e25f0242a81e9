package transcripts

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/callspec"
)

// opencodeTool is a part of a message that is a tool's call (opencode 1.18, and the files of 1.0 and before).
type opencodeTool struct {
	Type      string `json:"type"`
	Tool      string `json:"tool"`
	CallID    string `json:"callID"`
	SessionID string `json:"sessionID"`
	MessageID string `json:"messageID"`
	State     struct {
		Input json.RawMessage `json:"input"`
		Time  struct {
			Start int64 `json:"start"`
		} `json:"time"`
	} `json:"state"`
}

func (p opencodeTool) call(cwd, session string) Call {
	return Call{
		Call: callspec.Call{Tool: p.Tool, Input: p.State.Input, CWD: cwd},
		// The ids of calls are the model's, which need not be unique.
		ID: p.MessageID + "/" + p.CallID, Session: session, Time: time.UnixMilli(p.State.Time.Start),
	}
}

const opencodeQuery = `SELECT p.message_id, p.session_id, p.data, s.directory FROM part p JOIN session s ON s.id = p.session_id
	WHERE p.data LIKE '%"type":"tool"%' AND length(p.data) <= ? ORDER BY p.time_created, p.id`

// opencodeDB reads, with the driver that internal/store brings, the tables of ~/.local/share/opencode/opencode.db.
func opencodeDB(ctx context.Context, path string, each func(Call) error) (skipped int, err error) {
	db, err := sql.Open("sqlite3", opencodeName(path))
	if err != nil {
		return 0, err
	}
	defer func() { _ = db.Close() }() // it was only read
	rows, err := db.QueryContext(ctx, opencodeQuery, maxLine)
	if err != nil {
		return 0, fmt.Errorf("its tables are not those that this version knows: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var message, session, data, dir string
		if err := rows.Scan(&message, &session, &data, &dir); err != nil {
			return skipped, err
		}
		var p opencodeTool
		if json.Unmarshal([]byte(data), &p) != nil || p.Tool == "" {
			skipped++
			continue
		}
		p.MessageID = message
		if err := each(p.call(dir, session)); err != nil {
			return skipped, err
		}
	}
	return skipped, errors.Join(rows.Err(), rows.Close())
}

// opencodeName opens a database without writing beside it, where no log says that opencode has it open.
func opencodeName(path string) string {
	query := "?mode=ro&_pragma=busy_timeout(2000)"
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		query = "?immutable=1"
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String() + query
}

// opencodePart reads ~/.local/share/opencode/storage/part/<message>/<part>.json; where the session works is in a file of its own.
func opencodePart(_ context.Context, path string, each func(Call) error) (skipped int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxLine))
	if err != nil {
		return 0, err
	}
	var p opencodeTool
	if json.Unmarshal(text, &p) != nil {
		return 1, nil
	}
	if p.Type != "tool" || p.Tool == "" {
		return 0, nil
	}
	return 0, each(p.call(opencodeDir(path, p), p.SessionID))
}

// opencodeDir looks up where a message was written. What is not there is not known.
func opencodeDir(path string, p opencodeTool) string {
	if filepath.Base(p.SessionID) != p.SessionID || filepath.Base(p.MessageID) != p.MessageID {
		return "" // no names of files
	}
	storage := filepath.Dir(filepath.Dir(filepath.Dir(path)))
	text, err := os.ReadFile(filepath.Join(storage, "message", p.SessionID, p.MessageID+".json"))
	if err != nil {
		return ""
	}
	var m struct {
		Path struct {
			CWD string `json:"cwd"`
		} `json:"path"`
	}
	_ = json.Unmarshal(text, &m) // then it is not known
	return m.Path.CWD
}
