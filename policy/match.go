package policy

import "strings"

// judging is one call being judged. It is not shared.
type judging struct {
	matcher
	call *Call
	args argTree

	kinds    uint32
	programs uint64
}

func newJudging(s *Set, c *Call) *judging {
	j := &judging{call: c, matcher: matcher{home: c.Home, project: c.Project, fold: c.Fold, steps: maxSteps, regexps: &s.regexps}}
	for i := range c.Effects {
		j.kinds |= kindBit(c.Effects[i].Kind)
	}
	for i := range c.Commands {
		if argv := c.Commands[i].Argv; len(argv) > 0 {
			j.programs |= programBit(program(argv[0]))
		}
	}
	return j
}

// possible tells by the sets alone whether the rule can match.
func (j *judging) possible(r *Rule) bool {
	return (r.kinds == 0 || r.kinds&j.kinds != 0) && (r.programs == 0 || r.programs&j.programs != 0)
}

// ofCall matches what a rule says of the call as a whole.
func (j *judging) ofCall(w *When) tri {
	c := j.call
	result := yes
	for _, key := range [...]struct {
		patterns []string
		text     string
		match    matchFunc
	}{
		{w.Agent, c.Agent, glob}, {w.Event, c.Event, glob}, {w.MCP, c.MCP, glob}, {w.CWD, c.CWD, path}, {w.Project, c.Project, path},
	} {
		if len(key.patterns) == 0 {
			continue
		}
		if result = min(result, j.any(key.patterns, key.text, key.match)); result == no {
			return no
		}
	}
	if len(w.Tool) > 0 {
		if result = min(result, j.tool(w.Tool)); result == no {
			return no
		}
	}
	for i := range w.Args {
		if result = min(result, j.arg(&w.Args[i])); result == no {
			return no
		}
	}
	return result
}

// tool matches the canonical name or the agent's own.
func (j *judging) tool(patterns []string) tri {
	got := j.any(patterns, j.call.Tool, glob)
	if j.call.HostTool == "" || j.call.HostTool == j.call.Tool {
		return got
	}
	host := j.any(patterns, j.call.HostTool, glob)
	if patterns[0] != "" && patterns[0][0] == '!' { // none of its names
		return min(got, host)
	}
	return max(got, host)
}

// ofEffect matches what a rule says of an effect, its command included.
func (j *judging) ofEffect(r *Rule, e *Effect) tri {
	w := &r.When
	if r.kinds != 0 && r.kinds&kindBit(e.Kind) == 0 {
		return no
	}
	result := yes
	if len(w.Effect) > 0 {
		result = j.any(w.Effect, string(e.Kind), glob)
	}
	if len(w.Verb) > 0 && result != no {
		result = min(result, j.any(w.Verb, e.Verb, glob))
	}
	if len(w.Where) > 0 && result != no {
		result = min(result, j.where(w.Where, e))
	}
	if result != no && !flagged(w.Flags, e.Flags, true) || flagged(w.NotFlags, e.Flags, false) {
		return no
	}
	if len(w.Path) > 0 && result != no {
		result = min(result, j.effectPath(r, e))
	}
	if len(w.URL) > 0 && result != no {
		result = min(result, j.target(w.URL, e, url))
	}
	if w.aboutCommands() && result != no {
		if e.Command < 0 || e.Command >= len(j.call.Commands) {
			return no
		}
		result = min(result, j.ofCommand(w, &j.call.Commands[e.Command]))
	}
	return result
}

func (j *judging) ofCommand(w *When, c *Command) tri {
	result := yes
	if len(w.Command) > 0 {
		result = j.command(w.Command, c)
	}
	if len(w.Argv) > 0 && result != no {
		result = min(result, j.argv(w.Argv, c))
	}
	return result
}

// where matches an effect's place; one that is not known may be any.
func (j *judging) where(patterns []string, e *Effect) tri {
	got := j.any(patterns, string(e.Where), glob)
	if e.Where == Nowhere && got != yes || e.Where == Nowhere && patterns[0] != "" && patterns[0][0] == '!' {
		return maybe
	}
	return got
}

// flagged tells whether one of the wanted combinations is there; none wanted is empty's answer.
func flagged(wanted, have []string, empty bool) bool {
	for _, w := range wanted {
		for {
			one, rest, more := strings.Cut(w, "+")
			if !contains(have, one) {
				break
			}
			if !more {
				return true
			}
			w = rest
		}
	}
	return len(wanted) == 0 && empty
}

func contains(list []string, s string) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}

// target matches an effect's target, which may not be known.
func (j *judging) target(patterns []string, e *Effect, match matchFunc) tri {
	if e.Target != "" {
		return j.any(patterns, e.Target, match)
	}
	if contains(e.Flags, "dynamic") {
		return j.any(patterns, unknown, match)
	}
	return no
}

// effectPath matches the path of an effect; a directory that is deleted or changed as a whole takes with it what it holds. An allow is
// not about what a link leads to.
func (j *judging) effectPath(r *Rule, e *Effect) tri {
	allows := r.Action == Allow
	if e.Where == "" || allows && contains(e.Flags, "link") { // its target is none
		return no
	}
	got := j.target(r.When.Path, e, path)
	if got != no && !allows || got == no && allows || e.Target == "" || !contains(e.Flags, "recursive") && e.Kind != Move {
		return got
	}
	for _, p := range r.When.Path {
		except := strings.HasPrefix(p, "!")
		if except != allows || !holds(&j.matcher, strings.TrimPrefix(p, "!"), e.Target) {
			continue
		}
		if allows { // what is not allowed is in there
			return no
		}
		return yes
	}
	return got
}
