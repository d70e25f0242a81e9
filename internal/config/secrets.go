package config

import (
	"net/url"
	"strings"
)

// Secrets are the values in force that must not be shown anywhere.
func (s Settings) Secrets() []string {
	out := []string{s.Guard.Token, s.Memory.DSN, dsnPassword(s.Memory.DSN), s.LLM.APIKey, s.LLM.GeminiKey, s.LLM.AnthropicKey, s.LLM.OpenAIKey, s.LLM.DidimKey}
	for _, headers := range []map[string]string{s.Telemetry.Headers, s.LLM.Headers} {
		for _, value := range headers {
			out = append(out, value)
		}
	}
	return out
}

// dsnPassword is the password within a connection string, in either form that PostgreSQL takes.
func dsnPassword(dsn string) string {
	if u, err := url.Parse(dsn); err == nil && u.User != nil {
		password, _ := u.User.Password()
		return password
	}
	_, rest, found := strings.Cut(dsn, "password")
	value, equals := strings.CutPrefix(strings.TrimLeft(rest, " "), "=")
	if !found || !equals {
		return ""
	}
	value = strings.TrimLeft(value, " ")
	if quoted, ok := strings.CutPrefix(value, "'"); ok {
		value, _, _ = strings.Cut(quoted, "'")
		return value
	}
	value, _, _ = strings.Cut(value, " ")
	return value
}
