// Package schema holds the JSON Schemas (draft 2020-12) of what boathook prints and stores. They are kept by hand as data;
// tests hold them to the Go structs and to real events. `boathook schema` prints them.
package schema

import (
	_ "embed" // the schemas are files, so that editors and validators can use them as they are
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed event.schema.json
var eventSchema string

//go:embed decision.schema.json
var decisionSchema string

//go:embed record.schema.json
var recordSchema string

// Names lists the schemas there are.
func Names() []string { return []string{"event", "decision", "record"} }

// Get returns a schema as one document that refers to nothing outside itself.
func Get(name string) ([]byte, error) {
	switch name {
	case "event":
		return []byte(eventSchema), nil
	case "decision":
		return []byte(decisionSchema), nil
	case "record":
		return bundle()
	}
	return nil, fmt.Errorf("find schema %q: there is none; the schemas are %s", name, strings.Join(Names(), ", "))
}

// bundle puts the event's schema into the record's definitions. Being a resource with an $id of its own there, its
// references keep resolving within it (JSON Schema 2020-12, §9.3.1).
func bundle() ([]byte, error) {
	var doc struct {
		Schema      json.RawMessage            `json:"$schema"`
		ID          json.RawMessage            `json:"$id"`
		Title       json.RawMessage            `json:"title"`
		Description json.RawMessage            `json:"description"`
		Type        json.RawMessage            `json:"type"`
		Ref         string                     `json:"$ref"`
		Required    json.RawMessage            `json:"required"`
		Properties  json.RawMessage            `json:"properties"`
		Defs        map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(recordSchema), &doc); err != nil {
		return nil, fmt.Errorf("read schema record: %w", err)
	}
	doc.Defs["event"] = json.RawMessage(eventSchema)
	out, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write schema record: %w", err)
	}
	return append(out, '\n'), nil
}
