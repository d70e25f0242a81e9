package policy

import "strings"

// Agents are the agents that a rule can name.
func Agents() []string {
	return []string{"gemini", "antigravity", "claude", "codex", "copilot", "cursor", "windsurf", "cline", "qwen", "amp", "opencode"}
}

// judged are the events at which a policy is asked.
func judged() []string { return []string{"tool:before", "permission:request"} }

// never notes what can be read and matches nothing, so that nobody takes it for a guard. Another version may know more names, which
// is why it breaks no file.
func (l *loader) never(w *When, v *value) {
	if len(w.Agent) > 0 {
		l.unnamed(w.Agent, v, "agent", "there is no agent ", Agents(), "the agents are ")
	}
	if len(w.Event) > 0 {
		l.unnamed(w.Event, v, "event", "no policy is asked at an event ", judged(), "it is asked at ")
	}
	for _, p := range w.Command {
		bare, _ := strings.CutPrefix(p, "!")
		if i := strings.Index(bare, " -"); i > 0 && !strings.HasPrefix(bare, "re:") {
			l.note(v.get("command").line, "rules.when.command", "command is the program and its first words that are no options, and "+quoted(bare)+" has one, so that it matches nothing",
				"command = "+quoted(strings.TrimSpace(bare[:i]))+", argv = "+quoted(strings.Fields(bare[i:])[0]))
		}
	}
	for _, p := range w.MCP {
		if bare, isGlob := strings.TrimPrefix(p, "!"), strings.Contains(p, "*"); !strings.Contains(bare, "/") && !isGlob && !strings.HasPrefix(bare, "re:") {
			l.note(v.get("mcp").line, "rules.when.mcp", "mcp is \"server/tool\", and "+quoted(bare)+" has no slash, so that it matches nothing", "mcp = "+quoted(bare+"/*"))
		}
	}
	l.neverPath(w, v)
	l.neverVerb(w, v)
}

// unnamed notes names that there are not.
func (l *loader) unnamed(patterns []string, v *value, key, none string, words []string, cure string) {
	for _, p := range patterns {
		if bare, plain := literal(p); plain && !contains(words, bare) {
			l.note(v.get(key).line, "rules.when."+key, none+quoted(bare)+l.near(bare, words), cure+strings.Join(words, ", "))
		}
	}
}

// literal is a pattern without its negation, and whether it stands for itself alone.
func literal(p string) (string, bool) {
	bare := strings.TrimPrefix(p, "!")
	return bare, !strings.ContainsAny(bare, wildcards) && !strings.HasPrefix(bare, "re:")
}

// neverPath notes variables and other marks: ~ and {project} are all that a path can have.
func (l *loader) neverPath(w *When, v *value) {
	for _, key := range [...]struct {
		name     string
		patterns []string
	}{{"path", w.Path}, {"cwd", w.CWD}, {"project", w.Project}} {
		for _, p := range key.patterns {
			bare := strings.TrimPrefix(p, "!")
			marked := strings.HasPrefix(bare, "$") || strings.HasPrefix(bare, "{") && !strings.HasPrefix(bare, "{project}") || strings.HasPrefix(bare, "%")
			if marked {
				l.note(v.get(key.name).line, "rules.when."+key.name, "no variable is looked up in "+quoted(bare), `write ~/… for what is below the home, {project}/… for what is below the project`)
			}
		}
	}
}

// neverVerb notes a verb of other kinds than those that the rule names beside it.
func (l *loader) neverVerb(w *When, v *value) {
	if len(w.Effect) == 0 || len(w.Verb) == 0 {
		return
	}
	var known []string
	for _, p := range w.Effect {
		if bare, plain := literal(p); !plain || bare != p {
			return
		}
		known = append(known, Kind(p).Verbs()...)
	}
	for _, p := range w.Verb {
		bare, plain := literal(p)
		if !plain || contains(known, bare) || !contains(allVerbs(), bare) {
			continue
		}
		of := ""
		for i := range verbs {
			if contains(strings.Fields(verbs[i].names), bare) {
				of = string(verbs[i].kind)
				break
			}
		}
		l.note(v.get("verb").line, "rules.when.verb", "the verb "+quoted(bare)+" is one of "+of+", not of "+strings.Join(w.Effect, ", "), "effect = "+quoted(of)+", verb = "+quoted(bare))
	}
}

// elsewhere says where a key belongs that stands in the wrong table; empty where it is none.
func elsewhere(in, name string) string {
	switch {
	case in == "rules" && contains(whenKeys[:], name):
		return "put it into when: when = { " + name + " = \"…\" }"
	case in == "rules" && contains(topKeys[:], name):
		return "it is about the whole file: put it above the first [[rules]]"
	case in == "rules.when" && contains(ruleKeys[:], name):
		return "it is about the rule: put it above [rules.when]"
	case in == "" && (contains(ruleKeys[:], name) || contains(whenKeys[:], name)):
		return "it is about a rule: put it below [[rules]]"
	}
	return ""
}

var topKeys = [...]string{"version", "packs", "mode", "rules", "override"}

var ruleKeys = [...]string{"id", "action", "reason", "advice", "mode", "expires", "fail", "when", "rewrite", "examples"}
