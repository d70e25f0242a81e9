package record

// Policy is what the local policy said of a tool call, with what it went by, so that the call can be judged again.
type Policy struct {
	// Digest names the policy in force: equal digests judge equally.
	Digest string `json:"digest,omitempty"`
	// Action is allow, warn, rewrite, ask or deny; that which was said, whatever became of it.
	Action string `json:"action"`
	Rule   string `json:"rule,omitempty"`
	Pack   string `json:"pack,omitempty"`
	Layer  string `json:"layer,omitempty"`
	// Effects are what the call does, Hits the rules that matched, the strictest first.
	Effects []Effect `json:"effects,omitempty"`
	Hits    []Hit    `json:"hits,omitempty"`
	// Shadow says that nothing of it was enforced (policy.mode).
	Shadow bool `json:"shadow,omitempty"`
	// Unsure are the kinds of what only a run would tell: parse, limit, command, code.
	Unsure []string `json:"unsure,omitempty"`
	// Problems are what is wrong with the policy files: file:line, key, text, cure.
	Problems []string `json:"problems,omitempty"`
	// Rewritten says that a rule gave the tool another command line.
	Rewritten bool `json:"rewritten,omitempty"`
	// AllowedOnce says that a person had lifted this call, Loop how often the session was denied it, from the fifth time on.
	AllowedOnce bool    `json:"allowed_once,omitempty"`
	Loop        int     `json:"loop,omitempty"`
	TookMS      float64 `json:"took_ms"`
}

// Effect is one thing that a call does.
type Effect struct {
	Kind   string   `json:"kind"`
	Verb   string   `json:"verb,omitempty"`
	Target string   `json:"target,omitempty"`
	Where  string   `json:"where,omitempty"`
	Flags  []string `json:"flags,omitempty"`
	// Command is the place of the command that does it among those of the call, -1 for the tool itself.
	Command int `json:"command"`
}

// Hit is one rule that matched.
type Hit struct {
	Rule   string `json:"rule"`
	Pack   string `json:"pack,omitempty"`
	Layer  string `json:"layer,omitempty"`
	Action string `json:"action"`
	// Shadow says that it was not enforced, Relieved names the rule that took it back.
	Shadow   bool   `json:"shadow,omitempty"`
	Relieved string `json:"relieved,omitempty"`
	// Effect is its place in Effects, -1 for none.
	Effect int `json:"effect"`
}
