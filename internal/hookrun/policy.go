package hookrun

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/policy"
)

// What judging may take: all of it, and its looks at the disk. What takes longer was made to.
var (
	judgeTime = 2 * time.Second
	factTime  = 250 * time.Millisecond
)

var errHangs = errors.New("the disk hangs")

// policies are those that one call is judged by.
type policies struct {
	judge.Layers
	shadow  bool
	machine *place.Machine
}

// reading is a policy file that is being read; text says which.
type reading struct {
	text judge.Text
	read chan judge.Text
}

// policyFiles begins to read the policies that do not depend on the payload, which comes meanwhile. Each is read for itself: a user's
// file that hangs takes nothing away from the administrator's.
func (r *run) policyFiles() []reading {
	p := r.settings.Policy
	if !r.event.Gate && !r.unsure() || p.Mode == "off" && p.Organisation == "" {
		return nil
	}
	var out []reading
	for _, t := range judge.Files(p) {
		f := reading{t, make(chan judge.Text, 1)}
		go func() { f.read <- f.text.Read() }()
		out = append(out, f)
	}
	if out == nil {
		out = []reading{} // nothing to read, and yet something to judge by
	}
	return out
}

// readIn waits for the files.
func readIn(files []reading) []judge.Text {
	over := make(chan struct{})
	timer := time.AfterFunc(diskTime, func() { close(over) })
	defer timer.Stop()
	var out []judge.Text
	for _, f := range files {
		out = append(out, f.wait(over))
	}
	return out
}

// wait gives the file as it was read. One that hangs is there and does not count.
func (f reading) wait(over <-chan struct{}) judge.Text {
	select {
	case t := <-f.read:
		return t
	case <-over:
	}
	select {
	case t := <-f.read: // it came all the same
		return t
	default:
		f.text.There, f.text.Err = true, errHangs
		return f.text
	}
}

// askPolicy asks the local policy where a deny is possible. Until it has spoken a call is not judged, and that is no allow.
func (r *run) askPolicy(c *call, files []reading) {
	if files == nil {
		files = r.policyFiles() // the payload may have made a gate of it
	}
	ev, ok := r.judged(c)
	if files == nil || !r.event.Gate || !ok {
		r.decideLocal(record.Decision{})
		return
	}
	start := r.env.Now()
	p := r.loadPolicies(c, files)
	if p == nil {
		r.decideLocal(record.Decision{})
		return
	}
	r.policing.Store(!p.shadow)
	if !p.shadow {
		r.decideLocal(unjudged()) // an administrator may have overruled what the settings say
	}
	read, v, ok := r.ask1(p, ev, r.moreCommands(c))
	if !ok {
		return // what stands is that it could not be judged
	}
	c.policies, c.policy = p, evidence(read.call, v, p.Layers, read.unsure)
	c.policy.Shadow = p.shadow
	d := record.Decision{}
	if !p.shadow {
		d = r.local(c, read.call, v)
	}
	c.policy.TookMS = float64(r.env.Now().Sub(start).Microseconds()) / 1000
	r.decideLocal(d)
}

// expected is what stands until the policy has spoken.
func (r *run) expected() record.Decision {
	if r.event.Gate && r.settings.Policy.Mode == "enforce" {
		return unjudged()
	}
	return record.Decision{}
}

// judged is the event that the policy is asked about. Of a payload in which no call was found, what looks like a command is one.
func (r *run) judged(c *call) (canon.Event, bool) {
	if c.Tool != nil {
		return c.Event, true
	}
	if c.payload.Sound() {
		return c.Event, false
	}
	found := lenient.Find(c.payload.Text, r.host.Commands)
	if len(found) == 0 {
		return c.Event, false
	}
	ev := c.Event
	ev.Tool = &canon.Tool{Name: "bash", HostName: "bash", Kind: "shell", Command: found[0]}
	return ev, true
}

// moreCommands are those that a payload seems to hold beside the one that was read, each for itself: what we cannot read for sure, the
// agent may read otherwise, and a quote in one of several must not hide the next.
func (r *run) moreCommands(c *call) []string {
	if c.payload.Sound() && (c.Tool == nil || !strings.Contains(c.Tool.Command, "\n")) {
		return nil
	}
	found := r.host.CommandLines(c.payload)
	if c.payload.Sound() && len(found) < 2 {
		return nil // one of several lines
	}
	return found
}

