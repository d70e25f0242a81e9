package transcripts

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// geminiTalk reads the conversations of Gemini CLI. Its records are written once more when they change, are taken back and are made
// anew, so that the file is read twice: for which of them count, then for those.
func geminiTalk(ctx context.Context, f File, each func(Item) error) (Told, error) {
	in, err := os.Open(f.Path)
	if err != nil {
		return Told{}, err
	}
	defer func() { _ = in.Close() }() // it was only read
	g := &geminiFile{in: in, cwd: geminiRoot(f.Path), q: newQueue(each)}
	if g.parent = filepath.Base(filepath.Dir(f.Path)); g.parent == "chats" {
		g.parent = ""
	}
	if strings.HasSuffix(f.Path, ".jsonl") {
		err = g.lines(ctx)
	} else {
		err = g.whole(ctx)
	}
	if err == nil {
		err = g.q.settle()
	}
	return g.told, err
}

// place is where a record stands: a line, and in a checkpoint's list of messages its number, else -1.
type place struct {
	id       string
	at, size int64
	index    int
}

type geminiFile struct {
	in              io.ReadSeeker
	told            Told
	q               *queue
	cwd             string
	session, parent string
	subagent        bool
	places          []place
	by              map[string]int
}

// maxRecords bounds how many records of one session are kept in mind.
const maxRecords = 1 << 20

func (g *geminiFile) lines(ctx context.Context) error {
	g.by = map[string]int{}
	r := bufio.NewReaderSize(g.in, 256<<10)
	at := int64(0)
	for {
		text, n, long, err := readSized(r)
		if long {
			g.told.Skipped++
		} else if len(bytes.TrimSpace(text)) > 0 {
			g.told.count(g.record(text, at))
		}
		at += n
		switch {
		case errors.Is(err, io.EOF):
			return g.tell(ctx)
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case len(g.places) > maxRecords:
			return errors.New("it has more records than this program reads")
		}
	}
}

// record takes note of a line.
func (g *geminiFile) record(text []byte, at int64) outcome {
	var l struct {
		ID, SessionID, Type, Kind, Timestamp string
		Set                                  *struct {
			SessionID string
			Messages  []struct{ ID string }
		} `json:"$set"`
		RewindTo *string `json:"$rewindTo"`
	}
	if json.Unmarshal(text, &l) != nil {
		return broken
	}
	switch {
	case l.RewindTo != nil:
		g.rewind(*l.RewindTo)
	case l.Set != nil:
		if l.Set.SessionID != "" && g.session == "" {
			g.session = l.Set.SessionID
		}
		if l.Set.Messages != nil {
			g.rewind("")
			for i, m := range l.Set.Messages {
				g.put(place{id: m.ID, at: at, size: int64(len(text)), index: i})
			}
		}
	case l.SessionID != "" && l.Type == "":
		g.session, g.subagent = l.SessionID, l.Kind == "subagent"
	case l.ID != "" && l.Type != "":
		g.put(place{id: l.ID, at: at, size: int64(len(text)), index: -1})
	default:
		return unknown
	}
	return known
}

func (g *geminiFile) put(p place) {
	if i, ok := g.by[p.id]; ok && p.id != "" {
		g.places[i] = p
		return
	}
	g.by[p.id] = len(g.places)
	g.places = append(g.places, p)
}

// rewind takes a record back with all that follow it; an id that is not there takes back all.
func (g *geminiFile) rewind(id string) {
	i, ok := g.by[id]
	if !ok || id == "" {
		i = 0
	}
	for _, p := range g.places[i:] {
		delete(g.by, p.id)
	}
	g.places = g.places[:i]
}

// tell reads the records that count.
func (g *geminiFile) tell(ctx context.Context) error {
	var line struct {
		at       int64
		messages []geminiRecord
	}
	line.at = -1
	for _, p := range g.places {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if line.at != p.at {
			line.at, line.messages = p.at, nil
			text := make([]byte, p.size)
			if _, err := g.in.Seek(p.at, io.SeekStart); err != nil {
				return err
			}
			if _, err := io.ReadFull(g.in, text); err != nil {
				return err // it became shorter meanwhile
			}
			line.messages = recordsOf(text, p.index >= 0)
		}
		if i := max(p.index, 0); i < len(line.messages) {
			if err := g.message(line.messages[i]); err != nil {
				return err
			}
			continue
		}
		g.told.Skipped++
	}
	return nil
}

func recordsOf(text []byte, checkpoint bool) []geminiRecord {
	if !checkpoint {
		var m geminiRecord
		if json.Unmarshal(text, &m) != nil {
			return nil
		}
		return []geminiRecord{m}
	}
	var l struct {
		Set struct{ Messages []json.RawMessage } `json:"$set"`
	}
	if json.Unmarshal(text, &l) != nil {
		return nil
	}
	return recordList(l.Set.Messages)
}

func recordList(raw []json.RawMessage) []geminiRecord {
	out := make([]geminiRecord, len(raw))
	for i, m := range raw {
		_ = json.Unmarshal(m, &out[i]) // what has another form has no type, and is passed over
	}
	return out
}

// whole reads the one object that a session was before 0.20.
func (g *geminiFile) whole(ctx context.Context) error {
	text, err := io.ReadAll(io.LimitReader(g.in, maxChat))
	if err != nil {
		return err
	}
	var s struct {
		SessionID string
		Messages  []json.RawMessage
	}
	if json.Unmarshal(text, &s) != nil {
		g.told.Skipped++
		return ctx.Err()
	}
	g.session = s.SessionID
	for _, m := range recordList(s.Messages) {
		if err := g.message(m); err != nil {
			return err
		}
	}
	return ctx.Err()
}
