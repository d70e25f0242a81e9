// Package effect tells what commands and tools do to the world. It starts nothing and reads the disk only through place.Facts.
package effect

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/effect/cloud"
	"github.com/boathook/boathook/internal/effect/database"
	"github.com/boathook/boathook/internal/effect/git"
	"github.com/boathook/boathook/internal/effect/network"
	"github.com/boathook/boathook/internal/effect/packages"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/policy"
)

// OfCommands are the effects of all that a text may run.
func OfCommands(r shellcmd.Result, m *place.Machine) []policy.Effect {
	var out []policy.Effect
	for i, c := range r.Commands {
		u := unit.Unit{Command: c, I: i, All: r.Commands, Machine: m}
		for _, of := range []func(unit.Unit) []policy.Effect{
			git.Effects, database.Effects, cloud.Effects, packages.Effects, network.Effects,
		} {
			out = append(out, of(u)...)
		}
	}
	return out
}

// OfTool are the effects of a tool that is no shell: files, fetches, MCP.
func OfTool(t canon.Tool, m *place.Machine) []policy.Effect {
	return nil
}
