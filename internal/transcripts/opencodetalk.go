package transcripts

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// opencodeMessage is a message of opencode, opencodePiece a part of one.
type opencodeMessage struct {
	Role    string
	ModelID string `json:"modelID"`
	Time    struct{ Created int64 }
	Path    struct {
		CWD string `json:"cwd"`
	}
	Tokens struct {
		Input, Output, Reasoning int64
		Cache                    struct{ Read, Write int64 }
	}
}

type opencodePiece struct {
	opencodeTool
	ID        string `json:"id"`
	Text      string
	Synthetic bool
	Ignored   bool
	TextTime  struct{ Start int64 } `json:"time"`
}

const opencodeTalkQuery = `SELECT p.id, p.message_id, p.session_id, p.time_created, p.data, coalesce(m.data, ''), s.directory, coalesce(s.parent_id, '')
	FROM part p JOIN session s ON s.id = p.session_id LEFT JOIN message m ON m.id = p.message_id
	WHERE length(p.data) <= ? ORDER BY p.session_id, p.time_created, p.id`

// opencodeTalk reads the conversations in ~/.local/share/opencode/opencode.db, session by session.
func opencodeTalk(ctx context.Context, f File, each func(Item) error) (told Told, err error) {
	db, err := sql.Open("sqlite3", opencodeName(f.Path))
	if err != nil {
		return told, err
	}
	defer func() { _ = db.Close() }() // it was only read
	rows, err := db.QueryContext(ctx, opencodeTalkQuery, maxLine)
	if err != nil {
		return told, fmt.Errorf("its tables are not those that this version knows: %w", err)
	}
	defer rows.Close()
	t := opencodeTeller{each: each, counted: map[string]bool{}}
	for rows.Next() {
		var id, message, session, data, about, dir, parent string
		var created int64
		if err := rows.Scan(&id, &message, &session, &created, &data, &about, &dir, &parent); err != nil {
			return told, err
		}
		at := Item{Session: session, CWD: dir, Time: time.UnixMilli(created).UTC()}
		if parent != "" { // its hooks tell the root's; one level is what its agents have
			at.Session, at.Subagent = parent, session
		}
		o, err := t.piece(at, id, message, []byte(data), []byte(about))
		if told.count(o); err != nil {
			return told, err
		}
	}
	return told, errors.Join(rows.Err(), rows.Close())
}

// opencodeFileTalk reads one part of before 1.2, a file; the message that it is of is in another.
func opencodeFileTalk(_ context.Context, f File, each func(Item) error) (told Told, err error) {
	data, err := readSmall(f.Path)
	if err != nil {
		return told, err
	}
	var p opencodeTool
	if json.Unmarshal(data, &p) != nil {
		return Told{Skipped: 1}, nil
	}
	if filepath.Base(p.SessionID) != p.SessionID || filepath.Base(p.MessageID) != p.MessageID {
		return Told{Unknown: 1}, nil // no names of files
	}
	storage := filepath.Dir(filepath.Dir(filepath.Dir(f.Path)))
	about, err := readSmall(filepath.Join(storage, "message", p.SessionID, p.MessageID+".json"))
	if err != nil {
		about = nil // then who said it is not known
	}
	var m opencodeMessage
	_ = json.Unmarshal(about, &m) // nor where and when
	at := Item{Session: p.SessionID, CWD: m.Path.CWD, Time: milli(m.Time.Created)}
	t := opencodeTeller{each: each, counted: map[string]bool{}}
	o, err := t.piece(at, strings.TrimSuffix(filepath.Base(f.Path), ".json"), p.MessageID, data, about)
	told.count(o)
	return told, err
}

func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(f, maxLine))
}

func milli(ms int64) time.Time {
	if ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

type opencodeTeller struct {
	each    func(Item) error
	counted map[string]bool
}

// piece tells one part.
func (t *opencodeTeller) piece(at Item, id, message string, data, about []byte) (outcome, error) {
	var p opencodePiece
	var m opencodeMessage
	if json.Unmarshal(data, &p) != nil {
		return broken, nil
	}
	_ = json.Unmarshal(about, &m) // what is not there is not known
	switch p.Type {
	case "text":
		if strings.TrimSpace(p.Text) == "" || m.Role != roleUser && m.Role != roleAssistant {
			return known, nil
		}
		return known, t.text(at, id, message, p, m)
	case "tool":
		if p.Tool == "" {
			return known, nil
		}
		p.MessageID = message
		return known, t.each(p.use(at, data))
	case "reasoning", "step-start", "step-finish", "file", "patch", "snapshot", "agent", "subtask", "retry", "compaction":
		return known, nil
	}
	return unknown, nil
}

func (t *opencodeTeller) text(at Item, id, message string, p opencodePiece, m opencodeMessage) error {
	msg := &Message{ID: id, Role: m.Role, Text: p.Text, Model: m.ModelID}
	if m.Role == roleUser {
		msg.Model = ""
		msg.Text, msg.Generated = said(p.Text)
	} else if !t.counted[message] {
		t.counted[message] = true
		k := m.Tokens
		msg.Input, msg.Output = k.Input+k.Cache.Read+k.Cache.Write, k.Output+k.Reasoning
		msg.Tokens = msg.Input + msg.Output
	}
	switch {
	case msg.Generated != "":
	case p.Synthetic, p.Ignored:
		msg.Generated = "context"
	case m.Role == roleUser && at.Subagent != "":
		msg.Generated = "subagent"
	}
	if begun := milli(p.TextTime.Start); !begun.IsZero() {
		at.Time = begun
	}
	at.Message = msg
	return t.each(at)
}

// use is the call in a part.
func (p opencodePiece) use(at Item, data []byte) Item {
	var d struct {
		State struct {
			Status, Output, Error string
			Metadata              struct{ Exit *int }
			Time                  struct{ Start, End int64 }
		}
	}
	_ = json.Unmarshal(data, &d) // it was read before
	c := p.call(at.CWD, at.Session)
	u := &Use{Call: c, Output: d.State.Output, Error: d.State.Error}
	u.Result, _ = json.Marshal(map[string]string{"output": d.State.Output}) // texts always marshal
	switch d.State.Status {
	case "completed":
		u.Status = statusSuccess
		if exit := d.State.Metadata.Exit; exit != nil && *exit != 0 {
			u.Status, u.Error = statusError, fmt.Sprintf("exit code %d", *exit)
		}
	case statusError:
		u.Status = statusError
		if strings.Contains(u.Error, "rejected permission") || strings.Contains(u.Error, "prevents you from using this") {
			u.Status = statusBlocked
		}
	}
	if d.State.Time.End > d.State.Time.Start && d.State.Time.Start > 0 {
		u.Duration = time.Duration(d.State.Time.End-d.State.Time.Start) * time.Millisecond
	}
	if begun := milli(d.State.Time.Start); !begun.IsZero() {
		at.Time = begun
	}
	at.Use = u
	return at
}
