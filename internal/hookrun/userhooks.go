package hookrun

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
	"github.com/boathook/boathook/internal/userhook"
	"github.com/boathook/boathook/internal/wake"
)

// asked is one of the user's hooks of this run, with its answer once there is one.
type asked struct {
	config.Hook
	answered bool
	result   userhook.Result
}

// hookTime is what the user's hooks may take beyond the usual, as for the guard.
func (r *run) hookTime() time.Duration {
	var most time.Duration
	for _, h := range r.settings.Hooks { // which of them are asked says the payload
		most = max(most, h.Timeout)
	}
	return most
}

// concerns tells whether a hook wants this kind of event of this agent.
func (r *run) concerns(h config.Hook, kind canon.Kind) bool {
	return slices.Contains(h.On, kind) && (len(h.Agents) == 0 || slices.ContainsFunc(h.Agents, func(label string) bool {
		of, known := registry.Lookup(strings.ToLower(label))
		return known && of.ID == r.host.ID || !known && h.FailClosed // a name that nobody has narrows nothing that is closed
	}))
}

// wants tells whether a hook is to be asked about a call. The kind is the decoder's: a prompt that no person wrote is none.
// Where the payload is broken the tool may be another than it seems; then the filter decides nothing.
func (r *run) wants(h config.Hook, c *call) bool {
	switch {
	case !r.concerns(h, c.Event.Event):
		return false
	case len(h.Tools) == 0 || !r.event.Tool || c.Tool == nil || !c.payload.Sound():
		return true
	}
	return slices.Contains(h.Tools, c.Tool.Name) || slices.Contains(h.Tools, c.Tool.HostName)
}

// expectHooks sets what the watchdog says where no hook was asked: closed ones deny.
func (r *run) expectHooks() {
	r.expect(func(h config.Hook) bool { return h.FailClosed && r.concerns(h, r.event.Kind) })
}

func (r *run) dropHooks() { r.expect(func(config.Hook) bool { return false }) }

