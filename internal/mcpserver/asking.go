package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/audit"
	"github.com/boathook/boathook/internal/memory/inert"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/recall"
	"github.com/boathook/boathook/internal/redact"
)

// asking is one question to memory.
type asking struct {
	Options
	settings config.Settings
	data     string
	store    memory.Store
	client   string
	mask     *redact.Redactor
	// dropped counts lines that were left out since they read like instructions.
	dropped int
}

var (
	errOff   = errors.New("memory is off: nothing is kept. A person turns it on with 'boathook memory enable'")
	errEmpty = errors.New("memory is empty so far: it fills as agents work, and 'boathook memory backfill' reads their old sessions")
)

func begin(ctx context.Context, o Options, client string) (*asking, error) {
	s, dir, err := o.Settings()
	if err != nil {
		return nil, err
	}
	if !s.Memory.Enabled {
		return nil, errOff
	}
	a := &asking{Options: o, settings: s, data: dir, client: client}
	rules := redact.Options{Allow: s.Redact.Allow}
	for name, expr := range s.Redact.Patterns {
		rules.Patterns = append(rules.Patterns, redact.Pattern{Type: name, Regexp: expr})
	}
	a.mask, _ = redact.New(rules) // doctor tells of patterns that don't work
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, errEmpty
	}
	if a.store, err = o.Open(ctx, s, dir); errors.Is(err, fs.ErrNotExist) {
		return nil, errEmpty
	}
	if err != nil {
		return nil, a.failed(err)
	}
	return a, nil
}

func (a *asking) close() { _ = a.store.Close() } // nothing was written

// failed is an error as an agent is told it: it may quote rows.
func (a *asking) failed(err error) error {
	text := a.clean(err.Error(), 500)
	if text == "" {
		text = "it failed, for a reason that can't be told"
	}
	return errors.New(text)
}

// where says whose memory is meant.
type where struct {
	Project     string `json:"project,omitempty" jsonschema:"absolute path of a directory of the project that is meant; without it this project"`
	AllProjects bool   `json:"all_projects,omitempty" jsonschema:"look into every project of this machine; only where the user asks for that"`
}

// errElsewhere refuses an agent what the person who registered the server did not give it.
var errElsewhere = errors.New("this server gives the memory of its own project alone; who registers it with 'boathook mcp --all-projects' lets agents ask about others")

// filter is the projects' part of a filter. What an agent asks a model has chosen, and a text that it has read may have told it so:
// other projects than the server's own are asked only where the person who registered it said so.
func (a *asking) filter(w where) (memory.Filter, error) {
	if w.AllProjects {
		if !a.AllProjects {
			return memory.Filter{}, errElsewhere
		}
		if w.Project != "" {
			return memory.Filter{}, errors.New("project and all_projects exclude each other")
		}
		return memory.Filter{AllProjects: true}, nil
	}
	dir := a.Dir
	if w.Project != "" {
		dir = w.Project
	}
	if !filepath.IsAbs(dir) {
		return memory.Filter{}, errors.New("project has to be the absolute path of a directory")
	}
	resolver, err := open.Projects(a.data, a.settings)
	if err != nil {
		return memory.Filter{}, err
	}
	p, err := resolver.Of(dir)
	if err != nil {
		return memory.Filter{}, err
	}
	if dir != a.Dir && !a.AllProjects {
		if own, err := resolver.Of(a.Dir); err != nil || own.Key != p.Key {
			return memory.Filter{}, errElsewhere
		}
	}
	return memory.Filter{Projects: []string{p.Key}}, nil
}

// period reads since and until.
func (a *asking) period(f *memory.Filter, since, until string) (err error) {
	if f.Since, err = a.point("since", since); err == nil {
		f.Until, err = a.point("until", until)
	}
	return err
}

// point is a time, a date, or how long ago.
func (a *asking) point(name, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, ok := duration.Parse(text); ok {
		return a.Now().Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, text, a.Now().Location()); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s is a time (2026-11-30T12:00:00Z), a date (2026-11-30) or how long ago (7d), not %.40q", name, text)
}

// log writes what was asked into the audit log; without that nothing is told.
func (a *asking) log(e audit.Entry) error {
	e.Time, e.Via, e.Who, e.Agent = a.Now(), "mcp", a.Who, a.client
	e.Query = a.masked(e.Query)
	if err := (audit.Log{Dir: a.data}).Add(e); err != nil {
		return fmt.Errorf("%w; what is looked for in memory has to be in its log", err)
	}
	return nil
}

func (a *asking) masked(text string) string { return a.mask.Text(text, true, map[string]int{}) }

// clean is a text as a model may be told it: masked, on one line, without what reads like an instruction. It is masked once more at
// the end: what was hidden between the characters of a secret is gone then.
func (a *asking) clean(text string, most int) string {
	line, dropped := inert.Line(a.masked(recall.Strip(text)), most)
	a.dropped += dropped
	if line != "" {
		line, _ = inert.Line(a.masked(line), most)
	}
	return line
}

// maxName bounds names: of agents, tools, sessions.
const maxName = 200

// name is an id or a name. Those that agents really have stay as they are, so that they can be asked for.
func (a *asking) name(text string) string {
	if len(text) <= maxName && strings.IndexFunc(text, strange) < 0 {
		return text
	}
	return a.clean(text, maxName)
}

func strange(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._:/@+-", r))
}

// short is what another program says of itself, for the log.
func short(text string) string {
	line, _ := inert.Line(text, 100)
	return line
}
