package install

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/redact"
)

// differs gives what a variable says where the settings in force say otherwise.
func (p *planner) differs(v config.Value, said, s config.Settings) (any, bool) {
	name, typed := strings.CutPrefix(v.Source, "environment ")
	switch {
	case v.Source == "default", v.Source == said.Path, v.Key == "data_dir", keyNamed(v.Key).Foreign:
		return nil, false
	case !typed && source(s, v.Key) != "default":
		return nil, false
	}
	value, have := native(said, v.Key), native(s, v.Key)
	if value == "" {
		return nil, false // it can't be used, and problems says why
	}
	if v.Key == "telemetry.api_key" {
		if !typed {
			return nil, false
		}
		value, have = lookup(p.env, name), relay(s.Telemetry.Headers)
		if relay(said.Telemetry.Headers) != value || strings.HasPrefix(source(said, "telemetry.headers"), "environment") {
			return nil, false // the headers have it
		}
	}
	k := keyNamed(v.Key)
	return value, tomlValue(k, value) != tomlValue(k, have)
}

func relay(headers map[string]string) string {
	for name, value := range headers {
		if strings.EqualFold(name, "x-pinta-relay-token") {
			return value
		}
	}
	return ""
}

// takeOver puts a setting into the plan's summary.
func (p *planner) takeOver(v config.Value, value any) error {
	switch value := value.(type) {
	case map[string]string:
		if keyNamed(v.Key).Secret {
			p.secret(slices.Collect(maps.Values(value))...)
		}
	case string:
		if keyNamed(v.Key).Secret {
			p.secret(value)
		}
		if slices.Contains([]string{"guard.endpoint", "telemetry.endpoint", "telemetry.metrics_endpoint"}, v.Key) {
			if err := checkURL(v.Key, value); err != nil {
				return refuse("%w (%s)", err, v.Source)
			}
			p.portOfGRPC(v.Key, value)
		}
		if !keyNamed(v.Key).Secret {
			v.Value = value // a path as it is written: ~ and .. are gone
		}
	}
	v.Value = p.plan.mask(v.Value)
	p.plan.Imported = append(p.plan.Imported, v)
	return nil
}

// portOfGRPC tells of a port at which mostly nobody speaks OTLP over HTTP.
func (p *planner) portOfGRPC(key, value string) {
	u, err := url.Parse(value)
	if err != nil || u.Port() != "4317" || !strings.HasPrefix(key, "telemetry.") {
		return
	}
	if !slices.ContainsFunc(p.plan.Notes, func(note string) bool { return strings.Contains(note, "leads to port 4317") }) {
		p.note("%s leads to port 4317, which is usually gRPC's; OTLP over HTTP is usually at 4318: 'boathook telemetry test' tells", key)
	}
}

// typed are the settings with those problems alone that this command's environment has.
func typed(said config.Settings) config.Settings {
	said.Problems = slices.DeleteFunc(slices.Clone(said.Problems), func(problem string) bool { return !strings.HasPrefix(problem, "environment ") })
	said.Redact = config.Redact{}
	return said
}

// uneditable refuses to give a config a key. A line that is no TOML is named: everything behind it is in doubt.
func (p *planner) uneditable(path string, v config.Value, err error) error {
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, _ := at.Position()
		return refuse("edit %s:%d: this line is no TOML, so that %s (from %s) can't be set without touching more; mend the line first", path, line, v.Key, v.Source)
	}
	return refuse("edit %s: %w (from %s); set it there yourself, or unset the variable", path, err, v.Source)
}

func checkURL(key, value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%s must be an http or https URL, and %q is none", key, (&Plan{}).mask(value))
	}
	return nil
}

// problems tells what is wrong with the settings, without the secrets.
func (p *planner) problems(s config.Settings) {
	for _, problem := range s.Problems {
		for _, k := range config.Keys() {
			if head, _, found := strings.Cut(problem, k.Name+" "); found && k.Secret {
				problem = head + k.Name + " has a value of the wrong kind; it is ignored"
			}
		}
		p.note("%s", problem)
	}
	var patterns []redact.Pattern
	for name, text := range s.Redact.Patterns {
		patterns = append(patterns, redact.Pattern{Type: name, Regexp: text})
	}
	_, errs := redact.New(redact.Options{Patterns: patterns})
	for _, err := range errs {
		p.note("redact.patterns: %v; it is ignored", err)
	}
}
