//go:build unix

package hookrun

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/managed"
)

// A user's own hook beside an administrator's is silent, and the administrator's is not: no event counts twice.
func TestAManagedHookIsTheOneThatCounts(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("managed settings have to be root's: run this as root")
	}
	root := t.TempDir()
	config := filepath.Join(root, "etc/boathook/config.toml")
	own := filepath.Join(root, "own.toml")
	hooks := managed.File(root, runtime.GOOS, "claude")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	line := `{"command":"/b hook --agent claude --event PreToolUse --config '` + config + `'"}`
	for name, tt := range map[string]struct {
		managedConfig, hooks string
		agent, config        string
		kept                 bool
	}{
		"a user's, beside":        {"privacy = \"full\"", line, "claude", own, false},
		"the administrator's":     {"privacy = \"full\"", line, "claude", config, true},
		"of another agent":        {"privacy = \"full\"", line, "qwen", own, true},
		"managed settings alone":  {"privacy = \"full\"", "{}", "claude", own, true},
		"hooks of another config": {"privacy = \"full\"", strings.ReplaceAll(line, "boathook/config", "x/config"), "claude", own, true},
		"no managed settings":     {"", line, "claude", own, true},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			write(own, "data_dir = \""+data+"\"\n[guard]\non_error = \"deny\"\n")
			write(hooks, tt.hooks)
			_ = os.Remove(config)
			if tt.managedConfig != "" {
				write(config, tt.managedConfig+"\ndata_dir = \""+data+"\"\n")
			}
			l := newLab(t, "")
			env := l.env(strings.NewReader(claudeCall))
			env.Managed, env.Root = config, root
			Run(env, []string{"--agent", tt.agent, "--event", "PreToolUse", "--config", tt.config})
			kept, _ := filepath.Glob(filepath.Join(data, "spool/new/*"))
			if (len(kept) == 1) != tt.kept {
				t.Errorf("records: %v", kept)
			}
		})
	}
}
