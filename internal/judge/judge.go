// Package judge puts the parts of the local guard together: it reads a tool call (shellcmd), tells what it does (effect), and asks the
// policies in force (policy). It is on the hook path, and so starts nothing, asks no network, and looks at a disk only within bounds.
package judge

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/effect"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// Read makes a call of an event: its commands and its effects. m says where the session works; what the tool's own arguments say of
// its directory comes on top.
func Read(ev canon.Event, m *place.Machine) policy.Call {
	c, _ := ReadAll(ev, m, nil)
	return c
}

// ReadAll is Read for a payload that may hold more command lines than the one that the event names: more are those. unsure are the
// kinds of what only a run would tell.
func ReadAll(ev canon.Event, m *place.Machine, more []string) (c policy.Call, unsure []string) {
	c = policy.Call{Agent: ev.Agent, Event: string(ev.Event), CWD: ev.CWD, Project: ev.Project, Home: m.Home, Fold: m.OS == "windows" || m.OS == "darwin", Time: ev.Time}
	if ev.Tool == nil {
		return c, nil
	}
	c.Tool, c.HostTool, c.URLs, c.Args = ev.Tool.Name, ev.Tool.HostName, ev.Tool.URLs, ev.Tool.Input
	if ev.Tool.MCP != nil {
		c.MCP = ev.Tool.MCP.Server + "/" + ev.Tool.MCP.Tool
	}
	at := *m
	if at.Dir == "" {
		at.Dir = ev.CWD
	}
	r := reader{call: &c, machine: &at}
	texts := texts(ev, more)
	if ev.Tool.Kind == "shell" {
		at.Dir = toolDir(ev.Tool.Input, &at)
	}
	for _, t := range texts {
		r.add(t, len(texts) == 1)
	}
	c.Effects = append(c.Effects, effect.OfTool(*ev.Tool, &at)...)
	places(&c, *ev.Tool, &at)
	return c, r.unsure
}

// reader adds texts to a call.
type reader struct {
	call    *policy.Call
	machine *place.Machine
	unsure  []string
}

// add reads one text in each dialect that may run it. only says that it is all of the call, so that an edit of it is one of the call.
func (r *reader) add(t text, only bool) {
	for i, dialect := range t.dialects {
		read := shellcmd.Parse(t.text, shellcmd.Options{Dialect: dialect, Dir: r.machine.Dir, Home: r.machine.Home})
		if t.lax {
			read.Unsure = without(read.Unsure, "parse")
		}
		r.take(read, only && i == 0 && len(t.dialects) == 1)
	}
	if only {
		r.call.Text = t.text
	}
}

func (r *reader) take(read shellcmd.Result, whole bool) {
	first := len(r.call.Commands)
	for _, cmd := range read.Commands {
		c := policy.Command{Argv: word.Texts(cmd.Argv), Op: cmd.Op, Dir: cmd.Dir.Text, Maybe: cmd.Maybe, Via: vias(cmd.Via)}
		for _, a := range cmd.Argv {
			c.Dynamic = c.Dynamic || !a.Known()
		}
		if whole {
			c.Words, c.Span = spans(cmd), [2]int{cmd.From, cmd.To}
		}
		r.call.Commands = append(r.call.Commands, c)
	}
	for _, e := range effect.OfCommands(read, r.machine) {
		if e.Command >= 0 {
			e.Command += first
		}
		r.call.Effects = append(r.call.Effects, e)
	}
	for _, u := range read.Unsure {
		r.unsure = addNew(r.unsure, u.Kind)
	}
}

func vias(via []word.Via) []string {
	var out []string
	for _, v := range via {
		s := v.Kind
		if v.Detail != "" {
			s += " " + v.Detail
		}
		out = append(out, s)
	}
	return out
}

func spans(cmd word.Command) [][2]int {
	out := make([][2]int, len(cmd.Argv))
	for i, a := range cmd.Argv {
		if a.To > 0 {
			out[i] = [2]int{a.From, a.To}
		}
	}
	return out
}

func without(all []shellcmd.Unsure, kind string) []shellcmd.Unsure {
	var out []shellcmd.Unsure
	for _, u := range all {
		if u.Kind != kind {
			out = append(out, u)
		}
	}
	return out
}

func addNew(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}
