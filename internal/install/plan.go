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

	"github.com/boathook/boathook/internal/config"
)

// Plan is what will be done, in order.
type Plan struct {
	Changes []Change `json:"changes"`
	// Imported are the settings that the new config takes over, with their sources.
	Imported []config.Value `json:"imported,omitempty"`
	// Notes are things that the user should know.
	Notes []string `json:"notes,omitempty"`
	// Consent are reasons why this must not be done without an explicit yes.
	Consent []string `json:"consent,omitempty"`
	// Restart tells what to do before the hooks run.
	Restart []string `json:"restart,omitempty"`
	DataDir string   `json:"data_dir"`
	Config  string   `json:"config"`

	secrets []string
	next    manifest
	undoing bool
}

// Op is a kind of change.
type Op string

// The operations. Rmdir removes only an empty directory, and a full one is no error.
const (
	Mkdir      Op = "mkdir"
	Create     Op = "create"
	Edit       Op = "edit"
	Remove     Op = "remove"
	Rmdir      Op = "rmdir"
	Move       Op = "move"
	RemoveTree Op = "remove_tree"
)

// Change is one step.
type Change struct {
	Op    Op     `json:"op"`
	Agent string `json:"agent,omitempty"`
	Path  string `json:"path"`
	// To is where Move moves to.
	To string `json:"to,omitempty"`
	// Why is for people.
	Why string `json:"why,omitempty"`

	perm          fs.FileMode
	before, after []byte
	// shown is after as people see it, where that differs.
	shown []byte
	// backup is where original goes first; empty where there is nothing to keep.
	backup   string
	original []byte
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
	// made are directories that this run created already, to hold its lock.
	made []string
	old  manifest
	// agent is whose changes are being added; empty for what all share.
	agent string
}

func (p *planner) note(format string, args ...any) {
	p.plan.Notes = append(p.plan.Notes, fmt.Sprintf(format, args...))
}

func (p *planner) change(c Change) {
	c.Agent = p.agent
	p.plan.Changes = append(p.plan.Changes, c)
}

// dir plans a directory and what is missing above it.
func (p *planner) dir(path string, perm fs.FileMode) error {
	if slices.ContainsFunc(p.plan.Changes, func(c Change) bool { return c.Op == Mkdir && c.Path == path }) {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return refuse("create directory %s: something that is not a directory is there; move it away first", path)
	case err == nil && !slices.Contains(p.made, path):
		return nil
	case err != nil && !absent(err):
		return fmt.Errorf("look at directory %s: %w", path, err)
	}
	if up := filepath.Dir(path); up != path {
		if err := p.dir(up, perm); err != nil {
			return err
		}
	}
	p.change(Change{Op: Mkdir, Path: path, perm: perm})
	p.remember(entry{Kind: kindDir, Path: path, Mode: uint32(perm)})
	return nil
}

// remember puts an entry into the next manifest, in place of one for the same path.
func (p *planner) remember(e entry) {
	e.Agent = p.agent
	p.plan.next.put(e)
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}
