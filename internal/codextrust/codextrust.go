// Package codextrust knows which hooks Codex runs: a hook is named by its place in a file and trusted by a hash of what it
// says, and both are in the user's config.toml. The installer and doctor call it. It writes nothing; what it asks a real
// Codex, it asks one that sees a directory made for the question.
//
// All of it was seen on @openai/codex 0.171.0, whose own hashes are in testdata.
package codextrust

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Hook is a command in a file of hooks.
type Hook struct {
	// Event is as in the file; Group and Handler count from 0.
	Event          string
	Group, Handler int
	Command        string
	// Key is its name in the state, Hash what it has to be trusted with.
	Key, Hash string
}

type group struct {
	Matcher *string
	Hooks   []handler
}

type handler struct {
	Type          string
	Command       string
	Timeout       *float64
	Async         bool
	StatusMessage *string
}

// Hooks lists the commands in a text of hooks.json. source is the file's path as Codex has it.
func Hooks(source string, data []byte) ([]Hook, error) {
	var file struct {
		Hooks map[string]json.RawMessage
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("read %s: %w", source, err)
	}
	var out []Hook
	for event, text := range file.Hooks {
		var groups []group
		if json.Unmarshal(text, &groups) != nil {
			continue // an event that Codex has not got may be anything
		}
		for i, g := range groups {
			for n, h := range g.Hooks {
				if h.Type == "command" {
					out = append(out, Hook{event, i, n, h.Command, key(source, event, i, n), hash(event, g.Matcher, h)})
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b Hook) int { return strings.Compare(a.Key, b.Key) })
	return out, nil
}

// Source is the path of a file of hooks as Codex has it: with CODEX_HOME the links are followed, without they are not.
func Source(dir string, variable bool) string {
	if real, err := filepath.EvalSymlinks(dir); variable && err == nil {
		dir = real
	}
	return filepath.Join(dir, "hooks.json")
}

func key(source, event string, group, handler int) string {
	return source + ":" + snake(event) + ":" + strconv.Itoa(group) + ":" + strconv.Itoa(handler)
}

// snake makes pre_tool_use of PreToolUse.
func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Seconds that a handler has which says nothing.
const (
	usualTimeout = 600
	endTimeout   = 1
)

// hash is that of a handler's meaning, as JSON with sorted names. Some events have no matcher, whatever the file says.
func hash(event string, matcher *string, h handler) string {
	timeout := float64(usualTimeout)
	if event == "SessionEnd" || event == "Interrupt" {
		timeout = endTimeout
	}
	if h.Timeout != nil {
		timeout = *h.Timeout
	}
	about := map[string]any{"type": "command", "command": h.Command, "timeout": timeout, "async": h.Async}
	if h.StatusMessage != nil {
		about["statusMessage"] = *h.StatusMessage
	}
	all := map[string]any{"event_name": snake(event), "hooks": []any{about}}
	if matcher != nil && !slices.Contains([]string{"UserPromptSubmit", "Stop", "Interrupt"}, event) {
		all["matcher"] = *matcher
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(all) // plain data: it can't fail
	plain := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	for _, r := range []string{"\u2028", "\u2029"} { // which Codex leaves as they are
		plain = bytes.ReplaceAll(plain, []byte(fmt.Sprintf(`\u%04x`, []rune(r)[0])), []byte(r))
	}
	sum := sha256.Sum256(plain)
	return "sha256:" + hex.EncodeToString(sum[:])
}
