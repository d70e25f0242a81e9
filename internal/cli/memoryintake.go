package cli

import (
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/memory/intake"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/recall"
	"github.com/boathook/boathook/internal/redact"
)

// memoryIntake makes rows of what agents' own records and imports tell. Nobody has masked that before, so that it is masked whatever
// memory.redaction.enabled says.
func memoryIntake(env *Env, dir string, s config.Settings) (*intake.Intake, error) {
	projects, err := open.Projects(dir, s)
	if err != nil {
		return nil, err
	}
	mask, _ := redact.New(redactOf(s.Redact)) // doctor tells of patterns that don't work
	of := remembered(projects)
	return intake.New(intake.Options{
		Mask: mask, Strip: recall.Strip, Exclude: s.Memory.Exclude, Home: env.Home, Project: keyAndRoot(of),
		Outside: outside(of, s.Memory.Exclude, env.Home),
	}), nil
}

func redactOf(c config.Redact) redact.Options {
	o := redact.Options{Allow: c.Allow}
	for name, expr := range c.Patterns {
		o.Patterns = append(o.Patterns, redact.Pattern{Type: name, Regexp: expr})
	}
	return o
}
