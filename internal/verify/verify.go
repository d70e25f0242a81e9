// Package verify tells whether what boathook knows of the agents is still true (SPEC §14): it drives the installed hooks as
// the agents do, and compares what agents sent with what was recorded of them. It only reads what is the user's; what it
// writes is in marked temporary directories. No value of a payload is ever in what it says, only names of fields.
package verify

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/redact"
)

// maxName bounds a field's name in what is said of it.
const maxName = 48

// fieldName is a name that may be shown: of letters, digits and what stands in identifiers, and no secret. Any other may
// be anything, and only its length is told.
func fieldName(name string) string {
	if len(name) <= maxName && plainName().MatchString(name) && mask().Text(name, true, nil) == name {
		return name
	}
	return fmt.Sprintf("(a name of %d bytes)", len(name))
}

var (
	plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.:-]*$`) })
	mask      = sync.OnceValue(func() *redact.Redactor {
		r, _ := redact.New(redact.Options{}) // no pattern of a user's, none can be wrong
		return r
	})
)

// eventName is an event's name as it may be shown.
func eventName(name string) string {
	if name == "" {
		return "(none)"
	}
	return fieldName(name)
}

// Hosts are the agents that can be verified: all of them.
func Hosts() []*host.Host { return registry.Hosts() }

// usual are the names of the events that install registers.
func usual(h *host.Host) []string {
	var out []string
	for _, e := range h.Events {
		if e.Default {
			out = append(out, e.Name)
		}
	}
	return out
}
