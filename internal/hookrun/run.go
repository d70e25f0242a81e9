// Package hookrun is the hook path: one process for one hook event, stdin JSON to the host's answer, exit 0 whatever
// happens. main calls it before any command line framework is built. What it imports is paid by every hook: no
// database/sql, no cobra (internal/deptest holds that).
package hookrun

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/guard"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/payload"
	"github.com/boathook/boathook/internal/netfs"
	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
)

// Env is what a hook takes from its process.
type Env struct {
	Stdin  io.Reader
	Lookup paths.Lookup
	Home   string
	Dir    string
	// Managed is the administrator's config file.
	Managed string
	// Root is where the machine's own files begin; empty means where they do.
	Root string
	// AccountHome finds the account's home without the environment; nil is the system's way.
	AccountHome func() string
	// Wake starts the worker; the hook does not wait for it.
	Wake func(Worker) error
	// Yield makes a process of root act for the rest of its life as the first other user who owns one of these paths; nil is
	// not at all.
	Yield func(paths ...string) error
	// Environ is the environment that the user's hooks are given.
	Environ func() []string
	Now     func() time.Time
	// Exe is boathook's own program.
	Exe string
	// Memory says who is asked for what was done before; nil is nobody.
	Memory Memory
	// Start is when the process began, by Now.
	Start time.Time
	// Quiet is how long an open stream may say nothing.
	Quiet time.Duration
}

// Worker is what a worker has to be told: where the data are, and by whose settings it works.
type Worker struct {
	DataDir, Config string
	// Environment says that the hook's environment has a say in the settings.
	Environment bool
	// DSNEnv is the variable that has memory's connection string.
	DSNEnv string
}

// Answer is what a hook says, and what is to be done once it has been said.
type Answer struct {
	host.Reply
	// Flush is how long to wait then until the worker has stored and sent all; mostly not at all.
	Flush  time.Duration
	Worker Worker
}

// firstDeadline holds until the configuration, which may say otherwise, is read.
const firstDeadline = 5 * time.Second

// Run answers one event. It returns within the deadline whatever hangs: the answer is then the best decision so far.
// After that the process must end, since what hangs goes on hanging.
func Run(env Env, args []string) Answer {
	r := &run{env: env, args: parseArgs(args), argv: args, deadline: make(chan time.Duration, 1)}
	r.named()
	r.decide(allowed())
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer r.recovered()
		r.work()
	}()
	timer := time.NewTimer(firstDeadline)
	configured := false
	for {
		select {
		case <-done:
			return Answer{Reply: r.answer(), Flush: r.flush(), Worker: r.worker}
		case <-timer.C:
			if configured {
				r.keepLate()
			}
			return Answer{Reply: r.answer()}
		case d := <-r.deadline:
			configured = true
			timer.Reset(d - env.Now().Sub(env.Start))
		}
	}
}

func allowed() record.Decision { return record.Decision{Action: canon.Allow, Source: "default"} }

// run is one hook in the making. The mutex guards what the watchdog reads.
type run struct {
	env        Env
	args       arguments
	argv       []string
	host       *host.Host
	event      host.Event
	registered bool
	known      bool
	deadline   chan time.Duration
	settings   config.Settings
	notes      []string
	times      stopwatch
	worker     Worker // once the record is kept
	idle       bool   // nothing more will come of this session
	elsewhere  bool   // another hook of boathook's has this event
	// keeping is set by whoever writes the one record of this run.
	keeping atomic.Bool
	// private says that something in the payload is marked as private.
	private atomic.Bool
	// policing says that the local policy is in force for this event.
	policing atomic.Bool
	opening  sync.Mutex
	at       *dataPlace // once opened

	mounts     netfs.Mounts
	readMounts sync.Once

	mu       sync.Mutex
	own      record.Decision // of the local policy; none where it has no objection
	verdict  record.Decision // of the remote guard, or what stands for it
	asked    []asked         // the user's hooks
	decision record.Decision
	lost     string // of the decision, what the agent could not be told
	// passed is the input that the local policy lets pass in place of the call's own, refused the one that it does not.
	passed, refused []byte
	// recalled is what memory was asked, telling what of it the agent is told.
	recalled *record.Recall
	telling  string
}

// mountTable is what is mounted where, read once.
func (r *run) mountTable() netfs.Mounts {
	r.readMounts.Do(func() { r.mounts = netfs.ReadMounts() })
	return r.mounts
}

// decide sets the best decision so far, but for what the user's hooks say.
func (r *run) decide(d record.Decision) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.verdict = d
	r.settle()
}

// decideLocal sets what the local policy says.
func (r *run) decideLocal(d record.Decision) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.own = d
	r.settle()
}

// settle joins all that was said; what the host cannot express becomes stricter here. The mutex is held.
func (r *run) settle() {
	d := strictest(stricter(r.own, r.verdict), r.asked)
	if d.Input != nil && r.policing.Load() && !bytes.Equal(d.Input, r.passed) {
		d = r.unvetted(d)
	}
	said, lost := r.host.Express(r.event, canon.Decision{Action: d.Action, Reason: d.Reason, Input: d.Input, Context: d.Context})
	d.Expressed, d.Input, d.Context = said.Action, said.Input, said.Context
	if said.Action != canon.Allow {
		d.Reason = said.Reason
	}
	r.decision, r.lost = d, lost
}

