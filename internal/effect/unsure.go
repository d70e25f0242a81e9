package effect

import (
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/policy"
)

// unsure are the effects of what only a run would tell.
func unsure(r shellcmd.Result, m *place.Machine) []policy.Effect {
	var out []policy.Effect
	for _, u := range r.Unsure {
		switch u.Kind {
		case "parse", "limit", "code":
			out = append(out, policy.Effect{Kind: policy.Dynamic, Verb: u.Kind, Target: u.Text, Command: u.Command})
		}
	}
	return out
}
