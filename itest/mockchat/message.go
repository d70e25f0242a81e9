package mockchat

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/boathook/boathook/itest/mockmodel"
)

// completion is an answer that is not streamed.
func completion(model string, turn mockmodel.Turn) map[string]any {
	message := map[string]any{"role": "assistant", "content": text(turn)}
	if turn.Calls() {
		message["tool_calls"] = calls(turn)
	}
	choice := map[string]any{"index": 0, "message": message, "finish_reason": finish(turn)}
	return map[string]any{
		"id": "chatcmpl-mock", "object": "chat.completion", "created": 1, "model": model,
		"choices": []any{choice}, "usage": usage(),
	}
}

// stream sends an answer as the API does: what is said, then why it ends, then what it cost, then the end's own mark.
func stream(w http.ResponseWriter, model string, turn mockmodel.Turn) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(choices []any, fields map[string]any) {
		fields["id"], fields["object"], fields["created"] = "chatcmpl-mock", "chat.completion.chunk", 1
		fields["model"], fields["choices"] = model, choices
		mockmodel.Event(w, "", fields)
	}
	choice := func(delta map[string]any, reason any) []any {
		return []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}}
	}
	said := map[string]any{"role": "assistant", "content": text(turn)}
	if turn.Calls() {
		said["tool_calls"] = calls(turn)
	}
	send(choice(said, nil), map[string]any{})
	send(choice(map[string]any{}, finish(turn)), map[string]any{})
	send([]any{}, map[string]any{"usage": usage()})
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// text is what a turn says beside its calls; the API has null for nothing.
func text(turn mockmodel.Turn) any {
	var all string
	for _, p := range turn {
		all += p.Text
	}
	if all == "" {
		return nil
	}
	return all
}

// calls has the index of each, which streams need and others may ignore.
func calls(turn mockmodel.Turn) []any {
	var out []any
	for _, p := range turn {
		if p.Call == nil {
			continue
		}
		arguments, err := json.Marshal(p.Call.Input)
		if err != nil {
			panic(err) // a script that is no JSON is a mistake of the test
		}
		out = append(out, map[string]any{
			"index": len(out), "id": p.Call.ID, "type": "function",
			"function": map[string]any{"name": p.Call.Name, "arguments": string(arguments)},
		})
	}
	return out
}

func finish(turn mockmodel.Turn) string {
	if turn.Calls() {
		return "tool_calls"
	}
	return "stop"
}

func usage() map[string]int {
	return map[string]int{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
}
