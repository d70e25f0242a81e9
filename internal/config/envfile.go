package config

import (
	"fmt"
	"strings"
)

// parseEnv reads KEY=value lines: blank lines and # comments are skipped, a leading "export" is allowed, one pair of
// quotes around a value is taken off, and a later line wins. Lines that say nothing are reported, never fatal.
func parseEnv(path string, data []byte) (map[string]string, []string) {
	vars := map[string]string{}
	var problems []string
	for n, line := range strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "export ")), "=")
		key = strings.TrimSpace(key)
		if !ok || !isName(key) {
			problems = append(problems, fmt.Sprintf("%s:%d: not a KEY=value line, skipped", path, n+1))
			continue
		}
		vars[key] = unquote(strings.TrimSpace(value))
	}
	return vars, problems
}

func unquote(v string) string {
	if len(v) >= 2 && (v[0] == '"' || v[0] == '\'') && v[len(v)-1] == v[0] {
		return v[1 : len(v)-1]
	}
	return v
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c == '_' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
