package install

import (
	"fmt"
	"path/filepath"

	"github.com/boathook/boathook/internal/codextrust"
	"github.com/boathook/boathook/internal/tomledit"
)

// HookTrust is what Codex makes of one of boathook's hooks.
type HookTrust struct {
	Event, Key string
	State      codextrust.State
}

// CodexTrust tells of boathook's hooks in a directory whether Codex runs them. off says that it runs none at all.
func CodexTrust(env Env, dir string) (list []HookTrust, off bool, err error) {
	l := codexList()
	data, err := readFile(l.path(dir))
	if err != nil {
		return nil, false, err
	}
	hooks, err := codextrust.Hooks(codexSource(env, dir), data)
	if err != nil {
		return nil, false, err
	}
	config := filepath.Join(dir, codexSettings)
	text, err := readFile(config)
	if err != nil && !absent(err) {
		return nil, false, err
	}
	tree, err := tomledit.Tree(text)
	if err != nil {
		return nil, false, fmt.Errorf("read %s:%w", config, err)
	}
	for _, h := range hooks {
		if l.ours(h.Command) {
			list = append(list, HookTrust{h.Event, h.Key, codextrust.StateOf(tree, h)})
		}
	}
	return list, codextrust.HooksOff(tree), nil
}
