package mcpserver

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/boathook/boathook/internal/memory"
)

// schema is that of a tool's arguments or of its answer. A list is a list: what may be null as well some models' APIs refuse.
func schema[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // of a type of this package
	}
	noNull(s)
	return s
}

func noNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	noNull(s.Items)
	for _, p := range s.Properties {
		noNull(p)
	}
	if status := s.Properties["status"]; status != nil && s.Properties["query"] != nil {
		status.Enum = []any{memory.StatusSuccess, memory.StatusError, memory.StatusBlocked}
	}
}
