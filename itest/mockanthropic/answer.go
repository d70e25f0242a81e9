package mockanthropic

import (
	"encoding/json"
	"net/http"

	"github.com/boathook/boathook/itest/mockmodel"
)

func blocks(turn mockmodel.Turn) []any {
	var out []any
	for _, p := range turn {
		if p.Call == nil {
			out = append(out, map[string]any{"type": "text", "text": p.Text})
			continue
		}
		out = append(out, map[string]any{"type": "tool_use", "id": p.Call.ID, "name": p.Call.Name, "input": p.Call.Input})
	}
	return out
}

func stop(turn mockmodel.Turn) any {
	if turn.Calls() {
		return "tool_use"
	}
	return "end_turn"
}

func usage() map[string]int {
	return map[string]int{"input_tokens": 100, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
}

func message(id, model string, content []any, stop any) map[string]any {
	return map[string]any{
		"id": id, "type": "message", "role": "assistant", "model": model, "content": content,
		"stop_reason": stop, "stop_sequence": nil, "usage": usage(),
	}
}

// stream sends a message as the API does: each block begins empty and gets its content in a delta.
func stream(w http.ResponseWriter, id, model string, turn mockmodel.Turn) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, fields map[string]any) {
		fields["type"] = kind
		mockmodel.Event(w, kind, fields)
	}
	send("message_start", map[string]any{"message": message(id, model, []any{}, nil)})
	for i, p := range turn {
		block, delta := map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": p.Text}
		if c := p.Call; c != nil {
			input, err := json.Marshal(c.Input)
			if err != nil {
				panic(err) // a script that is no JSON is a mistake of the test
			}
			block = map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": map[string]any{}}
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(input)}
		}
		send("content_block_start", map[string]any{"index": i, "content_block": block})
		send("content_block_delta", map[string]any{"index": i, "delta": delta})
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stop(turn), "stop_sequence": nil}, "usage": map[string]int{"output_tokens": 20},
	})
	send("message_stop", map[string]any{})
}
