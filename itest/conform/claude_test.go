package conform

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/boathook/boathook/itest/build"
)

// claudeSkills: a skill's own shell commands run before the model has said anything, and are judged.
func (c *trial) claudeSkills(t *testing.T) {
	c.Configure(t, build.Fixture(t, "judge"))
	for name, word := range map[string]string{"first": "skill", "second": "skill-deny-me", "third": "skill-ask-me"} {
		c.Write(t, filepath.Join(c.Home, ".claude", "skills", name, "SKILL.md"),
			"---\nname: "+name+"\ndescription: makes a file\nallowed-tools: Bash\n---\nIt made:\n\n!`echo made > "+word+"`\n")
	}
	if seen := c.see(t, Session{Prompt: "/first", Permit: true}); !slices.Contains(seen.Files, "skill") {
		t.Errorf("the command of a skill, to which nobody objects, did not run")
	} else if r := only(t, seen, "skill"); r.Decision.Expressed == "allow" {
		add(&c.shown.Allow, r.HostEvent)
	}
	seen := c.see(t, Session{Prompt: "/second", Permit: true})
	if r := only(t, seen, "skill-deny-me"); len(seen.Files) > 0 || r.Decision.Expressed != "deny" {
		t.Errorf("the decision about the denied command of a skill is %+v, %q were made", r.Decision, seen.Files)
	} else {
		add(&c.shown.Deny, r.HostEvent)
	}
	seen = c.see(t, Session{Prompt: "/third", Permit: true})
	if r := only(t, seen, "skill-ask-me"); len(seen.Files) > 0 || r.Decision.Expressed != "ask" {
		t.Errorf("the decision about the command of a skill of which a person should be asked is %+v, %q were made", r.Decision, seen.Files)
	} else {
		add(&c.shown.Ask, r.HostEvent)
	}
}