// expect makes these hooks the ones of this run; none has answered.
func (r *run) expect(of func(config.Hook) bool) int {
	if len(r.settings.Hooks) == 0 {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = nil
	for _, h := range r.settings.Hooks {
		if of(h) {
			r.asked = append(r.asked, asked{Hook: h})
		}
	}
	r.settle()
	return len(r.asked)
}

// askHooks starts the user's hooks, all at once; the function it returns waits until each has answered or is out of time.
func (r *run) askHooks(ctx context.Context, c *call) (wait func()) {
	n := r.expect(func(h config.Hook) bool { return r.wants(h, c) })
	if n == 0 {
		return func() {}
	}
	refused := r.yieldForHooks()
	wake.Seal() // else a program could hold the agent's pipes open
	env, event, broken := r.environ(), userhook.Event(c.Event), !c.payload.Sound()
	var all sync.WaitGroup
	for i := range n {
		h := r.hook(i)
		all.Go(func() {
			if refused != nil {
				r.answered(i, userhook.Result{Failed: userhook.NotStarted, Detail: refused.Error()})
				return
			}
			r.answered(i, r.runHook(ctx, h, env, event, c.Tool != nil, broken))
		})
	}
	return func() {
		all.Wait()
		r.noteHooks()
		r.lap("hooks")
	}
}

func (r *run) hook(i int) config.Hook {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked[i].Hook
}

// yieldForHooks: a config that is not root's must not have root run programs.
func (r *run) yieldForHooks() error {
	if r.env.Yield == nil {
		return nil
	}
	var err error
	if !within(diskTime, func() { err = r.env.Yield(r.settings.Path) }) {
		return errors.New("find the owner of the config: the disk hangs")
	}
	return err
}

// brokenPayload is the outcome of a closed hook that did not see all: what could not be read for sure was not judged either.
const brokenPayload = "broken_payload"

// environ is the hooks' environment. Where the agent's decides nothing its HOME does not either: interpreters run what they find
// there.
func (r *run) environ() []string {
	if r.env.Environ == nil {
		return nil
	}
	env := r.env.Environ()
	if r.settings.TrustEnv {
		return env
	}
	env = userhook.Environ(env)
	if home := config.Home(r.request(), r.settings); home != "" && runtime.GOOS != "windows" {
		env = append(env, "HOME="+home) // of two the last counts
	}
	return env
}

func (r *run) runHook(ctx context.Context, h config.Hook, env []string, event []byte, tool, broken bool) (result userhook.Result) {
	defer func() {
		if p := recover(); p != nil {
			result = userhook.Result{Failed: userhook.NotStarted, Detail: fmt.Sprintf("panic: %v", p)}
		}
	}()
	if h.Broken != "" {
		return userhook.Result{Failed: "broken", Detail: h.Source + ": hooks.command " + h.Broken}
	}
	result = userhook.Run(ctx, userhook.Program{Command: h.Command, Env: env, Timeout: h.Timeout}, event)
	if h.FailClosed && broken && r.event.Can.Deny && result.Failed == "" {
		result.Failed = brokenPayload
	}
	if result.Decision.Input != nil && (!tool || !rewritable(r.event.Kind)) {
		result.Decision.Input, result.Detail = nil, "an input means nothing at "+string(r.event.Kind)+" and is left out"
	}
	return result
}

// rewritable are the events at which a tool has not run yet.
func rewritable(k canon.Kind) bool { return k == canon.ToolBefore || k == canon.PermissionRequest }

func (r *run) answered(i int, result userhook.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked[i].answered, r.asked[i].result = true, result
	r.settle()
}

// noteHooks notes what a person should know of the answers.
func (r *run) noteHooks() {
	rewrites := 0
	for _, a := range r.asked {
		if a.result.Failed != "" {
			r.note(fmt.Sprintf("hook %s gave no answer: %s %s", r.quoted(a.Name), a.result.Failed, r.quoted(a.result.Detail)))
		} else if a.result.Detail != "" {
			r.note(fmt.Sprintf("hook %s: %s", r.quoted(a.Name), a.result.Detail))
		}
		if a.result.Decision.Input != nil {
			rewrites++
		}
	}
	if rewrites > 1 {
		r.note(fmt.Sprintf("%d hooks gave another input; that of the last one counts", rewrites))
	}
}

// says is a hook's decision as it counts at this moment.
func (a asked) says() canon.Decision {
	failed := a.result.Failed
	if !a.answered {
		failed = "no answer yet"
	}
	if failed == "" {
		return a.result.Decision
	}
	d := a.result.Decision // an objection that was complete
	if a.FailClosed && d.Action.Strictness() < canon.Deny.Strictness() {
		return canon.Decision{Action: canon.Deny, Reason: "boathook: the hook " + a.Name + " gave no answer (" + failed + ") and its fail is closed"}
	}
	return d
}

func (a asked) source() string {
	if !a.answered || a.result.Failed != "" && a.result.Decision.Action == "" {
		return "user_hook_failed"
	}
	return "user_hook"
}

// strictest joins the guard's verdict, or what stands for it, with the answers of the user's hooks: the strictest action,
// of equals the first; the last input; every context.
func strictest(d record.Decision, all []asked) record.Decision {
	said := canon.Allow
	if d.Action != "" {
		said = d.Action
	}
	for _, a := range all {
		answer := a.says()
		switch {
		case answer.Action.Strictness() > said.Strictness():
			said = answer.Action
			d.Action, d.Reason, d.Rule, d.Source, d.Mark = answer.Action, answer.Reason, a.Name, a.source(), ""
		case d.Source == "default" && a.answered:
			d.Source, d.Rule = a.source(), a.Name
			d.Reason = answer.Reason
		}
		if answer.Input != nil {
			d.Input = answer.Input
		}
		if answer.Context != "" {
			if d.Context != "" {
				d.Context += "\n"
			}
			d.Context += answer.Context
		}
	}
	return d
}

// hookRecords is what is kept of the answers, masked.
func (r *run) hookRecords(mask *redact.Redactor) []record.UserHook {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []record.UserHook
	for _, a := range r.asked {
		d := a.result.Decision
		h := record.UserHook{
			Name: mask.Text(a.Name, true, redact.Counts{}), Reason: mask.Text(d.Reason, true, redact.Counts{}),
			Outcome: string(d.Action), Rewrote: d.Input != nil, Added: d.Context != "",
			DurationMS: float64(a.result.Took.Microseconds()) / 1000,
		}
		switch {
		case !a.answered:
			h.Outcome = userhook.Timeout
		case a.result.Failed != "":
			h.Outcome = a.result.Failed
		case d.Action == "":
			h.Outcome = string(canon.Allow)
		}
		if !a.answered || a.result.Failed != "" {
			h.Fail = "open"
			if a.FailClosed {
				h.Fail = "closed"
			}
		}
		out = append(out, h)
	}
	return out
}
