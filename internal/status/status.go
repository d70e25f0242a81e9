// Package status gathers what a person wants to see at once: what is installed, what flows, what waits, what fails. It asks
// no server and reads no more than the newest rows and indexes of the store; internal/cli prints it. Nothing in it is
// secret.
package status

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/doctor"
	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/off"
	"github.com/boathook/boathook/internal/sink/progress"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/wake"
	"github.com/boathook/boathook/internal/worker"
)

// Status is all of it.
type Status struct {
	Version string `json:"version"`
	Config  string `json:"config,omitempty"`
	DataDir string `json:"data_dir"`
	Off     string `json:"off,omitempty"`
	// OffEnds is what ends it, where Off does not say so.
	OffEnds   string          `json:"off_ends,omitempty"`
	Installed []Installed     `json:"installed"`
	Agents    []Agent         `json:"agents"`
	Decisions Decisions       `json:"decisions_today"`
	Waiting   Waiting         `json:"waiting"`
	Worker    Worker          `json:"worker"`
	Sinks     []progress.Sink `json:"sinks"`
	// Unusable says what is wrong with an endpoint that is set and to which nothing can be sent.
	Unusable string `json:"endpoint_problem,omitempty"`
	Guard    *Guard `json:"guard,omitempty"`
	// Policy is what the local guard goes by.
	Policy *Policy `json:"policy,omitempty"`
	// Hooks are the programs of [[hooks]].
	Hooks    []Hook   `json:"hooks,omitempty"`
	Store    *Store   `json:"store,omitempty"`
	Memory   *Memory  `json:"memory,omitempty"`
	Lost     Lost     `json:"lost"`
	Problems []string `json:"problems"`
}

// Decisions counts what was decided where somebody was asked.
type Decisions map[string]int64

// Installed is one place with hooks.
type Installed struct {
	Agent     string    `json:"agent"`
	Dir       string    `json:"dir"`
	Workspace bool      `json:"workspace,omitempty"`
	Events    int       `json:"events"`
	Since     time.Time `json:"since,omitzero"`
}

// Agent is what came from one.
type Agent struct {
	Agent string    `json:"agent"`
	Today int64     `json:"today"`
	Hour  int64     `json:"last_hour"`
	Last  time.Time `json:"last,omitzero"`
}

// Waiting is what no worker has stored yet.
type Waiting struct {
	Events int       `json:"events"`
	Bytes  int64     `json:"bytes"`
	Oldest time.Time `json:"oldest,omitzero"`
}

// Worker is the process that stores and sends.
type Worker struct {
	Running bool `json:"running"`
	PID     int  `json:"pid,omitempty"`
}

// Hook is a program of the user's or the administrator's that judges.
type Hook struct {
	Name string `json:"name"`
	Fail string `json:"fail"`
}

// Guard is how the remote guard did, by the newest questions.
type Guard struct {
	Endpoint string  `json:"endpoint"`
	Asked    int     `json:"asked"`
	P50      float64 `json:"p50_ms"`
	P95      float64 `json:"p95_ms"`
	Budget   float64 `json:"timeout_ms"`
	Failed   int     `json:"without_verdict"`
	Why      string  `json:"why,omitempty"`
}

// Store is what is kept.
type Store struct {
	Bytes  int64     `json:"bytes"`
	Events int64     `json:"events"`
	Oldest time.Time `json:"oldest,omitzero"`
	// Body and Metadata are the days that contents and the rest are kept; zero is for good.
	Body     int `json:"body_days"`
	Metadata int `json:"metadata_days"`
}

// Lost is what is not in the store and never will be, since the store was made.
type Lost struct {
	Quarantined int64 `json:"quarantined"`
	Dropped     int64 `json:"dropped"`
	NotKept     int64 `json:"not_kept"`
	// Capped were stored, and removed since the store was full; Unsent of them had not been sent.
	Capped int64 `json:"dropped_stored"`
	Unsent int64 `json:"dropped_unsent"`
}

const day = 24 * time.Hour

// limit is how long all of it may take: a disk that hangs must not hang a person.
const limit = 5 * time.Second

