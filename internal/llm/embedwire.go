package llm

import (
	"context"
	"fmt"
	"net/url"
)

// askOpenAI asks /embeddings of OpenAI's API and of those like it.
func askOpenAI(ctx context.Context, c *client, q embedQuestion) ([][]float32, error) {
	ask := struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{q.model, q.texts, q.width}
	var answer struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := c.post(ctx, "/embeddings", ask, &answer); err != nil {
		return nil, err
	}
	out := make([][]float32, len(answer.Data))
	for i, d := range answer.Data {
		if d.Index != nil {
			i = *d.Index
		}
		if i < 0 || i >= len(out) || out[i] != nil {
			return nil, &Error{Provider: c.provider, Status: 200, Misconfigured: true, Message: fmt.Sprintf("its vectors are not numbered: %d of %d", i, len(out))}
		}
		out[i] = d.Embedding
	}
	return out, nil
}

type geminiPart struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought,omitempty"`
}

type geminiContent struct {
	Role  string       `json:"role,omitempty"`
	Parts []geminiPart `json:"parts"`
}

// askGemini asks models/…:batchEmbedContents of the Gemini API (v1beta).
func askGemini(ctx context.Context, c *client, q embedQuestion) ([][]float32, error) {
	type request struct {
		Model    string        `json:"model"`
		Content  geminiContent `json:"content"`
		TaskType string        `json:"taskType"`
		Width    int           `json:"outputDimensionality,omitempty"`
	}
	task := "RETRIEVAL_DOCUMENT"
	if q.purpose == ForQuery {
		task = "RETRIEVAL_QUERY"
	}
	var ask struct {
		Requests []request `json:"requests"`
	}
	for _, text := range q.texts {
		ask.Requests = append(ask.Requests, request{"models/" + q.model, geminiContent{Parts: []geminiPart{{Text: text}}}, task, q.width})
	}
	var answer struct {
		Embeddings []struct {
			Values []float32 `json:"values"`
		} `json:"embeddings"`
	}
	if err := c.post(ctx, "/models/"+url.PathEscape(q.model)+":batchEmbedContents", ask, &answer); err != nil {
		return nil, err
	}
	out := make([][]float32, len(answer.Embeddings))
	for i, e := range answer.Embeddings {
		out[i] = e.Values
	}
	return out, nil
}
