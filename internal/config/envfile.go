package config

import (
	"fmt"
	"strings"
)

// parseEnv reads KEY=value lines: blank lines and # comments are skipped, a leading "export" is allowed, one pair of
// quotes around a value is taken off, and a later line wins. Lines that say nothing are reported, never fatal.
func parseEnv(path, text string) (map[string]string, []string) {
	vars := map[string]string{}
	var problems []string
	for n, line := range strings.Split(text, "\n") {
		line = trim(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(exported(line), "=")
		key = trim(key)
		if !ok || !isName(key) {
			if len(problems) < maxProblems {
				problems = append(problems, fmt.Sprintf("%s:%d: not a KEY=value line, skipped", path, n+1))
			}
			continue
		}
		vars[key] = unquote(trim(value))
	}
	return vars, problems
}

func exported(line string) string {
	if rest, ok := strings.CutPrefix(line, "export"); ok && rest != trim(rest) {
		return trim(rest)
	}
	return line
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
