package hookrun

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/policy"
)

var errHangs = errors.New("reading the policies hangs; the built-in one stands in")

// unjudged stands while the local policy is being asked: what takes too long was made to, and is not let through unseen.
func unjudged() record.Decision {
	return record.Decision{
		Action: canon.Ask, Source: "policy_failed", Reason: "boathook: the call could not be judged in time; make it simpler",
	}
}

// policyFiles begins to read the policies that do not depend on the payload; it comes meanwhile.
func (r *run) policyFiles() <-chan []judge.Text {
	p := r.settings.Policy
	if !r.event.Gate && !r.unsure() || p.Mode == "off" && p.Organisation == "" {
		return nil
	}
	read := make(chan []judge.Text, 1)
	go func() {
		var out []judge.Text
		if p.Organisation != "" {
			t := judge.Text{Path: p.Organisation, Layer: policy.Organisation}
			t.Text, t.There, t.Err = config.ReadManaged(p.Organisation)
			out = append(out, t)
		}
		if p.File != "" {
			t := judge.Text{Path: p.File, Layer: policy.UserLayer}
			t.Text, t.There, t.Err = config.ReadPolicy(p.File)
			out = append(out, t)
		}
		read <- out
	}()
	return read
}

// askPolicy asks the local policy where a deny is possible.
func (r *run) askPolicy(c *call, files <-chan []judge.Text) {
	if files == nil || !r.event.Gate || c.Tool == nil {
		return
	}
	start := r.env.Now()
	r.decideLocal(unjudged())
	var texts []judge.Text
	if !within(diskTime, func() { texts = <-files }) {
		texts = []judge.Text{{Path: r.settings.Policy.File, Err: errHangs}}
	}
	layers := judge.Combine(texts...)
	mode := r.policyMode(texts)
	if mode == "off" {
		r.decideLocal(record.Decision{})
		return
	}
	r.findProject(c)
	call, unsure := judge.ReadAll(c.Event, r.machine(c), r.moreCommands(c))
	v := layers.Set.Judge(call)
	c.policy = evidence(call, v, layers, unsure)
	c.policy.Shadow = mode == "shadow"
	c.policy.TookMS = float64(r.env.Now().Sub(start).Microseconds()) / 1000
	r.decideLocal(localDecision(v, c.policy.Shadow))
}

// policyMode is the one in force: a user does not switch off what an administrator wrote, unless the administrator's config lets it.
func (r *run) policyMode(texts []judge.Text) string {
	p := r.settings.Policy
	managed := slices.ContainsFunc(texts, func(t judge.Text) bool { return t.Layer == policy.Organisation && t.There })
	if p.Mode != "enforce" && managed && !p.Fixed {
		r.note("policy.mode is enforce: there is an administrator's policy, and the administrator's config does not say otherwise")
		return "enforce"
	}
	return p.Mode
}

// moreCommands are those that a payload seems to hold beside the one that was read: what we cannot read for sure, the agent may read
// otherwise.
func (r *run) moreCommands(c *call) []string {
	if c.payload.Sound() {
		return nil
	}
	return lenient.Find(c.payload.Text, r.host.Commands)
}

func (r *run) machine(c *call) *place.Machine {
	home := config.Home(r.request(), r.settings)
	m := judge.Machine(home, c.CWD, c.Project)
	m.Guard = []string{filepath.Dir(r.settings.Path), r.settings.DataDir, r.settings.Policy.File}
	return m
}

// localDecision is what a verdict decides.
func localDecision(v policy.Verdict, shadow bool) record.Decision {
	if shadow {
		return record.Decision{}
	}
	d := record.Decision{Source: "local_policy", Rule: v.Rule, Pack: v.Pack, Layer: string(v.Layer)}
	switch v.Action {
	case policy.Deny:
		d.Action = canon.Deny
	case policy.Ask:
		d.Action = canon.Ask
	case policy.Warn:
		d.Action, d.Context = canon.Allow, reasonText(v)
	default:
		return record.Decision{}
	}
	d.Reason = reasonText(v)
	return d
}

// reasonText is what the model and the user read. A project's words are shown as such: a repository wrote them.
func reasonText(v policy.Verdict) string {
	text := strings.TrimSpace(v.Reason)
	if text == "" {
		text = "the rule " + v.Rule + " does not allow it"
	}
	if v.Layer == policy.ProjectLayer {
		text = "the project's policy says: " + text
	}
	if v.Advice != "" {
		text = strings.TrimRight(text, ".") + ". " + v.Advice
	}
	return "boathook: " + text
}

func evidence(c policy.Call, v policy.Verdict, l judge.Layers, unsure []string) *record.Policy {
	p := &record.Policy{
		Digest: l.Digest, Action: string(v.Action), Rule: v.Rule, Pack: v.Pack, Layer: string(v.Layer), Unsure: unsure,
	}
	for _, e := range c.Effects {
		p.Effects = append(p.Effects, record.Effect{
			Kind: string(e.Kind), Verb: e.Verb, Target: e.Target, Where: string(e.Where), Flags: slices.Clone(e.Flags), Command: e.Command,
		})
	}
	for _, h := range v.Hits {
		p.Hits = append(p.Hits, record.Hit{
			Rule: h.Rule, Pack: h.Pack, Layer: string(h.Layer), Action: string(h.Action), Shadow: h.Shadow, Relieved: h.Relieved, Effect: h.Effect,
		})
	}
	for _, problem := range l.Problems {
		p.Problems = append(p.Problems, judge.ProblemText(problem))
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
