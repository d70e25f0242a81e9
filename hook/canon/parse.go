package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ParseDecision reads what a program answered. No output at all is no objection. Anything else has to be one JSON object with
// members of a Decision, each once, and no others: {"decision":"deny"}, as some agents have it, must not pass for "no
// objection".
func ParseDecision(text []byte) (Decision, error) {
	text = trimmed(text)
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
	if name := twice(text); name != "" {
		return Decision{}, fmt.Errorf("read the decision: there is more than one %s", name)
	}
	return d, d.Check()
}

// trimmed is a text without blanks and byte order mark around it.
func trimmed(text []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
}

// twice names a member that an object has more than once; in any case, since these are one to encoding/json. The object is
// sound, and has members of a Decision alone.
func twice(object []byte) string {
	var seen []string
	each(object, func(name string, _ json.RawMessage) {
		seen = append(seen, strings.ToLower(name))
	})
	slices.Sort(seen)
	for i := 1; i < len(seen); i++ {
		if seen[i] == seen[i-1] {
			return seen[i]
		}
	}
	return ""
}

// each calls f with the members of a sound object, in their order.
func each(object []byte, f func(name string, value json.RawMessage)) {
	in := json.NewDecoder(bytes.NewReader(object))
	_, err := in.Token()
	for err == nil && in.More() {
		var name json.Token
		var value json.RawMessage
		if name, err = in.Token(); err == nil {
			if err = in.Decode(&value); err == nil {
				f(fmt.Sprint(name), value)
			}
		}
	}
}

// maxObjects bounds the work on an answer that is none.
const maxObjects = 100

// Objection is the strictest objection that stands in an answer which is none as a whole, since something else stands around
// it, or the program failed behind it: the action of a JSON object that is complete. The zero value says that there is none.
func Objection(text []byte) Decision {
	var out Decision
	text = trimmed(text)
	for range maxObjects {
		at := bytes.IndexByte(text, '{')
		if at < 0 {
			break
		}
		text = text[at:]
		in := json.NewDecoder(bytes.NewReader(text))
		var object json.RawMessage
		if in.Decode(&object) != nil {
			text = text[1:]
			continue
		}
		text = text[in.InputOffset():] // what stands within an object of others is no answer
		if d := objection(object); d.Action.Strictness() > out.Action.Strictness() {
			out = d
		}
	}
	return out
}

// objection is what one object objects. Its other members count as little as those of a program that failed.
func objection(object []byte) Decision {
	var d Decision
	each(object, func(name string, value json.RawMessage) {
		var word string
		if json.Unmarshal(value, &word) != nil {
			return
		}
		switch {
		case strings.EqualFold(name, "reason"):
			d.Reason = word
		case strings.EqualFold(name, "action"):
			a := Action(strings.ToLower(strings.TrimSpace(word)))
			if (a == Ask || a == Deny) && a.Strictness() > d.Action.Strictness() {
				d.Action = a
			}
		}
	})
	if d.Action == "" {
		return Decision{}
	}
	return d
}

// Check tells what is wrong with a decision.
func (d *Decision) Check() error {
	switch d.Action {
	case "", Allow, Ask, Deny:
	default:
		return errors.New("read the decision: action is none of allow, ask, deny") // a part of the word may be one of a secret
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
