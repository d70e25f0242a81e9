package policy

// Rule is one rule.
type Rule struct {
	ID string
	// Pack is the pack that it stands in, empty for a file's own.
	Pack   string
	When   When
	Action Action
	// Reason says why, to a person and to the model; Advice what the model should do instead.
	Reason string
	Advice string
	Mode   Mode
	// Expires is a date, 2026-12-31, after which the rule does not count any more.
	Expires string
	// Fail is what to do where it cannot be told whether the rule matches. Empty is ask for what stops, and nothing for the rest.
	Fail     Action
	Rewrite  *Change
	Examples []Example
	// Line is where it begins in its file.
	Line int

	// kinds and programs tell most calls apart from the rule without a look at its patterns: see index.go.
	kinds    uint32
	programs uint64
}

// When is what a rule matches. Of each key's patterns one must match; keys that are not there match all.
type When struct {
	// Of the call.
	Agent, Event, Tool, MCP, CWD, Project []string
	Args                                  []ArgPattern
	// Of an effect. One of Flags must be there ("recursive+glob": both), none of NotFlags.
	Effect, Verb, Where, Flags, NotFlags []string
	// Of a command: Command its program and first words, Argv patterns that must each match one of its arguments.
	Command, Argv []string
	// Of an effect's target, or of what the tool names.
	Path, URL []string
}

// ArgPattern is about one argument of a tool: its name, with dots into what it holds.
type ArgPattern struct {
	Name     string
	Patterns []string
}

// Change is how a rule rewrites the command that it matches.
type Change struct {
	// Program replaces the program's name.
	Program string
	// Drop takes away the arguments that match, Replace puts others in their places, Add appends some.
	Drop    []string
	Replace []Swap
	Add     []string
	// CutPipe takes away the shell or interpreter that the command's output is piped into.
	CutPipe bool
}

// Swap is an argument and what takes its place.
type Swap struct{ From, To string }

// Example is a call and what the policies should say of it: it is the rule's documentation and its test.
type Example struct {
	// Command is a shell's command line; or Tool a tool's name and Input its arguments as JSON.
	Command string
	Tool    string
	Input   string
	// CWD is where, the project's root if empty.
	CWD    string
	Agent  string
	Expect Action
	Line   int
}

// about tells which of a call's parts a rule is matched with.
func (w *When) aboutEffects() bool {
	return len(w.Effect)+len(w.Verb)+len(w.Where)+len(w.Flags)+len(w.NotFlags) > 0
}

func (w *When) aboutTargets() bool { return len(w.Path)+len(w.URL) > 0 }

func (w *When) aboutCommands() bool { return len(w.Command)+len(w.Argv) > 0 }

// failing is what the rule wants where it cannot be told whether it matches; Allow is nothing.
func (r *Rule) failing() Action {
	switch {
	case r.Action == Allow:
		return Allow
	case r.Fail != "":
		return r.Fail
	case r.Action == Deny || r.Action == Ask:
		return Ask
	}
	return Allow
}
