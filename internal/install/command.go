package install

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
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
	return failing(exe, config, agent, event) + "; exit 0"
}

// failing is shellCommand without the mercy: the agent sees the exit code of a program that is missing or broken.
func failing(exe, config, agent, event string) string {
	return "exec 2>/dev/null; " + unsetRuntime + "; " + guarded(exe, config, agent, event)
}

// guarded runs a program that is there.
func guarded(exe, config, agent, event string) string {
	program := shellquote.Quote(exe)
	return fmt.Sprintf("[ -x %s ] && %s hook --agent %s --event %s --config %s", program, program, agent, event, shellquote.Quote(config))
}

type event = host.Event

// events picks what to register, in the table's order: what was asked for, else what a file of hooks has of ours already.
func (p *planner) events(h *host.Host, path string, ours func(command string) bool) ([]event, error) {
	there := map[string]bool{}
	data, _ := readFile(path) // without one there are none
	commands(data, func(event, command string) {
		if ours(command) {
			there[event] = true
		}
	})
	return p.choose(h, there)
}

// choose picks what to register: what was asked for, else what is there. Where any output changes what the agent does, an
// event must be asked for by name.
func (p *planner) choose(h *host.Host, there map[string]bool) ([]event, error) {
	named := map[string]bool{}
	for _, name := range p.req.Events {
		named[name] = true
	}
	if len(named) == 0 {
		named = maps.Clone(there)
		delete(named, "all")
		if out, _ := pick(h, named); len(out) > 0 {
			if usual, _ := pick(h, map[string]bool{"default": true}); names(out) != names(usual) {
				p.note("%s keeps the events that are installed (%s); --events default goes back to the usual ones", h.Title, names(out))
			}
			return out, nil
		}
		named = map[string]bool{"default": true}
	}
	out, unknown := pick(h, named)
	for name := range unknown {
		return nil, misuse("register event %q: %s has no such event; it has %s", name, h.Title, names(h.Events))
	}
	return out, nil
}

// pick gives the events that are named, and the names that are none.
func pick(h *host.Host, named map[string]bool) (out []event, unknown map[string]bool) {
	unknown = maps.Clone(named)
	for _, e := range h.Events {
		if named[e.Name] || named["all"] && !e.Silent || named["default"] && e.Default {
			out = append(out, e)
		}
		delete(unknown, e.Name)
	}
	delete(unknown, "all")
	delete(unknown, "default")
	return out, unknown
}

func names(list []event) string {
	var out []string
	for _, e := range list {
		out = append(out, e.Name)
	}
	return strings.Join(out, " ")
}

// pair is one name and value of an object whose order counts.
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

func lookup(env Env, name string) string {
	if env.Lookup == nil {
		return ""
	}
	v, _ := env.Lookup(name)
	return v
}

// onPath finds a program in the absolute directories of PATH.
func onPath(env Env, name string) string {
	for _, dir := range filepath.SplitList(lookup(env, "PATH")) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

// stable is the name of this program that stays when it is upgraded: the link on PATH, not the versioned file behind it.
func stable(env Env) string {
	path := onPath(env, ownerName)
	there, err := os.Stat(path)
	this, failed := os.Stat(env.Exe)
	if path == "" || err != nil || failed != nil || !os.SameFile(there, this) {
		return env.Exe
	}
	return path
}
