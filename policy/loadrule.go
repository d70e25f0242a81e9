package policy

import (
	"fmt"
	"slices"
	"strings"
)

// rules reads [[rules]].
func (l *loader) rules(v *value) {
	if v.form != array || slices.ContainsFunc(v.list, func(one *value) bool { return one.form != table }) {
		l.bad(v.line, "rules", "rules is a list of tables", "begin each rule with [[rules]]")
		return
	}
	if len(v.list) > maxRules {
		l.bad(v.line, "rules", fmt.Sprintf("there are more than %d rules", maxRules), "use fewer; one rule's keys take lists")
		return
	}
	l.file.Rules = make([]Rule, 0, len(v.list))
	for _, one := range v.list {
		r := l.rule(one)
		if l.file.Layer == ProjectLayer && (r.Action == Allow || r.Action == Rewrite) {
			l.note(one.line, "rules.action", "a project's policy only tightens: the rule "+quoted(r.ID)+" with action = "+quoted(string(r.Action))+" is ignored",
				"use deny, ask or warn, or put the rule into the user's own policy")
			continue
		}
		r.index()
		l.file.Rules = append(l.file.Rules, r)
	}
}

func (l *loader) rule(v *value) Rule {
	r := Rule{Line: v.line}
	for i, name := range v.names {
		l.ruleKey(&r, name, v.list[i])
	}
	l.ruleWhole(&r, v)
	return r
}

func (l *loader) ruleKey(r *Rule, name string, v *value) {
	key := "rules." + name
	switch name {
	case "id":
		r.ID = l.id(v)
	case "action":
		r.Action = Action(l.choice(v, key, "deny", "ask", "rewrite", "warn", "allow"))
	case "reason":
		r.Reason = strings.TrimSpace(l.text(v, key, maxText))
	case "advice":
		r.Advice = strings.TrimSpace(l.text(v, key, maxText))
	case "mode":
		r.Mode = Mode(l.choice(v, key, "enforce", "shadow"))
	case "fail":
		r.Fail = Action(l.choice(v, key, "ask", "deny", "allow"))
	case "expires":
		r.Expires = l.expires(v, key)
	case "when":
		l.when(&r.When, v)
	case "rewrite":
		r.Rewrite = l.change(v)
	case "examples":
		r.Examples = l.examples(v)
	default:
		l.unknown(v.line, "rules", name, ruleKeys[:]...)
	}
}

func (l *loader) id(v *value) string {
	id := l.text(v, "rules.id", maxID)
	if id == "" {
		return ""
	}
	for _, c := range id {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./", c)) {
			l.bad(v.line, "rules.id", "the id "+quoted(id)+" has other characters than letters, digits and - _ . /", `id = "no-force-push"`)
			return id
		}
	}
	if before := l.ids[id]; before > 0 {
		l.bad(v.line, "rules.id", fmt.Sprintf("the id %q stands in line %d too", id, before), "give each rule an id of its own")
	}
	l.ids[id] = v.line
	if l.file.Layer != BuiltIn && builtinRule(id) != nil {
		l.bad(v.line, "rules.id", "a built-in rule has the id "+quoted(id), "take another id; to change the built-in rule write [override."+id+"]")
	}
	return id
}

func (l *loader) expires(v *value, key string) string {
	if v.form != date && v.form != text {
		l.bad(v.line, key, key+" is "+v.form.String()+", and should be a date", "expires = 2026-12-31")
		return ""
	}
	if _, err := expiry(v.text); err != nil {
		l.bad(v.line, key, key+" is "+quoted(v.text)+", which is no date", "expires = 2026-12-31")
		return ""
	}
	return v.text
}

// ruleWhole tells what a rule lacks.
func (l *loader) ruleWhole(r *Rule, v *value) {
	id := quoted(r.ID)
	if v.get("id") == nil || v.get("id").form == text && r.ID == "" && v.get("id").text == "" {
		l.bad(r.Line, "rules.id", "the rule has no id", `id = "no-force-push"`)
		id = "without an id"
	}
	if v.get("action") == nil {
		l.bad(r.Line, "rules.action", "the rule "+id+" has no action", `action = "ask"; it can be deny, ask, rewrite, warn, allow`)
	}
	if r.Action != Allow && r.Reason == "" && (v.get("reason") == nil || v.get("reason").form == text && v.get("reason").text == "") {
		l.bad(r.Line, "rules.reason", "the rule "+id+" has no reason", `reason = "why, in a sentence": the person and the model read it`)
	}
	if w := v.get("when"); w == nil || w.form == table && len(w.names) == 0 {
		l.bad(r.Line, "rules.when", "the rule "+id+" has no when, and would match every call", "[rules.when] with what it is about, as effect = \"delete\"; everything is tool = \"*\"")
	}
	switch {
	case r.Action == Rewrite && r.Rewrite == nil && v.get("rewrite") == nil:
		l.bad(r.Line, "rules.rewrite", "the rule "+id+" rewrites, and does not say how", `[rules.rewrite] with program, drop, replace, add or cut_pipe`)
	case r.Action != Rewrite && r.Action != "" && v.get("rewrite") != nil:
		l.bad(v.get("rewrite").line, "rules.rewrite", "the rule "+id+" says how to rewrite, and its action is "+string(r.Action), `action = "rewrite"`)
	}
	if r.Action == Allow && r.Fail != "" && r.Fail != Allow {
		l.bad(r.Line, "rules.fail", "the rule "+id+" allows: fail is for rules that stop", "take fail out")
	}
}
