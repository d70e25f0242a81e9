package llm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/boathook/boathook/internal/config"
)

// Purpose is what a vector is for: some models make others for questions than for what is searched.
type Purpose int

// The purposes.
const (
	ForDocument Purpose = iota
	ForQuery
)

const (
	// batchTexts and batchBytes bound one request.
	batchTexts = 64
	batchBytes = 256 << 10
	// maxText is what is sent of one text: about what the models' 8,192 tokens hold.
	maxText = 24 << 10
	// usualWidth is asked of the models that can make any: the width of the design's column.
	usualWidth = 1536
)

// Embedder turns texts into vectors of one model. It may be used concurrently.
type Embedder struct {
	client *client
	model  string
	// ask makes one request of a few texts, with so many dimensions where that isn't zero.
	ask func(ctx context.Context, c *client, q embedQuestion) ([][]float32, error)

	mu sync.Mutex
	// width is how wide the vectors are, zero as long as nobody knows.
	width int
	// wanted is the width to ask for, zero for none.
	wanted int
}

type embedQuestion struct {
	model   string
	texts   []string
	purpose Purpose
	width   int
}

// NewEmbedder makes the embedder of the settings. Where none is configured the error is ErrNone; otherwise it names the
// variable that is missing, or the provider that has no embeddings.
func NewEmbedder(s config.Settings) (*Embedder, error) {
	e := s.Memory.Embedding
	if e.Provider == "none" || e.Provider == "" {
		return nil, ErrNone
	}
	var t target
	var err error
	if e.Provider == "auto" {
		t, err = choose(s.LLM)
	} else {
		t, err = targetOf(e.Provider, s.LLM)
	}
	if err != nil {
		return nil, err
	}
	out := &Embedder{model: e.Model, ask: askOpenAI, width: e.Dimensions, wanted: e.Dimensions}
	usual := ""
	switch t.provider {
	case Gemini:
		out.ask, usual = askGemini, "gemini-embedding-001"
	case OpenAI:
		usual = "text-embedding-3-small"
	case Claude, Didim:
		return nil, fmt.Errorf("embed with %s: it has no embeddings; set memory.embedding.provider to openai, openai-compatible or gemini", t.provider)
	}
	if out.model == "" {
		out.model = usual
	}
	if out.model == "" {
		return nil, errors.New("embed with openai-compatible: memory.embedding.model is not set, and only its server knows which it has")
	}
	switch {
	case t.provider == OpenAI && !strings.HasPrefix(out.model, "text-embedding-3"):
		out.wanted = 0 // the older ones refuse to be asked
		if out.width == 0 && out.model == "text-embedding-ada-002" {
			out.width = usualWidth
		}
	case t.provider != Compatible && out.width == 0:
		out.width, out.wanted = usualWidth, usualWidth
	}
	out.client, err = newClient(t, s.LLM, s.TrustEnv)
	return out, err
}

// Model is the name that the vectors are kept under.
func (e *Embedder) Model() string { return e.model }

// Provider is who is asked.
func (e *Embedder) Provider() string { return e.client.provider }

// Close closes idle connections.
func (e *Embedder) Close() { e.client.Close() }

// Width is how many numbers a vector has. Where only the model knows, it is asked, once.
func (e *Embedder) Width(ctx context.Context) (int, error) {
	e.mu.Lock()
	width := e.width
	e.mu.Unlock()
	if width > 0 {
		return width, nil
	}
	v, err := e.Embed(ctx, ForQuery, []string{"width"})
	if err != nil {
		return 0, err
	}
	return len(v[0]), nil
}

// Query is the vector of one question.
func (e *Embedder) Query(ctx context.Context, text string) ([]float32, error) {
	v, err := e.Embed(ctx, ForQuery, []string{text})
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

// Documents embeds what is searched.
type Documents struct{ *Embedder }

// Embed gives each text its vector.
func (d Documents) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return d.Embedder.Embed(ctx, ForDocument, texts)
}

// Embed gives each text its vector, of length one. It asks in batches, one after the other, and all of it fails with one of them.
// A text that is longer than a model reads is cut. An *Error says whether it may be worth while to ask again.
func (e *Embedder) Embed(ctx context.Context, p Purpose, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for from := 0; from < len(texts); {
		batch, bytes := []string{}, 0
		for ; from < len(texts) && len(batch) < batchTexts; from++ {
			text := cut(texts[from])
			if strings.TrimSpace(text) == "" {
				return nil, fmt.Errorf("embed with %s: text %d is empty", e.client.provider, from)
			}
			if bytes += len(text); bytes > batchBytes && len(batch) > 0 {
				break
			}
			batch = append(batch, text)
		}
		vectors, err := e.batch(ctx, p, batch)
		if err != nil {
			return nil, err
		}
		out = append(out, vectors...)
	}
	return out, nil
}

func (e *Embedder) batch(ctx context.Context, p Purpose, texts []string) ([][]float32, error) {
	e.mu.Lock()
	q := embedQuestion{model: e.model, texts: texts, purpose: p, width: e.wanted}
	e.mu.Unlock()
	vectors, err := e.ask(ctx, e.client, q)
	if refusesWidth(err) && q.width > 0 && e.client.provider == Compatible {
		q.width = 0
		if vectors, err = e.ask(ctx, e.client, q); err == nil {
			e.mu.Lock()
			e.wanted = 0
			e.mu.Unlock()
		}
	}
	if err != nil {
		return nil, err
	}
	return vectors, e.check(texts, vectors)
}

// refusesWidth tells whether a server said that its model's vectors have one width only.
func refusesWidth(err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.Temporary {
		return false
	}
	said := strings.ToLower(e.Message)
	return strings.Contains(said, "dimension") || strings.Contains(said, "matryoshka")
}

// check sees to it that there are as many vectors as texts, all as wide as those before, and that each can be compared.
func (e *Embedder) check(texts []string, vectors [][]float32) error {
	wrong := func(format string, args ...any) error {
		return &Error{Provider: e.client.provider, Status: 200, Misconfigured: true, Message: e.model + ": " + fmt.Sprintf(format, args...)}
	}
	if len(vectors) != len(texts) {
		return wrong("%d texts came back as %d vectors", len(texts), len(vectors))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, v := range vectors {
		switch {
		case len(v) == 0:
			return wrong("a text came back without a vector")
		case e.width == 0:
			e.width = len(v)
		case len(v) != e.width:
			return wrong("a vector has %d numbers and not %d: set memory.embedding.dimensions to %d, or to 0 for the model's own", len(v), e.width, len(v))
		}
		if !unit(v) {
			return wrong("a vector has no direction")
		}
	}
	return nil
}

// unit gives a vector the length one. One without a length has none to give.
func unit(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	scale := 1 / math.Sqrt(sum)
	for i := range v {
		v[i] = float32(float64(v[i]) * scale)
	}
	return true
}

func cut(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	return text
}
