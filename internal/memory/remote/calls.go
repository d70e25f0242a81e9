package remote

import (
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// The operations: those of memory.Store, and two of the connection's own.
const (
	opHello      = "hello"
	opCancel     = "cancel"
	opWrite      = "write"
	opFind       = "find"
	opSessions   = "sessions"
	opEntries    = "entries"
	opGet        = "get"
	opUnembedded = "unembedded"
	opEmbed      = "embed"
	opForget     = "forget"
	opRetain     = "retain"
	opOccurs     = "occurs"
	opStats      = "stats"
)

// What the operations take and give, where that is more than one value.
type (
	listArgs struct {
		Filter memory.Filter `json:"filter"`
		At     memory.Page   `json:"at,omitempty"`
		Limit  int           `json:"limit"`
	}
	sessionsPage struct {
		Rows []memory.Session `json:"rows"`
		Next memory.Page      `json:"next,omitempty"`
	}
	entriesPage struct {
		Rows []memory.Entry `json:"rows"`
		Next memory.Page    `json:"next,omitempty"`
	}
	getArgs struct {
		Filter memory.Filter `json:"filter"`
		IDs    []string      `json:"ids"`
	}
	embedArgs struct {
		Model   string             `json:"model"`
		Width   int                `json:"width"`
		Limit   int                `json:"limit,omitempty"`
		Vectors []memory.Embedding `json:"vectors,omitempty"`
	}
	retainArgs struct {
		Retention memory.Retention `json:"retention"`
		Now       time.Time        `json:"now"`
	}
	retained struct {
		Removed memory.Removed `json:"removed"`
		More    bool           `json:"more,omitempty"`
	}
)
