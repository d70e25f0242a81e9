package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ParseDecision reads what a program answered. No output at all is no objection. Anything else has to be one JSON object with
// members of a Decision and no others: {"decision":"deny"}, as some agents have it, must not pass for "no objection".
func ParseDecision(text []byte) (Decision, error) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return Decision{}, nil
	}
	var d Decision
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if text[0] != '{' {
		return Decision{}, errors.New("read the decision: it is no JSON object")
	}
	if err := in.Decode(&d); err != nil {
		return Decision{}, fmt.Errorf("read the decision: %w", err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return Decision{}, errors.New("read the decision: something follows the JSON object")
	}
	return d, d.Check()
}

// Check tells what is wrong with a decision.
func (d *Decision) Check() error {
	switch d.Action {
	case "", Allow, Ask, Deny:
	default:
		return fmt.Errorf("read the decision: action %.40q is none of allow, ask, deny", d.Action)
	}
	input := bytes.TrimSpace(d.Input)
	switch {
	case len(input) == 0 || string(input) == "null":
		d.Input = nil
	case input[0] != '{':
		return errors.New("read the decision: input is no JSON object")
	}
	return nil
}
