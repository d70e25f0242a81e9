package hookrun

import (
	"encoding/json"
	"strings"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
)

// minimize takes every content out of a record: what a person or a program wrote becomes its keyed hash, what names the
// call (event, tool, rule, sizes, times) stays. The payload itself goes.
func minimize(rec *record.Record, key machineKey) {
	hash := func(s *string) {
		if *s == "" {
			return
		}
		if *s = key.hash(*s); *s != "" {
			*s = "hmac:" + *s
		}
	}
	raw := func(m *json.RawMessage) {
		text := string(*m)
		if hash(&text); text == "" {
			*m = nil
			return
		}
		*m = json.RawMessage(`"` + text + `"`)
	}
	e := &rec.Event
	e.Raw = nil
	for _, s := range []*string{&e.Prompt, &e.Response, &e.CWD, &e.Project, &e.TranscriptPath, &rec.Decision.Reason} {
		hash(s)
	}
	for _, s := range []*string{&e.Source, &e.Reason, &e.Model, &e.HostEvent, &rec.Decision.Rule} {
		name(s, hash)
	}
	if rec.Guard != nil {
		hash(&rec.Guard.Reason)
		name(&rec.Guard.Rule, hash)
	}
	if n := e.Notification; n != nil {
		name(&n.Type, hash)
		hash(&n.Message)
		raw(&n.Details)
	}
	if t := e.Tool; t != nil {
		name(&t.Name, hash)
		name(&t.HostName, hash)
		raw(&t.Input)
		raw(&t.Output)
		hash(&t.Command)
		hash(&t.Error)
		for _, list := range [][]string{t.Paths, t.URLs} {
			for i := range list {
				hash(&list[i])
			}
		}
	}
	rec.Hook.Privacy = "minimal"
}

// name leaves what is a name and hashes what is more: a guard may answer with the text that matched, a broken payload may
// have anything where a host has a word.
func name(s *string, hash func(*string)) {
	word := strings.Trim(*s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/-") == ""
	if !word || len(*s) > 128 {
		hash(s)
	}
}

func redactOptions(c config.Redact) redact.Options {
	o := redact.Options{Allow: c.Allow}
	for name, expr := range c.Patterns {
		o.Patterns = append(o.Patterns, redact.Pattern{Type: name, Regexp: expr})
	}
	return o
}
