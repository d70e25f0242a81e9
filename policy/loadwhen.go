package policy

import (
	"cmp"
	"fmt"
	"regexp/syntax"
	"strings"
)

// when reads [rules.when].
func (l *loader) when(w *When, v *value) {
	if v.form != table {
		l.bad(v.line, "rules.when", "when is "+v.form.String()+", and should be a table", "[rules.when]")
		return
	}
	for i, name := range v.names {
		if name == "arg" {
			l.whenArgs(w, v.list[i])
			continue
		}
		to := w.key(name)
		if to == nil {
			l.unknown(v.list[i].line, "rules.when", name, whenKeys[:]...)
			continue
		}
		*to = l.patterns(v.list[i], "rules.when."+name)
		l.words(name, v.list[i], *to)
	}
	if l.file.Layer != BuiltIn {
		l.never(w, v)
	}
}

var whenKeys = [...]string{
	"agent", "event", "tool", "effect", "verb", "where", "flags", "not_flags", "command", "argv", "path", "url", "mcp", "cwd", "project", "arg",
}

// key is the place of a key's patterns.
func (w *When) key(name string) *[]string {
	switch name {
	case "agent":
		return &w.Agent
	case "event":
		return &w.Event
	case "tool":
		return &w.Tool
	case "effect":
		return &w.Effect
	case "verb":
		return &w.Verb
	case "where":
		return &w.Where
	case "flags":
		return &w.Flags
	case "not_flags":
		return &w.NotFlags
	case "command":
		return &w.Command
	case "argv":
		return &w.Argv
	case "path":
		return &w.Path
	case "url":
		return &w.URL
	case "mcp":
		return &w.MCP
	case "cwd":
		return &w.CWD
	case "project":
		return &w.Project
	}
	return nil
}

func (l *loader) patterns(v *value, key string) []string {
	list := l.list(v, key)
	if len(list) == 0 && v.form == array && !l.broken {
		l.bad(v.line, key, key+" is an empty list, which nothing matches", "take it out, or name something")
	}
	out := make([]string, 0, len(list))
	for _, one := range list {
		if l.pattern(one, key) {
			out = append(out, one.text)
		}
	}
	return out
}

// pattern tells whether a pattern can be matched.
func (l *loader) pattern(v *value, key string) bool {
	bare := strings.TrimPrefix(v.text, "!")
	source, isRegexp := strings.CutPrefix(bare, "re:")
	switch {
	case bare == "" || isRegexp && source == "":
		l.bad(v.line, key, key+" has an empty pattern, which nothing matches", "take it out")
	case len(bare) > maxPattern:
		l.bad(v.line, key, fmt.Sprintf("%s has a pattern of %d bytes, and one may have %d", key, len(bare), maxPattern), "make it shorter, or several of it")
	case isRegexp:
		if _, err := syntax.Parse(source, syntax.Perl); err != nil {
			l.bad(v.line, key, key+" has a regular expression that is none: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "), "RE2's syntax counts: no look-around, no back references")
			return false
		}
		return true
	default:
		return true
	}
	return false
}

// words checks the keys that take words of a fixed list.
func (l *loader) words(name string, v *value, patterns []string) {
	var words []string
	switch name {
	case "effect":
		for i := range kinds {
			words = append(words, string(kinds[i].Kind))
		}
	case "where":
		for i := range wheres {
			words = append(words, string(wheres[i].where))
		}
	case "verb":
		l.verbs(v, patterns)
		return
	case "flags", "not_flags":
		for i := range flags {
			words = append(words, flags[i].Name)
		}
	default:
		return
	}
	for _, p := range patterns {
		bare := strings.TrimPrefix(p, "!")
		if strings.ContainsAny(bare, wildcards) || strings.HasPrefix(bare, "re:") {
			if name == "flags" || name == "not_flags" {
				l.bad(v.line, "rules.when."+name, "flags are named in full, and "+quoted(p)+" is a pattern", "the flags are "+strings.Join(words, ", "))
			}
			continue
		}
		parts := []string{bare}
		if name == "flags" || name == "not_flags" {
			parts = strings.Split(p, "+")
		}
		for _, part := range parts {
			if !contains(words, part) {
				l.bad(v.line, "rules.when."+name, "there is no "+strings.TrimSuffix(strings.TrimPrefix(name, "not_"), "s")+" "+quoted(part)+l.near(part, words),
					cmp.Or(splitEffect(name, part, words), "it can be "+strings.Join(words, ", ")))
			}
		}
	}
}

// splitEffect tells how delete:home and git_loss/reset-hard, as a log's filter and policy explain have them, are written in a rule.
func splitEffect(name, part string, kinds []string) string {
	i := strings.IndexAny(part, ":/")
	if name != "effect" || i < 0 || !contains(kinds, part[:i]) {
		return ""
	}
	kind, more, key := part[:i], part[i+1:], "verb"
	for k := range wheres {
		if string(wheres[k].where) == more {
			key = "where"
		}
	}
	return "effect = " + quoted(kind) + ", " + key + " = " + quoted(more)
}

// verbs notes verbs that no effect has. A newer version may have them, so that they are no error.
func (l *loader) verbs(v *value, patterns []string) {
	var known []string
	for _, p := range patterns {
		bare := strings.TrimPrefix(p, "!")
		if strings.ContainsAny(bare, wildcards) || strings.HasPrefix(bare, "re:") {
			continue
		}
		if known == nil {
			known = allVerbs()
		}
		if !contains(known, bare) {
			l.note(v.line, "rules.when.verb", "no effect has the verb "+quoted(bare)+l.near(bare, known), "docs/policy.md lists them; `boathook policy explain` shows those of a command")
		}
	}
}

func (l *loader) whenArgs(w *When, v *value) {
	if v.form != table {
		l.bad(v.line, "rules.when.arg", "arg is a table of the arguments' names", `arg = { file_path = "*.lock" }`)
		return
	}
	l.argsBelow(w, v, "")
}

// argsBelow reads { a.b = "…" } and { "a.b" = "…" } alike.
func (l *loader) argsBelow(w *When, v *value, prefix string) {
	for i, name := range v.names {
		if v.list[i].form == table {
			l.argsBelow(w, v.list[i], prefix+name+".")
			continue
		}
		patterns := l.patterns(v.list[i], "rules.when.arg."+prefix+name)
		w.Args = append(w.Args, ArgPattern{Name: prefix + name, Patterns: patterns})
	}
}
