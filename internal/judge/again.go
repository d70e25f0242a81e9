package judge

import (
	"slices"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/policy"
)

// Again makes the call of an event that was judged before: effects are what it was found to do then, with the disk as it was; more as
// in ReadAll.
func Again(ev canon.Event, m *place.Machine, more []string, effects []policy.Effect) policy.Call {
	c, _ := ReadAll(ev, m, more)
	if ev.Tool == nil {
		return c
	}
	at := *m
	if at.Dir == "" {
		at.Dir = ev.CWD
	}
	if ev.Tool.Kind == "shell" {
		at.Dir = toolDir(ev.Tool.Input, &at)
	}
	c.Effects, c.Paths, c.URLs = slices.Clone(effects), nil, slices.Clone(ev.Tool.URLs)
	for i := range c.Effects {
		if c.Effects[i].Command >= len(c.Commands) { // another version's
			c.Effects[i].Command = -1
		}
	}
	places(&c, *ev.Tool, &at)
	return c
}
