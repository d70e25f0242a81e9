package policy

// Action is what a rule wants.
type Action string

// The actions, from the weakest to the strictest. A warn lets the call go on and says why it should not have; a rewrite lets
// another one go on.
const (
	Allow   Action = "allow"
	Warn    Action = "warn"
	Rewrite Action = "rewrite"
	Ask     Action = "ask"
	Deny    Action = "deny"
)

// Layer is where a rule comes from.
type Layer string

// The layers, from the strongest down.
const (
	Organisation Layer = "organisation"
	UserLayer    Layer = "user"
	ProjectLayer Layer = "project"
	BuiltIn      Layer = "built-in"
)

// rank orders actions: the larger wins where several rules match.
func (a Action) rank() int {
	switch a {
	case Deny:
		return 4
	case Ask:
		return 3
	case Rewrite:
		return 2
	case Warn:
		return 1
	}
	return 0
}

// depth orders layers: the smaller is the stronger.
func (l Layer) depth() int {
	switch l {
	case Organisation:
		return 0
	case UserLayer:
		return 1
	case ProjectLayer:
		return 2
	}
	return 3
}

// Mode says whether rules count.
type Mode string

// The modes. A shadow's hits are told and change nothing.
const (
	Enforce Mode = "enforce"
	Shadow  Mode = "shadow"
)
