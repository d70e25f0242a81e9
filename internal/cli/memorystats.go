package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/doctor"
	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/sink/progress"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

func newMemoryStats(env *Env) *cobra.Command {
	var o memoryPast
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Show how much is kept, how far it is, and how fast it is found",
		Long: `Show what memory keeps, of all projects or of one, and the figures that are sent as metrics too: how much of what was recorded
has been kept (ltm_ingest_success_rate), how far that is behind (ltm_ingest_lag_seconds, ltm_spool_queue_depth), how long
prompts have waited for memory (ltm_retrieval_latency_ms) and how often something was found for them
(ltm_context_hit_rate).`,
		Example: `  boathook memory stats
  boathook memory stats --project . --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(asJSON, runMemoryStats(ctx, env, o, asJSON))
		},
	}
	o.place.flags(cmd)
	cmd.Flags().StringVar(&o.project, "project", "", "only of the project in `DIR`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	_ = cmd.MarkFlagDirname("project") // it is there
	return cmd
}

// memoryStats is what stats shows.
type memoryStats struct {
	Enabled  bool             `json:"enabled"`
	Inject   string           `json:"inject"`
	Embedder string           `json:"embedder"`
	Model    string           `json:"model,omitempty"`
	Stats    memory.Stats     `json:"store"`
	Figures  *progress.Memory `json:"figures,omitempty"`

	settings config.Settings
}

func runMemoryStats(ctx context.Context, env *Env, o memoryPast, asJSON bool) error {
	w, err := o.look(ctx, env)
	if err != nil {
		return err
	}
	defer w.close()
	f := memory.Filter{AllProjects: true}
	if o.project != "" {
		key, err := w.projectKey(env, o.project)
		if err != nil {
			return err
		}
		f = memory.Filter{Projects: []string{key}}
	}
	m := memoryStats{
		Enabled: w.settings.Memory.Enabled, Inject: w.settings.Memory.Inject, Embedder: w.settings.Memory.Embedding.Provider,
		Model: w.settings.Memory.Embedding.Model, settings: w.settings,
	}
	if e, err := newEmbedder(w.settings); err == nil && e != nil {
		m.Embedder, m.Model = e.Provider(), e.Model()
		e.Close()
	}
	if m.Stats, err = w.store.Stats(ctx, f); err != nil {
		return memoryFailed(err)
	}
	if m.Figures, err = figuresOf(ctx, w.dir, env.Now()); err != nil {
		env.warn(err.Error())
	}
	if asJSON {
		return env.printJSON(m, nil)
	}
	return m.print(env)
}

func (m memoryStats) print(env *Env) error {
	line := func(label, format string, args ...any) error {
		return env.hanging(fill(label, 14), plain(fmt.Sprintf(format, args...)), 14, env.columns())
	}
	s := m.Stats
	vectors := "keywords alone"
	if s.Vectors && m.Embedder != "none" {
		vectors = "keywords, and vectors of " + m.Model + " by " + m.Embedder
	}
	state := "off; 'boathook memory enable' turns it on"
	if m.Enabled {
		state = "on, injection " + m.Inject
	}
	errs := []error{
		line("memory", "%s", state),
		line("store", "%s, tables of version %d, %s; found by %s", s.Backend, s.Version, doctor.Size(s.Bytes), vectors),
		line("kept", "%s, %s, %s in %s", doctor.Count(int64(s.Sessions), "session"), doctor.Count(int64(s.Messages), "message"),
			doctor.Count(int64(s.ToolCalls), "tool call"), doctor.Count(int64(s.Projects), "project")),
	}
	if !s.Oldest.IsZero() {
		zone := env.Now().Location()
		errs = append(errs, line("from, to", "%s, %s", s.Oldest.In(zone).Format("2006-01-02 15:04"), s.Newest.In(zone).Format("2006-01-02 15:04")))
	}
	text := doctor.Count(int64(s.Chunks), "text") + " can be searched"
	for _, model := range slices.Sorted(maps.Keys(s.Embedded)) {
		text += fmt.Sprintf("; %d have vectors of %s", s.Embedded[model], model)
	}
	errs = append(errs, line("searched", "%s", text))
	if g := m.Figures; g != nil {
		errs = append(errs, m.figures(line, *g)...)
	}
	keep := "raw " + doctor.Kept(m.settings.Memory.Raw) + ", summaries " + doctor.Kept(m.settings.Memory.Summaries)
	errs = append(errs, line("kept for", "%s", keep))
	for _, note := range s.Notes {
		errs = append(errs, line("note", "%s", note))
	}
	return errors.Join(errs...)
}

func (m memoryStats) figures(line func(string, string, ...any) error, f progress.Memory) []error {
	text := "nothing waits to be kept (ltm_spool_queue_depth)"
	if f.Behind > 0 {
		text = fmt.Sprintf("%s not kept yet, the oldest for %s (ltm_spool_queue_depth, ltm_ingest_lag_seconds)",
			doctor.Count(f.Behind, "event"), duration.Text(time.Duration(f.Lag)*time.Second))
	}
	errs := []error{line("behind", "%s", text), line("taken", "%.2f %% of what it was given (ltm_ingest_success_rate)", 100*f.SuccessRate)}
	if f.Tries > 0 {
		errs = append(errs, line("problem", "%s: %s", progress.Failed(f.Tries), f.Error))
	}
	if f.Asked == 0 {
		return append(errs, line("recall", "no prompt of the last 7 days asked it"))
	}
	return append(errs,
		line("recall", "p50 %.0f ms, p95 %.0f ms, p99 %.0f ms of %s in 7 days (ltm_retrieval_latency_ms)", f.Latency["p50"], f.Latency["p95"], f.Latency["p99"], doctor.Count(int64(f.Asked), "prompt")),
		line("hits", "%.0f %%: %d of %d, %d of them told to a model (ltm_context_hit_rate)", 100*f.HitRate, f.Hits, f.Asked, f.Injected))
}

// figuresOf are the figures of a data directory; nil where nothing was ever recorded, or memory was never on.
func figuresOf(ctx context.Context, dir string, now time.Time) (*progress.Memory, error) {
	const week, newest = 7 * 24 * time.Hour, 20_000
	s, err := store.OpenReadOnly(ctx, worker.StorePath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }() // it was only read
	m, err := progress.MemoryOf(ctx, s, now, now.Add(-week), newest)
	if err != nil || !m.Known {
		return nil, err
	}
	return &m, nil
}
