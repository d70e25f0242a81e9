// Package doctor finds out what keeps boathook from working, or would. Each check is a small value that looks at one
// thing, says what it is in one line, and what cures it. Checks only read; what doctor may mend by itself comes as a Fix
// that the caller asks for. internal/cli prints it. Nothing that it says holds a secret.
package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/install"
)

// Env is what doctor needs of the world.
type Env struct {
	// Install is the world as the installer sees it: home, environment, this program.
	Install install.Env
	// Dir is the directory that an agent would be started in.
	Dir string
	// Config is the config that was named; empty means the one that the hooks read.
	Config string
	// Agents are those to look at; none means all.
	Agents []string
	// Offline leaves out what needs a network, Full has the whole store checked.
	Offline, Full bool
	Now           func() time.Time
	// Only is what the ids of the checks begin with that are to be run; empty is all.
	Only string
	// Limit is how long one check may take; zero is the default.
	Limit time.Duration
}

// defaultLimit is more than a check needs on a slow machine, and little enough to wait for.
const defaultLimit = 5 * time.Second

// Status is how bad something is.
type Status string

// The statuses. A warning is something to look at, a failure something that keeps boathook from its work.
const (
	OK   Status = "ok"
	Info Status = "info"
	Warn Status = "warn"
	Fail Status = "fail"
)

// Result is one thing that a check found.
type Result struct {
	Status Status
	Text   string
	// Cure is a command or an edit, naming file and key; empty where there is nothing to cure.
	Cure string
	// Fix is set where doctor may mend it by itself.
	Fix *Fix
}

// Fix mends one thing. Fixes of one key do the same, so that one is enough.
type Fix struct {
	Key string
	// What is what it does, for people.
	What string
	Do   func(ctx context.Context) error
}

// Check looks at one thing. Run may be called concurrently with other checks and must heed ctx; one that does not is left
// behind when its time is over.
type Check struct {
	ID, Title string
	Run       func(ctx context.Context, w *World) []Result
}

// Finding is a result with the check that it comes from.
type Finding struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Status  Status `json:"status"`
	Text    string `json:"text"`
	Cure    string `json:"cure,omitempty"`
	Fixable bool   `json:"fixable,omitempty"`

	fix *Fix
}

// Report is what doctor found.
type Report struct {
	Config   string         `json:"config"`
	DataDir  string         `json:"data_dir"`
	Findings []Finding      `json:"checks"`
	Settings []config.Value `json:"settings"`
	// Changed are those of the settings that differ from the default.
	Changed []config.Value `json:"-"`
}

// Worst is the worst status of all.
func (r *Report) Worst() Status {
	worst := OK
	for _, f := range r.Findings {
		if rank(f.Status) > rank(worst) {
			worst = f.Status
		}
	}
	return worst
}

func rank(s Status) int {
	switch s {
	case Info:
		return 1
	case Warn:
		return 2
	case Fail:
		return 3
	}
	return 0
}

// Checks are all of them, in the order in which they are shown: what others rely on comes first.
func Checks() []Check {
	var out []Check
	for _, topic := range [][]Check{
		programChecks(), hostChecks(), entryChecks(), managedChecks(), switchChecks(), trustChecks(), limitChecks(), configChecks(), dataChecks(), spoolChecks(), workerChecks(),
		storeChecks(), telemetryChecks(), memoryChecks(), policyChecks(), guardChecks(), clockChecks(), overlapChecks(),
	} {
		out = append(out, topic...)
	}
	return out
}

// Worrying runs the checks that take no time, ask nobody and start nothing, and gives what warns or fails, for a status.
func (w *World) Worrying(ctx context.Context) []string {
	var out []string
	for _, c := range slices.Concat(managedChecks(), switchChecks(), trustChecks(), dataChecks()[:1], workerChecks()[1:2]) {
		if c.ID == "switch.off" {
			continue // not a worry, but what somebody wanted
		}
		for _, r := range c.Run(ctx, w) {
			if r.Status == Warn || r.Status == Fail {
				out = append(out, w.hide(r.Text))
			}
		}
	}
	return out
}

// Run looks at everything. It takes about as long as its slowest check, and never much longer than the limit.
func Run(ctx context.Context, env Env) *Report {
	if env.Limit <= 0 {
		env.Limit = defaultLimit
	}
	loaded := make(chan *World, 1)
	go func() { loaded <- Load(env) }()
	select {
	case w := <-loaded:
		return w.examine(ctx)
	case <-time.After(2 * env.Limit):
		return &Report{Findings: []Finding{{
			ID: "config.read", Title: "configuration", Status: Fail,
			Text: fmt.Sprintf("reading the configuration and the agents' files did not end within %s", 2*env.Limit),
			Cure: "look for a disk or a network file system that hangs: ls -l " + env.Install.Home,
		}}}
	}
}

// examine runs all checks at once, and gives what they found in their order.
func (w *World) examine(ctx context.Context) *Report {
	checks := slices.DeleteFunc(Checks(), func(c Check) bool { return !strings.HasPrefix(c.ID, w.Only) })
	results := make([]chan []Result, len(checks))
	for i, c := range checks {
		results[i] = make(chan []Result, 1)
		go func() { results[i] <- w.bounded(ctx, c) }()
	}
	r := &Report{Config: w.Settings.Path, DataDir: w.Settings.DataDir, Settings: w.settings(), Changed: w.changed()}
	for i, c := range checks {
		for _, res := range <-results[i] {
			r.Findings = append(r.Findings, Finding{
				ID: c.ID, Title: c.Title, Status: res.Status, Text: w.hide(res.Text), Cure: w.hide(res.Cure), Fixable: res.Fix != nil, fix: res.Fix,
			})
		}
	}
	return r
}

// grace is what a check gets to end in good order once its time is over.
const grace = time.Second

// bounded runs one check. Whatever it does, it ends.
func (w *World) bounded(ctx context.Context, c Check) []Result {
	ctx, cancel := context.WithTimeout(ctx, w.Limit)
	defer cancel()
	done := make(chan []Result, 1)
	go func() {
		defer func() {
			if thrown := recover(); thrown != nil {
				done <- []Result{{Status: Fail, Text: fmt.Sprintf("the check itself broke (%T)", thrown), Cure: "please report this"}}
			}
		}()
		done <- c.Run(ctx, w)
	}()
	hung := time.NewTimer(w.Limit + grace)
	defer hung.Stop()
	select {
	case out := <-done:
		return out
	case <-hung.C:
		return []Result{{
			Status: Fail, Text: fmt.Sprintf("did not end within %s: something that it looks at hangs", w.Limit+grace),
			Cure: "look for a disk or a network file system that hangs: ls -l " + w.Settings.DataDir,
		}}
	}
}

func ok(format string, args ...any) []Result {
	return []Result{{Status: OK, Text: fmt.Sprintf(format, args...)}}
}

func info(format string, args ...any) []Result {
	return []Result{{Status: Info, Text: fmt.Sprintf(format, args...)}}
}

func warn(cure, format string, args ...any) Result {
	return Result{Status: Warn, Text: fmt.Sprintf(format, args...), Cure: cure}
}

func fail(cure, format string, args ...any) Result {
	return Result{Status: Fail, Text: fmt.Sprintf(format, args...), Cure: cure}
}

// with adds what doctor can do about it.
func (r Result) with(key, what string, do func(ctx context.Context) error) Result {
	r.Fix = &Fix{Key: key, What: what, Do: do}
	return r
}

// orOK is what was found, or that nothing was.
func orOK(found []Result, format string, args ...any) []Result {
	if len(found) > 0 {
		return found
	}
	return ok(format, args...)
}
