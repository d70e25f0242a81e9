package conform

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
)

// flatHooks reads a file that has a flat list of handlers for each event, as Cursor and Windsurf do.
func flatHooks(file string) func(tb testing.TB, l *Lab) map[string][]string {
	return func(tb testing.TB, l *Lab) map[string][]string {
		tb.Helper()
		b, err := os.ReadFile(filepath.Join(l.Home, file))
		agentlab.Must(tb, err)
		var config struct {
			Hooks map[string][]struct {
				Command string `json:"command"`
			} `json:"hooks"`
		}
		agentlab.Must(tb, json.Unmarshal(b, &config))
		hooks := map[string][]string{}
		for event, handlers := range config.Hooks {
			for _, h := range handlers {
				hooks[event] = append(hooks[event], h.Command)
			}
		}
		return hooks
	}
}
