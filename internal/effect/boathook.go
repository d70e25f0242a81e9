package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// commands notes boathook's own commands that a person gives, and commands of agents that leave hooks out.
func (s *sheet) commands(name string, args []word.Arg) {
	if s.remote() {
		return
	}
	switch name {
	case "boathook":
		if verb := guardCommand(args); verb != "" {
			s.add(policy.TamperGuard, verb, joined(args))
		}
	case "git":
		s.gitApply(args)
	case "cp", "gcp", "ln", "gln", "install", "ginstall", "ditto", "link", "rsync":
		s.disguises(args)
	case "claude", "codex", "gemini", "qwen", "copilot", "opencode", "amp", "cursor-agent", "cline", "agy":
		s.agentCommand(name, args)
	}
}

// disguises notes that boathook's program gets another name, by which its commands would be given unseen.
func (s *sheet) disguises(args []word.Arg) {
	for _, a := range args {
		if !strings.Contains(a.Text, "boathook") && !a.Glob {
			continue
		}
		spot := s.Machine.Place(a, s.Dir, place.Follow)
		dir, name := spot.Path[:strings.LastIndexByte(spot.Path, '/')+1], base(spot.Path)
		if strings.HasSuffix(dir, "bin/") && (name == "boathook" || name == "boathook.exe") && !inside(spot.Where) {
			s.put(policy.Effect{Kind: policy.TamperGuard, Verb: "program", Target: spot.Path, Where: spot.Where})
		}
	}
}

// guardCommand is the command of boathook's that an agent must not give; empty for those that only show something.
func guardCommand(args []word.Arg) string {
	o := unit.Options(args, "config data-dir agent event since for limit")
	first, second := textOf(o.Operands, 0), textOf(o.Operands, 1)
	switch first {
	case "":
		return ""
	case "log", "status", "hosts", "decode", "help", "version", "why", "schema", "hook", "exec", "completion", "collector", "try", "verify", "wrap":
		return ""
	case "doctor":
		if !o.Has("fix") {
			return ""
		}
	case "telemetry":
		if second == "" || second == "status" {
			return ""
		}
	case "hooks":
		if second == "" || second == "list" || second == "new" {
			return ""
		}
	case "worker":
		if second == "drain" {
			return ""
		}
	case "mcp":
		return ""
	case "memory":
		if asksMemory(args) {
			return ""
		}
	}
	if strings.Contains(first, word.Unknown) {
		return "command"
	}
	return first
}

// asksMemory tells whether a command of memory's only looks something up: what is kept, forgotten, exported or approved is a person's to
// say. The two words stand first, since what a flag before them takes is not known here.
func asksMemory(args []word.Arg) bool {
	if len(args) < 2 {
		return len(args) == 1
	}
	if args[0].Text != "memory" || args[0].Glob || args[1].Glob {
		return false
	}
	switch args[1].Text {
	case "search", "timeline", "stats", "doctor":
		return true
	case "show":
		o := unit.Options(args, "session")
		return !o.Has("pending") && !o.Has("approve") && !o.Has("reject")
	}
	return false
}

// agentCommand notes that an agent is started without its hooks, or that they are switched off by its own commands.
func (s *sheet) agentCommand(name string, args []word.Arg) {
	for i := range hookless {
		if p := &hookless[i]; p.program == name && says(args, p.words) {
			s.add(policy.TamperAgent, "hooks-off", joined(args))
			return
		}
	}
	for _, a := range args {
		if strings.Contains(a.Text, "disableAllHooks") || strings.Contains(a.Text, "hooksConfig") {
			s.add(policy.TamperAgent, "hooks-off", joined(args))
			return
		}
	}
	for _, a := range s.Assigns {
		switch a.Name {
		case "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "QWEN_HOME", "GEMINI_CLI_HOME", "CLINE_DIR", "OPENCODE_PURE", "OPENCODE_CONFIG_DIR",
			"HOME", "XDG_CONFIG_HOME", "CLAUDE_CODE_SIMPLE":
			s.add(policy.TamperAgent, "hooks-off", a.Name)
			return
		}
	}
}

// hookless are the phrases by which agents run without hooks, or lose them.
var hookless = [...]phrase{
	{"claude", "--bare|--safe-mode", ""}, {"claude", "plugin|plugins disable|uninstall|remove boathook*", ""},
	{"gemini", "-e|--extensions none", ""}, {"gemini", "--extensions=none|-enone", ""},
	{"gemini", "extensions|extension disable|uninstall boathook*", ""}, {"gemini", "hooks disable*", ""}, {"gemini", "hooks uninstall", ""},
	{"qwen", "extensions|extension disable|uninstall boathook*", ""}, {"qwen", "-e|--extensions none", ""}, {"qwen", "hooks disable*", ""},
	{"codex", "--disable hooks|codex_hooks", ""}, {"codex", "features disable hooks|codex_hooks", ""},
	{"codex", "-c|--config features.hooks=false|features.codex_hooks=false", ""}, {"codex", "-cfeatures.hooks=false", ""},
	{"codex", "--config=features.hooks=false", ""}, {"opencode", "--pure", ""},
}
