package merge

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"github.com/boathook/boathook/internal/memory"
)

// An id is that of its group, and which of the group's rows it is.
const (
	mark       = "-"
	hiddenMark = "-h"
)

// Group is the part of an id that all rows of one content share. Rows of the group have ids that begin with it and a "-".
func Group(id string) string {
	group, _, _ := strings.Cut(id, mark)
	return group
}

// MessageGroup is the group of a clean message. Roles by which agents call the same thing are one.
func MessageGroup(m memory.Message) string {
	return "m" + hash(m.Session, plainRole(m.Role), m.Text)
}

// CallGroup is the group of a clean tool call.
func CallGroup(c memory.ToolCall) string {
	args := string(c.Args)
	if args == "" {
		args = c.Command
	}
	return "t" + hash(c.Session, c.Tool, args)
}

func groupOf(item any) string {
	switch item := item.(type) {
	case memory.Message:
		return MessageGroup(item)
	case memory.ToolCall:
		return CallGroup(item)
	}
	return ""
}

// plainRole is what a role is to agents that have other names for it.
func plainRole(role string) string {
	switch role {
	case memory.RoleGemini:
		return memory.RoleAssistant
	case memory.RoleInfo, memory.RoleError, memory.RoleWarning:
		return memory.RoleSystem
	}
	return role
}

// hash has 130 bits, in letters and digits.
func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = h.Write([]byte(p))
		_, _ = h.Write([]byte{0})
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil))[:26])
}
