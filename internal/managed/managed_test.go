package managed

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFile(t *testing.T) {
	for _, tt := range []struct{ goos, agent, want string }{
		{"linux", "claude", "/etc/claude-code/managed-settings.d/boathook.json"},
		{"darwin", "claude", "/Library/Application Support/ClaudeCode/managed-settings.d/boathook.json"},
		{"linux", "codex", "/etc/codex/hooks.json"}, {"linux", "cline", ""}, {"linux", "", ""},
	} {
		if got := File("/", tt.goos, tt.agent); got != tt.want {
			t.Errorf("%s on %s: %q, want %q", tt.agent, tt.goos, got, tt.want)
		}
	}
	for agent := range linux {
		if darwin[agent] == "" {
			t.Errorf("%s has no place on macOS", agent)
		}
	}
}

func TestRuns(t *testing.T) {
	root := t.TempDir()
	path := File(root, "linux", "codex")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		`{"command":"exec 2>/dev/null; [ -x '/b' ] && '/b' hook --agent codex --event Stop --config '/etc/boathook/config.toml'; exit 0"}`:              true,
		`{"command":"/bin/sh -c '\"'\"'/b'\"'\"' hook --agent codex --event Stop --config '\\''/etc/boathook/config.toml'\\'''"}`:                       true,
		`{"command":"'/b' hook --agent codex --event Stop --config '/home/u/.config/boathook/config.toml'"}`:                                            false,
		`{"command":"'/b' hook --agent claude --event Stop --config '/etc/boathook/config.toml'"}`:                                                      false,
		`{"command":"'/b' hook --agent codex --event Stop"}`:                                                                                            false,
		`{"x":"hook --agent codex --event", "y":"--config /etc/boathook/config.toml"}`:                                                                  false,
		`{"command":"hook --agent codex --event Stop --config '/h/c' "},{"command":" hook --agent codex --event A --config /etc/boathook/config.toml"}`: true,
		"import x\nconst agent = \"codex\"\nconst program = \"/b\"\nconst config = \"/etc/boathook/config.toml\"\n":                                     true,
		"import x\nconst agent = \"codex\"\nconst program = \"/b\"\nconst config = \"/home/u/config.toml\"\n":                                           false,
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := Runs(root, "linux", "codex", "/etc/boathook/config.toml"); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
	if Runs(root, "linux", "claude", "/etc/boathook/config.toml") || Runs(root, "linux", "codex", "") || Runs(root, "linux", "amp", "/x") {
		t.Error("hooks where there are none")
	}
}
