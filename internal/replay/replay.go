// Package replay judges again what happened: the recorded calls of the store, and those of agents' own old transcripts. It says what
// a policy would decide against what was decided, and of which calls it cannot tell. It runs nothing and asks nobody.
package replay

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/policy"
)

// Why a recorded call cannot be judged again.
const (
	WhyMinimal   = "minimal privacy kept only hashes"
	WhyExpired   = "its content was removed for its age"
	WhyMasked    = "a masked secret stands in it"
	WhyTruncated = "it was cut for its length"
	WhyBroken    = "its payload was not sound"
	WhyNotKept   = "its content was not kept"
	WhyLate      = "it could not be judged in time"
)

// World is what calls are judged by.
type World struct {
	// Policies are those in force for a project.
	Policies func(project string) *policy.Set
	// Machine is the machine as a call in a directory is seen against it, without a look at the disk.
	Machine func(dir, project string) *place.Machine
}

// Judged is one call judged again.
type Judged struct {
	// Why says why it could not be judged; the rest is then empty.
	Why string
	policy.Verdict
	// Computed says that its effects were not recorded, and are what they are without a look at the disk.
	Computed bool
	// Was is what the policy said then: empty where there was none.
	Was     policy.Action
	WasRule string
	// Stopped says that somebody else stopped it then: the remote guard, a hook of the user's.
	Stopped bool
}

// Asked tells whether a record is of a call that a policy is asked about.
func Asked(r record.Record) bool {
	if r.Tool == nil {
		return false
	}
	h, known := registry.Lookup(r.Agent)
	if !known {
		return false
	}
	ev, _ := h.Event(r.HostEvent)
	return ev.Gate
}

// Judge judges a recorded call again.
func (w World) Judge(r record.Record) Judged {
	set := w.Policies(r.Project)
	if why := unable(r, set); why != "" {
		return Judged{Why: why}
	}
	j := Judged{Computed: r.Policy == nil, Stopped: r.Decision.Action != canon.Allow && r.Decision.Source != "local_policy"}
	m := w.Machine(r.CWD, r.Project)
	var c policy.Call
	if r.Policy == nil {
		c, _ = judge.ReadAll(r.Event, m, more(r))
	} else {
		c = judge.Again(r.Event, m, more(r), effectsOf(r.Policy.Effects))
		j.Was, j.WasRule = policy.Action(r.Policy.Action), r.Policy.Rule
	}
	c.Time = r.Time
	j.Verdict = set.Judge(c)
	return j
}

// more are the command lines that the payload has beside that of the call, as the hook looks for them.
func more(r record.Record) []string {
	h, known := registry.Lookup(r.Agent)
	if !known || !strings.Contains(r.Tool.Command, "\n") {
		return nil
	}
	found := h.CommandLines(lenient.Parse(r.Raw))
	if len(found) < 2 {
		return nil // one of several lines
	}
	return found
}

func effectsOf(kept []record.Effect) []policy.Effect {
	out := make([]policy.Effect, len(kept))
	for i, e := range kept {
		out[i] = policy.Effect{
			Kind: policy.Kind(e.Kind), Verb: e.Verb, Target: e.Target, Where: policy.Where(e.Where), Flags: e.Flags, Command: e.Command,
		}
	}
	return out
}

// unable tells why a record has not all that the policies look at; empty where it has.
func unable(r record.Record, set *policy.Set) string {
	switch {
	case r.Hook.Privacy == "minimal":
		return WhyMinimal
	case r.Hook.Privacy != "":
		return WhyExpired
	case r.Decision.Source == "policy_failed":
		return WhyLate
	}
	for _, n := range r.Notes {
		switch {
		case strings.Contains(n, "the content is not kept"), strings.HasPrefix(n, "watchdog: "):
			return WhyNotKept
		case strings.HasPrefix(n, "payload: "):
			return WhyBroken
		}
	}
	t := r.Tool
	if t.Command == "" && len(t.Paths)+len(t.URLs)+len(t.Input) == 0 && t.MCP == nil && r.Raw == nil {
		return WhyNotKept
	}
	return changed(r, set)
}

// changed tells whether what the policies look at is not as it was: masked or cut.
func changed(r record.Record, set *policy.Set) string {
	t := r.Tool
	texts := append([]string{t.Command, r.CWD, r.Project}, t.Paths...)
	texts = append(texts, t.URLs...)
	if r.Policy != nil {
		for _, e := range r.Policy.Effects {
			texts = append(texts, e.Target)
		}
	}
	// The contents of files matter where a rule looks at arguments, or where their effects were not recorded.
	if r.Policy == nil || t.Kind == "shell" && t.Command == "" || looksAtArguments(set) {
		texts = append(texts, string(t.Input))
	}
	for _, s := range texts {
		switch {
		case strings.Contains(s, "[REDACTED"):
			return WhyMasked
		case strings.Contains(s, "[TRUNCATED:"):
			return WhyTruncated
		}
	}
	return ""
}

func looksAtArguments(set *policy.Set) bool {
	return slices.ContainsFunc(set.Rules(), func(r policy.InForce) bool { return !r.Off && len(r.Rule.When.Args) > 0 })
}

// Decision is what an action means for a call: allow, ask or deny.
func Decision(a policy.Action) canon.Action {
	switch a {
	case policy.Deny:
		return canon.Deny
	case policy.Ask:
		return canon.Ask
	}
	return canon.Allow
}

// JudgeCall judges a call that no policy was asked about, of an old transcript.
func (w World) JudgeCall(ev canon.Event) Judged {
	c := judge.Read(ev, w.Machine(ev.CWD, ev.Project))
	c.Time = ev.Time
	return Judged{Verdict: w.Policies(ev.Project).Judge(c), Computed: true}
}
