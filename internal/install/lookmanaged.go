package install

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/managed"
)

// ManagedBy is the file that has an administrator's hooks of an agent; empty where there are none.
func ManagedBy(env Env, agent string) string {
	if !managed.Runs(env.root(), env.goos(), agent, env.Managed) {
		return ""
	}
	return managed.File(env.root(), env.goos(), agent)
}

// LookManaged tells what is installed for everybody.
func LookManaged(env Env) []Installation {
	p := &planner{env: env, plan: &Plan{Config: env.Managed}, req: Request{Managed: true}}
	_ = p.load() // without a manifest, what the files say
	var out []Installation
	for _, a := range managedAgents(env) {
		dir := a.places(env)[0]
		known := slices.ContainsFunc(p.old.Places, func(at place) bool { return at.Agent == a.id })
		if !known && ManagedBy(env, a.id) == "" {
			continue
		}
		in := Installation{Agent: a.id, Title: a.title, Dir: dir, NotRun: notAsWritten, Config: env.Managed}
		if m, ok := a.mark(dir); ok {
			in.Version, in.DataDir = m.Version, m.DataDir
		}
		a.look(&in, p)
		if why := p.rootAlone(in.File); why != nil {
			in.fault(ByHand, in.File, "is not root's alone: %s", strings.TrimPrefix(why.Error(), fmt.Sprintf("use %s for everybody: ", in.File)))
		}
		out = append(out, in)
	}
	return out
}