// unvetted is a decision with another input of which the local policy has not said that it may pass.
func (r *run) unvetted(d record.Decision) record.Decision {
	if bytes.Equal(d.Input, r.refused) { // what was said of it is in the decision
		d.Input = nil
		return d
	}
	if d.Action.Strictness() < canon.Deny.Strictness() {
		context := d.Context
		d = unjudged()
		d.Context = context
	}
	d.Input = nil
	return d
}

func (r *run) current() record.Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.decision
}

// unsaid is what of the decision the agent could not be told.
func (r *run) unsaid() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

func (r *run) answer() host.Reply { return r.reply(r.withMemory(r.current())) }

func (r *run) reply(d record.Decision) host.Reply {
	h, ev := r.who()
	return h.Encode(ev, canon.Decision{Action: d.Expressed, Reason: d.Reason, Input: d.Input, Context: d.Context})
}

// recovered turns a panic into the answer that stands; the record, if it can still be written, tells what happened.
func (r *run) recovered() {
	if p := recover(); p != nil {
		defer func() { _ = recover() }() // the last line of defence has nobody to tell
		r.notes = append(r.notes, fmt.Sprintf("panic: %v", p))
		r.keep(r.bare())
	}
}

// bare is an event of which only the arguments are known.
func (r *run) bare() call {
	h, ev := r.who()
	return call{Event: canon.Event{Agent: h.ID, Event: ev.Kind, HostEvent: ev.Name}}
}

func (r *run) work() {
	r.settings = config.Load(r.request())
	purged := r.settings.Missing && !r.settings.Managed
	if !purged {
		r.mu.Lock()
		r.event = r.withPerson(r.host, r.event)
		r.mu.Unlock()
		r.expectTheWorst()
		r.deadline <- r.settings.Deadline + max(r.guardTime(), r.hookTime())
	}
	r.lap("config")
	files := r.policyFiles()
	read := r.lookAtSwitch()
	text, note := payload.Read(r.env.Stdin, r.env.Quiet, r.settings.Deadline/2)
	r.lap("read")
	if purged {
		return // an agent that still runs with the old hooks must not bring our files back
	}
	sw := r.readSwitch(read)
	if sw.off {
		r.standAside()
		return
	}
	r.note(note)
	if !r.settings.TrustEnv {
		// The agent may have loaded a repository's .env: it must not choose whom TLS trusts.
		for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR"} {
			_ = os.Unsetenv(name)
		}
	}
	c := r.decode(text)
	r.lap("decode")
	if r.elsewhere || r.hasManaged() || r.offHere(sw, c) {
		r.standAside()
		return
	}
	r.toKeep(&c)
	c.masking = r.startMasking(c.raw)
	tell := r.askMemory(&c)
	answered := r.askHooks(context.Background(), &c)
	r.askPolicy(&c, files)
	r.lap("policy")
	r.judge(context.Background(), &c)
	r.lap("guard")
	answered()
	r.vet(&c)
	tell()
	r.keep(c)
}

func (r *run) request() config.Request {
	return config.Request{
		Path: r.args.config, Home: r.env.Home, Env: r.env.Lookup, Managed: r.env.Managed, AccountHome: r.env.AccountHome,
	}
}

// expectTheWorst sets what the watchdog says of a call that was never judged: it must not open what is closed.
func (r *run) expectTheWorst() {
	if d, ok := r.worst(); ok {
		r.decide(d)
	}
	r.decideLocal(r.expected())
	r.expectHooks()
}

// worst is what a call gets that was never judged, where that is no allow.
func (r *run) worst() (record.Decision, bool) {
	cfg := r.settings.Guard
	switch {
	case !r.event.Gate:
	case cfg.FailClosed && !cfg.Disabled:
		return guard.Decide(cfg, guard.Verdict{Outcome: "timeout"}), true
	case cfg.DenyOnFail:
		return undecodable(), true
	}
	return record.Decision{}, false
}

// guardTime is what a guard may take beyond the usual: its budget is the user's choice and must not eat the time that the
// rest needs. Config keeps the sum below the 30 s after which Antigravity decides for itself.
func (r *run) guardTime() time.Duration {
	if !r.event.Gate && !r.unsure() || r.settings.Guard.Endpoint == "" {
		return 0
	}
	return r.settings.Guard.Timeout
}

func (r *run) note(text string) {
	if text != "" {
		r.notes = append(r.notes, text)
	}
}

// quoted is a text as a note has it. It is masked first, as a tool's output is: in a quoted one the quotes by which a secret is
// known are escaped.
func (r *run) quoted(text string) string {
	mask, _ := redact.New(redactOptions(r.settings.Redact)) // its problems are said where the record is made
	var as struct {
		Output string `json:"output"`
	}
	as.Output = text
	if whole, err := json.Marshal(as); err == nil && json.Unmarshal(mask.JSON(whole, redact.Counts{}), &as) == nil {
		text = as.Output
	}
	return strconv.Quote(mask.Text(text, true, redact.Counts{}))
}

// label is what the record says of an --agent that is not the agent's id.
func (r *run) label() string {
	if r.args.agent == r.host.ID {
		return ""
	}
	return r.args.agent // none where the payload said whose hook it is
}
