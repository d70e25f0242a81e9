// Command boathook-memory is the part of boathook that would slow each hook down if it were linked into it: PostgreSQL's driver and the
// Model Context Protocol. boathook starts it, from beside itself.
package main

import (
	_ "github.com/boathook/boathook/internal/mcpserver"
	_ "github.com/boathook/boathook/internal/memory/postgres"
)

func main() {}
