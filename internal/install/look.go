package install

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/shellquote"
)

// Installation is what there is of boathook's hooks in one place.
type Installation struct {
	Agent, Title string
	// Dir is the place: Gemini's extension, or the directory that Antigravity's hooks.json is in.
	Dir       string
	Workspace bool
	// Program and Config are those that the hooks run and read; Version and DataDir are as the mark has them. A project's
	// files are believed only where they are what install wrote, by the manifest: else Config is the manifest's, and the
	// others are empty.
	Program, Config, Version, DataDir string
	// NotRun says why nobody but the agent may start what the hooks call; empty where that is what install wrote.
	NotRun string
	// Events are those registered, in the agent's order.
	Events []string
	// Intact are those of them whose entries are as install wrote them.
	Intact []string
	// Disabled says that the agent's own file switches the hooks off, in File.
	Disabled bool
	File     string
	Faults   []Fault

	// Edited says that somebody changed File since install wrote it.
	Edited bool

	// strange says that what its files name counts only where install wrote them.
	strange bool
}

// Fault is something about an installation that is not as install wrote it.
type Fault struct {
	Path, Text string
	Mend       Mend
}

// Mend is what helps against a fault.
type Mend string

// The ways to mend. ByHand is what boathook may not change.
const (
	ByHand     Mend = "by hand"
	Reinstall  Mend = "reinstall"
	Executable Mend = "executable"
	// Register is to install with the usual events again: somebody chose others.
	Register Mend = "register"
)

// Agent gives an agent that can be installed its own id.
func Agent(label string) (id string, ok bool) {
	list, err := find([]string{label})
	if err != nil || len(list) == 0 {
		return "", false
	}
	return list[0].id, true
}

// Look tells what is installed where. It only reads. The error says that the manifest can't be read; what the files
// themselves say comes all the same.
func Look(env Env) ([]Installation, error) {
	p := &planner{env: env, plan: &Plan{}}
	err := p.load()
	var out []Installation
	for _, a := range agents() {
		p.agent = a.id
		for _, at := range p.places(a) {
			known := slices.ContainsFunc(p.old.Places, func(have place) bool { return have.Agent == a.id && resolved(have.Dir) == resolved(at.Dir) })
			if !known && !a.holds(p, at.Dir) {
				continue
			}
			in := Installation{Agent: a.id, Title: a.title, Dir: at.Dir, Workspace: at.Workspace, NotRun: notAsWritten}
			if at.Workspace && !exists(filepath.Dir(at.Dir)) {
				continue // the project is gone, and its hooks with it
			}
			if in.strange = at.Workspace || !p.usual(a, at.Dir) && !slices.Contains(p.old.Places, at); in.strange {
				in.Config = p.onlyConfig()
			} else if m, ok := a.mark(at.Dir); ok {
				in.Version, in.DataDir, in.Config = m.Version, m.DataDir, m.Config
			}
			a.look(&in, p)
			if text := in.strangers(p); text != "" {
				in.NotRun = text
			}
			out = append(out, in)
		}
	}
	return out, err
}

// Doubles are the files in which hooks of boathook's stand beside the installed ones, or pinta-gemini's: every event
// comes twice. Project is the directory that an agent would be in, possibly empty.
func Doubles(env Env, project string) (boathooks, pintas []string) {
	for _, a := range agents() {
		boathooks = append(boathooks, a.doubles(env, project)...)
	}
	if extension := filepath.Join(geminiDir(env), "extensions", pintaName); exists(filepath.Join(extension, "gemini-extension.json")) {
		pintas = append(pintas, extension)
	}
	for _, path := range antigravityHookFiles(env, project) {
		if _, pinta := membersOf(path); pinta {
			pintas = append(pintas, path)
		}
	}
	return boathooks, pintas
}

// OwnData lists what of a data directory is boathook's, for who looks at its modes: the directory itself only where it has
// boathook's name, since others may use one that has not.
func OwnData(dir string) []string {
	var out []string
	if filepath.Base(dir) == ownerName {
		out = append(out, dir)
	}
	for _, name := range []string{"spool", "spool/new", "spool/tmp", "spool/bad", "install", "install/" + backupsName, "install/" + manifestName} {
		if path := filepath.Join(dir, name); exists(path) {
			out = append(out, path)
		}
	}
	backups, _ := filepath.Glob(filepath.Join(globEscape(dir), "install", backupsName, "*")) // the pattern is fine
	return append(append(out, backups...), dataFiles(dir)...)
}

