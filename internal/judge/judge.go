// Package judge puts the parts of the local guard together: it reads a tool call (shellcmd), tells what it does (effect), and asks the
// policies in force (policy). It is on the hook path.
package judge

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/effect"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// Read makes a call of an event: its commands and its effects.
func Read(ev canon.Event, m *place.Machine) policy.Call {
	c := policy.Call{Agent: ev.Agent, Event: string(ev.Event), CWD: ev.CWD, Project: ev.Project}
	if ev.Tool == nil {
		return c
	}
	c.Tool, c.HostTool, c.URLs, c.Args = ev.Tool.Name, ev.Tool.HostName, ev.Tool.URLs, ev.Tool.Input
	if ev.Tool.MCP != nil {
		c.MCP = ev.Tool.MCP.Server + "/" + ev.Tool.MCP.Tool
	}
	if ev.Tool.Command != "" {
		r := shellcmd.Parse(ev.Tool.Command, shellcmd.Options{Dir: m.Dir, Home: m.Home})
		c.Text = ev.Tool.Command
		for _, cmd := range r.Commands {
			c.Commands = append(c.Commands, policy.Command{Argv: word.Texts(cmd.Argv), Dir: cmd.Dir.Text, Maybe: cmd.Maybe})
		}
		c.Effects = effect.OfCommands(r, m)
	}
	c.Effects = append(c.Effects, effect.OfTool(*ev.Tool, m)...)
	return c
}
