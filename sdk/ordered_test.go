package sdk

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// schema is as much of a JSON Schema as the types are made of. Properties keep their order.
type schema struct {
	Description string   `json:"description"`
	Type        string   `json:"type"`
	Ref         string   `json:"$ref"`
	Enum        []string `json:"enum"`
	Items       *schema  `json:"items"`
	Required    []string `json:"required"`
	Properties  members  `json:"properties"`
	Defs        members  `json:"$defs"`
}

type member struct {
	name string
	schema
}

type members []member

func (m *members) UnmarshalJSON(text []byte) error {
	in := json.NewDecoder(bytes.NewReader(text))
	if _, err := in.Token(); err != nil {
		return err
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return err
		}
		one := member{name: fmt.Sprint(name)}
		if err := in.Decode(&one.schema); err != nil {
			return err
		}
		*m = append(*m, one)
	}
	return nil
}
