package hookrun

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/machinekey"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
)

// minimize takes every content out of a record: what a person or a program wrote becomes its keyed hash, what names the
// call (event, tool, rule, sizes, times) stays. The payload itself goes.
func minimize(rec *record.Record, key machinekey.Key) {
	m := minimizer{key}
	e := &rec.Event
	m.place(rec)
	e.Raw = nil
	for _, s := range []*string{&e.Prompt, &e.Response, &e.CWD, &e.Project, &e.TranscriptPath, &rec.Decision.Reason, &rec.Decision.Context} {
		m.hash(s)
	}
	for _, s := range []*string{&e.Source, &e.Reason, &e.Model, &e.HostEvent, &rec.Decision.Rule} {
		m.name(s)
	}
	m.raw(&rec.Decision.Input)
	if rec.Guard != nil {
		m.hash(&rec.Guard.Reason)
		m.name(&rec.Guard.Rule)
	}
	if rec.Policy != nil {
		m.policy(rec.Policy)
	}
	if rec.Recall != nil {
		rec.Recall.Reason = unquoted(rec.Recall.Reason)
	}
	for i := range rec.UserHooks {
		m.name(&rec.UserHooks[i].Name)
		m.hash(&rec.UserHooks[i].Reason)
	}
	if n := e.Notification; n != nil {
		m.name(&n.Type)
		m.hash(&n.Message)
		m.raw(&n.Details)
	}
	if e.Tool != nil {
		m.tool(e.Tool)
	}
	m.name(&rec.Hook.AgentLabel)
	for i, note := range rec.Notes {
		rec.Notes[i] = unquoted(note)
	}
	rec.Hook.Privacy = "minimal"
}

type minimizer struct{ key machinekey.Key }

// place takes the project's and the working directory's own path out of the notes and problems: those name a project's policy by it.
func (m minimizer) place(rec *record.Record) {
	texts := []*[]string{&rec.Notes}
	if rec.Policy != nil {
		texts = append(texts, &rec.Policy.Problems)
	}
	for _, list := range texts {
		for i := range *list {
			for _, dir := range []string{rec.Project, rec.CWD} {
				if len(dir) > 1 {
					(*list)[i] = strings.ReplaceAll((*list)[i], dir, "{project}")
				}
			}
		}
	}
}

func (m minimizer) tool(t *canon.Tool) {
	m.name(&t.Name)
	m.name(&t.HostName)
	m.raw(&t.Input)
	m.raw(&t.Output)
	m.hash(&t.Command)
	m.hash(&t.Error)
	for _, list := range [][]string{t.Paths, t.URLs} {
		for i := range list {
			m.hash(&list[i])
		}
	}
	if t.MCP != nil {
		m.name(&t.MCP.Server)
		m.name(&t.MCP.Tool)
	}
}

// policy leaves what kinds of effects there were, and the rules' names.
func (m minimizer) policy(p *record.Policy) {
	for i := range p.Effects {
		m.hash(&p.Effects[i].Target)
		m.name(&p.Effects[i].Verb)
	}
	for _, s := range []*string{&p.Rule, &p.Pack} {
		m.name(s)
	}
	for i := range p.Hits {
		m.name(&p.Hits[i].Rule)
		m.name(&p.Hits[i].Pack)
		m.name(&p.Hits[i].Relieved)
	}
	for i := range p.Problems {
		p.Problems[i] = unquoted(p.Problems[i])
	}
}

func (m minimizer) hash(s *string) {
	if *s == "" {
		return
	}
	if *s = m.key.Hash(*s); *s != "" {
		*s = "hmac:" + *s
	}
}

func (m minimizer) raw(v *json.RawMessage) {
	text := string(*v)
	if m.hash(&text); text == "" {
		*v = nil
		return
	}
	*v = json.RawMessage(`"` + text + `"`)
}

// name leaves what is a name and hashes what is more: a guard may answer with the text that matched, a broken payload may
// have anything where a host has a word.
func (m minimizer) name(s *string) {
	if !isWord(*s) || len(*s) > 128 {
		m.hash(s)
	}
}

// unquoted takes what a note quotes out of it, unless it is a word: an argument or a setting may be anything.
func unquoted(note string) string {
	var out strings.Builder
	for {
		i := strings.IndexAny(note, "\"`")
		if i < 0 {
			return out.String() + note
		}
		quoted, err := strconv.QuotedPrefix(note[i:])
		if err != nil { // it has no end
			return out.String() + note[:i] + "(hidden)"
		}
		out.WriteString(note[:i])
		if isWord(quoted[1 : len(quoted)-1]) {
			out.WriteString(quoted)
		} else {
			out.WriteString("(hidden)")
		}
		note = note[i+len(quoted):]
	}
}

func isWord(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/-") == ""
}

func redactOptions(c config.Redact) redact.Options {
	o := redact.Options{Allow: c.Allow}
	for name, expr := range c.Patterns {
		o.Patterns = append(o.Patterns, redact.Pattern{Type: name, Regexp: expr})
	}
	return o
}
