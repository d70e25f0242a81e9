package cli

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/llm"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/audit"
	"github.com/boathook/boathook/internal/memory/rank"
	"github.com/boathook/boathook/internal/memory/terms"
)

// embedPatience is how long a person waits for an embedder: more than a hook may.
const embedPatience = 5 * time.Second

// memorySearch is search's flags.
type memorySearch struct {
	memoryPast
	tag, tool, role, status string
	limit                   int
	explain, json           bool
}

func newMemorySearch(env *Env) *cobra.Command {
	var o memorySearch
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Find what was said and done before",
		Long: `Find messages and commands of earlier sessions, those of the project around this directory unless it is said otherwise. Words
are found in their other forms too, identifiers and paths by their parts, Korean by its syllables; with an embedder in the
config what means the same is found as well. What fits best comes first, recent and successful a little earlier.

Each result has an id, which 'boathook memory show' takes. --explain says of each why it is there. What is looked for is
written, masked, into memory-audit.jsonl in the data directory.`,
		Example: `  boathook memory search 'port already in use'
  boathook memory search --status success --tool bash docker compose
  boathook memory search --all-projects --since 30d 포트 충돌
  boathook memory search --json ENOSPC | jq -r '.results[].id'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("%s wants words to look for", nameOf(cmd))
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(o.json, runMemorySearch(ctx, env, o, strings.Join(args, " ")))
		},
	}
	o.place.flags(cmd)
	o.choices(cmd, "only what is")
	o.narrow(cmd)
	f := cmd.Flags()
	f.IntVarP(&o.limit, "limit", "n", 10, "how many results at most, 1 to 200")
	f.BoolVar(&o.explain, "explain", false, "say of each result why it is there")
	f.BoolVar(&o.json, "json", false, "print JSON")
	complete(cmd, "limit", nil)
	return cmd
}

// narrow adds the flags that choose among the rows of sessions.
func (o *memorySearch) narrow(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.tag, "tag", "", "only what is about this: git, docker, go, test, …")
	f.StringVar(&o.tool, "tool", "", "only calls of this tool, by its canonical name: bash, edit_file")
	f.StringVar(&o.role, "role", "", "only what this `ROLE` said: user, assistant, tool, system")
	f.StringVar(&o.status, "status", "", "only calls that ended so: success, error, blocked")
	complete(cmd, "tag", nil)
	complete(cmd, "tool", toolNames())
	complete(cmd, "role", []string{memory.RoleUser, memory.RoleAssistant, memory.RoleTool, memory.RoleSystem})
	complete(cmd, "status", []string{memory.StatusSuccess, memory.StatusError, memory.StatusBlocked})
}

// chosen is the filter of the flags; without a project, that around the working directory.
func (o *memorySearch) chosen(ctx context.Context, env *Env, w *memoryWork) (memory.Filter, error) {
	switch o.status {
	case "", memory.StatusSuccess, memory.StatusError, memory.StatusBlocked:
	default:
		return memory.Filter{}, usage("--status is success, error or blocked, not %q", o.status)
	}
	f, err := o.filter(ctx, env, w)
	if err != nil {
		return f, err
	}
	f.Tag, f.Tool, f.Role, f.Status = strings.ToLower(o.tag), o.tool, o.role, o.status
	if len(f.Projects) == 0 && !f.AllProjects {
		key, err := w.projectKey(env, env.Dir)
		if err != nil {
			return f, err
		}
		f.Projects = []string{key}
	}
	return f, nil
}

// nothingKept says that there is no memory yet, and what makes one.
func nothingKept(s config.Settings) error {
	if !s.Memory.Enabled {
		return exitWith(exitFailed, errors.New("memory is off, and nothing was kept: 'boathook memory enable' turns it on"))
	}
	return exitWith(exitFailed, errors.New("nothing is kept yet: memory fills as your agents work; 'boathook memory backfill' reads their old sessions"))
}

// look opens memory to read it.
func (o *memoryPast) look(ctx context.Context, env *Env) (*memoryWork, error) {
	w, err := o.open(ctx, env, true)
	if errors.Is(err, fs.ErrNotExist) {
		_, s, _ := o.find(env) // it went well a moment ago
		return nil, nothingKept(s)
	}
	return w, err
}

func runMemorySearch(ctx context.Context, env *Env, o memorySearch, query string) error {
	if o.limit < 1 || o.limit > rank.Candidates {
		return usage("--limit is between 1 and %d, not %d", rank.Candidates, o.limit)
	}
	asked := terms.Query(query)
	if len(asked) == 0 {
		return usage("there is nothing to look for in %q: every word of it stands in most texts", query)
	}
	w, err := o.look(ctx, env)
	if err != nil {
		return err
	}
	defer w.close()
	f, err := o.chosen(ctx, env, w)
	if err != nil {
		return err
	}
	found, err := w.search(ctx, env, memory.Query{Filter: f, Terms: asked, Limit: rank.Candidates, Around: rank.Around}, query)
	if err != nil {
		return memoryFailed(err)
	}
	found.items = rank.Rank(rank.Question{Terms: asked, Now: env.Now(), Limit: o.limit}, found.keyword, found.vector)
	if err := w.audit(env, audit.Entry{Action: audit.Search, Query: query, Filter: &f, Count: len(found.items)}); err != nil {
		return err
	}
	p := searchPrinter{env: env, found: found, asked: asked, explain: o.explain, wide: f.AllProjects}
	if o.json {
		return p.json(w.masked(query), f)
	}
	return p.text()
}

// searched is what a search found.
type searched struct {
	keyword, vector memory.Found
	items           []rank.Item
	embedder        string
}

// search asks by words and by the vector at once.
func (w *memoryWork) search(ctx context.Context, env *Env, q memory.Query, text string) (out searched, err error) {
	var wait sync.WaitGroup
	var failed error
	wait.Go(func() {
		var vector []float32
		var model string
		vector, model, out.embedder = w.embedded(ctx, env, text)
		if vector == nil {
			return
		}
		out.vector, failed = w.store.Find(ctx, memory.Query{Filter: q.Filter, Vector: vector, Model: model, Limit: q.Limit})
	})
	out.keyword, err = w.store.Find(ctx, q)
	wait.Wait()
	if errors.Is(failed, memory.ErrNoVectors) {
		failed, out.embedder = nil, "no vectors"
	}
	if err == nil && failed != nil {
		env.warn(failed.Error() + "; only keywords were looked for")
		out.embedder = "failed"
	}
	return out, err
}

// newEmbedder is the embedder of the settings, nil where none is configured.
func newEmbedder(s config.Settings) (*llm.Embedder, error) {
	e, err := llm.NewEmbedder(s)
	if errors.Is(err, llm.ErrNone) && s.Memory.Embedding.Provider != "auto" {
		return nil, nil
	}
	return e, err
}
