// Package transcripts finds the records that agents keep of their own sessions and takes the tool calls out of them, or all that was
// said. Their forms are the agents' own and change: a reader takes what it knows and passes over the rest. It changes nothing, and
// reads nothing whole into memory but a Gemini session of before 0.20, which is one object. What it gives is not masked.
package transcripts

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/callspec"
	"github.com/boathook/boathook/internal/paths"
)

// Call is one tool call of an old session.
type Call struct {
	callspec.Call
	// ID is the agent's own, as far as it has one; a session that was resumed or branched off has the calls of the other again.
	ID      string
	Session string
	Time    time.Time
}

// File is one record of sessions.
type File struct {
	Agent string
	Path  string
	Size  int64
	// Changed is when it was written to last: no call of it is younger.
	Changed time.Time
	// Piece says that it holds a piece of a session alone: others have the rest.
	Piece bool
	read  reader
	talk  talk
}

// Read calls f for each tool call, in the order of the file, and stops with f's error. Skipped counts what could not be read.
func (f File) Read(ctx context.Context, each func(Call) error) (skipped int, err error) {
	return f.read(ctx, f.Path, func(c Call) error {
		c.Agent = f.Agent
		return each(c)
	})
}

// reader reads one file.
type reader func(ctx context.Context, path string, each func(Call) error) (skipped int, err error)

// source is where one agent keeps its records.
type source struct {
	agent string
	// home is below the user's, env the variable that names another.
	home, env string
	// below is where to look, depth how many directories further down at most.
	below string
	depth int
	is    func(rel string) bool
	read  reader
	talk  talk
}

func sources() []source {
	return []source{
		{"claude", ".claude", "CLAUDE_CONFIG_DIR", "projects", 4, jsonl, lines(claude), talkLines(newClaudeTalk)},
		{"codex", ".codex", "CODEX_HOME", "sessions", 4, rollout, lines(codex), talkLines(newCodexTalk)},
		{"codex", ".codex", "CODEX_HOME", "archived_sessions", 1, rollout, lines(codex), talkLines(newCodexTalk)},
		{"gemini", ".gemini", "", "tmp", 4, chat, gemini, geminiTalk},
		{"copilot", ".copilot", "COPILOT_HOME", "session-state", 2, jsonl, lines(copilot), talkLines(newCopilotTalk)},
		{"qwen", ".qwen", "", "projects", 3, jsonl, lines(qwen), talkLines(newQwenTalk)},
		{"opencode", ".local/share/opencode", "", "", 1, database, opencodeDB, opencodeTalk},
		{"opencode", ".local/share/opencode", "", "storage/part", 2, part, opencodePart, opencodeFileTalk},
	}
}

// named tells whether a path may be one of a record, as far as its name goes.
func (s source) named(path string) bool {
	if s.agent == "gemini" {
		return chat(path)
	}
	return s.is(filepath.Base(path))
}

func jsonl(rel string) bool { return strings.HasSuffix(rel, ".jsonl") }

func rollout(rel string) bool {
	return strings.HasPrefix(filepath.Base(rel), "rollout-") && (jsonl(rel) || strings.HasSuffix(rel, ".json"))
}

func chat(rel string) bool {
	in := "/" + filepath.ToSlash(filepath.Dir(rel)) + "/"
	return strings.Contains(in, "/chats/") && (jsonl(rel) || strings.HasSuffix(rel, ".json"))
}

func database(rel string) bool { return filepath.Base(rel) == "opencode.db" }

func part(rel string) bool { return strings.HasSuffix(rel, ".json") }

// Agents are those whose records can be read.
func Agents() []string {
	var out []string
	for _, s := range sources() {
		if !slices.Contains(out, s.agent) {
			out = append(out, s.agent)
		}
	}
	return out
}

// maxFiles bounds how many files are looked for in one place.
const maxFiles = 100_000

// Find lists the records of an agent, or of all, that were written to since a time; the oldest first. What cannot be looked
// at is left out.
func Find(ctx context.Context, home string, env paths.Lookup, agent string, since time.Time) []File {
	var out []File
	for _, s := range sources() {
		if agent != "" && s.agent != agent {
			continue
		}
		root := filepath.Join(home, filepath.FromSlash(s.home))
		if s.env != "" && env != nil {
			if dir, _ := env(s.env); filepath.IsAbs(dir) {
				root = dir
			}
		}
		out = append(out, s.find(ctx, filepath.Join(root, filepath.FromSlash(s.below)), since)...)
	}
	slices.SortStableFunc(out, func(a, b File) int { return a.Changed.Compare(b.Changed) })
	return out
}

func (s source) find(ctx context.Context, root string, since time.Time) []File {
	var out []File
	seen := 0
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error { // what hangs together is told by what is found
		if seen++; ctx.Err() != nil || seen > maxFiles {
			return fs.SkipAll
		}
		rel, _ := filepath.Rel(root, path)
		deep := strings.Count(filepath.ToSlash(rel), "/")
		switch {
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil
		case d.IsDir() && rel != "." && deep >= s.depth:
			return fs.SkipDir
		case !d.Type().IsRegular() || !s.is(rel):
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		size, changed := info.Size(), info.ModTime()
		if log, err := os.Stat(path + "-wal"); err == nil && database(rel) { // what is new stands there
			size += log.Size()
			if log.ModTime().After(changed) {
				changed = log.ModTime()
			}
		}
		if !changed.Before(since) {
			f := File{Agent: s.agent, Path: path, Size: size, Changed: changed, Piece: s.below == "storage/part", read: s.read, talk: s.talk}
			out = append(out, f)
		}
		return nil
	})
	return out
}

// textOf is a JSON value that should be a text, or nothing.
func textOf(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // anything else is no text
	return s
}

// objectOf is an object that may stand in a text, as some agents keep arguments.
func objectOf(raw json.RawMessage) json.RawMessage {
	if text := textOf(raw); strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return raw
}

// timeOf reads a time as agents write it; what is none is the zero time.
func timeOf(text string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, text)
	return t
}
