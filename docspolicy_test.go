package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/callspec"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

// between is the part of a document between two comments.
func between(t *testing.T, text, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "<!-- "+name+" -->\n")
	part, _, ended := strings.Cut(rest, "<!-- /"+name+" -->")
	if !ok || !ended {
		t.Fatalf("no part %s", name)
	}
	return part
}

// TestDocsShowEveryEffect: docs/policy.md has every kind of effect with what it is, every place, every verb and flag, and every pack.
func TestDocsShowEveryEffect(t *testing.T) {
	text := readText(t, "docs/policy.md")
	rows := map[string]string{}
	for line := range strings.Lines(between(t, text, "effects")) {
		if m := regexp.MustCompile("^\\| `(\\w+)` \\| (.*)").FindStringSubmatch(line); m != nil {
			rows[m[1]] = m[2]
		}
	}
	for _, k := range policy.Kinds() {
		want := k.Doc + " | "
		for _, verb := range k.Kind.Verbs() {
			want += "`" + verb + "` "
		}
		if row := rows[string(k.Kind)]; row != want+"|" {
			t.Errorf("the row of %s is to be\n| `%s` | %s|", k.Kind, k.Kind, want)
		}
	}
	if len(rows) != len(policy.Kinds()) {
		t.Errorf("%d kinds in the table, %d in the policy", len(rows), len(policy.Kinds()))
	}
	for _, p := range policy.Places() {
		if !strings.Contains(text, "`"+string(p.Where)+"`") {
			t.Errorf("no place %s", p.Where)
		}
	}
	_, flags, _ := strings.Cut(text, "\nFlags: ")
	flags, _, _ = strings.Cut(flags, "\n\n")
	for _, f := range policy.FlagDocs() {
		if !strings.Contains(flags, "`"+f.Name+"`") {
			t.Errorf("no flag %s", f.Name)
		}
	}
	packs := between(t, text, "packs")
	for _, p := range policy.Packs() {
		row := regexp.MustCompile("\n\\| `" + p.Name + "` \\| ([^|]+) \\|\n").FindStringSubmatch(packs)
		switch {
		case row == nil:
			t.Errorf("no row of pack %s with two cells", p.Name)
		case len(p.Packs) > 1 && !strings.Contains(row[1], "holds `"+strings.Join(p.Packs, "` `")+"`"):
			t.Errorf("pack %s holds %v, not %s", p.Name, p.Packs, row[1])
		}
	}
}

// TestDocsPolicyIsRight: every policy that docs/policy.md shows can be read, and its examples hold.
func TestDocsPolicyIsRight(t *testing.T) {
	for i, block := range regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(readText(t, "docs/policy.md"), -1) {
		f, problems, broken := policy.Parse("policy.md", []byte(block[1]), policy.UserLayer)
		if broken || len(problems) > 0 {
			t.Errorf("block %d: %+v", i, problems)
		}
		set := policy.Combine(f)
		for _, r := range f.Rules {
			for _, x := range r.Examples {
				c := callspec.Call{Command: x.Command, CWD: "/home/dev/shop", Project: "/home/dev/shop", Agent: "claude"}
				v := set.Judge(judge.Read(c.Event(), &place.Machine{OS: "linux", Home: "/home/dev", Dir: c.CWD, Project: c.Project}))
				if v.Action != x.Expect {
					t.Errorf("%s: %s by %s, not %s", x.Command, v.Action, v.Rule, x.Expect)
				}
			}
		}
	}
}

// TestPolicyKnowsEveryAgent: a rule can name each agent, and no other is taken for one.
func TestPolicyKnowsEveryAgent(t *testing.T) {
	var ids []string
	for _, h := range registry.Hosts() {
		ids = append(ids, h.ID)
	}
	if got := policy.Agents(); !slices.Equal(got, ids) {
		t.Errorf("policy.Agents() are %v, and there are %v", got, ids)
	}
}
