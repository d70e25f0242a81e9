package agentrun

import (
	"encoding/json"
	"path/filepath"

	"github.com/boathook/boathook/internal/confedit"
	"github.com/boathook/boathook/internal/host"
	clinehost "github.com/boathook/boathook/internal/host/cline"
)

// Where others have hooks, too, boathook's are those whose command says so.

// list reads the events of a file in which ours stand among those of others.
func (h *Hooks) list(dir string, read func(path string) ([]byte, error)) error {
	at, _ := homeOf(h.Agent)
	h.File = filepath.Join(dir, at.file)
	text, err := read(h.File)
	if err != nil {
		return err
	}
	if text, err = confedit.Plain(text); err != nil { // some agents take comments
		return err
	}
	var file struct {
		Hooks           map[string]json.RawMessage `json:"hooks"`
		DisableAllHooks bool                       `json:"disableAllHooks"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return err
	}
	h.Disabled = file.DisableAllHooks
	for event, raw := range file.Hooks {
		if hook, ok := first(raw, h.ours); ok {
			h.ByEvent[event] = hook
		}
	}
	return nil
}

// ours recognises a command of boathook's.
func (h *Hooks) ours(command string) bool {
	return host.Runs(h.Agent, command)
}

// scriptEnds are the ends of the names of scripts that Cline gives to a shell (3.0.65).
var scriptEnds = []string{"", ".sh", ".bash", ".zsh"}

// scripts finds ours among Cline's, which have the names of events.
func (h *Hooks) scripts(dir string, read func(path string) ([]byte, error)) {
	h.File = dir
	for _, e := range clinehost.Host().Events {
		for _, end := range scriptEnds {
			path := filepath.Join(dir, e.Name+end)
			text, err := read(path)
			if err != nil || !h.ours(string(text)) {
				continue // another's, or none
			}
			hook := h.ByEvent[e.Name]
			if hook.Count++; hook.Count == 1 {
				hook.Command = path
			}
			h.ByEvent[e.Name] = hook
		}
	}
}
