package cline

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

func decode(ev host.Event, payload lenient.Value, env host.Env) canon.Event {
	m := payload.Members()
	e := canon.Event{
		Agent: "cline", Event: ev.Kind, HostEvent: ev.Name,
		SessionID: m.Get("sessionContext").Members().Text("rootSessionId"), CWD: workDir(m, env),
		Raw: host.Raw(payload),
	}
	if e.SessionID == "" {
		e.SessionID = m.Text("taskId")
	}
	if m.Text("parent_agent_id") != "" {
		subagent(&e, m)
	}
	f := find(m)
	e.CallID = last(f.calls).Text("id")
	if ev.Tool || len(f.calls) > 0 || len(f.olds) > 0 {
		e.Tool = f.tool()
	}
	turn := m.Get("turn").Members()
	e.Response, e.Reason = turn.Text("outputText"), turn.Text("status")
	if reason := m.Text("reason"); reason != "" {
		e.Reason = reason
	}
	if failure := m.Get("error"); failure.Kind() != lenient.Missing && failure.Kind() != lenient.Null {
		e.Reason = failure.Text()
		if text := failure.Members().Text("message"); text != "" {
			e.Reason = text
		}
	}
	e.Prompt = m.Get("userPromptSubmit").Members().Text("prompt")
	if e.Prompt == "" {
		e.Prompt = m.Text("prompt")
	}
	switch ev.Name {
	case "TaskStart":
		e.Source = "startup"
	case "TaskResume":
		e.Source = "resume"
	}
	return e
}

// subagent: an agent that another one started begins and ends by the same files as a session does. SessionShutdown is the end of
// one that was broken off, by a deny for instance; the session goes on then (3.0.65).
func subagent(e *canon.Event, m lenient.Members) {
	e.SubagentID = m.Text("agent_id")
	switch e.Event {
	case canon.SessionStart:
		e.Event = canon.SubagentStart
	case canon.AgentStop, canon.SessionStop:
		e.Event = canon.SubagentStop
	}
}

func workDir(m lenient.Members, env host.Env) string {
	for _, dir := range m.Get("workspaceRoots").Elems() {
		if s := dir.Text(); s != "" {
			return s
		}
	}
	return env.Dir
}
