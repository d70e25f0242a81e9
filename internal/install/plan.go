package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/config"
)

// Plan is what will be done, in order.
type Plan struct {
	Changes []Change `json:"changes"`
	// Imported are the settings that the config takes over, with their sources.
	Imported []config.Value `json:"imported,omitempty"`
	// Notes are things that the user should know.
	Notes []string `json:"notes,omitempty"`
	// Consent are reasons why this must not be done without an explicit yes.
	Consent []string `json:"consent,omitempty"`
	// Skipped are the agents that were found and stay without hooks, for one of the Failures.
	Skipped []string `json:"skipped,omitempty"`
	// Failures are places that an uninstall can't change; the others it does.
	Failures []string `json:"failures,omitempty"`
	// Restart tells what to do before the hooks run, or no longer do.
	Restart []string `json:"restart,omitempty"`
	DataDir string   `json:"data_dir"`
	Config  string   `json:"config"`

	secrets []string
}

// Op is a kind of change.
type Op string

// The operations. Rmdir removes only an empty directory, and a full one is no error. The last two can't be taken back.
const (
	Remember   Op = "remember" // write the manifest, after the backups that it relies on
	Mkdir      Op = "mkdir"
	Create     Op = "create"
	Edit       Op = "edit"
	Remove     Op = "remove"
	Rmdir      Op = "rmdir"
	Move       Op = "move"
	RemoveData Op = "remove_data" // the names that are boathook's in a data directory
	Forget     Op = "forget"      // the manifest, the backups, and the directories made for them
)

// Change is one step.
type Change struct {
	Op    Op     `json:"op"`
	Agent string `json:"agent,omitempty"`
	Path  string `json:"path"`
	// To is where Move moves to.
	To string `json:"to,omitempty"`
	// Makes are directories that are made with it.
	Makes []string `json:"makes,omitempty"`
	// Why is for people.
	Why string `json:"why,omitempty"`

	perm          fs.FileMode
	before, after []byte
	// exact makes a file or directory with just these modes, whatever the umask.
	exact bool
	// link is the symbolic link that leads to Path, where there is one.
	link string
	// backups go first in a Remember: file names to contents.
	backups map[string][]byte
	// dirs are the directories that boathook made, for Forget.
	dirs []string
}

// Empty tells that there is nothing to do.
func (p *Plan) Empty() bool { return len(p.Changes) == 0 }

// Same tells whether two plans make the same changes.
func (p *Plan) Same(q *Plan) bool {
	return slices.EqualFunc(p.Changes, q.Changes, func(a, b Change) bool {
		return a.Op == b.Op && a.Path == b.Path && a.To == b.To && bytes.Equal(a.before, b.before) && bytes.Equal(a.after, b.after)
	})
}

// planner collects a plan. It only reads.
type planner struct {
	env  Env
	req  Request
	plan *Plan
	// old is the manifest as it is, next what it becomes; text is the old one's file, nil where there is none.
	old, next manifest
	text      []byte
	// state is the directory of the manifest and the backups.
	state   string
	backups map[string][]byte
	// staged are the directories that come with the manifest.
	staged  []string
	undoing bool
	// agent is whose changes are being added; empty for what all share.
	agent string
}

func (p *planner) note(format string, args ...any) {
	text := p.plan.mask(fmt.Sprintf(format, args...))
	if !slices.Contains(p.plan.Notes, text) {
		p.plan.Notes = append(p.plan.Notes, text)
	}
}

// change adds a step. A path has one: to change it twice would find it changed the second time.
func (p *planner) change(c Change) {
	c.Agent, c.exact = p.agent, p.req.Managed
	state := c.Op == Remember || c.Op == RemoveData || c.Op == Forget
	if state || !slices.ContainsFunc(p.plan.Changes, func(have Change) bool { return have.Path == c.Path && have.Op != RemoveData }) {
		p.plan.Changes = append(p.plan.Changes, c)
	}
}

// dir plans a directory and what is missing above it. The manifest remembers them before they are there.
func (p *planner) dir(path string, perm fs.FileMode) error {
	missing, err := p.missing(path)
	for _, dir := range missing {
		p.change(Change{Op: Mkdir, Path: dir, perm: perm})
		p.next.made(dir)
	}
	return err
}

// missing lists the directories that have to be made for path, outermost first, of those that aren't planned yet.
func (p *planner) missing(path string) ([]string, error) {
	var out []string
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		switch {
		case err == nil && info.IsDir(), slices.Contains(p.staged, at):
			slices.Reverse(out)
			return out, nil
		case err == nil:
			return nil, refuse("create directory %s: something that is not a directory is there; move it away first", at)
		case exists(at) && absent(err):
			return nil, refuse("create directory %s: a symbolic link to nothing is there; mend it first", at)
		case !absent(err):
			return nil, fmt.Errorf("look at directory %s: %w", at, err)
		}
		out = append(out, at)
	}
}

// goes tells that the plan removes a path.
func (p *planner) goes(path string) bool {
	return slices.ContainsFunc(p.plan.Changes, func(c Change) bool {
		switch c.Op {
		case Remove, Rmdir, Move:
			return path == c.Path || path == c.link
		case RemoveData:
			return slices.Contains(dataFiles(c.Path), path)
		}
		return false
	})
}

// rmdirs plans the removal of those directories that the plan empties, the deepest first.
func (p *planner) rmdirs(dirs []string) {
	dirs = slices.Clone(dirs)
	slices.SortStableFunc(dirs, func(a, b string) int {
		return strings.Count(b, string(filepath.Separator)) - strings.Count(a, string(filepath.Separator))
	})
	for _, dir := range dirs {
		if exists(dir) && p.emptied(dir) {
			p.change(Change{Op: Rmdir, Path: dir})
		}
	}
	p.next.Dirs = slices.DeleteFunc(p.next.Dirs, func(dir string) bool { return p.goes(dir) || !exists(dir) })
}

// emptied tells that nothing will be left in a directory.
func (p *planner) emptied(dir string) bool {
	for _, c := range p.plan.Changes {
		if c.To != "" && filepath.Dir(c.To) == dir {
			return false
		}
	}
	return len(p.left(dir)) == 0
}

// left lists what the plan leaves in a directory.
func (p *planner) left(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []string{"?"}
	}
	var out []string
	for _, e := range entries {
		if !p.goes(filepath.Join(dir, e.Name())) {
			out = append(out, e.Name())
		}
	}
	return out
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// list is names as people write them.
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
