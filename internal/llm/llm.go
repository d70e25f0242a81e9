// Package llm asks models of other people's: for vectors of texts, and for short texts. It selects the provider, its credentials
// and headers by the names and the precedence of multi-provider configurations (ENABLE_MULTI_PROVIDER, LLM_PROVIDER and their
// like; docs/configuration.md). The memory sink and recall call it; a hook may, so that it must import nothing beyond net/http.
//
// Nothing here tries again: an Error says whether, and after how long, it may be worth while. No error has a secret in it.
package llm

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/boathook/boathook/internal/config"
)

// The providers, as config.LLM names them.
const (
	Gemini     = "gemini"
	Claude     = "claude"
	OpenAI     = "openai"
	Compatible = "openai-compatible"
	Didim      = "didim"
)

// ErrNone says that nothing is configured to be asked.
var ErrNone = errors.New("no model provider is configured")

// target is one provider as it is to be asked.
type target struct {
	provider string
	// base is the URL of its API, without a slash at the end.
	base    string
	headers http.Header
	secrets []string
}

// choose selects the provider of a configuration: the one that it names, else Gemini where its key is set.
func choose(c config.LLM) (target, error) {
	name := c.Provider
	if name == "" {
		if c.GeminiKey == "" {
			return target{}, fmt.Errorf("select a model provider: set LLM_PROVIDER (llm.provider), or GEMINI_API_KEY for gemini: %w", ErrNone)
		}
		name = Gemini
	}
	return targetOf(name, c)
}

// targetOf has the credentials of a provider by its name. Its errors name the variable that is missing.
func targetOf(name string, c config.LLM) (target, error) {
	switch name {
	case Gemini:
		return keyed(Gemini, "https://generativelanguage.googleapis.com/v1beta", "x-goog-api-key", c.GeminiKey, "GEMINI_API_KEY (or GOOGLE_API_KEY; llm.geminiKey)")
	case Claude:
		t, err := keyed(Claude, "https://api.anthropic.com/v1", "x-api-key", c.AnthropicKey, "ANTHROPIC_API_KEY (llm.anthropicKey)")
		if err == nil {
			t.headers.Set("anthropic-version", "2023-06-01")
		}
		return t, err
	case OpenAI:
		return keyed(OpenAI, "https://api.openai.com/v1", "Authorization", c.OpenAIKey, "OPENAI_API_KEY (llm.openaiKey)")
	case Didim:
		if c.BaseURL == "" {
			return target{}, errors.New("use didim: LLM_BASE_URL (llm.baseUrl) is not set; it has no address that everybody shares")
		}
		return keyed(Didim, strings.TrimRight(c.BaseURL, "/"), "Authorization", c.DidimKey, "DIDIM_API_KEY (llm.didimKey)")
	case Compatible:
		return compatible(c)
	}
	return target{}, fmt.Errorf("use model provider %q: there are gemini, claude, openai, openai-compatible and didim", name)
}

// keyed is a provider that wants a key in a header.
func keyed(provider, base, header, key, variable string) (target, error) {
	if key == "" {
		return target{}, fmt.Errorf("use %s: %s is not set", provider, variable)
	}
	t := target{provider: provider, base: base, headers: http.Header{}, secrets: []string{key}}
	if header == "Authorization" {
		key = "Bearer " + key
	}
	t.headers.Set(header, key)
	return t, t.check(variable)
}

// compatible is an API in OpenAI's form. A header for the key takes Authorization's place; headers of the user's win.
func compatible(c config.LLM) (target, error) {
	if c.BaseURL == "" {
		return target{}, errors.New("use openai-compatible: LLM_BASE_URL (llm.baseUrl) is not set: write http://HOST:PORT/v1")
	}
	t := target{provider: Compatible, base: strings.TrimRight(c.BaseURL, "/"), headers: http.Header{}, secrets: []string{c.APIKey}}
	switch {
	case c.APIKey != "" && c.APIKeyHeader != "":
		t.headers.Set(c.APIKeyHeader, c.APIKey)
	case c.APIKey != "":
		t.headers.Set("Authorization", "Bearer "+c.APIKey)
	}
	for name, value := range c.Headers {
		t.headers.Set(name, value)
		t.secrets = append(t.secrets, value)
	}
	return t, t.check("LLM_API_KEY_HEADER, LLM_API_KEY or LLM_CUSTOM_HEADERS")
}

// check finds headers that none can be; net/http would quote them.
func (t target) check(variable string) error {
	for name, values := range t.headers {
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("()<>@,;:\\\"/[]?={}", r) }) {
			return fmt.Errorf("use %s: %s has what is no name of a header", t.provider, variable)
		}
		for _, v := range values {
			if strings.ContainsFunc(v, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
				return fmt.Errorf("use %s: %s has what no header can have: a line end, or a control character", t.provider, variable)
			}
		}
	}
	return nil
}

// textModel is the model that writes texts: a configured one that is not Gemini's, else the one that is set, else the provider's
// usual one. Gemini's own models are asked of Gemini alone.
func textModel(provider, configured, set string) string {
	if provider == Gemini {
		for _, name := range []string{configured, set} {
			switch {
			case name == "pro":
				return "gemini-2.5-pro"
			case strings.HasPrefix(name, "gemini-"):
				return name
			}
		}
		return "gemini-2.5-flash"
	}
	switch {
	case configured != "" && !ofGemini(configured):
		return configured
	case set != "":
		return set
	}
	switch provider {
	case Claude:
		return "claude-sonnet-4-20250514"
	case OpenAI:
		return "gpt-4o"
	}
	return "default"
}

func ofGemini(model string) bool {
	return model == "auto" || model == "pro" || model == "flash" || strings.HasPrefix(model, "gemini-")
}
