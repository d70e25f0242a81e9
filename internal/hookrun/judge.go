package hookrun

import (
	"bytes"
	"context"
	"fmt"

	"github.com/boathook/boathook/hook"
	"github.com/boathook/boathook/internal/guard"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/record"
)

// call is one event with its payload as it came.
type call struct {
	hook.Event
	payload lenient.Value
	bytes   int
	guard   *record.Guard
}

func (r *run) decode(text []byte) call {
	payload, problems := lenient.Parse(text)
	r.notes = append(r.notes, problems...)
	if !r.registered {
		r.note(fmt.Sprintf("agent label %q is no registered host: read as antigravity", r.args.agent))
	}
	if !r.known {
		r.note(fmt.Sprintf("event %q is not known for %s", r.args.event, r.host.ID))
	}
	for _, arg := range r.args.unknown {
		r.note(fmt.Sprintf("argument %q is not known", arg))
	}
	c := call{
		Event: r.host.Decode(r.event, payload, host.Env{Dir: r.env.Dir}), payload: payload, bytes: len(text),
	}
	c.ID, c.Time = newID(r.env.Now())
	c.SpanID = newSpanID()
	c.Project = project(c.CWD)
	return c
}

// judge asks the guard where a deny is possible. A call that cannot be read at all takes guard.on_error.
func (r *run) judge(ctx context.Context, c *call) {
	if !r.event.Gate {
		return
	}
	if c.Tool == nil {
		if r.settings.Guard.DenyOnFail {
			r.decide(record.Decision{
				Action: hook.Deny, Source: "on_error", Reason: "boathook: the tool call could not be decoded and guard.on_error is deny",
			})
		}
		return
	}
	cfg := r.settings.Guard
	if cfg.Disabled || cfg.Endpoint == "" && !cfg.FailClosed {
		return
	}
	if cfg.Endpoint == "" { // closed means closed, above all when a typing error lost the endpoint
		r.decide(guard.Decide(cfg, guard.Verdict{Outcome: "no guard.endpoint"}))
		return
	}
	// Until there is a verdict, what no verdict means is the best decision: the watchdog must not open a closed guard.
	r.decide(guard.Decide(cfg, guard.Verdict{Outcome: "timeout"}))
	verdict := guard.Ask(ctx, cfg, r.settings.TrustEnv, r.question(c))
	c.guard = guard.Evidence(cfg, verdict)
	r.decide(guard.Decide(cfg, verdict))
}

func (r *run) question(c *call) guard.Question {
	inputs, mcp := r.host.Calls(c.payload)
	var text [][]byte
	for _, in := range inputs {
		text = append(text, in.Raw())
	}
	return guard.Question{
		SpanID: c.SpanID, ToolName: c.Tool.HostName, Input: c.Tool.Input,
		InputText: string(bytes.Join(text, []byte("\n"))), Command: c.Tool.Command, MCPContext: string(mcp.Raw()),
	}
}
