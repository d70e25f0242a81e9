package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/proof"
)

// program is how an agent is found, and what boathook was tried with.
type program struct {
	agent, title, command string
	// module is the name in the package.json beside the program, where it has one.
	module string
	// tested is what docs/hosts say, replayed that it was not the real program.
	tested   string
	replayed bool
	// slow says that it is not to be started for its version: it takes long, opens a window, or writes to the home directory.
	slow bool
	// rare leaves it out where it is not on the machine.
	rare bool
}

func programs() []program {
	return []program{
		{agent: "gemini", title: "Gemini CLI", command: "gemini", module: "@google/gemini-cli", tested: "0.61.0"},
		{agent: "antigravity", title: "Antigravity", command: "agy", tested: "1.0.7 to 1.2.3", replayed: true},
		{agent: "claude", title: "Claude Code", command: "claude", module: "@anthropic-ai/claude-code", tested: "2.1.332", rare: true},
		{agent: "codex", title: "Codex", command: "codex", module: "@openai/codex", tested: "0.171.0", rare: true},
		{agent: "copilot", title: "Copilot CLI", command: "copilot", module: "@github/copilot", tested: "1.0.102", slow: true, rare: true},
		{agent: "cursor", title: "Cursor", command: "cursor-agent", tested: "@cursor/sdk 1.0.32", replayed: true, slow: true, rare: true},
		{agent: "windsurf", title: "Windsurf", command: "windsurf", tested: "the documentation of 2026", replayed: true, slow: true, rare: true},
		{agent: "cline", title: "Cline", command: "cline", module: "cline", tested: "3.0.65", slow: true, rare: true},
		{agent: "qwen", title: "Qwen Code", command: "qwen", module: "@qwen-code/qwen-code", tested: "0.24.4", slow: true, rare: true},
		{agent: "amp", title: "Amp", command: "amp", module: "@sourcegraph/amp", tested: "0.0.1790142911", slow: true, rare: true},
		{agent: "opencode", title: "opencode", command: "opencode", module: "opencode-ai", tested: "1.18.33", slow: true, rare: true},
	}
}

// shown is the version with which the suite has driven the real program, else the one that is written here.
func (p program) shown() string {
	if h := proof.Of(p.agent); h.How == proof.Live {
		return h.Version
	}
	return p.tested
}

var errUnasked = errors.New("not started")

// versionOf starts a program to ask its version, in a home directory that goes again: some write there whatever they are
// asked.
func (w *World) versionOf(ctx context.Context, path string) ([]byte, error) {
	home, err := os.MkdirTemp("", "boathook-doctor-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(home) }()
	return w.outputIn(ctx, versionTime, home, path, "--version")
}

const versionTime = 4 * time.Second

// inPath reads the version out of a name like .../claude/versions/2.1.332, behind the links to it.
func inPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || filepath.Base(filepath.Dir(real)) != "versions" || strings.Count(filepath.Base(real), ".") < 2 {
		return ""
	}
	return plainVersion(filepath.Base(real))
}
