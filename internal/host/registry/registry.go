// Package registry knows every agent. The hook path and the commands find a host here by the label that install baked
// into the command line. Only where a user wired a hook without one is the payload looked at (Detect).
package registry

import (
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/amp"
	"github.com/boathook/boathook/internal/host/antigravity"
	"github.com/boathook/boathook/internal/host/claude"
	"github.com/boathook/boathook/internal/host/cline"
	"github.com/boathook/boathook/internal/host/codex"
	"github.com/boathook/boathook/internal/host/copilot"
	"github.com/boathook/boathook/internal/host/cursor"
	"github.com/boathook/boathook/internal/host/gemini"
	"github.com/boathook/boathook/internal/host/opencode"
	"github.com/boathook/boathook/internal/host/qwen"
	"github.com/boathook/boathook/internal/host/windsurf"
)

// Hosts lists the agents in the order in which people are shown them.
func Hosts() []*host.Host {
	return []*host.Host{
		gemini.Host(), antigravity.Host(), claude.Host(), codex.Host(), copilot.Host(),
		cursor.Host(), windsurf.Host(), cline.Host(), qwen.Host(), amp.Host(), opencode.Host(),
	}
}

// Lookup finds the host of an --agent label. Any label that is none of ours speaks Antigravity's protocol; registered
// tells whether the label is known, so that the record can say so.
func Lookup(label string) (h *host.Host, registered bool) {
	switch label {
	case "gemini":
		return gemini.Host(), true
	case "antigravity", "antigravity1", "antigravity2", "agy":
		return antigravity.Host(), true
	case "claude":
		return claude.Host(), true
	case "codex":
		return codex.Host(), true
	case "qwen":
		return qwen.Host(), true
	case "copilot":
		return copilot.Host(), true
	case "cursor":
		return cursor.Host(), true
	case "windsurf":
		return windsurf.Host(), true
	case "cline":
		return cline.Host(), true
	case "amp":
		return amp.Host(), true
	case "opencode":
		return opencode.Host(), true
	}
	return antigravity.Host(), false
}
