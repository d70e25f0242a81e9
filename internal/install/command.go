package install

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/shellquote"
)

// unsetRuntime keeps a project's .env, which some agents load into their own environment (Gemini CLI 0.61), from steering
// the Go runtime and what certificates are trusted.
const unsetRuntime = "unset GODEBUG GOGC GOMEMLIMIT GOMAXPROCS GOTRACEBACK SSL_CERT_FILE SSL_CERT_DIR"

// shellCommand is a command line for agents that give it to a POSIX shell. A missing, foreign or crashing program prints
// nothing and exits 0: agents take text on stderr or an exit code for a deny.
func shellCommand(exe, config, agent, event string) string {
	program := shellquote.Quote(exe)
	return fmt.Sprintf("exec 2>/dev/null; %s; [ -x %s ] && %s hook --agent %s --event %s --config %s; exit 0",
		unsetRuntime, program, program, agent, event, shellquote.Quote(config))
}

// events picks what to register, in the table's order. Where any output changes what the agent does, an event must be
// asked for by name.
func events(h *host.Host, want []string) ([]host.Event, error) {
	if len(want) == 0 {
		want = []string{"default"}
	}
	named := map[string]bool{}
	for _, name := range want {
		named[name] = true
	}
	var out []host.Event
	for _, e := range h.Events {
		if named[e.Name] || named["all"] && !e.Silent || named["default"] && e.Default {
			out = append(out, e)
		}
		delete(named, e.Name)
	}
	delete(named, "all")
	delete(named, "default")
	for name := range named {
		return nil, refuse("register event %q: %s has no such event; it has %s", name, h.Title, names(h))
	}
	return out, nil
}

func names(h *host.Host) string {
	var out []string
	for _, e := range h.Events {
		out = append(out, e.Name)
	}
	return strings.Join(out, " ")
}

// member is one name and value of an object whose order counts.
type pair struct {
	name  string
	value any
}

// object is a JSON object that keeps its order.
type object []pair

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	for i, p := range o {
		sep := ","
		if i == 0 {
			sep = ""
		}
		b.WriteString(sep + string(compact(p.name)) + ":" + string(compact(p.value)))
	}
	return json.RawMessage("{" + b.String() + "}"), nil
}
