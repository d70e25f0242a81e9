package hookrun

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/policy"
)

const policySource = "local_policy"

// unjudged stands while the local policy is being asked: what takes too long was made to, and is not let through unseen.
func unjudged() record.Decision {
	return record.Decision{
		Action: canon.Ask, Source: "policy_failed", Reason: "boathook: the call could not be judged in time; make it simpler",
	}
}

// local is what a verdict decides of a call.
func (r *run) local(c *call, read policy.Call, v policy.Verdict) record.Decision {
	d := said(read, v)
	switch v.Action {
	case policy.Rewrite:
		d = r.rewritten(c, read, v)
	case policy.Warn:
		d.Action, d.Context = canon.Allow, d.Reason
	case policy.Ask:
		d.Action = canon.Ask
	case policy.Deny:
		d.Action = canon.Deny
	default:
		return record.Decision{}
	}
	return r.remember(c, d)
}

func said(read policy.Call, v policy.Verdict) record.Decision {
	return record.Decision{Source: policySource, Rule: v.Rule, Pack: v.Pack, Layer: string(v.Layer), Locked: v.Locked, Reason: reasonText(v, about(read, v))}
}

// rewritten gives the tool another command line, where that can be said and is one that the policy lets pass. Where not, the model is
// told to write it so.
func (r *run) rewritten(c *call, read policy.Call, v policy.Verdict) record.Decision {
	d := said(read, v)
	line, ok := judge.Apply(read.Text, v.Edits)
	if !ok || c.Tool == nil {
		d.Action = canon.Deny
		return d
	}
	input, ok := judge.Splice(c.Tool.Input, r.host.Commands, read.Text, line)
	if !ok {
		d.Action, d.Reason = canon.Deny, d.Reason+" Run this instead: "+line
		return d
	}
	if again, stricter := r.vetted(c, input); stricter {
		again.Reason += " (this is said of what the rule " + v.Rule + " makes of it: " + line + ")"
		again.Locked = again.Locked || v.Locked // lifted, the call would run as it was
		return again
	}
	c.policy.Rewritten = true
	d.Action, d.Input = canon.Allow, input
	d.Context = d.Reason + " The command line that runs instead: " + line
	return d
}

// vetted asks the policies about another input of the call's tool. stricter says that they do not let it pass; d is then what they say.
func (r *run) vetted(c *call, input json.RawMessage) (d record.Decision, stricter bool) {
	read, v, ok := r.ask1(c.policies, judge.WithInput(c.Event, input, r.host.Commands), nil)
	if !ok {
		return unjudged(), true
	}
	switch v.Action {
	case policy.Ask:
		d = said(read.call, v)
		d.Action = canon.Ask
	case policy.Deny, policy.Rewrite: // a rewrite of a rewrite may have no end
		d = said(read.call, v)
		d.Action = canon.Deny
	default:
		r.mu.Lock()
		r.passed = input
		r.mu.Unlock()
		return record.Decision{}, false
	}
	p := evidence(read.call, v, c.policies.Layers, read.unsure)
	p.TookMS = c.policy.TookMS
	c.policy = p
	return d, true
}

// vet asks the policies about the input that a hook of the user's gave the tool: whoever wrote it, it is what runs.
func (r *run) vet(c *call) {
	r.mu.Lock()
	input := strictest(stricter(r.own, r.verdict), r.asked).Input
	old := r.passed
	r.mu.Unlock()
	if c.policies == nil || c.policies.shadow || input == nil || string(input) == string(old) {
		return
	}
	if d, not := r.vetted(c, input); not {
		d.Reason += " (this is said of the input that a hook gave the tool)"
		r.mu.Lock()
		r.own, r.refused = stricter(d, r.own), input
		r.settle()
		r.mu.Unlock()
		return
	}
	r.mu.Lock()
	r.settle()
	r.mu.Unlock()
}

// about is the path that what decided is about, so that the model sees which of many commands is meant. What is no plain path is not
// repeated: a text is shown that boathook has written.
func about(read policy.Call, v policy.Verdict) string {
	if len(v.Hits) == 0 || v.Hits[0].Rule != v.Rule || v.Hits[0].Effect < 0 || v.Hits[0].Effect >= len(read.Effects) {
		return ""
	}
	e := read.Effects[v.Hits[0].Effect]
	switch e.Kind {
	case policy.Delete, policy.Overwrite, policy.Write, policy.Move, policy.Chmod, policy.Chown, policy.ReadSecret:
	default:
		return ""
	}
	if len(e.Target) > maxAbout || !strings.ContainsAny(e.Target, `/\`) || strings.ContainsFunc(e.Target, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune(`/\.-_*?~+@:,=%`, c)
	}) {
		return ""
	}
	return e.Target
}

// maxAbout is how long such a path may be.
const maxAbout = 160

// reasonText is what the model and the user read. A project's words begin with whose they are: the verdict says so.
func reasonText(v policy.Verdict, target string) string {
	text := strings.TrimSpace(v.Reason)
	if text == "" {
		text = "the rule " + v.Rule + " does not allow it"
	}
	if target != "" {
		text = strings.TrimRight(text, ".") + " (" + target + ")"
	}
	if advice := strings.TrimSpace(v.Advice); advice != "" {
		text = strings.TrimRight(text, ".") + ". " + advice
	}
	return "boathook: " + text
}

// What of the evidence a record keeps at most.
const (
	maxEffects = 64
	maxHits    = 32
)

func evidence(c policy.Call, v policy.Verdict, l judge.Layers, unsure []string) *record.Policy {
	p := &record.Policy{
		Digest: l.Digest, Action: string(v.Action), Rule: v.Rule, Pack: v.Pack, Layer: string(v.Layer), Unsure: unsure,
	}
	for _, e := range c.Effects[:min(len(c.Effects), maxEffects)] {
		p.Effects = append(p.Effects, record.Effect{
			Kind: string(e.Kind), Verb: e.Verb, Target: e.Target, Where: string(e.Where), Flags: slices.Clone(e.Flags), Command: e.Command,
		})
	}
	for _, h := range v.Hits[:min(len(v.Hits), maxHits)] {
		p.Hits = append(p.Hits, record.Hit{
			Rule: h.Rule, Pack: h.Pack, Layer: string(h.Layer), Action: string(h.Action), Shadow: h.Shadow, Relieved: h.Relieved, Effect: h.Effect,
		})
	}
	for _, problem := range l.Problems {
		if !problem.Note { // what breaks nothing is told by check and doctor, not with each call
			p.Problems = append(p.Problems, judge.ProblemText(problem))
		}
	}
	return p
}

// keptPolicy is what of the evidence may be kept: targets and problems masked.
func keptPolicy(p *record.Policy, hide func(*string)) *record.Policy {
	if p == nil {
		return nil
	}
	kept := *p
	kept.Effects, kept.Problems = slices.Clone(p.Effects), slices.Clone(p.Problems)
	for i := range kept.Effects {
		hide(&kept.Effects[i].Target)
	}
	for i := range kept.Problems {
		hide(&kept.Problems[i])
	}
	return &kept
}
