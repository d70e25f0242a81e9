package config

import "time"

// Memory is what is remembered, where, and what of it goes into prompts. The names of its keys are those of the long-term memory
// design (longTermMemory.*), so that they are written as that writes them.
type Memory struct {
	Enabled bool
	// Provider is sqlite or postgres.
	Provider string
	// DSN is the connection string of PostgreSQL, out of the variable that memory.connectionStringEnv names; DSNEnv is that name,
	// DSNSource where it was found.
	DSN, DSNEnv, DSNSource string
	// Tenant is who the rows belong to, where a login of the database has several; empty is its only one.
	Tenant string
	// Inject is off, on or review.
	Inject string
	// InjectProjects, where there are any, are the only projects in which anything is injected; NoInjectProjects never are.
	InjectProjects, NoInjectProjects []string
	// Sample is for how many of a hundred prompts memory is asked.
	Sample int
	// Exclude are globs of paths and names of projects of which nothing is stored.
	Exclude []string
	// ProjectIDs give roots (absolute) an id of the user's choice.
	ProjectIDs map[string]string
	// Redact masks once more what is written, and what is injected.
	Redact bool
	// Summary is extract or model.
	Summary string

	TopK             int
	MaxContextTokens int
	// Recent is how old what is injected may be; zero is any age.
	Recent time.Duration
	// Deadline is what recall may take of a hook's time, EmbedderDeadline what of it the embedder may take.
	Deadline, EmbedderDeadline time.Duration

	Embedding Embedding

	// Raw and Summaries are how long messages and calls, and summaries and chunks are kept; zero is for good.
	Raw, Summaries time.Duration
	// RetentionOf are other times for projects, by their ids or roots.
	RetentionOf map[string]time.Duration
}

// Embedding is who turns texts into vectors.
type Embedding struct {
	// Provider is none, auto (what LLM selects), gemini, openai or openai-compatible; Model its model, empty for its usual one;
	// Dimensions the width of its vectors, zero for the model's usual one.
	Provider   string
	Model      string
	Dimensions int
}

// LLM is which models are used through whom: the variables of multi-provider configurations, by their own names.
type LLM struct {
	// Multi is ENABLE_MULTI_PROVIDER.
	Multi bool
	// Provider is gemini, claude, openai, openai-compatible or didim; empty where none is chosen.
	Provider string
	Model    string
	BaseURL  string
	APIKey   string
	// APIKeyHeader is the header that carries the key in place of Authorization.
	APIKeyHeader string
	Headers      map[string]string
	// The providers' own keys.
	GeminiKey, AnthropicKey, OpenAIKey, DidimKey string
	// Proxy is the URL of a proxy, CA the path of a PEM file; empty for none and for the system's authorities.
	Proxy, CA string
}