func (in *Installation) fault(mend Mend, path, format string, args ...any) {
	in.Faults = append(in.Faults, Fault{Path: path, Text: fmt.Sprintf(format, args...), Mend: mend})
}

// here reads a file that has to be there.
func (in *Installation) here(path, without string) ([]byte, bool) {
	data, err := in.read(path)
	switch {
	case absent(err):
		in.fault(in.again(), path, "is missing: %s", without)
	case err != nil:
		in.fault(ByHand, path, "can't be read (%s): %s", plainCause(err), without)
	}
	return data, err == nil
}

// plainCause is an error without the path, which stands before it already.
func plainCause(err error) string {
	if at, ok := err.(*os.PathError); ok { //nolint:errorlint // a wrapped one has a text of its own
		return at.Err.Error()
	}
	return err.Error()
}

// registered are the events of an agent that an object of hooks has, and the names in it that are none.
func registered(h *host.Host, hooks map[string]any) (list []event, unknown []string) {
	named := map[string]bool{}
	for name := range hooks {
		named[name] = true
	}
	for _, e := range h.Events {
		if named[e.Name] {
			list = append(list, e)
			delete(named, e.Name)
		}
	}
	for name := range named {
		unknown = append(unknown, name)
	}
	slices.Sort(unknown)
	return list, unknown
}

// compare finds the events whose entries are not as install would write them now, with the same program and config. written
// says that the manifest has the whole file so: then an older boathook wrote it.
func (in *Installation) compare(path string, have map[string]any, want []byte, written bool) {
	var expected map[string]any
	_ = json.Unmarshal(want, &expected) // it was just written
	var differ []string
	for _, name := range in.Events {
		same := reflect.DeepEqual(have[name], expected[name])
		if !same {
			differ = append(differ, name)
		}
		if same || written {
			in.Intact = append(in.Intact, name)
		}
	}
	if len(differ) > 0 {
		in.fault(in.again(), path, "has entries that are not as boathook wrote them: %s", list(differ))
	}
}

// gates tells of an event that is not registered and that the guard is asked at.
func (in *Installation) gates(h *host.Host, path string) {
	for _, e := range h.Events {
		if e.Gate && e.Default && !slices.Contains(in.Events, e.Name) {
			in.fault(Register, path, "has no entry for %s: nothing is asked and nothing can be stopped before a tool runs", e.Name)
		}
	}
}

// wired reads program and config out of the command lines; the commonest count, so that one that was edited shows.
func (in *Installation) wired(lines []string) {
	programs, configs := map[string]int{}, map[string]int{}
	for _, line := range lines {
		if program, config, ok := parseCommand(line); ok {
			programs[program]++
			configs[config]++
		}
	}
	in.Program = commonest(programs)
	if config := commonest(configs); config != "" {
		in.Config = config
	}
}

func commonest(counts map[string]int) string {
	best := ""
	for word, n := range counts {
		if n > counts[best] || n == counts[best] && word < best {
			best = word
		}
	}
	return best
}

// parseCommand takes a command line as shellCommand writes it apart: [ -x PROGRAM ] && PROGRAM … --config CONFIG.
func parseCommand(line string) (program, config string, ok bool) {
	line, _ = shellquote.Unwrap(line)
	_, line, ok = strings.Cut(line, "[ -x ")
	if !ok {
		return "", "", false
	}
	program, line, ok = shellquote.First(line)
	line, found := strings.CutPrefix(line, " ] && ")
	if !ok || !found {
		return "", "", false
	}
	_, line, ok = shellquote.First(line) // the program once more
	_, line, found = strings.Cut(line, " --config ")
	if !ok || !found {
		return "", "", false
	}
	config, _, ok = shellquote.First(line)
	return program, config, ok
}

// as is a planner that writes what this installation would be, were it made now.
func (in *Installation) as(p *planner) *planner {
	env := p.env
	env.Exe, env.Version = in.Program, in.Version
	return &planner{env: env, plan: &Plan{Config: in.Config, DataDir: in.DataDir}, state: p.state}
}
