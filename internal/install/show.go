package install

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/boathook/boathook/internal/redact"
)

// hidden stands for a secret in what is shown.
const hidden = "********"

// Lines is the plan for people: what happens to which path, in order. Below an edit stands its text as a unified diff with
// the secrets masked, and below a new or a removed file its own where whole says so. The lines may hold control characters
// of the files.
func (p *Plan) Lines(whole bool) []string {
	var out []string
	for _, c := range p.Changes {
		for _, dir := range c.Makes {
			out = append(out, Change{Op: Mkdir, Path: dir}.title())
		}
		out = append(out, c.title())
		if c.Op != Edit && !whole {
			continue
		}
		for _, line := range p.diff(c) {
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
	case Remember:
		return "remember in " + c.Path + " what was there before"
	case Mkdir:
		return "create directory " + c.Path + why
	case Create:
		return fmt.Sprintf("create %s (new file, %d bytes%s)%s", c.Path, len(c.after), executable(c.perm), why)
	case Edit:
		return "edit " + c.Path + why
	case Rmdir:
		return "remove directory " + c.Path + why
	case RemoveData:
		return "remove boathook's data in " + c.Path + why
	case Forget:
		return "remove " + c.Path + " and what boathook has in it" + why
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
	if c.Op != Create && c.Op != Edit {
		return nil
	}
	return p.diff(c)
}

func (p *Plan) diff(c Change) []string {
	if c.Op == Remember {
		return nil // bookkeeping
	}
	lines := unifiedDiff(string(c.before), string(c.after))
	own := templateLines()
	for i, line := range lines {
		if !own[strings.TrimLeft(line, "+- ")] {
			lines[i] = p.mask(line)
		}
	}
	return lines
}

// templateLines are the lines of a config in which nothing is set: boathook's own words, that hold no secret.
var templateLines = sync.OnceValue(func() map[string]bool {
	own := map[string]bool{}
	for line := range strings.SplitSeq(render(nil), "\n") {
		own[line] = true
	}
	return own
})

// mask hides what the config takes over, and what looks like a secret in the files of others. Where it can't be told how
// far a secret goes, more is hidden.
func (p *Plan) mask(line string) string {
	for _, s := range p.secrets {
		line = strings.ReplaceAll(line, s, hidden)
	}
	r, _ := redact.New(redact.Options{}) // without patterns nothing can be wrong with them
	line = r.Text(line, true, redact.Counts{})
	if trustedHook().MatchString(line) {
		return line // its session_start:0:0 is a place, and no secret of a session
	}
	for _, re := range secretLike() {
		line = re.ReplaceAllString(line, "${1}"+hidden+"${2}")
	}
	return line
}

// trustedHook is the head of the table in which Codex notes that a hook is trusted.
var trustedHook = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ +-]?\[hooks\.state\."[^"\\=?@]*:[a-z_]+:\d+:\d+"\]$`)
})

// minSecret is how long a value must be to be masked wherever it stands.
const minSecret = 4

// secret hides values, as they are and as TOML and JSON write them.
func (p *planner) secret(values ...string) {
	for _, v := range values {
		if len(v) >= minSecret {
			p.plan.secrets = append(p.plan.secrets, v, strings.Trim(tomlString(v), `"`))
		}
	}
	slices.SortFunc(p.plan.secrets, func(a, b string) int { return len(b) - len(a) })
}

// secretLike finds what redact leaves, since it may not garble program text: here that does no harm.
var secretLike = sync.OnceValue(func() []*regexp.Regexp {
	const name = `[\w.-]*(?:token|secret|passw|pass\b|pwd|passphrase|key|auth|credential|cookie|session|signature|\bsig\b|_pass)[\w.-]*`
	return []*regexp.Regexp{
		regexp.MustCompile(`(://)[^\s/"'@]+(@)`),
		regexp.MustCompile(`(?i)((?:[?&]|\\u0026)` + name + `=)[^&\s"'\\#]+()`),
		regexp.MustCompile(`(?i)(--?` + name + `(?:\s+|=)\\?["']?)[^\s"'\\-][^\s"'\\]*()`),
		regexp.MustCompile(`(?i)(\b(?:x-[\w-]+|` + name + `)\\?["']?\s*(?::|\s=\s)\s*\\?["'])[^"'\\]+()`),
		regexp.MustCompile(`(?i)(\b(?:x-[\w-]+|` + name + `): ?)[^\s"'\\*{\[][^"'\\]*()`),
		regexp.MustCompile(`(?i)(\b` + name + `=\\?["']?)[^\s"'\\&*]+()`),
		regexp.MustCompile(`(?i)(^[ +-]?\s*#?\s*headers\s*=\s*\{)[^}]+(\})`),
	}
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