// ErrHangs says that a disk did not answer.
var ErrHangs = errors.New("look at the data: a disk or a network file system does not answer; 'boathook doctor' says which")

// Gather looks at everything. With an error the rest is there all the same, but for ErrHangs.
func Gather(ctx context.Context, env doctor.Env) (*Status, error) {
	type result struct {
		s   *Status
		err error
	}
	done := make(chan result, 1)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	go func() {
		s, err := gather(ctx, env)
		done <- result{s, err}
	}()
	select {
	case r := <-done:
		return r.s, r.err
	case <-time.After(limit + time.Second):
		return nil, ErrHangs
	}
}

func gather(ctx context.Context, env doctor.Env) (*Status, error) {
	w := doctor.Load(env)
	s := &Status{
		Version: env.Install.Version, Config: w.Settings.Path, DataDir: w.Settings.DataDir,
		Installed: []Installed{}, Agents: []Agent{}, Sinks: []progress.Sink{}, Decisions: Decisions{}, Problems: []string{},
	}
	s.installed(w)
	s.Problems = append(s.Problems, w.Worrying(ctx)...)
	s.switched(w)
	s.policy(w)
	s.memory(w)
	s.waiting(w)
	s.Unusable = w.Foreign(progress.Unusable(w.Settings))
	for _, h := range w.Settings.Hooks {
		s.Hooks = append(s.Hooks, Hook{h.Name, map[bool]string{true: "closed", false: "open"}[h.FailClosed]})
	}
	if w.Settings.DataDir == "" {
		return s, nil
	}
	lockFile := filepath.Join(w.Settings.DataDir, wake.LockFile)
	if s.Worker.Running = lock.Held(lockFile); s.Worker.Running {
		s.Worker.PID, _ = lock.Holder(lockFile)
	}
	if age := env.Now().Sub(s.Waiting.Oldest); s.Waiting.Events > 0 && age > time.Minute {
		s.problem("%s not stored yet, the oldest for %s", doctor.Count(int64(s.Waiting.Events), "event"), duration.Text(age.Round(time.Second)))
	}
	err := s.stored(ctx, w)
	s.guard(w)
	return s, err
}

func (s *Status) problem(format string, args ...any) {
	s.Problems = append(s.Problems, fmt.Sprintf(format, args...))
}

func (s *Status) installed(w *doctor.World) {
	for _, in := range w.Places {
		one := Installed{Agent: in.Agent, Dir: in.Dir, Workspace: in.Workspace, Events: len(in.Events)}
		for _, name := range []string{".boathook.json", "boathook-hook.sh"} {
			if info, err := os.Stat(filepath.Join(in.Dir, name)); err == nil {
				one.Since = info.ModTime()
			}
		}
		s.Installed = append(s.Installed, one)
		for _, f := range in.Faults {
			s.problem("%s: %s", f.Path, f.Text)
		}
	}
	if len(w.Places) > 0 && w.Settings.Missing {
		s.problem("config %s is gone: the hooks do nothing", w.Settings.Path)
	}
	for _, p := range w.Settings.Problems {
		s.problem("%s", w.Foreign(p))
	}
}

// switched tells what 'boathook off' and off.projects say for the working directory.
func (s *Status) switched(w *doctor.World) {
	var what, ends []string
	say := func(text, end string) {
		what = append(what, text)
		if end != "" {
			ends = append(ends, end)
		}
	}
	defer func() { s.Off, s.OffEnds = strings.Join(what, ", and "), strings.Join(ends, ", ") }()
	if project, in := off.In(w.Dir, w.Settings.Off.Projects); in {
		say("in "+project+", by off.projects", "take it out of off.projects in "+w.Settings.Path)
	}
	state, err := off.Load(w.Settings.Path)
	if err != nil || !w.Settings.Off.Allowed {
		return
	}
	state = state.Current(off.At(w.Now()))
	if state.All != nil {
		say(state.All.Lasts(w.Now(), ""), state.All.Ends(""))
	}
	if project, in := off.In(w.Dir, slices.Sorted(maps.Keys(state.Projects))); in {
		span := state.Projects[project]
		say("in "+project+" "+span.Lasts(w.Now(), project), span.Ends(project))
	}
}

