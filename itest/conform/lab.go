package conform

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/mockmodel"
)

// Lab is the world of one user of one agent.
type Lab struct {
	*agentlab.Lab
	Agent Agent
	Model Model
	// Prepare fills the working folder before each session, where it is set.
	Prepare func(work string)
}

// NewLab makes the world of a user of an agent, whose model plays all plays of the suite.
func NewLab(tb testing.TB, a Agent) *Lab {
	tb.Helper()
	return NewLabFor(tb, a, (*Lab).plays)
}

// NewLabFor is NewLab with other plays.
func NewLabFor(tb testing.TB, a Agent, plays func(*Lab) mockmodel.Plays) *Lab {
	tb.Helper()
	l := &Lab{Lab: agentlab.New(tb, ""), Agent: a}
	l.Model = a.Model(tb, plays(l))
	a.Furnish(tb, l)
	return l
}

// Refurnish begins anew in the same place.
func (l *Lab) Refurnish(tb testing.TB, aside string) {
	tb.Helper()
	l.Lab.Refurnish(tb, aside)
	l.Agent.Furnish(tb, l)
}

// Configure writes boathook's config: one hook of the user's is asked.
func (l *Lab) Configure(tb testing.TB, command ...string) {
	tb.Helper()
	list, err := json.Marshal(command) // a list of texts in TOML, too
	agentlab.Must(tb, err)
	l.Write(tb, filepath.Join(l.Home, ".config", "boathook", "config.toml"), fmt.Sprintf(`data_dir = %q

[[hooks]]
on = ["tool:before", "tool:after", "tool:error", "permission:request", "tool:batch", "prompt:submit", "session:start", "subagent:start", "subagent:stop", "agent:stop"]
command = %s
timeout = 10000
fail = "closed"
`, filepath.Join(l.Home, ".local", "share", "boathook"), list))
}

// Install brings a boathook and installs it into the agent.
func (l *Lab) Install(tb testing.TB, args ...string) {
	tb.Helper()
	l.RemoveBin(tb) // a process may still run it
	l.Bring(tb)
	l.MustBoathook(tb, nil, slices.Concat([]string{"install", l.Agent.ID, "--yes"}, l.Agent.InstallArgs, args)...)
}

// Seen is what one session left behind.
type Seen struct {
	Outcome
	// Files are what is in the working folder now, sorted. Results and Requests are of the model.
	Files    []string
	Results  map[string]string
	Requests int
	// Records are those of this session's hooks.
	Records []agentlab.Record

	report string
}

// Session empties the working folder, runs a session and looks at what it left. Records are taken where boathook is there
// to be asked.
func (l *Lab) Session(tb testing.TB, s Session) Seen {
	tb.Helper()
	l.EmptyWork(tb)
	if l.Prepare != nil {
		l.Prepare(l.Work)
	}
	before := len(l.records(tb))
	l.Model.Reset()
	seen := Seen{Outcome: l.Agent.Run(tb, l, s)}
	seen.Files, seen.Results, seen.Requests = l.files(tb), l.Model.Results(), len(l.Model.Requests())
	if records := l.records(tb); len(records) > before {
		seen.Records = records[before:]
	}
	seen.report = l.report(s, seen)
	return seen
}

// records is the log, with all that hooks spooled so far; nothing where boathook was not brought, or is damaged.
func (l *Lab) records(tb testing.TB) []agentlab.Record {
	tb.Helper()
	if r := l.version(tb); r.Code != 0 {
		return nil
	}
	l.MustBoathook(tb, nil, "worker", "drain")
	return l.Log(tb)
}

// brought tells whether there is a program that could be boathook.
func (l *Lab) brought() bool {
	info, err := os.Stat(l.Bin)
	return err == nil && info.Mode().IsRegular()
}

func (l *Lab) files(tb testing.TB) []string {
	tb.Helper()
	var out []string
	agentlab.Must(tb, filepath.WalkDir(l.Work, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			out = append(out, strings.TrimPrefix(path, l.Work+string(filepath.Separator)))
		}
		return err
	}))
	slices.Sort(out)
	return out
}
