package status

import (
	"github.com/boathook/boathook/internal/doctor"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

// Policy is what the local guard goes by in the working directory.
type Policy struct {
	// Mode is enforce, shadow or off.
	Mode string `json:"mode"`
	// Files are those that count beside the built-in packs.
	Files []PolicyFile `json:"files"`
	Packs []string     `json:"packs"`
	// Rules count, Shadow of them only in the records; Off and Expired are beside them.
	Rules   int    `json:"rules"`
	Shadow  int    `json:"shadow"`
	Off     int    `json:"off"`
	Expired int    `json:"expired"`
	Digest  string `json:"digest"`
	// Broken says that a file is there of which nothing counts.
	Broken bool `json:"broken,omitempty"`
	// Untrusted is a project's policy that nobody trusts.
	Untrusted string `json:"untrusted,omitempty"`
}

// PolicyFile is one file of a policy.
type PolicyFile struct {
	Layer string `json:"layer"`
	Path  string `json:"path"`
}

func (s *Status) policy(w *doctor.World) {
	texts, untrusted := w.PolicyTexts()
	l := judge.Combine(texts...)
	p := &Policy{Files: []PolicyFile{}, Packs: []string{}, Digest: l.Digest, Broken: l.Broken, Untrusted: untrusted}
	p.Mode, _ = judge.Mode(w.Settings.Policy, texts)
	for _, t := range texts {
		if t.There && t.Err == nil {
			p.Files = append(p.Files, PolicyFile{string(t.Layer), t.Path})
		}
	}
	for _, r := range l.Set.Rules() {
		switch {
		case r.Off:
			p.Off++
			continue
		case r.Rule.Expired(w.Now()):
			p.Expired++
			continue
		case r.Shadow:
			p.Shadow++
		}
		p.Rules++
		p.pack(r.Rule)
	}
	for _, problem := range l.Problems {
		if !problem.Note {
			s.problem("policy: %s", w.Foreign(judge.ProblemText(problem)))
		}
	}
	s.Policy = p
}

func (p *Policy) pack(r *policy.Rule) {
	for _, have := range p.Packs {
		if have == r.Pack {
			return
		}
	}
	if r.Pack != "" {
		p.Packs = append(p.Packs, r.Pack)
	}
}