func (s *Status) waiting(w *doctor.World) {
	files, bytes, oldest, err := w.Spool().Usage()
	if err != nil {
		s.problem("%s", w.Foreign(err.Error()))
	}
	s.Waiting = Waiting{Events: files, Bytes: bytes, Oldest: oldest}
}

// stored is all that the store says. That there is none is no error.
func (s *Status) stored(ctx context.Context, w *doctor.World) error {
	db, err := w.Open(ctx)
	if err != nil {
		if serr := s.sinks(ctx, w, nil); serr != nil || errors.Is(err, fs.ErrNotExist) {
			return serr
		}
		s.problem("%s", w.Foreign(err.Error()))
		return err
	}
	defer func() { _ = db.Close() }() // it was only read
	for _, step := range []func(context.Context, *doctor.World, *store.Store) error{s.flow, s.sinks, s.lost, s.asked, s.recalled} {
		if err := step(ctx, w, db); err != nil {
			return err
		}
	}
	return nil
}

func (s *Status) flow(ctx context.Context, w *doctor.World, db *store.Store) error {
	now := w.Now()
	y, m, d := now.Date()
	g, err := db.Glance(ctx, time.Date(y, m, d, 0, 0, 0, 0, now.Location()), now.Add(-time.Hour))
	if err != nil {
		return err
	}
	for _, a := range g.Agents {
		s.Agents = append(s.Agents, Agent{Agent: a.Agent, Today: a.Today, Hour: a.Hour, Last: a.Last})
	}
	for action, n := range g.Decisions {
		if n > 0 {
			s.Decisions[action] = n
		}
	}
	r := w.Settings.Retention
	s.Store = &Store{Events: g.Rows, Oldest: g.Oldest, Body: int(r.Body / day), Metadata: int(r.Metadata / day)}
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(worker.StorePath(w.Settings.DataDir) + suffix); err == nil {
			s.Store.Bytes += info.Size()
		}
	}
	return nil
}

func (s *Status) sinks(ctx context.Context, w *doctor.World, db *store.Store) (err error) {
	s.Sinks, err = progress.Of(ctx, db, w.Settings)
	for i := range s.Sinks {
		k := &s.Sinks[i]
		if k.Error = w.Foreign(k.Error); k.Failing() {
			s.problem("%s: %s: %s", k.Name, progress.Failed(k.Tries), k.Error)
		}
	}
	return err
}

func (s *Status) lost(ctx context.Context, _ *doctor.World, db *store.Store) error {
	n, err := db.Counters(ctx)
	s.Lost = Lost{Quarantined: n[worker.CounterQuarantined], Dropped: n[worker.CounterDropped], NotKept: n[worker.CounterNotKept], Capped: n[store.CounterCapped], Unsent: n[store.CounterUnsent]}
	return err
}

// newestQuestions is how many questions are looked at.
const newestQuestions = 200

func (s *Status) asked(ctx context.Context, _ *doctor.World, db *store.Store) error {
	asked, err := db.Questions(ctx, newestQuestions)
	if err != nil || len(asked) == 0 {
		return err
	}
	p50, p95 := doctor.Quantiles(asked)
	s.Guard = &Guard{Asked: len(asked), P50: p50.Seconds() * 1000, P95: p95.Seconds() * 1000}
	if s.Guard.Failed, s.Guard.Why = doctor.Failures(asked); s.Guard.Failed*20 > len(asked) {
		s.problem("guard: %d of the last %d questions had no verdict (%s)", s.Guard.Failed, len(asked), s.Guard.Why)
	}
	return nil
}

// guard adds what the settings say; where none is asked now, there is nothing to show.
func (s *Status) guard(w *doctor.World) {
	g := w.Settings.Guard
	switch {
	case g.Endpoint == "" || g.Disabled:
		s.Guard = nil
		if g.FailClosed && g.Endpoint == "" && !g.Disabled {
			s.problem("guard.fail = closed and no guard.endpoint is set: every tool call is denied")
		}
		return
	case s.Guard == nil:
		s.Guard = &Guard{}
	}
	s.Guard.Endpoint, s.Guard.Budget = doctor.Address(g.Endpoint), g.Timeout.Seconds()*1000
}
