package policy_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/callspec"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

// corpusCase is one line of testdata: a call, and what the built-in policy is to say of it.
type corpusCase struct {
	callspec.Call
	Expect policy.Action `json:"expect"`
	// Effect is one that the call has among others, and there where it is stopped; Rule the one that decides, where the case is about it.
	Effect policy.Kind `json:"effect,omitempty"`
	Rule   string      `json:"rule,omitempty"`
	Why    string      `json:"why"`

	at string
}

// atLeast is how many cases there have to be.
const atLeast = 800

// corpus reads all cases. The machine that they are about has the home /home/dev, with a project in shop, and no disk.
func corpus(t *testing.T) []corpusCase {
	t.Helper()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	var out []corpusCase
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range bytes.Lines(data) {
			n++
			c := corpusCase{at: fmt.Sprintf("%s:%d", filepath.Base(file), n)}
			in := json.NewDecoder(bytes.NewReader(line))
			in.DisallowUnknownFields()
			if err := in.Decode(&c); err != nil {
				t.Fatalf("%s: %v", c.at, err)
			}
			c.CWD, c.Project = cmp.Or(c.CWD, "/home/dev/shop"), "/home/dev/shop"
			c.Agent = cmp.Or(c.Agent, "claude")
			out = append(out, c)
		}
	}
	return out
}

func (c corpusCase) machine() *place.Machine {
	return &place.Machine{
		OS: "linux", Home: "/home/dev", Dir: c.CWD, Project: c.Project,
		Guard:  []string{"/home/dev/.config/boathook", "/home/dev/.local/share/boathook", "/home/dev/.local/bin/boathook"},
		Agents: []string{"/home/dev/.gemini/extensions/boathook"},
	}
}

// TestCorpus holds what the built-in policy says of the calls in testdata. It lists every one of which it says something else.
func TestCorpus(t *testing.T) {
	set := policy.Combine()
	files := map[string][]string{}
	for _, c := range corpus(t) {
		call := judge.Read(c.Event(), c.machine())
		v := set.Judge(call)
		wrong := v.Action != c.Expect || c.Rule != "" && v.Rule != c.Rule
		lacks := c.Effect != "" && !slices.ContainsFunc(call.Effects, func(e policy.Effect) bool { return e.Kind == c.Effect })
		if !wrong && !lacks {
			continue
		}
		effects, _ := json.Marshal(call.Effects) // they always marshal
		text := fmt.Sprintf("%s: %q: %s by %q, not %s (%s)\n\teffects %s", c.at, said(c), v.Action, v.Rule, c.Expect, c.Why, effects)
		if !wrong {
			text = fmt.Sprintf("%s: %q: no effect %s among %s", c.at, said(c), c.Effect, effects)
		}
		file, _, _ := strings.Cut(c.at, ":")
		files[file] = append(files[file], text)
	}
	for file, wrong := range files {
		t.Errorf("%s: %d\n%s", file, len(wrong), strings.Join(wrong, "\n"))
	}
}

func said(c corpusCase) string {
	if c.Command != "" {
		return c.Command
	}
	return c.Agent + " " + c.Tool + " " + string(c.Input)
}

// TestCorpusIsTwoSided holds that the cases ask as often whether everyday work passes as whether harm is stopped, and that each is
// there once.
func TestCorpusIsTwoSided(t *testing.T) {
	harmless, harmful := 0, 0
	seen := map[string]string{}
	for _, c := range corpus(t) {
		switch c.Expect {
		case policy.Allow, policy.Warn:
			harmless++
		case policy.Ask, policy.Deny:
			harmful++
		default:
			t.Errorf("%s: %q is nothing to expect", c.at, c.Expect)
		}
		if c.Why == "" || c.Effect == "" && (c.Expect == policy.Ask || c.Expect == policy.Deny) {
			t.Errorf("%s: it does not say why, or for what effect it is stopped", c.at)
		}
		key := c.Agent + "\x00" + c.CWD + "\x00" + said(c)
		if seen[key] != "" {
			t.Errorf("%s: it is the call of %s", c.at, seen[key])
		}
		seen[key] = c.at
	}
	if harmless+harmful < atLeast || harmless < harmful {
		t.Errorf("%d harmless cases, %d harmful ones: there are to be %d, at least half of them harmless", harmless, harmful, atLeast)
	}
}
