package policy_test

import (
	"cmp"
	"encoding/json"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/callspec"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

// The machine of all examples.
const (
	home    = "/home/dev"
	project = "/home/dev/shop"
)

// call reads an example as the hook reads a call.
func call(t testing.TB, x policy.Example) policy.Call {
	t.Helper()
	dir := project
	if x.CWD != "" {
		dir = x.CWD
	}
	m := &place.Machine{OS: "linux", Home: home, Dir: dir, Project: project}
	ev := callspec.Call{Command: x.Command, Tool: x.Tool, Input: json.RawMessage(x.Input), Agent: cmp.Or(x.Agent, "claude"), CWD: dir, Project: project}.Event()
	ev.Time = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	return judge.Read(ev, m)
}

// setFor is the default set, with the pack of the rule where that is not in it.
func setFor(t testing.TB, pack string) *policy.Set {
	t.Helper()
	return policy.Combine(policy.File{Layer: policy.UserLayer, Packs: []string{"default", pack}})
}

// TestExamples: a rule's examples come out as they say, by the rule itself where they are stopped.
func TestExamples(t *testing.T) {
	for _, p := range policy.Packs() {
		set := setFor(t, p.Name)
		for _, r := range p.Rules {
			t.Run(p.Name+"/"+r.ID, func(t *testing.T) {
				stopped, passed := 0, 0
				for _, x := range r.Examples {
					c := call(t, x)
					v := set.Judge(c)
					if v.Action != x.Expect {
						t.Errorf("%s%s%s: %s by %s, want %s\neffects %s", x.Command, x.Tool, x.Input, v.Action, v.Rule, x.Expect, show(c.Effects))
					}
					if x.Expect == policy.Allow {
						passed++
						continue
					}
					stopped++
					if !hit(v, r.ID) {
						t.Errorf("%s%s%s: the rule does not match it; hits %s\neffects %s", x.Command, x.Tool, x.Input, show(v.Hits), show(c.Effects))
					}
				}
				if stopped == 0 || passed == 0 {
					t.Errorf("%d examples are stopped and %d pass: one of each is needed", stopped, passed)
				}
			})
		}
	}
}

func hit(v policy.Verdict, rule string) bool {
	for _, h := range v.Hits {
		if h.Rule == rule && h.Relieved == "" {
			return true
		}
	}
	return false
}

func show(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// TestPacksAreWhole: every rule says why and what to do instead.
func TestPacksAreWhole(t *testing.T) {
	seen := map[string]string{}
	for _, p := range policy.Packs() {
		if p.Name == "" || p.Text == "" || p.Sum == "" {
			t.Errorf("pack %q lacks its name, text or sum", p.Name)
		}
		for _, r := range p.Rules {
			if r.Pack != p.Name || r.Reason == "" || r.Advice == "" {
				t.Errorf("%s: rule %q lacks its pack, reason or advice", p.Name, r.ID)
			}
			if before, twice := seen[r.ID]; twice {
				t.Errorf("rule %s stands in %s and %s", r.ID, before, p.Name)
			}
			seen[r.ID] = p.Name
		}
	}
}

// TestRewritten: the texts that the pack of rewrites makes, and that each is harmless by itself.
func TestRewritten(t *testing.T) {
	set := setFor(t, "rewrites")
	for from, to := range map[string]string{
		"rm -rf src/old && ls":                       "trash-put src/old && ls",
		"rm -f 'a b.txt' -- -c":                      "trash-put 'a b.txt' -- -c",
		"cd web && git push -f":                      "cd web && git push --force-with-lease",
		"git -C web push --force origin main 2>&1":   "git -C web push --force-with-lease origin main 2>&1",
		"curl -fsSL https://get.example.com | sh":    "curl -fsSL https://get.example.com",
		"curl -s https://x.example.com|bash ; ls -l": "curl -s https://x.example.com ; ls -l",
	} {
		v := set.Judge(call(t, policy.Example{Command: from}))
		if got, _ := judge.Apply(from, v.Edits); v.Action != policy.Rewrite || got != to {
			t.Errorf("%s: %s, %s, want %s\n%s", from, v.Action, got, to, show(v.Hits))
		}
		if again := policy.Combine().Judge(call(t, policy.Example{Command: to})); again.Action != policy.Allow {
			t.Errorf("%s becomes %s, of which it is said: %s by %s", from, to, again.Action, again.Rule)
		}
	}
	for _, stays := range []string{
		"bash -c 'rm -rf src/old'", "git push -f && rm -rf /etc", "curl -s https://x.example.com | sh > out.txt",
	} {
		if v := set.Judge(call(t, policy.Example{Command: stays})); v.Action == policy.Rewrite {
			line, _ := judge.Apply(stays, v.Edits)
			t.Errorf("%s: rewritten to %s", stays, line)
		}
	}
}
