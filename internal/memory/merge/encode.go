package merge

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/boathook/boathook/internal/memory"
)

// stored is the form of Told in a column: what its item says other than the row that is shown.
type stored struct {
	Origins   []string                   `json:"o"`
	Anonymous bool                       `json:"a,omitempty"`
	Other     map[string]json.RawMessage `json:"d,omitempty"`
}

// Encode are the columns hook and told of a row; nil where a class told nothing.
func (r Row[T]) Encode() (hook, other []byte, err error) {
	alone := r.Hook == nil || r.Other == nil
	if hook, err = encode(r.Hook, r.Shown, alone); err != nil {
		return nil, nil, err
	}
	other, err = encode(r.Other, r.Shown, alone)
	return hook, other, err
}

func encode[T any](t *Told[T], shown T, alone bool) ([]byte, error) {
	if t == nil {
		return nil, nil
	}
	out := stored{Origins: t.Origins, Anonymous: t.Anonymous}
	if !alone {
		row, err := fields(shown)
		if err != nil {
			return nil, err
		}
		item, err := fields(t.Item)
		if err != nil {
			return nil, err
		}
		out.Other = map[string]json.RawMessage{}
		for name := range row {
			if _, has := item[name]; !has {
				out.Other[name] = json.RawMessage("null")
			}
		}
		for name, value := range item {
			if string(row[name]) != string(value) {
				out.Other[name] = value
			}
		}
	}
	return marshal(out)
}

// DecodeMessage makes a row of what a store has: what is shown, with its id, and the two columns.
func DecodeMessage(shown memory.Message, hidden bool, hook, other []byte) (MessageRow, error) {
	return decodeRow(messages{}, shown.ID, shown, hidden, hook, other)
}

// DecodeCall is DecodeMessage for a tool call.
func DecodeCall(shown memory.ToolCall, hidden bool, hook, other []byte) (CallRow, error) {
	return decodeRow(calls{}, shown.ID, shown, hidden, hook, other)
}

func decodeRow[T any](k kind[T], id string, shown T, hidden bool, hook, other []byte) (Row[T], error) {
	r := Row[T]{ID: id, Shown: shown, Hidden: hidden}
	item := k.shown(shown, "", "")
	var err error
	if r.Hook, err = decode(hook, item); err != nil {
		return r, fmt.Errorf("read row %s: %w", id, err)
	}
	if r.Other, err = decode(other, item); err != nil {
		return r, fmt.Errorf("read row %s: %w", id, err)
	}
	if r.Hook == nil && r.Other == nil {
		return r, fmt.Errorf("read row %s: nobody told of it", id)
	}
	return r, nil
}

func decode[T any](column []byte, item T) (*Told[T], error) {
	if len(column) == 0 {
		return nil, nil
	}
	var in stored
	if err := json.Unmarshal(column, &in); err != nil {
		return nil, err
	}
	if len(in.Origins) == 0 {
		return nil, fmt.Errorf("no origin")
	}
	out := &Told[T]{Origins: in.Origins, Anonymous: in.Anonymous, Item: item}
	if len(in.Other) == 0 {
		return out, nil
	}
	all, err := fields(item)
	if err != nil {
		return nil, err
	}
	for name, value := range in.Other {
		if string(value) == "null" {
			delete(all, name)
			continue
		}
		all[name] = value
	}
	text, err := marshal(all)
	if err == nil {
		var item T
		err = json.Unmarshal(text, &item)
		out.Item = item
	}
	return out, err
}

func fields(item any) (map[string]json.RawMessage, error) {
	text, err := marshal(item)
	if err != nil {
		return nil, err
	}
	out := map[string]json.RawMessage{}
	return out, json.Unmarshal(text, &out)
}

// marshal leaves the JSON within an item as it is.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}

// OriginsOf are the ids of the items that a column tells of.
func OriginsOf(column []byte) []string {
	var in stored
	if json.Unmarshal(column, &in) != nil {
		return nil
	}
	return in.Origins
}
