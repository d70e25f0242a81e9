package install

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// hidden stands for a secret in what is shown.
const hidden = "********"

// Lines is the plan for people: what happens to which path, and every text as a unified diff with the secrets masked. The
// lines may hold control characters of the files.
func (p *Plan) Lines() []string {
	var out []string
	for _, c := range p.Changes {
		out = append(out, c.title())
		for _, line := range p.Diff(c) {
			out = append(out, "    "+line)
		}
	}
	return out
}

func (c Change) title() string {
	why := ""
	if c.Why != "" {
		why = " (" + c.Why + ")"
	}
	switch c.Op {
	case Mkdir:
		return "create directory " + c.Path + why
	case Create:
		return "create " + c.Path + executable(c.perm) + why
	case Edit:
		return "edit " + c.Path + why
	case Rmdir:
		return "remove directory " + c.Path + why
	case RemoveTree:
		return "remove " + c.Path + " and all that is in it" + why
	case Move:
		return "move " + c.Path + " to " + c.To + why
	}
	return "remove " + c.Path + why
}

func executable(perm fs.FileMode) string {
	if perm&0o111 != 0 {
		return ", executable"
	}
	return ""
}

// Diff is what a change does to a file's text, with the secrets masked. A removal of a whole file has none.
func (p *Plan) Diff(c Change) []string {
	if c.after == nil {
		return nil
	}
	after := c.after
	if c.shown != nil {
		after = c.shown
	}
	lines := unifiedDiff(string(c.before), string(after))
	for i, line := range lines {
		lines[i] = p.mask(line)
	}
	return lines
}

// mask hides what the config takes over, and what looks like a secret in the files of others.
func (p *Plan) mask(line string) string {
	for _, s := range p.secrets {
		line = strings.ReplaceAll(line, s, hidden)
	}
	return secretLike().ReplaceAllString(line, `${1}"`+hidden+`"`)
}

// minSecret is how long a value must be to be masked wherever it stands.
const minSecret = 4

func (p *planner) secret(values ...string) {
	for _, v := range values {
		if len(v) >= minSecret {
			p.plan.secrets = append(p.plan.secrets, v)
		}
	}
	slices.SortFunc(p.plan.secrets, func(a, b string) int { return len(b) - len(a) })
}

// secretLike finds a JSON, TOML or shell value under a name that secrets have.
var secretLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)("?[\w.-]*(?:token|secret|passw|passphrase|api[_-]?key|authorization|credential|cookie)[\w.-]*"?\s*[:=]\s*)("(?:[^"\\]|\\.)+"|'[^']+'|[^\s"',}\]]+)`)
})

// MarshalJSON writes a change with its diff.
func (p *Plan) MarshalJSON() ([]byte, error) {
	type change struct {
		Change
		Diff []string `json:"diff,omitempty"`
	}
	type plain Plan
	changes := make([]change, 0, len(p.Changes))
	for _, c := range p.Changes {
		changes = append(changes, change{c, p.Diff(c)})
	}
	out, err := json.Marshal(struct {
		*plain
		Changes []change `json:"changes"`
	}{(*plain)(p), changes})
	if err != nil {
		return nil, fmt.Errorf("encode plan: %w", err)
	}
	return out, nil
}
