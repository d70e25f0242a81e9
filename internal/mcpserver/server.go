// Package mcpserver serves memory to agents that ask for it, over the Model Context Protocol. Only cmd/boathook-memory links it:
// the SDK costs a process that never uses it a fifth of its start.
package mcpserver

import (
	// The SDK that the server is built on.
	_ "github.com/modelcontextprotocol/go-sdk/mcp"
)
