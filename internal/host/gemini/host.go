// Package gemini is Gemini CLI's hook protocol: snake_case payloads, decisions at the top level, an answer on every event
// but BeforeToolSelection. Observed on @google/gemini-cli 0.61.0; docs/hosts/gemini.md has the evidence.
package gemini

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// Host describes Gemini CLI.
func Host() *host.Host {
	return &host.Host{
		ID: "gemini", Title: "Gemini CLI", Events: events(), Tools: tools(),
		Dirs:  "cwd",
		Calls: calls, Commands: args().Command, Decode: decode, Encode: encode,
	}
}

// events has all 11 events. AfterModel fires for every chunk of a stream and Before/AfterModel carry the whole request, so
// the model events are not registered by default. A headless run hangs on ask until it is killed, and a hook cannot tell a
// headless run (0.61.0), so that nothing here can ask unless the user says that all runs have a person. A deny of AfterAgent becomes the model's next prompt, up to 100 times:
// nothing says it. A hook that is not there or fails with text on stderr stops every call, but for the command that install
// writes.
func events() []host.Event {
	context := host.Can{Context: true}
	return []host.Event{
		{Name: "SessionStart", Kind: canon.SessionStart, Default: true, Can: context},
		{
			Name: "BeforeAgent", Kind: canon.PromptSubmit, Default: true, Can: host.Can{Deny: true, Context: true},
			Fails: host.Fails{Crash: host.Closed},
		},
		{
			Name: "BeforeTool", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, Can: host.Can{Deny: true, Rewrite: true}, AskHangs: true,
			Fails: host.Fails{Crash: host.Closed, Garbage: host.Open, Timeout: host.Open},
		},
		{Name: "AfterTool", Kind: canon.ToolAfter, Default: true, Tool: true, Can: context},
		{Name: "AfterAgent", Kind: canon.AgentStop, Default: true},
		{Name: "PreCompress", Kind: canon.CompactBefore, Default: true},
		{Name: "Notification", Kind: canon.Notified, Default: true},
		{Name: "SessionEnd", Kind: canon.SessionStop, Default: true},
		{Name: "BeforeModel", Kind: canon.ModelBefore},
		{Name: "AfterModel", Kind: canon.ModelAfter},
		{Name: "BeforeToolSelection", Kind: canon.ToolSelect, Silent: true},
	}
}

// tools maps the built-in tools of 0.61.0 and the names that earlier versions had.
func tools() []host.Tool {
	return []host.Tool{
		{HostName: "read_file", Name: "read_file", Kind: "read"},
		{HostName: "read_many_files", Name: "read_file", Kind: "read"},
		{HostName: "get_internal_docs", Name: "read_file", Kind: "read"},
		{HostName: "write_file", Name: "write_file", Kind: "write"},
		{HostName: "replace", Name: "edit_file", Kind: "write"},
		{HostName: "list_directory", Name: "list_dir", Kind: "read"},
		{HostName: "run_shell_command", Name: "bash", Kind: "shell"},
		{HostName: "grep_search", Name: "grep", Kind: "search"},
		{HostName: "search_file_content", Name: "grep", Kind: "search"},
		{HostName: "glob", Name: "glob", Kind: "search"},
		{HostName: "google_web_search", Name: "web_search", Kind: "web"},
		{HostName: "web_fetch", Name: "web_fetch", Kind: "web"},
		{HostName: "invoke_agent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "delegate_to_agent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "codebase_investigator", Name: "spawn_agent", Kind: "agent"},
		{HostName: "ask_user", Name: "ask_user", Kind: "ask"},
		{HostName: "write_todos", Name: "todo", Kind: "plan"},
		{HostName: "tracker_create_task", Name: "todo", Kind: "plan"},
		{HostName: "tracker_update_task", Name: "todo", Kind: "plan"},
		{HostName: "tracker_get_task", Name: "todo", Kind: "plan"},
		{HostName: "tracker_list_tasks", Name: "todo", Kind: "plan"},
		{HostName: "tracker_add_dependency", Name: "todo", Kind: "plan"},
		{HostName: "tracker_visualize", Name: "todo", Kind: "plan"},
		{HostName: "save_memory", Name: "save_memory", Kind: "memory"},
		{HostName: "read_mcp_resource", Name: "mcp", Kind: "mcp"},
		{HostName: "list_mcp_resources", Name: "mcp", Kind: "mcp"},
	}
}
