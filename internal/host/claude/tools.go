package claude

import "github.com/boathook/boathook/internal/host"

// tools maps the built-in tools of 2.1.332 and the names that earlier versions had. Monitor runs a command line in the
// background, as Bash does.
func tools() []host.Tool {
	return []host.Tool{
		{HostName: "Bash", Name: "bash", Kind: "shell"},
		{HostName: "PowerShell", Name: "bash", Kind: "shell"},
		{HostName: "Monitor", Name: "bash", Kind: "shell"},
		{HostName: "TaskOutput", Name: "task_output", Kind: "shell"},
		{HostName: "BashOutput", Name: "task_output", Kind: "shell"},
		{HostName: "TaskStop", Name: "task_output", Kind: "shell"},
		{HostName: "KillShell", Name: "task_output", Kind: "shell"},
		{HostName: "Read", Name: "read_file", Kind: "read"},
		{HostName: "NotebookRead", Name: "read_file", Kind: "read"},
		{HostName: "LS", Name: "list_dir", Kind: "read"},
		{HostName: "Write", Name: "write_file", Kind: "write"},
		{HostName: "Edit", Name: "edit_file", Kind: "write"},
		{HostName: "MultiEdit", Name: "edit_file", Kind: "write"},
		{HostName: "NotebookEdit", Name: "notebook_edit", Kind: "write"},
		{HostName: "Grep", Name: "grep", Kind: "search"},
		{HostName: "Glob", Name: "glob", Kind: "search"},
		{HostName: "WebSearch", Name: "web_search", Kind: "web"},
		{HostName: "WebFetch", Name: "web_fetch", Kind: "web"},
		{HostName: "Agent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "Task", Name: "spawn_agent", Kind: "agent"},
		{HostName: "SendMessage", Name: "spawn_agent", Kind: "agent"},
		{HostName: "AskUserQuestion", Name: "ask_user", Kind: "ask"},
		{HostName: "TodoWrite", Name: "todo", Kind: "plan"},
		{HostName: "TaskCreate", Name: "todo", Kind: "plan"},
		{HostName: "TaskUpdate", Name: "todo", Kind: "plan"},
		{HostName: "TaskList", Name: "todo", Kind: "plan"},
		{HostName: "TaskGet", Name: "todo", Kind: "plan"},
		{HostName: "ListMcpResourcesTool", Name: "mcp", Kind: "mcp"},
		{HostName: "ReadMcpResourceTool", Name: "mcp", Kind: "mcp"},
		{HostName: "ReadMcpResourceDirTool", Name: "mcp", Kind: "mcp"},
	}
}

// args are the parameter names of the built-in tools (2.1.332).
func args() host.Args {
	return host.Args{
		Command: []string{"command"},
		Paths:   []string{"file_path", "notebook_path", "path", "filePath"},
		URLs:    []string{"url"},
	}
}
