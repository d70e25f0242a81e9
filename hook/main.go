package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/payload"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
)

// Limit is how long a hook may take where nothing else is said. It is below every agent's own.
const Limit = 5 * time.Second

// Option changes how Main treats a hook.
type Option func(*process)

// Timeout is another limit than Limit.
func Timeout(d time.Duration) Option { return func(p *process) { p.limit = d } }

// FailClosed denies where the hook panics, is not done in time, or cannot read what it was given; else that is no objection.
// Under boathook the table's own fail decides as well, and the stricter counts.
func FailClosed() Option { return func(p *process) { p.closed = true } }

// Main runs the hook with the process's own streams and ends the process. Started by boathook ([[hooks]], or `boathook
// exec`) it gets the canonical event and answers with the canonical decision. Started by an agent it takes the arguments
// --agent and --event, else what the environment and the payload show, and answers in the agent's own words, its exit code
// included; other arguments are the hook's own. What the hook prints goes to standard error: standard output has the answer.
//
// A panic and a timeout are no objection, or a deny with FailClosed; boathook is told of them by exit code 1, so that it
// can do what its table says.
func Main(f func(context.Context, *Event) Decision, options ...Option) {
	p := process{stdin: os.Stdin, args: os.Args[1:], lookup: os.LookupEnv, limit: Limit}
	for _, o := range options {
		o(&p)
	}
	out := os.Stdout
	os.Stdout = os.Stderr
	r := p.run(f)
	_, _ = out.Write(r.Stdout) // an agent that has gone can't be told
	_, _ = os.Stderr.Write(r.Stderr)
	os.Exit(r.Exit)
}

// process is one run of a hook.
type process struct {
	stdin  io.Reader
	args   []string
	lookup func(string) (string, bool)
	limit  time.Duration
	closed bool
}

// run is Main without the process.
func (p *process) run(f func(context.Context, *Event) Decision) host.Reply {
	ctx, cancel := context.WithTimeout(context.Background(), p.limit)
	defer cancel()
	text, _ := payload.Read(p.stdin, payload.Quiet, p.limit)
	agent, event := p.argument("--agent"), p.argument("--event")
	if agent == "" {
		e, err := canonical(text)
		if err == nil {
			return p.underBoathook(ctx, f, &e)
		}
	}
	h, ev, ok := registry.Wired(agent, event, p.lookup, lenient.Parse(text).Value)
	if !ok {
		return host.Reply{} // silence is the only answer that no agent takes for a deny
	}
	e, sound := decode(h, ev, text)
	d, err := ask(ctx, f, &e)
	if err == nil && !sound && ev.Gate {
		err = errors.New("the payload is not one sound JSON object")
	}
	return reply(h, ev, p.judge(d, err))
}

// underBoathook answers with the decision itself. A failure is told by the exit code, beside what it means here.
func (p *process) underBoathook(ctx context.Context, f func(context.Context, *Event) Decision, e *Event) host.Reply {
	d, err := ask(ctx, f, e)
	d = p.judge(d, err)
	var r host.Reply
	if d.Action != "" || d.Input != nil || d.Context != "" || d.Reason != "" {
		r = host.JSON(d)
	}
	if err != nil {
		r.Stderr, r.Exit = []byte(err.Error()+"\n"), 1
	}
	return r
}

// judge is what is said: the hook's decision, and where there is none what that means.
func (p *process) judge(d Decision, err error) Decision {
	if err != nil && p.closed && d.Action.Strictness() < canon.Deny.Strictness() {
		return Deny("the hook gave no answer: " + err.Error())
	}
	if d.Check() != nil { // a hook that makes its own decisions may slip
		return Deny(d.Reason)
	}
	return d
}

// ask calls the hook, within its limit.
func ask(ctx context.Context, f func(context.Context, *Event) Decision, e *Event) (Decision, error) {
	type answer struct {
		d   Decision
		err error
	}
	answers := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if v := recover(); v != nil {
				a = answer{err: fmt.Errorf("panic: %v", v)}
			}
			answers <- a
		}()
		a.d = f(ctx, e)
	}()
	select {
	case a := <-answers:
		return a.d, a.err
	case <-ctx.Done():
		return Decision{}, errors.New("it was not done in time")
	}
}

// argument finds --name VALUE or --name=VALUE.
func (p *process) argument(name string) string {
	for i, arg := range p.args {
		if value, ok := strings.CutPrefix(arg, name+"="); ok {
			return value
		}
		if arg == name && i+1 < len(p.args) {
			return p.args[i+1]
		}
	}
	return ""
}
