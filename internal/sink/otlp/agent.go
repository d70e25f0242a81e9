package otlp

// agent is what an agent is called.
type agent struct {
	// prefix is the ingest type and the first part of names, service the value of service.name.
	prefix, service string
	// provider is the conventions' word for whose models it runs; empty where it runs those of many.
	provider string
}

// agentOf follows SPEC §9.2, and in its manner for the agents that SPEC does not know: the prefix is the agent's id, the
// service what its program is called. gcp.gen_ai is any of Google's model services: which one the hooks don't say.
func agentOf(id string) agent {
	switch id {
	case "gemini":
		return agent{"gemini", "gemini-cli", "gcp.gen_ai"}
	case "antigravity":
		return agent{"antigravity", "antigravity", "gcp.gen_ai"}
	case "claude":
		return agent{"claude", "claude-code", "anthropic"}
	case "codex":
		return agent{"codex", "codex", "openai"}
	case "copilot":
		return agent{"copilot", "copilot-cli", ""}
	case "qwen":
		return agent{"qwen", "qwen-code", ""}
	case "cursor", "windsurf", "cline", "amp", "opencode":
		return agent{id, id, ""}
	}
	if !plain(id) {
		id = other
	}
	return agent{id, id, ""}
}