// loadPolicies are the policies in force; nil where there is nothing to be judged by. Every disk has its bound, and where one hangs the
// built-in policy stands in.
func (r *run) loadPolicies(c *call, files []reading) *policies {
	texts := readIn(files)
	mode, overruled := judge.Mode(r.settings.Policy, texts)
	if overruled {
		r.note("policy.mode: there is an administrator's policy, and the administrator's config does not switch it off: it is enforced")
	}
	if mode == "off" {
		return nil
	}
	r.findProject(c)
	if t, ok := r.projectPolicy(c); ok {
		texts = append(texts, t)
	}
	p := &policies{Layers: judge.Combine(texts...), shadow: mode == "shadow", machine: r.machine(c)}
	for _, problem := range p.Problems {
		r.note("policy: " + judge.ProblemText(problem))
	}
	if p.Broken {
		r.note("policy: a policy file does not count; the built-in policy stands in for it")
	}
	return p
}

// projectPolicy is the project's, where a person trusts it.
func (r *run) projectPolicy(c *call) (judge.Text, bool) {
	if c.Project == "" || r.stuck(c.Project) != "" {
		return judge.Text{}, false
	}
	var there bool
	if !within(diskTime, func() { _, err := os.Lstat(judge.ProjectFile(c.Project)); there = err == nil }) || !there {
		return judge.Text{}, false // as nearly always
	}
	d, ok := r.open()
	if !ok || d.err != nil {
		return judge.Text{}, false
	}
	var t judge.Text
	var trusted bool
	if !within(diskTime, func() { t, trusted = judge.ReadProject(d.dir, c.Project) }) {
		return judge.Text{}, false
	}
	return t, trusted
}

func (r *run) machine(c *call) *place.Machine {
	m := judge.Machine(config.Home(r.request(), r.settings), c.CWD, c.Project)
	for _, path := range []string{r.settings.Path, r.settings.Policy.File} {
		if path != "" {
			m.Guard = append(m.Guard, path)
		}
	}
	for _, path := range []string{filepath.Dir(r.settings.Path), r.settings.DataDir, r.env.Exe} {
		if filepath.IsAbs(path) && filepath.Dir(path) != path {
			m.Guard = append(m.Guard, path)
		}
	}
	if tmp, ok := r.env.Lookup("TMPDIR"); ok && r.settings.TrustEnv && filepath.IsAbs(tmp) {
		m.Temp = append(m.Temp, filepath.Clean(tmp))
	}
	m.Facts = judge.NewDisk(factTime, func(dir string) bool { return r.stuck(dir) != "" })
	return m
}

// seen is a call as it was read.
type seen struct {
	call   policy.Call
	unsure []string
}

// ask1 asks the policies once. Whatever happens in it, the answer is that the call could not be judged.
func (r *run) ask1(p *policies, ev canon.Event, more []string) (seen, policy.Verdict, bool) {
	var s seen
	var v policy.Verdict
	done := false
	var failed any
	ok := within(judgeTime, func() {
		defer func() { failed = recover() }()
		s.call, s.unsure = judge.ReadAll(ev, p.machine, more)
		v = p.Set.Judge(s.call)
		done = true
	})
	switch {
	case !ok:
		r.note("policy: judging took too long")
		return seen{}, policy.Verdict{}, false
	case !done:
		r.note(fmt.Sprintf("policy: panic: %v", failed))
		return seen{}, policy.Verdict{}, false
	}
	return s, v, true
}

// withPerson is an event as it is where a person always sits before the agent: then it can ask where it would hang without one.
func (r *run) withPerson(h *host.Host, ev host.Event) host.Event {
	if ev.AskHangs && slices.ContainsFunc(r.settings.Policy.Interactive, func(label string) bool {
		of, known := registry.Lookup(strings.ToLower(strings.TrimSpace(label)))
		return known && of.ID == h.ID
	}) {
		ev.Can.Ask = true
	}
	return ev
}

// notePolicy says in the record of a session's start what is wrong with the policies, and which one nobody trusts.
func (r *run) notePolicy(c call) {
	if c.Event.Event != canon.SessionStart || r.settings.Policy.Mode == "off" || c.Project == "" || r.stuck(c.Project) != "" {
		return
	}
	var texts []judge.Text
	var t judge.Text
	var trusted bool
	dir := r.settings.DataDir
	if !within(diskTime, func() { texts, t, trusted = projectToo(r.settings.Policy, dir, c.Project) }) {
		return
	}
	if t.There && t.Err == nil && !trusted {
		r.note("policy: the project's .boathook/policy.toml does not count, since nobody trusts it: boathook policy trust")
	}
	for _, problem := range judge.Combine(texts...).Problems {
		r.note("policy: " + judge.ProblemText(problem))
	}
}

func projectToo(p config.Policy, dataDir, project string) ([]judge.Text, judge.Text, bool) {
	texts := judge.ReadFiles(p)
	t, trusted := judge.ReadProject(dataDir, project)
	if trusted {
		texts = append(texts, t)
	}
	return texts, t, trusted
}
