package config

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (l *loader) memory() Memory {
	m := Memory{
		Enabled: l.values["memory.enabled"] == true, Provider: l.text("memory.provider"), Tenant: l.text("memory.tenant"),
		Inject: l.text("memory.inject"), Sample: int(l.number("memory.sample")), Summary: l.text("memory.summary"),
		InjectProjects: l.places("memory.injectProjects"), NoInjectProjects: l.places("memory.noInjectProjects"),
		Exclude: l.globs("memory.exclude"), ProjectIDs: l.projectIDs(), Redact: l.values["memory.redaction.enabled"] == true,
		TopK: int(l.number("memory.retrieval.topK")), MaxContextTokens: int(l.number("memory.retrieval.maxContextTokens")),
		Recent: l.days("memory.retrieval.recentDays"), Deadline: l.millis("memory.retrieval.deadlineMs"),
		EmbedderDeadline: l.millis("memory.retrieval.embedderMs"), Embedding: l.embedding(),
		Raw: l.days("memory.retention.rawDays"), Summaries: l.days("memory.retention.summaryDays"), RetentionOf: l.retentionOf(),
	}
	m.DSNEnv, m.DSN, m.DSNSource = l.dsn()
	return m
}

// dsn looks the connection string up where variables may be: the name of its variable is a setting.
func (l *loader) dsn() (name, value, source string) {
	const key = "memory.connectionStringEnv"
	name = l.text(key)
	if !isName(name) {
		l.problem(l.said(key) + ": " + key + " is no name of a variable; it is ignored (the connection string itself belongs into boathook.env)")
		name = dsnVariable
	}
	v, source := l.find(Key{Name: "memory.dsn", Env: env(name), Secret: true})
	if value, _ = v.(string); value == "" {
		source = ""
	}
	return name, strings.TrimSpace(value), source
}

// embedding is who embeds. One that is none counts as none, with the names that there are.
func (l *loader) embedding() Embedding {
	const key = "memory.embedding.provider"
	e := Embedding{Provider: "none", Model: l.text("memory.embedding.model"), Dimensions: int(l.number("memory.embedding.dimensions"))}
	switch name := provider(l.text(key)); name {
	case "none", "auto", "gemini", "openai", "openai-compatible":
		e.Provider = name
	case "claude", "didim":
		l.problem(l.said(key) + ": " + key + ": " + name + " has no embeddings, so that none are made; write openai, openai-compatible or gemini")
	default:
		l.problem(l.said(key) + ": " + key + " is none of none, auto, openai, openai-compatible, gemini; it is ignored")
	}
	return e
}

func (l *loader) llm() LLM {
	headers, _ := l.values["llm.customHeaders"].(map[string]string)
	m := LLM{
		Multi: l.values["llm.enableMultiProvider"] == true, Model: l.text("llm.model"),
		BaseURL: l.url("llm.baseUrl", ":8000/v1"), APIKey: l.text("llm.apiKey"), APIKeyHeader: l.text("llm.apiKeyHeader"), Headers: headers,
		GeminiKey: l.text("llm.geminiKey"), AnthropicKey: l.text("llm.anthropicKey"), OpenAIKey: l.text("llm.openaiKey"), DidimKey: l.text("llm.didimKey"),
		Proxy: l.text("llm.proxy"), CA: l.pem("llm.certificate"),
	}
	const key = "llm.provider"
	switch name := provider(l.text(key)); name {
	case "", "gemini", "claude", "openai", "openai-compatible", "didim":
		m.Provider = name
	default:
		l.problem(l.said(key) + ": " + key + " is none of gemini, claude, openai, openai-compatible, didim; it is ignored")
	}
	return m
}

// provider is a provider by its first name: some have two.
func provider(name string) string {
	switch name = strings.ToLower(name); name {
	case "anthropic":
		return "claude"
	case "openai_compatible":
		return "openai-compatible"
	}
	return name
}

// places are directories and ids of projects: what is no path is an id.
func (l *loader) places(key string) []string {
	v, source := l.find(known().keys[key])
	list, _ := v.([]string)
	var out []string
	for _, text := range list {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, l.placeOf(text, source))
		}
	}
	return out
}

func (l *loader) placeOf(text, source string) string {
	if at, ok := l.absolute(text, source); ok {
		return filepath.Clean(at)
	}
	return text
}

// globs are places, and patterns of paths. One that no path can match is said.
func (l *loader) globs(key string) []string {
	return slices.DeleteFunc(l.places(key), func(glob string) bool {
		_, err := path.Match(filepath.ToSlash(glob), "")
		if err != nil {
			l.problem(l.said(key) + ": " + key + " has a pattern that is not closed; nothing is excluded by it")
		}
		return err != nil
	})
}

func (l *loader) projectIDs() map[string]string {
	const key = "memory.projectIds"
	v, source := l.find(known().keys[key])
	list, _ := v.(map[string]string)
	if len(list) == 0 {
		return nil
	}
	out := map[string]string{}
	for root, id := range list {
		at, ok := l.absolute(root, source)
		if id = strings.TrimSpace(id); !ok || id == "" {
			l.problem(l.said(key) + ": " + key + " wants \"/directory\" = \"id\"; an entry that is something else is ignored")
			continue
		}
		out[filepath.Clean(at)] = id
	}
	return out
}

func (l *loader) retentionOf() map[string]time.Duration {
	const key = "memory.retention.projects"
	v, source := l.find(known().keys[key])
	list, _ := v.(map[string]string)
	if len(list) == 0 {
		return nil
	}
	out := map[string]time.Duration{}
	for place, text := range list {
		if days, err := strconv.Atoi(text); err == nil { // convert has seen to it
			out[l.placeOf(place, source)] = time.Duration(days) * 24 * time.Hour
		}
	}
	return out
}
