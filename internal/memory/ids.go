package memory

import "strings"

// SessionID is the key of a session: agents may choose the same ids.
func SessionID(agent, id string) string { return agent + "/" + id }

// SplitSessionID is its inverse.
func SplitSessionID(key string) (agent, id string) {
	agent, id, _ = strings.Cut(key, "/")
	return agent, id
}
