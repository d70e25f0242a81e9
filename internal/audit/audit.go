// Package audit is the log of hook runs, invocations.jsonl in the data directory: one line for each, for whoever has to
// find out what an agent sent and what it was told. The hook writes it, where audit.enabled or PINTA_GEMINI_DEBUG says so;
// what it gets is masked already. It must not import anything that the hook path could not afford.
package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/atomicfile"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/record"
)

// File is the log's name; File with .old is the one before it.
const File = "invocations.jsonl"

// Version is that of the lines' format, in each as "boathook".
const Version = 1

// MaxLine bounds a line, so that one write takes it whole. What is longer loses its content.
const MaxLine = 1 << 20

// head is how much is left of a payload that is too long.
const head = 64 << 10

// Entry is one hook run.
type Entry struct {
	V       int       `json:"boathook"`
	Time    time.Time `json:"time"`
	Version string    `json:"version"`
	PID     int       `json:"pid"`
	Argv    []string  `json:"argv"`
	// Payload is the payload as it came, masked; PayloadText is that of one that is no JSON, or the head of one too long.
	Payload      json.RawMessage `json:"payload,omitempty"`
	PayloadText  string          `json:"payload_text,omitempty"`
	PayloadBytes int             `json:"payload_bytes"`
	// Cut says that the line was too long, and content is missing.
	Cut   bool        `json:"cut,omitempty"`
	Event canon.Event `json:"event"`

	Guard     *record.Guard     `json:"guard,omitempty"`
	UserHooks []record.UserHook `json:"user_hooks,omitempty"`
	Decision  record.Decision   `json:"decision"`
	// Answer is what the agent was told; in minimal privacy only how long that was.
	Answer      string             `json:"answer,omitempty"`
	AnswerBytes int                `json:"answer_bytes"`
	Times       map[string]float64 `json:"times_ms"`
	Notes       []string           `json:"notes,omitempty"`
}

// Line is an entry as it is written, at most MaxLine bytes long.
func Line(e Entry) []byte {
	e.V = Version
	e.Event.Raw = nil // the payload
	if line, err := encode(e); err == nil && len(line) <= MaxLine {
		return line
	}
	e.Cut = true
	e.UserHooks = slices.Clone(e.UserHooks)
	for i := range e.UserHooks {
		e.UserHooks[i].Reason = "" // the decision's own is kept below
	}
	if len(e.Payload) > 0 {
		e.PayloadText, e.Payload = string(e.Payload), nil
	}
	e.PayloadText, e.Answer = cut(e.PayloadText, head), cut(e.Answer, head)
	e.Decision.Reason, e.Decision.Rule = cut(e.Decision.Reason, head), cut(e.Decision.Rule, head)
	if g := e.Guard; g != nil {
		e.Guard = &record.Guard{Outcome: g.Outcome, Fail: g.Fail, Reason: cut(g.Reason, head), Rule: cut(g.Rule, head), DurationMS: g.DurationMS}
	}
	ev := e.Event
	e.Event = canon.Event{ID: ev.ID, Time: ev.Time, Agent: ev.Agent, Event: ev.Event, HostEvent: cut(ev.HostEvent, 256), SpanID: ev.SpanID}
	if ev.Tool != nil {
		e.Event.Tool = &canon.Tool{Name: cut(ev.Tool.Name, 256), HostName: cut(ev.Tool.HostName, 256), Kind: ev.Tool.Kind}
	}
	if line, err := encode(e); err == nil && len(line) <= MaxLine {
		return line
	}
	e.Argv, e.Notes, e.Answer, e.PayloadText, e.Guard, e.Decision.Reason, e.Decision.Rule = nil, nil, "", "", nil, "", ""
	e.UserHooks, e.Decision.Input, e.Decision.Context = nil, nil, ""
	line, _ := encode(e) // nothing is left that could fail
	return line
}

func encode(e Entry) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(e)
	return shown(b.Bytes()), err
}

// shown escapes what a terminal or an editor would obey instead of showing: control characters beyond those that JSON itself
// escapes, and the invisible ones that turn the direction of a text or hide in it. In JSON they can stand in texts alone.
func shown(line []byte) []byte {
	hidden := func(r rune) bool { return r >= 0x7f && (r < 0xa0 || unicode.Is(unicode.Cf, r)) }
	if bytes.IndexFunc(line, hidden) < 0 {
		return line
	}
	var out []byte
	for _, r := range string(line) {
		switch one, two := utf16.EncodeRune(r); {
		case !hidden(r):
			out = utf8.AppendRune(out, r)
		case one == utf8.RuneError:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = fmt.Appendf(out, `\u%04x\u%04x`, one, two)
		}
	}
	return out
}

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// Append adds a line to the log in dir. At most bytes the file becomes File.old first. Any number of processes may do so
// at once: a line is one write at the file's end, and one that has the file open while it is renamed writes into the old.
// What a full disk left of a line is ended first. A log of another program's gets none.
func Append(dir string, line []byte, most int64) error {
	path := filepath.Join(dir, File)
	f, size, err := open(path)
	if err == nil && size > 0 && size+int64(len(line)) > most {
		rotate(f, path)
		_ = f.Close()
		f, size, err = open(path)
	}
	if err != nil {
		return fmt.Errorf("write audit log: %w", err)
	}
	if torn(f, size) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("write audit log: %w", err)
	}
	return nil
}

// open opens the log, if it is one of boathook's.
func open(path string) (*os.File, int64, error) {
	f, err := ownfile.Open(path, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 && !ours(f) {
		err = errors.New(path + " is another program's")
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// tornLooks is how often a line without an end is looked at before it counts as torn: another hook may be writing it, and
// the file grows page by page.
const tornLooks = 5

// torn tells whether the last line has no end.
func torn(f *os.File, size int64) bool {
	for look := 0; size > 0; look++ {
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil || last[0] == '\n' {
			return false
		}
		if look == tornLooks {
			return true
		}
		time.Sleep(2 * time.Millisecond)
		info, err := f.Stat()
		if err != nil {
			return false
		}
		if info.Size() != size {
			size, look = info.Size(), 0
		}
	}
	return false
}

// rotate renames the file that f is, if path still is that file: whoever holds its lock is alone with that question.
// While another is at it, the line goes where the path leads. Where something is in the way of the old log, there is none:
// the file begins anew, since it must not grow without end.
func rotate(f *os.File, path string) {
	unlock, err := lock.File(f)
	if err != nil {
		return
	}
	defer unlock()
	mine, err := f.Stat()
	if err != nil {
		return
	}
	if there, err := os.Lstat(path); err != nil || !os.SameFile(mine, there) {
		return
	}
	if err := atomicfile.Rename(path, path+".old"); err != nil {
		_ = f.Truncate(0)
	}
}

// Ours tells whether a file is a log of boathook's: pinta-gemini has one of the same name. An empty one is ours: a hook has
// just made it.
func Ours(path string) bool {
	f, err := ownfile.Open(path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	return ours(f)
}

// ours reads how a file begins. Before the first whole line may be some of which a full disk left less than that.
func ours(f *os.File) bool {
	const begin = `{"boathook":`
	got := make([]byte, 256)
	n, _ := f.ReadAt(got, 0)
	for rest := string(got[:n]); ; {
		line, behind, more := strings.Cut(rest, "\n")
		switch {
		case strings.HasPrefix(line, begin):
			return true
		case !strings.HasPrefix(begin, line) || line == "" && more:
			return false
		case !more:
			return true
		}
		rest = behind
	}
}
