package config

// memoryKeys are those of memory: longTermMemory.* of the design, with the same names, and what this program needs beside it.
func memoryKeys() []Key {
	return []Key{
		{Name: "memory.enabled", Type: Bool, Default: "false", Doc: "keep what agents did, so that it can be found again; 'boathook memory enable' asks what it needs"},
		{Name: "memory.provider", Type: Choice, Choices: []string{"sqlite", "postgres"}, Doc: "where it is kept: a file in the data directory, or a team's PostgreSQL"},
		{Name: "memory.connectionStringEnv", Default: dsnVariable, Doc: "the variable that has PostgreSQL's connection string; it belongs into boathook.env beside this file"},
		{Name: "memory.tenant", Doc: "whose rows these are, where a login of the database has several tenants"},
		{Name: "memory.inject", Type: Choice, Choices: []string{"off", "on", "review"}, Strict: "off", Doc: "whether what fits a prompt goes to the model beside it; review holds it until 'boathook memory show --approve'"},
		{Name: "memory.injectProjects", Type: List, Doc: "the only projects in which anything is injected, by directory or id; empty is all"},
		{Name: "memory.noInjectProjects", Type: List, Doc: "projects in which nothing is injected, by directory or id"},
		{Name: "memory.sample", Type: Int, Default: "100", Doc: "for how many of a hundred prompts memory is asked"},
		{Name: "memory.exclude", Type: List, Doc: "of what nothing is kept: globs of paths, directories or ids of projects"},
		{Name: "memory.projectIds", Type: Map, Doc: "ids for projects: \"/directory\" = \"id\"; those of a team have to be the same on every machine"},
		{Name: "memory.summary", Type: Choice, Choices: []string{"extract", "model"}, Doc: "what a session's summary is made of: its first prompt and outcome, or by the model under [llm]"},
		{Name: "memory.redaction.enabled", Type: Bool, Default: "true", Doc: "mask secrets once more in what is kept and in what is injected; hooks mask before that in any case"},
		{Name: "memory.retrieval.topK", Type: Int, Default: "8", Doc: "how many memories go into a prompt at most"},
		{Name: "memory.retrieval.maxContextTokens", Type: Int, Default: "1200", Doc: "how many tokens they may take together"},
		{Name: "memory.retrieval.recentDays", Type: Int, Default: "0", Doc: "days that what is injected may be old; 0 is any age"},
		{Name: "memory.retrieval.deadlineMs", Type: Int, Default: "250", Doc: "milliseconds of a prompt's hook that memory may take"},
		{Name: "memory.retrieval.embedderMs", Type: Int, Default: "120", Doc: "milliseconds of them that the embedder may take; beyond, keywords alone are used"},
		{Name: "memory.embedding.provider", Default: "none", Doc: "who turns texts into vectors: none, auto (as llm.provider says), openai, openai-compatible or gemini"},
		{Name: "memory.embedding.model", Doc: "the model that does; empty is text-embedding-3-small of openai, gemini-embedding-001 of gemini"},
		{Name: "memory.embedding.dimensions", Type: Int, Default: "0", Doc: "how many numbers a vector has; 0 is 1536 with openai and gemini, else the model's own"},
		{Name: "memory.retention.rawDays", Type: Int, Default: "90", Doc: "days that messages and tool calls are kept; 0 keeps them for good"},
		{Name: "memory.retention.summaryDays", Type: Int, Default: "365", Doc: "days that summaries and what is searched are kept; 0 keeps them for good"},
		{Name: "memory.retention.projects", Type: Map, Numbers: true, Doc: "other days for some projects: \"directory or id\" = 30"},
	}
}

// dsnVariable is the variable of PostgreSQL's connection string.
const dsnVariable = "BOATHOOK_MEMORY_DSN"

// llmKeys are those of models. Their variables are those of other programs too, so that install leaves them where they are.
func llmKeys() []Key {
	return []Key{
		{Name: "llm.enableMultiProvider", Env: env("ENABLE_MULTI_PROVIDER"), Type: Bool, Default: "false", Foreign: true, Doc: "of other programs, whether they route between providers; provider counts here with and without it"},
		{Name: "llm.provider", Env: env("LLM_PROVIDER"), Foreign: true, Doc: "gemini, claude (or anthropic), openai, openai-compatible or didim; empty is gemini where its key is set"},
		{Name: "llm.model", Env: env("LLM_MODEL"), Foreign: true, Doc: "the model for texts; empty is the provider's usual one"},
		{Name: "llm.baseUrl", Env: env("LLM_BASE_URL"), Foreign: true, Doc: "where an OpenAI-compatible API is: http://localhost:8000/v1"},
		{Name: "llm.apiKey", Env: env("LLM_API_KEY"), Secret: true, Foreign: true, Doc: "its key, where it wants one"},
		{Name: "llm.apiKeyHeader", Env: env("LLM_API_KEY_HEADER"), Foreign: true, Doc: "the header that the key goes into, in place of Authorization"},
		{Name: "llm.customHeaders", Env: env("LLM_CUSTOM_HEADERS"), Type: Map, Secret: true, Foreign: true, Doc: "further headers for it"},
		{Name: "llm.geminiKey", Env: env("GEMINI_API_KEY", "GOOGLE_API_KEY"), Secret: true, Foreign: true, Doc: "Gemini's key"},
		{Name: "llm.anthropicKey", Env: env("ANTHROPIC_API_KEY"), Secret: true, Foreign: true, Doc: "Claude's key"},
		{Name: "llm.openaiKey", Env: env("OPENAI_API_KEY"), Secret: true, Foreign: true, Doc: "OpenAI's key"},
		{Name: "llm.didimKey", Env: env("DIDIM_API_KEY"), Secret: true, Foreign: true, Doc: "Didim's key"},
		{Name: "llm.proxy", Doc: "proxy URL for models; the environment's proxies are used only with environment = \"trusted\""},
		{Name: "llm.certificate", Doc: "PEM file of the authorities that may sign a model API's certificate; empty means the system's"},
	}
}

// memoryBounds are the bounds of memory's numbers.
func memoryBounds(key string) (lo, hi int64, ok bool) {
	switch key {
	case "memory.sample":
		return 0, 100, true
	case "memory.retrieval.topK":
		return 1, 50, true
	case "memory.retrieval.maxContextTokens":
		return 100, 20_000, true
	case "memory.retrieval.deadlineMs":
		return 10, 5_000, true
	case "memory.retrieval.embedderMs":
		return 1, 5_000, true
	case "memory.embedding.dimensions":
		return 0, 16_000, true
	case "memory.retrieval.recentDays", "memory.retention.rawDays", "memory.retention.summaryDays", "memory.retention.projects":
		return 0, 36_500, true
	}
	return 0, 0, false
}
