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
	rule(&rec.Decision.Rule, hash)
	if rec.Guard != nil {
		hash(&rec.Guard.Reason)
		rule(&rec.Guard.Rule, hash)
	}
	if n := e.Notification; n != nil {
		hash(&n.Message)
		raw(&n.Details)
	}
	if t := e.Tool; t != nil {
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

// rule leaves a rule's name and hashes what is more than a name: a guard may answer with the text that matched.
func rule(s *string, hash func(*string)) {
	name := strings.Trim(*s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/-") == ""
	if !name || len(*s) > 128 {
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
