package hookrun

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/guard"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/record"
)

// call is one event with its payload as it came.
type call struct {
	canon.Event
	payload lenient.Payload
	// raw is the payload as it is kept.
	raw []byte
	// private says that something in the payload is marked as private: it is kept nowhere.
	private bool
	bytes   int
	guard   *record.Guard
	masking *masking
	// policy is what the local policy said, policies what it said it by.
	policy   *record.Policy
	policies *policies
}

func (r *run) decode(text []byte) call {
	payload := lenient.Parse(text)
	r.notes = append(r.notes, payload.Problems...)
	r.identify(payload.Value)
	if !r.registered {
		r.note(fmt.Sprintf("agent label %s is no registered host: read as antigravity", r.quoted(r.args.agent)))
	}
	if !r.known && r.host.ID != registry.UnknownID {
		r.note(fmt.Sprintf("event %s is not known for %s", r.quoted(r.event.Name), r.host.ID))
	}
	for _, arg := range r.args.unknown {
		r.note(fmt.Sprintf("argument %s is not known", r.quoted(arg)))
	}
	c := call{Event: r.host.Decode(r.event, payload.Value, host.Env{Dir: r.env.Dir}), payload: payload, bytes: len(text)}
	stamp(&c.Event, r.env.Now())
	return c
}

// judge asks the guard where a deny is possible. A call that cannot be read takes guard.on_error.
func (r *run) judge(ctx context.Context, c *call) {
	if !r.event.Gate {
		return
	}
	if r.denied() {
		return // nobody can say more than that, and nobody is waited for
	}
	cfg := r.settings.Guard
	sound := c.payload.Sound()
	if !sound && len(c.payload.Problems) == 0 {
		r.note("payload: not valid JSON, read as far as it goes")
	}
	switch {
	case cfg.DenyOnFail && !r.readable(c, sound):
		r.decide(undecodable())
		return
	case cfg.Disabled:
		r.decide(allowed())
		return
	case cfg.Endpoint == "" && cfg.FailClosed: // closed means closed, above all when a typing error lost the endpoint
		verdict := guard.Verdict{Outcome: "no_endpoint"}
		c.guard = guard.Evidence(cfg, verdict)
		r.decide(guard.Decide(cfg, verdict))
		return
	case cfg.Endpoint == "" || c.Tool == nil && (sound || len(bytes.TrimSpace(c.payload.Text)) == 0):
		r.decide(allowed())
		return
	}
	// Until there is a verdict, what no verdict means is the best decision: the watchdog must not open a closed guard.
	r.decide(guard.Decide(cfg, guard.Verdict{Outcome: "timeout"}))
	verdict := guard.Ask(ctx, cfg, r.settings.TrustEnv, r.question(c, sound))
	c.guard = guard.Evidence(cfg, verdict)
	r.decide(guard.Decide(cfg, verdict))
}

// denied tells whether the local policy denies the call.
func (r *run) denied() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.own.Action != canon.Deny {
		return false
	}
	r.verdict = allowed() // what stood for the guard stands for nobody now
	r.settle()
	return true
}

// stricter joins what the local policy says with the remote guard's verdict: the strictest action, of equals the local one.
func stricter(local, remote record.Decision) record.Decision {
	if local.Source == "" {
		return remote
	}
	if remote.Action.Strictness() > local.Action.Strictness() {
		remote.Input, remote.Context = local.Input, local.Context
		return remote
	}
	if local.Mark == "" {
		local.Mark = remote.Mark
	}
	return local
}

func undecodable() record.Decision {
	return record.Decision{
		Action: canon.Deny, Source: "on_error", Reason: "boathook: the tool call could not be decoded and guard.on_error is deny",
	}
}

// readable tells whether the call was understood: there is one, and of a broken text at least its arguments were found.
func (r *run) readable(c *call, sound bool) bool {
	if c.Tool == nil {
		return false
	}
	inputs, _ := r.host.Calls(c.payload.Value)
	return sound || len(inputs) > 0
}

// question shows the guard the call. Of a payload that is not sound JSON it shows the whole text, and every command that
// the text seems to hold: what we cannot read for sure, the agent may read otherwise.
func (r *run) question(c *call, sound bool) guard.Question {
	inputs, mcp := r.host.Calls(c.payload.Value)
	q := guard.Question{SpanID: c.SpanID, MCPContext: string(mcp.Raw())}
	if c.Tool != nil {
		q.ToolName, q.Input, q.Command = c.Tool.HostName, c.Tool.Input, c.Tool.Command
	}
	if !sound {
		q.InputText = string(c.payload.Text)
		q.Command = joinNew(q.Command, lenient.Find(c.payload.Text, r.host.Commands))
		return q
	}
	text := make([][]byte, len(inputs))
	for i, in := range inputs {
		text[i] = in.Raw()
	}
	q.InputText = string(bytes.Join(text, []byte("\n")))
	return q
}

// joinNew adds the lines that the text does not have yet.
func joinNew(text string, lines []string) string {
	all := strings.Split(text, "\n")
	for _, line := range lines {
		if !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return strings.TrimPrefix(strings.Join(all, "\n"), "\n")
}
