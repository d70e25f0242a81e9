package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/forgotten"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/ownfile"
)

// memoryPast is what the commands that write to memory have in common: where it is, and what is chosen of it.
type memoryPast struct {
	place
	session, project, agent, since, until string
	allProjects                           bool
}

// choices adds the flags that choose.
func (o *memoryPast) choices(cmd *cobra.Command, what string) {
	f := cmd.Flags()
	f.StringVar(&o.session, "session", "", what+" of this session, as 'boathook memory search' prints it, or the beginning of the agent's own id")
	f.StringVar(&o.project, "project", "", what+" of the project in `DIR`")
	f.BoolVar(&o.allProjects, "all-projects", false, strings.TrimPrefix(what, "only ")+" of all projects")
	f.StringVar(&o.agent, "agent", "", what+" of this agent: "+strings.Join(agentNames(), ", "))
	f.StringVar(&o.since, "since", "", "only from then on: an age (15m, 1h, 2d) or a time (2026-01-31, 14:30)")
	f.StringVar(&o.until, "until", "", "only before then")
	complete(cmd, "agent", agentNames())
	complete(cmd, "since", nil)
	complete(cmd, "until", nil)
	complete(cmd, "session", nil)
	_ = cmd.MarkFlagDirname("project") // it is there
}

// memoryWork is an open memory with what belongs to it.
type memoryWork struct {
	dir       string
	settings  config.Settings
	store     memory.Store
	forgotten *forgotten.Book
}

func (w *memoryWork) close() {
	if w.store != nil {
		_ = w.store.Close() // what was written is in it
	}
}

// open opens the memory of the settings.
func (o *memoryPast) open(ctx context.Context, env *Env, readOnly bool) (*memoryWork, error) {
	dir, settings, err := o.find(env)
	if err != nil {
		return nil, err
	}
	if !readOnly {
		if err := ownfile.MakeRecorded(dir); err != nil {
			return nil, exitWith(exitFailed, err)
		}
	}
	w := &memoryWork{dir: dir, settings: settings, forgotten: forgotten.Open(dir)}
	w.store, err = open.Store(ctx, open.Options{DataDir: dir, Settings: settings, Exe: env.Exe, ReadOnly: readOnly})
	if err != nil {
		return nil, exitWith(exitFailed, err)
	}
	return w, nil
}

// openOrNone opens it; a dry run makes none, and needs none.
func (o *memoryPast) openOrNone(ctx context.Context, env *Env, dryRun bool) (*memoryWork, error) {
	w, err := o.open(ctx, env, dryRun)
	if err == nil || !dryRun {
		return w, err
	}
	dir, settings, err := o.find(env)
	if err != nil {
		return nil, err
	}
	return bareMemory(dir, settings), nil
}

// filter reads the flags that choose.
func (o *memoryPast) filter(ctx context.Context, env *Env, w *memoryWork) (f memory.Filter, err error) {
	s, err := parseSpan(env.Now(), o.since, o.until)
	if err != nil {
		return f, err
	}
	f.Since, f.Until, f.AllProjects = s.since, s.until, o.allProjects
	if f.Agent, err = agentID(o.agent); err != nil {
		return f, err
	}
	if o.project != "" {
		if o.allProjects {
			return f, usage("--project chooses one, and --all-projects all")
		}
		key, err := w.projectKey(env, o.project)
		if err != nil {
			return f, err
		}
		f.Projects = []string{key}
	}
	if o.session == "" {
		return f, nil
	}
	f.Session, err = w.sessionKey(ctx, f.Agent, o.session)
	if f.AllProjects = len(f.Projects) == 0; err != nil { // a session is one, wherever it was
		return f, err
	}
	return f, nil
}

// projectKey is the project of a directory.
func (w *memoryWork) projectKey(env *Env, dir string) (string, error) {
	projects, err := open.Projects(w.dir, w.settings)
	if err != nil {
		return "", err
	}
	p, err := projects.Of(filepath.Clean(env.absolute(dir)))
	if err != nil {
		return "", exitWith(exitFailed, fmt.Errorf("--project %s: %w", dir, err))
	}
	return p.Key, nil
}

// sessionKey is a session by what a person calls it: agent/id, or an id that only one agent has.
func (w *memoryWork) sessionKey(ctx context.Context, agent, name string) (string, error) {
	agents, native := append(agentNames(), importAgent), name
	if own, rest := memory.SplitSessionID(name); strings.Contains(name, "/") && knownAgent(own) {
		agents, native = []string{own}, rest
	} else if agent != "" {
		agents = []string{agent}
	}
	var found []string
	for _, a := range agents {
		id := memory.SessionID(a, native)
		list, _, err := w.store.Sessions(ctx, memory.Filter{AllProjects: true, Session: id}, "", 1)
		if err != nil {
			return "", err
		}
		if len(list) > 0 {
			found = append(found, id)
		}
	}
	if len(found) == 0 && len(native) >= leastPrefix {
		var err error
		if found, err = w.sessionsLike(ctx, agents, native); err != nil {
			return "", err
		}
	}
	switch len(found) {
	case 0:
		return "", exitWith(exitFailed, fmt.Errorf("memory has no session %q; 'boathook memory timeline --all-projects' lists them", name))
	case 1:
		return found[0], nil
	}
	return "", usage("--session %s: there are %s", name, strings.Join(found, ", "))
}

// leastPrefix is how much of a session's id has to be given: what is told to a model has the first twelve characters.
const leastPrefix = 6

// sessionsLike are those, up to three, whose own id begins so.
func (w *memoryWork) sessionsLike(ctx context.Context, agents []string, prefix string) (found []string, err error) {
	f := memory.Filter{AllProjects: true}
	if len(agents) == 1 {
		f.Agent = agents[0]
	}
	for at := memory.Page(""); ; {
		list, next, err := w.store.Sessions(ctx, f, at, 500)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			if _, own := memory.SplitSessionID(s.ID); strings.HasPrefix(own, prefix) && len(found) < 3 {
				found = append(found, s.ID)
			}
		}
		if at = next; next == "" || len(found) > 2 {
			return found, nil
		}
	}
}

func knownAgent(name string) bool {
	if name == importAgent {
		return true
	}
	_, err := agentID(name)
	return name != "" && err == nil
}

// memoryFailed says what of a store's errors a person can do something about.
func memoryFailed(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, memory.ErrUnavailable):
		return exitWith(exitFailed, fmt.Errorf("%w; it may pass: try again, what was done is kept", err))
	case errors.Is(err, memory.ErrDenied):
		return exitWith(exitFailed, fmt.Errorf("%w; 'boathook memory roles' says which login may do it", err))
	}
	return err
}

// bareMemory is a memory of which nothing is open.
func bareMemory(dir string, s config.Settings) *memoryWork {
	return &memoryWork{dir: dir, settings: s, forgotten: forgotten.Open(dir)}
}
