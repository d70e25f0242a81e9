package verify

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/spool"
)

// oneRun is one start of one hook.
type oneRun struct {
	t      *tester
	host   *host.Host
	event  host.Event
	hook   agentrun.Hook
	agent  agentrun.Agent
	form   form
	sample sample
	action canon.Action
}

// run starts the hook and adds what is wrong to the event's faults.
func (r *oneRun) run(ctx context.Context, a *AgentResult, e *EventResult) error {
	queue := r.t.queue()
	before, err := queue.Pending()
	if err != nil {
		return err
	}
	result, err := r.start(ctx)
	e.Runs++
	e.SlowestMS = max(e.SlowestMS, result.Took.Seconds()*1000)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	say := func(text string) { e.fault(r.label()+text, a.reinstall()) }
	if err != nil {
		say(cause(err))
		return nil
	}
	reason, faults := CheckAnswer(r.host, r.event, r.action, host.Reply{Stdout: []byte(result.Stdout), Stderr: []byte(result.Stderr), Exit: result.Exit})
	for _, f := range faults {
		say(f)
	}
	if len(faults) == 0 && r.sample.want != "" {
		e.answered(r.sample.want, r.action)
	}
	rec, fault, err := arrived(queue, before)
	if err != nil {
		return err
	}
	if fault != "" {
		say(fault)
		return nil
	}
	r.check(rec, reason, say)
	return nil
}

func (r *oneRun) start(ctx context.Context) (agentrun.Result, error) {
	if r.form.argv != nil {
		return r.agent.RunAs(ctx, r.form.argv, r.hook, r.sample.Payload)
	}
	return r.agent.Run(ctx, r.hook, r.sample.Payload)
}

// label says which of several runs a fault is of.
func (r *oneRun) label() string {
	label := ""
	if r.form.name == "words" {
		label = "started without a shell: "
	}
	if r.sample.want != "" && r.sample.want != "allow" {
		label += "guard says " + r.sample.want + ": "
	}
	return label
}

func (e *EventResult) answered(want string, action canon.Action) {
	text := want
	if want != string(action) {
		text += " → " + string(action)
	}
	if !slices.Contains(e.Answers, text) {
		e.Answers = append(e.Answers, text)
	}
}

// arrived finds the one record that was spooled meanwhile.
func arrived(queue spool.Spool, before []string) (r record.Record, fault string, err error) {
	after, err := queue.Pending()
	if err != nil {
		return r, "", err
	}
	fresh := slices.DeleteFunc(after, func(name string) bool { return slices.Contains(before, name) })
	switch len(fresh) {
	case 0:
		return r, "no record arrived in the spool", nil
	case 1:
	default:
		return r, fmt.Sprintf("%d records arrived in the spool, not one", len(fresh)), nil
	}
	text, err := queue.Read(fresh[0])
	if err != nil {
		return r, "", err
	}
	if r, err = record.Parse(text); err != nil {
		return r, "the record can't be read: " + err.Error(), nil
	}
	return r, "", nil
}

// check compares the record with what the payload said (AC2, AC5) and with what the agent was told.
func (r *oneRun) check(rec record.Record, reason string, say func(string)) {
	for _, loss := range Losses(r.host, &rec) {
		say(loss)
	}
	minimal := rec.Hook.Privacy == "minimal"
	hidden := minimal || len(rec.Hook.Redactions) > 0
	for _, name := range expect(r.host, r.event, r.sample.Payload).differs(r.host, r.event, rec.Event, hidden) {
		say("the record's " + name + " is not what the payload said")
	}
	for _, note := range rec.Notes {
		say("the record has a note: " + note)
	}
	if rec.Decision.Expressed != r.action {
		say(fmt.Sprintf("the record says %s, and the agent should have been told %s", rec.Decision.Expressed, r.action))
	}
	if r.action != canon.Allow && !hidden && reason != rec.Decision.Reason {
		say("the record has another reason than the agent was told")
	}
	switch {
	case r.sample.want == "":
	case rec.Guard == nil:
		say("the guard was not asked")
	case rec.Guard.Outcome != r.sample.want:
		say("the guard said " + r.sample.want + ", the record says " + rec.Guard.Outcome)
	}
}

// handlerForm is what a handler has to say for its agent: that it is a command, and how long it may take at least, in the
// agent's own unit.
type handlerForm struct {
	typed bool
	least float64
}

func handlerOf(agent string) handlerForm {
	switch agent {
	case "gemini", "qwen":
		return handlerForm{true, 1000}
	case "antigravity", "claude", "codex", "copilot":
		return handlerForm{true, 1}
	case "cursor":
		return handlerForm{false, 1}
	}
	return handlerForm{}
}

// written looks at what of a handler no run shows: the agent would not call it, or not wait for it.
func (e *EventResult) written(h *host.Host, ev host.Event, hook agentrun.Hook, list []sample, a *AgentResult) {
	form := handlerOf(h.ID)
	if form.typed && hook.Type != "command" {
		e.fault("the handler's type is not \"command\": the agent drops it", a.reinstall())
	}
	if hook.Timeout < form.least {
		e.fault("the handler's timeout gives the hook no time", a.reinstall())
	}
	if h.ID == "antigravity" && hook.Flat == ev.Tool {
		e.fault("the handler has the shape of another kind of event: Antigravity drops the whole file for that", a.reinstall())
	}
	if hook.Count > 1 {
		e.fault(fmt.Sprintf("%d handlers are registered: each event is judged and recorded so many times", hook.Count), a.reinstall())
	}
	for _, s := range list {
		if !reaches(ev, hook.Matcher, expect(h, ev, s.Payload).tool) {
			e.fault("the handler's matcher keeps calls from the hook", a.reinstall())
		}
	}
}

// reaches tells whether an agent calls a handler with such a matcher: a regular expression on the tool's name, anywhere in
// it, or the whole name where it is none. Lifecycle events have no matcher of ours.
func reaches(ev host.Event, matcher *string, tool string) bool {
	if matcher == nil || *matcher == "" || *matcher == "*" {
		return true
	}
	if !ev.Tool {
		return false
	}
	if tool == "" {
		return true // the agent knew the name, the sample doesn't
	}
	re, err := regexp.Compile(*matcher)
	if err != nil {
		return *matcher == tool
	}
	return re.MatchString(tool)
}
