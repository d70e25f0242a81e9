package forhooks

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/boathook/boathook/internal/config"
)

// TestEmbedder: what the settings name is asked for the question, and an embedder that cannot be used is no reason to ask nobody.
func TestEmbedder(t *testing.T) {
	var asked struct {
		Model string `json:"model"`
		Input any    `json:"input"`
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		_, _ = w.Write([]byte(`{"object":"list","data":[{"index":0,"embedding":[0.6,0.8]}]}`))
	}))
	defer s.Close()
	var settings config.Settings
	if d := Deps(settings, t.TempDir()); d.Embed != nil {
		t.Error("there is an embedder that nobody configured")
	}
	settings.Memory.Embedding = config.Embedding{Provider: "openai-compatible", Model: "m"}
	if _, err := Deps(settings, t.TempDir()).Embed(t.Context(), "x"); err == nil {
		t.Error("there is no server, and no error")
	}
	settings.LLM.BaseURL = s.URL + "/v1"
	v, err := Deps(settings, t.TempDir()).Embed(t.Context(), "what broke")
	if err != nil {
		t.Fatal(err)
	}
	if v.Model != "m" || len(v.Numbers) != 2 || asked.Model != "m" {
		t.Errorf("%+v, asked %+v", v, asked)
	}
}

// TestNothingIsMade: a hook that asks makes no store.
func TestNothingIsMade(t *testing.T) {
	dir := t.TempDir()
	if st, err := Deps(config.Settings{}, dir).Open(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, %v", st, err)
	}
}
