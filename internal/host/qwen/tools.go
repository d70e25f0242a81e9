package qwen

import "github.com/boathook/boathook/internal/host"

// tools maps the built-in tools of 0.24.4 and the names that it still takes for them.
func tools() []host.Tool {
	return []host.Tool{
		{HostName: "run_shell_command", Name: "bash", Kind: "shell"},
		{HostName: "monitor", Name: "bash", Kind: "shell"},
		{HostName: "task_stop", Name: "task_output", Kind: "shell"},
		{HostName: "read_file", Name: "read_file", Kind: "read"},
		{HostName: "read_many_files", Name: "read_file", Kind: "read"},
		{HostName: "list_directory", Name: "list_dir", Kind: "read"},
		{HostName: "write_file", Name: "write_file", Kind: "write"},
		{HostName: "edit", Name: "edit_file", Kind: "write"},
		{HostName: "replace", Name: "edit_file", Kind: "write"},
		{HostName: "notebook_edit", Name: "notebook_edit", Kind: "write"},
		{HostName: "grep_search", Name: "grep", Kind: "search"},
		{HostName: "search_file_content", Name: "grep", Kind: "search"},
		{HostName: "glob", Name: "glob", Kind: "search"},
		{HostName: "web_search", Name: "web_search", Kind: "web"},
		{HostName: "web_fetch", Name: "web_fetch", Kind: "web"},
		{HostName: "agent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "task", Name: "spawn_agent", Kind: "agent"},
		{HostName: "send_message", Name: "spawn_agent", Kind: "agent"},
		{HostName: "list_agents", Name: "spawn_agent", Kind: "agent"},
		{HostName: "create_sub_session", Name: "spawn_agent", Kind: "agent"},
		{HostName: "ask_user_question", Name: "ask_user", Kind: "ask"},
		{HostName: "todo_write", Name: "todo", Kind: "plan"},
		{HostName: "task_create", Name: "todo", Kind: "plan"},
		{HostName: "task_update", Name: "todo", Kind: "plan"},
		{HostName: "task_list", Name: "todo", Kind: "plan"},
		{HostName: "save_memory", Name: "save_memory", Kind: "memory"},
		{HostName: "image_gen", Name: "image", Kind: "media"},
		{HostName: "zoom_image", Name: "image", Kind: "media"},
		{HostName: "display_image", Name: "image", Kind: "media"},
		{HostName: "read_mcp_resource", Name: "mcp", Kind: "mcp"},
	}
}

// args are the parameter names of the built-in tools (0.24.4). read_file comes with its path under two names.
func args() host.Args {
	return host.Args{
		Command: []string{"command"},
		Paths:   []string{"file_path", "absolute_path", "notebook_path", "path", "paths", "dir_path"},
		URLs:    []string{"url", "urls"},
		Text:    []string{"prompt"},
	}
}
