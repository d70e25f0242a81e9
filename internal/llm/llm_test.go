package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/llm/llmtest"
)

// wire answers every request with one text, and keeps what came.
type wire struct {
	*httptest.Server
	path, body string
	header     http.Header
}

func newWire(t *testing.T, status int, answer string, headers ...string) *wire {
	t.Helper()
	w := &wire{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.path, w.body, w.header = r.Method+" "+r.URL.RequestURI(), string(body), r.Header
		for i := 0; i+1 < len(headers); i += 2 {
			rw.Header().Set(headers[i], headers[i+1])
		}
		rw.WriteHeader(status)
		_, _ = io.WriteString(rw, answer)
	}))
	t.Cleanup(w.Close)
	return w
}

func settings(embed config.Embedding, l config.LLM) config.Settings {
	return config.Settings{Memory: config.Memory{Embedding: embed}, LLM: l}
}

// embedderAt is an embedder of a provider whose API is elsewhere.
func embedderAt(t *testing.T, base string, s config.Settings) *Embedder {
	t.Helper()
	e, err := NewEmbedder(s)
	if err != nil {
		t.Fatal(err)
	}
	if base != "" {
		e.client.base = base
	}
	t.Cleanup(e.Close)
	return e
}

func TestEmbeddingWires(t *testing.T) {
	three := `{"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[3,0]}]}`
	for name, tc := range map[string]struct {
		embed             config.Embedding
		llm               config.LLM
		purpose           Purpose
		answer            string
		path, body        string
		has               map[string]string
		hasNot            []string
		widthAfterwardsIs int
	}{
		"openai": {
			config.Embedding{Provider: "openai", Dimensions: 2}, config.LLM{OpenAIKey: "canary-o", APIKey: "canary-x", Headers: map[string]string{"X-Tenant": "dev"}}, ForDocument, three,
			"POST /embeddings", `{"model":"text-embedding-3-small","input":["a","b"],"dimensions":2}`,
			map[string]string{"Authorization": "Bearer canary-o", "Content-Type": "application/json"}, []string{"X-Tenant"}, 2,
		},
		"an older one of openai": {
			config.Embedding{Provider: "openai", Model: "text-embedding-ada-002", Dimensions: 2}, config.LLM{OpenAIKey: "canary-o"}, ForQuery, three,
			"POST /embeddings", `{"model":"text-embedding-ada-002","input":["a","b"]}`, nil, nil, 2,
		},
		"compatible": {
			config.Embedding{Provider: "openai-compatible", Model: "bge-m3"},
			config.LLM{APIKey: "canary-k", APIKeyHeader: "X-API-Key", Headers: map[string]string{"X-Tenant": "dev"}}, ForQuery, three,
			"POST /embeddings", `{"model":"bge-m3","input":["a","b"]}`, map[string]string{"X-Api-Key": "canary-k", "X-Tenant": "dev"}, []string{"Authorization"}, 2,
		},
		"compatible, the usual header": {
			config.Embedding{Provider: "openai-compatible", Model: "bge-m3"}, config.LLM{APIKey: "canary-k"}, ForQuery, `{"data":[{"embedding":[3,0]},{"embedding":[0,2]}]}`,
			"POST /embeddings", `{"model":"bge-m3","input":["a","b"]}`, map[string]string{"Authorization": "Bearer canary-k"}, nil, 2,
		},
		"compatible, a header of the user's": {
			config.Embedding{Provider: "auto", Model: "m"}, config.LLM{Provider: "openai-compatible", APIKey: "canary-k", Headers: map[string]string{"Authorization": "Basic canary-h"}}, ForQuery, three,
			"POST /embeddings", `{"model":"m","input":["a","b"]}`, map[string]string{"Authorization": "Basic canary-h"}, nil, 2,
		},
		"gemini": {
			config.Embedding{Provider: "auto", Dimensions: 2}, config.LLM{GeminiKey: "canary-g"}, ForQuery, `{"embeddings":[{"values":[3,0]},{"values":[0,2]}]}`,
			"POST /models/gemini-embedding-001:batchEmbedContents",
			`{"requests":[{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"a"}]},"taskType":"RETRIEVAL_QUERY","outputDimensionality":2},` +
				`{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"b"}]},"taskType":"RETRIEVAL_QUERY","outputDimensionality":2}]}`,
			map[string]string{"X-Goog-Api-Key": "canary-g"}, []string{"Authorization"}, 2,
		},
		"gemini, what is searched": {
			config.Embedding{Provider: "gemini", Model: "m", Dimensions: 2}, config.LLM{Provider: "claude", GeminiKey: "canary-g"}, ForDocument, `{"embeddings":[{"values":[3,0]},{"values":[0,2]}]}`,
			"POST /models/m:batchEmbedContents",
			`{"requests":[{"model":"models/m","content":{"parts":[{"text":"a"}]},"taskType":"RETRIEVAL_DOCUMENT","outputDimensionality":2},` +
				`{"model":"models/m","content":{"parts":[{"text":"b"}]},"taskType":"RETRIEVAL_DOCUMENT","outputDimensionality":2}]}`, nil, nil, 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWire(t, 200, tc.answer)
			tc.llm.BaseURL = w.URL + "/"
			e := embedderAt(t, w.URL, settings(tc.embed, tc.llm))
			got, err := e.Embed(t.Context(), tc.purpose, []string{"a", "b"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([][]float32{{1, 0}, {0, 1}}, got); diff != "" {
				t.Error(diff)
			}
			if w.path != tc.path || w.body != tc.body {
				t.Errorf("%s\n%s\nwant %s\n%s", w.path, w.body, tc.path, tc.body)
			}
			for h, v := range tc.has {
				if w.header.Get(h) != v {
					t.Errorf("%s: %q", h, w.header.Get(h))
				}
			}
			for _, h := range tc.hasNot {
				if _, there := w.header[h]; there {
					t.Errorf("%s is sent", h)
				}
			}
			if width, err := e.Width(t.Context()); err != nil || width != tc.widthAfterwardsIs {
				t.Errorf("width %d, %v", width, err)
			}
		})
	}
}

// TestSelectionNamesWhatIsMissing: the precedence of multi-provider configurations, and errors that name the variable.
func TestSelectionNamesWhatIsMissing(t *testing.T) {
	for _, tc := range []struct {
		embed config.Embedding
		llm   config.LLM
		want  string
	}{
		{config.Embedding{Provider: "none"}, config.LLM{GeminiKey: "g"}, ErrNone.Error()},
		{config.Embedding{Provider: "auto"}, config.LLM{}, "set LLM_PROVIDER (llm.provider), or GEMINI_API_KEY for gemini"},
		{config.Embedding{Provider: "auto"}, config.LLM{Provider: "claude", AnthropicKey: "a", GeminiKey: "g"}, "claude: it has no embeddings"},
		{config.Embedding{Provider: "auto"}, config.LLM{Provider: "didim", DidimKey: "a", BaseURL: "http://h"}, "didim: it has no embeddings"},
		{config.Embedding{Provider: "gemini"}, config.LLM{}, "GEMINI_API_KEY (or GOOGLE_API_KEY; llm.geminiKey) is not set"},
		{config.Embedding{Provider: "openai"}, config.LLM{APIKey: "k"}, "OPENAI_API_KEY (llm.openaiKey) is not set"},
		{config.Embedding{Provider: "openai-compatible"}, config.LLM{APIKey: "k"}, "LLM_BASE_URL (llm.baseUrl) is not set"},
		{config.Embedding{Provider: "openai-compatible"}, config.LLM{BaseURL: "http://h/v1"}, "memory.embedding.model is not set"},
		{config.Embedding{Provider: "openai-compatible", Model: "m"}, config.LLM{BaseURL: "http://h/v1", APIKey: "canary\nX: y"}, "LLM_API_KEY or LLM_CUSTOM_HEADERS has what no header can have"},
		{config.Embedding{Provider: "openai-compatible", Model: "m"}, config.LLM{BaseURL: "http://h/v1", APIKey: "canary", APIKeyHeader: "X Key"}, "is no name of a header"},
		{config.Embedding{Provider: "openai-compatible", Model: "m"}, config.LLM{BaseURL: "http://h/v1", Proxy: "://canary"}, "llm.proxy: it is not a URL"},
		{config.Embedding{Provider: "openai-compatible", Model: "m"}, config.LLM{BaseURL: "http://h/v1", CA: "/nonexistent/ca.pem"}, "read llm.certificate"},
	} {
		_, err := NewEmbedder(settings(tc.embed, tc.llm))
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%+v: %v, want %q", tc, err, tc.want)
		}
	}
	if _, err := NewWriter(settings(config.Embedding{}, config.LLM{}), ""); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

func TestModelsOfProviders(t *testing.T) {
	for _, tc := range [][4]string{
		{"claude", "", "", "claude-sonnet-4-20250514"}, {"openai", "", "", "gpt-4o"}, {"openai-compatible", "", "", "default"}, {"didim", "", "", "default"},
		{"openai", "auto", "", "gpt-4o"}, {"openai-compatible", "gemini-2.5-pro", "", "default"}, {"openai-compatible", "flash", "Qwen/Q", "Qwen/Q"},
		{"openai", "o4-mini", "gpt-5", "o4-mini"}, {"claude", "", "claude-x", "claude-x"},
		{"gemini", "", "", "gemini-2.5-flash"}, {"gemini", "", "gpt-4o", "gemini-2.5-flash"}, {"gemini", "pro", "", "gemini-2.5-pro"}, {"gemini", "", "gemini-3-pro", "gemini-3-pro"},
	} {
		if got := textModel(tc[0], tc[1], tc[2]); got != tc[3] {
			t.Errorf("%v: %s", tc, got)
		}
	}
}

func TestGenerationWires(t *testing.T) {
	openai := `{"choices":[{"message":{"content":" done \n"}}]}`
	for name, tc := range map[string]struct {
		llm                config.LLM
		answer, path, body string
		header, value      string
	}{
		"openai": {
			config.LLM{Provider: "openai", OpenAIKey: "o"}, openai, "POST /chat/completions",
			`{"model":"gpt-4o","messages":[{"role":"system","content":"s"},{"role":"user","content":"p"}],"max_completion_tokens":99}`, "Authorization", "Bearer o",
		},
		"compatible": {
			config.LLM{Provider: "openai-compatible", Model: "q"}, openai, "POST /chat/completions",
			`{"model":"q","messages":[{"role":"system","content":"s"},{"role":"user","content":"p"}],"max_tokens":99}`, "Authorization", "",
		},
		"didim": {
			config.LLM{Provider: "didim", DidimKey: "d"}, openai, "POST /chat/completions",
			`{"model":"default","messages":[{"role":"system","content":"s"},{"role":"user","content":"p"}],"max_tokens":99}`, "Authorization", "Bearer d",
		},
		"claude": {
			config.LLM{Provider: "claude", AnthropicKey: "a"}, `{"content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"done"}]}`, "POST /messages",
			`{"model":"claude-sonnet-4-20250514","max_tokens":99,"system":"s","messages":[{"role":"user","content":"p"}]}`, "X-Api-Key", "a",
		},
		"gemini": {
			config.LLM{GeminiKey: "g"}, `{"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"do"},{"text":"ne"}]}}]}`,
			"POST /models/gemini-2.5-flash:generateContent",
			`{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"p"}]}],"generationConfig":{"maxOutputTokens":99,"thinkingConfig":{"thinkingBudget":0}}}`,
			"X-Goog-Api-Key", "g",
		},
	} {
		w := newWire(t, 200, tc.answer)
		tc.llm.BaseURL = w.URL
		g, err := NewWriter(settings(config.Embedding{}, tc.llm), "")
		if err != nil {
			t.Fatal(name, err)
		}
		g.client.base = w.URL
		got, err := g.Generate(t.Context(), "s", "p", 99)
		g.Close()
		if err != nil || got != "done" || w.path != tc.path || w.body != tc.body || w.header.Get(tc.header) != tc.value {
			t.Errorf("%s: %q, %v\n%s %s\n%q", name, got, err, w.path, w.body, w.header.Get(tc.header))
		}
	}
	w := newWire(t, 200, `{"choices":[]}`)
	g, _ := NewWriter(settings(config.Embedding{}, config.LLM{Provider: "openai-compatible", BaseURL: w.URL}), "")
	if _, err := g.Generate(t.Context(), "", "p", 9); err == nil || !strings.Contains(err.Error(), "wrote nothing") {
		t.Error(err)
	}
	g.Close()
}

func TestWhatProvidersRefuse(t *testing.T) {
	for name, tc := range map[string]struct {
		status        int
		answer        string
		headers       []string
		temporary     bool
		misconfigured bool
		after         time.Duration
		says          string
	}{
		"a limit":                 {429, `{"error":{"message":"slow down canary-key"}}`, []string{"Retry-After", "7"}, true, false, 7 * time.Second, "slow down ********"},
		"a limit, by date":        {503, `{"error":"busy"}`, []string{"Retry-After", "Mon, 30 Nov 2026 00:00:09 GMT", "Date", "Mon, 30 Nov 2026 00:00:00 GMT"}, true, false, 9 * time.Second, "busy"},
		"a limit of gemini's":     {429, `[{"error":{"message":"quota","details":[{"@type":"x"},{"retryDelay":"34s"}]}}]`, nil, true, false, 34 * time.Second, "quota"},
		"a week":                  {429, `{}`, []string{"Retry-After", "604800"}, true, false, time.Hour, "it said nothing more"},
		"a wrong key":             {401, `{"error":{"message":"Incorrect API key provided: canary-key"}}`, nil, false, true, 0, "Incorrect API key provided: ********"},
		"a redirect":              {302, ``, []string{"Location", "http://evil.example/"}, false, true, 0, "status 302"},
		"a text":                  {400, `{"error":{"message":"too long\u001b[31m\nfor it"}}`, nil, false, false, 0, "too long[31m for it"},
		"a page":                  {502, `<html>canary-key</html>`, nil, true, false, 0, "it said nothing more"},
		"a page in place of one":  {200, `<html>canary-key</html>`, nil, false, true, 0, "not the JSON that its API has"},
		"one too few":             {200, `{"data":[{"index":0,"embedding":[1]}]}`, nil, false, true, 0, "2 texts came back as 1 vectors"},
		"twice the same":          {200, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, nil, false, true, 0, "its vectors are not numbered"},
		"two widths":              {200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`, nil, false, true, 0, "a vector has 2 numbers and not 1"},
		"no direction":            {200, `{"data":[{"index":0,"embedding":[0]},{"index":1,"embedding":[1]}]}`, nil, false, true, 0, "a vector has no direction"},
		"no number":               {200, `{"data":[{"index":0,"embedding":["x"]},{"index":1,"embedding":[1]}]}`, nil, false, true, 0, "not the JSON"},
		"an empty one":            {200, `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1]}]}`, nil, false, true, 0, "without a vector"},
		"a number beyond float32": {200, `{"data":[{"index":0,"embedding":[1e99]},{"index":1,"embedding":[1]}]}`, nil, false, true, 0, "not the JSON"},
	} {
		w := newWire(t, tc.status, tc.answer, tc.headers...)
		e := embedderAt(t, "", settings(config.Embedding{Provider: "openai-compatible", Model: "m"}, config.LLM{BaseURL: w.URL, APIKey: "canary-key"}))
		_, err := e.Embed(t.Context(), ForQuery, []string{"a", "b"})
		var got *Error
		if !errors.As(err, &got) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Temporary != tc.temporary || got.Misconfigured != tc.misconfigured || got.RetryAfter != tc.after || !strings.Contains(err.Error(), tc.says) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
}

// TestNobodyThere: an address where nobody is, one that hangs, and one whose answer never ends.
func TestNobodyThere(t *testing.T) {
	s := settings(config.Embedding{Provider: "openai-compatible", Model: "m"}, config.LLM{BaseURL: "http://user:canary@127.0.0.1:1/v1", APIKey: "canary-key"})
	_, err := embedderAt(t, "", s).Embed(t.Context(), ForQuery, []string{"a"})
	var got *Error
	if !errors.As(err, &got) || !got.Temporary || strings.Contains(err.Error(), "canary") {
		t.Errorf("%v", err)
	}
	slow := llmtest.Start(t, 8, nil)
	slow.Delay = time.Minute
	s.LLM.BaseURL = slow.URL
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := embedderAt(t, "", s).Embed(ctx, ForQuery, []string{"a"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	endless := newWire(t, 200, `{"data":[`+strings.Repeat(" ", maxAnswer)+`]}`)
	s.LLM.BaseURL = endless.URL
	if _, err := embedderAt(t, "", s).Embed(t.Context(), ForQuery, []string{"a"}); err == nil || !strings.Contains(err.Error(), "longer than 32 MiB") {
		t.Errorf("%v", err)
	}
	_, err = embedderAt(t, "", s).Embed(t.Context(), ForQuery, []string{"a", " \n"})
	if err == nil || !strings.Contains(err.Error(), "text 1 is empty") {
		t.Errorf("%v", err)
	}
}

// TestBatches: many texts are several requests of bounded size, and come back in their order.
func TestBatches(t *testing.T) {
	api := llmtest.Start(t, 32, llmtest.Concepts{{"needle"}})
	e := embedderAt(t, "", settings(config.Embedding{Provider: "openai-compatible", Model: "m"}, config.LLM{BaseURL: api.URL}))
	var texts []string
	for i := range 150 {
		texts = append(texts, fmt.Sprintf("text %d %s", i, strings.Repeat("가", i*100)))
	}
	texts[149] = "needle " + strings.Repeat("가", maxText)
	got, err := e.Embed(t.Context(), ForDocument, texts)
	if err != nil || len(got) != len(texts) {
		t.Fatal(len(got), err)
	}
	n := 0
	for _, r := range api.Requests() {
		size := 0
		for _, text := range r.Texts {
			if len(text) > maxText || strings.Contains(text, "\ufffd") {
				t.Errorf("%d bytes of a text", len(text))
			}
			size += len(text)
		}
		if n += len(r.Texts); len(r.Texts) > batchTexts || size > batchBytes {
			t.Errorf("a request of %d texts, %d bytes", len(r.Texts), size)
		}
	}
	needle := llmtest.Concepts{{"needle"}}.Vector("needle", 32)
	if n != 150 || llmtest.Near(got[149], needle) < 0.9 || llmtest.Near(got[0], needle) > 0.9 {
		t.Errorf("%d texts, %f", n, llmtest.Near(got[149], needle))
	}
}

// TestAModelOfOneWidth: it is asked for the width that is set, and where it refuses, for none; the width has to be right all the same.
func TestAModelOfOneWidth(t *testing.T) {
	api := llmtest.Start(t, 768, nil)
	api.Fixed = true
	e := embedderAt(t, "", settings(config.Embedding{Provider: "openai-compatible", Model: "m", Dimensions: 1536}, config.LLM{BaseURL: api.URL}))
	_, err := e.Embed(t.Context(), ForQuery, []string{"a"})
	if err == nil || !strings.Contains(err.Error(), "has 768 numbers and not 1536: set memory.embedding.dimensions to 768") {
		t.Error(err)
	}
	if _, err := e.Embed(t.Context(), ForQuery, []string{"b"}); err == nil || len(api.Requests()) != 3 {
		t.Errorf("%d requests, %v", len(api.Requests()), err)
	}
	e = embedderAt(t, "", settings(config.Embedding{Provider: "openai-compatible", Model: "m"}, config.LLM{BaseURL: api.URL}))
	if width, err := e.Width(t.Context()); err != nil || width != 768 {
		t.Error(width, err)
	}
	api = llmtest.Start(t, 768, nil)
	e = embedderAt(t, "", settings(config.Embedding{Provider: "openai-compatible", Model: "m", Dimensions: 256}, config.LLM{BaseURL: api.URL}))
	if v, err := e.Embed(t.Context(), ForQuery, []string{"a"}); err != nil || len(v[0]) != 256 {
		t.Error(len(v), err)
	}
}

// FuzzAnswers: whatever a server answers is vectors that fit, or an error without the key.
func FuzzAnswers(f *testing.F) {
	f.Add(200, `{"data":[{"index":0,"embedding":[1,2]}]}`)
	f.Add(429, `{"error":{"message":"canary-key","details":[{"retryDelay":"1h1h"}]}}`)
	f.Add(500, `[{"error":"x"}]`)
	f.Fuzz(func(t *testing.T, status int, answer string) {
		if status < 200 || status > 599 || status == 204 || status == 304 {
			return
		}
		c := &client{target: target{provider: Compatible}, mask: masker([]string{"canary-key"})}
		err := c.refused(&http.Response{StatusCode: status, Header: http.Header{}}, []byte(answer))
		if err == nil || strings.Contains(err.Error(), "canary-key") || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%q", err)
		}
		var vectors struct {
			Data []struct{ Embedding []float32 }
		}
		if json.Unmarshal([]byte(answer), &vectors) != nil {
			return
		}
		for _, d := range vectors.Data {
			if unit(d.Embedding) {
				if near := llmtest.Near(d.Embedding, d.Embedding); near < 0.99 || near > 1.01 {
					t.Errorf("%v: %f", d.Embedding, near)
				}
			}
		}
	})
}
