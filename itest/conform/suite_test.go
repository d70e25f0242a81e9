package conform

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/mockmodel"
)

// trial is one agent going through the suite.
type trial struct {
	*Lab
	shown Shown
	// control and refused are the calm and the bare session without boathook.
	control, refused Seen
	// done is how many parts were run.
	done int
}

type part struct {
	name string
	run  func(*testing.T)
}

// conform takes one agent through the suite and says what was seen. What goes wrong fails the test.
func conform(t *testing.T, a Agent) Shown {
	t.Helper()
	c := &trial{Lab: NewLab(t, a)}
	if !t.Run("without", c.withoutBoathook) {
		return Shown{} // nothing that follows would mean anything
	}
	t.Run("untouched", c.leavesNothing)
	c.Refurnish(t, "control")
	before := c.config(t)
	c.Configure(t, build.Fixture(t, "judge"))
	c.Lab.Install(t)
	parts := []part{
		{"allow", c.allows}, {"permission", c.grantsNothing}, {"decisions", c.decides}, {"prompt", c.deniesPrompt},
		{"subagent", c.deniesSubagent}, {"sdk", c.asksSDK}, {"every event", c.tellsAll},
	}
	if a.ID == "claude" {
		parts = append(parts, part{"skills", c.claudeSkills})
	}
	parts = append(parts, part{"gone", c.worksWithout}, part{"uninstall", func(t *testing.T) { c.restores(t, before) }})
	for _, part := range parts {
		t.Run(part.name, func(t *testing.T) {
			c.done++
			part.run(t)
		})
	}
	if c.done < len(parts) {
		t.Skip("only a part of the suite was asked for")
	}
	return c.shown
}

// session runs a play.
func (c *trial) session(t *testing.T, play, words string, permit bool) Seen {
	t.Helper()
	return c.see(t, Session{Prompt: mockmodel.Prompt(play, words), Permit: permit})
}

// see runs a session and keeps which events arrived. Its report is shown where the test fails, and with -v.
func (c *trial) see(t *testing.T, s Session) Seen {
	t.Helper()
	seen := c.Session(t, s)
	for _, r := range seen.Records {
		if r.Agent != c.Agent.ID {
			t.Errorf("a record of %s says that it is %s's", r.HostEvent, r.Agent)
		}
		add(&c.shown.Events, r.HostEvent)
	}
	t.Cleanup(func() {
		if t.Failed() || testing.Verbose() {
			t.Log(seen.report)
		}
	})
	return seen
}

// withoutBoathook makes sure that the harness is able to show the difference: a call that is permitted runs, one that is not
// does not.
func (c *trial) withoutBoathook(t *testing.T) {
	c.control = c.session(t, calm, "please", true)
	c.refused = c.session(t, bare, "please", false)
	if diff := cmp.Diff([]string{"plain", "twin-a", "twin-b"}, c.control.Files); diff != "" {
		t.Errorf("without boathook, all permitted, these files are made (-want +got):\n%s", diff)
	}
	for _, id := range []string{"plain", "twin-a", "twin-b"} {
		if got := c.control.Results[callID(id)]; !strings.Contains(got, id+"-ran") {
			t.Errorf("without boathook the model is told %q of %s", got, id)
		}
	}
	if !strings.Contains(c.control.Results[callID("fail")], "oops") {
		t.Errorf("without boathook the model is told %q of the call that fails", c.control.Results[callID("fail")])
	}
	if len(c.refused.Files) > 0 {
		t.Errorf("without boathook, nothing permitted, %q are made", c.refused.Files)
	}
}

// allows holds that a hook without an objection changes nothing.
func (c *trial) allows(t *testing.T) {
	seen := c.session(t, calm, "please", true)
	c.same(t, seen)
	for _, r := range before(seen, "") {
		if r.Decision.Action != "allow" || r.Decision.Expressed != "allow" {
			t.Errorf("the decision about %q is %+v", r.Tool.Command, r.Decision)
		}
		if !t.Failed() {
			add(&c.shown.Allow, r.HostEvent)
		}
	}
	if len(c.shown.Allow) == 0 {
		t.Error("no record of a tool call arrived")
	}
}

// same holds that a calm session went as the one without boathook.
func (c *trial) same(t *testing.T, seen Seen) {
	t.Helper()
	type visible struct {
		Files, Asked []string
		Results      map[string]string
		Code         int
		Requests     int
		Done         bool
	}
	view := func(s Seen) visible {
		v := visible{s.Files, s.Asked, map[string]string{}, s.Code, s.Requests, strings.Contains(s.Stdout, done)}
		for id, text := range s.Results {
			v.Results[id] = c.normal(text)
		}
		return v
	}
	if diff := cmp.Diff(view(c.control), view(seen)); diff != "" {
		t.Errorf("the session is not as without boathook (-without +with):\n%s", diff)
	}
}

// grantsNothing holds that what needs the user's permission needs it with boathook, too, rewritten or not, and that a hook can
// refuse where permission is asked for.
func (c *trial) grantsNothing(t *testing.T) {
	seen := c.session(t, bare, "please", false)
	if len(seen.Files) > 0 {
		t.Errorf("without the user's permission %q were made", seen.Files)
	}
	if len(seen.Asked) < len(c.refused.Asked) && len(seen.Asked) == 0 {
		t.Errorf("the user was asked for %q without boathook, and for nothing with it", c.refused.Asked)
	}
	if want, got := c.normal(c.refused.Results[callID("plain")]), c.normal(seen.Results[callID("plain")]); want != got {
		t.Errorf("the model is told of the refusal: %q, without boathook: %q", got, want)
	}
	for _, r := range seen.Records {
		if r.Event == "permission:request" && r.Decision.Expressed == "deny" && c.Model.Heard(no(r)) {
			add(&c.shown.Deny, r.HostEvent)
			add(&c.shown.Reason, r.HostEvent)
		}
	}
}

// worksWithout deletes boathook's program under the installed hooks.
func (c *trial) worksWithout(t *testing.T) {
	c.RemoveBin(t)
	c.same(t, c.session(t, calm, "please", true))
	c.Bring(t)
	c.shown.Gone = !t.Failed()
}

// before are the records of a session that come before a tool's call whose command has a word in it.
func before(seen Seen, word string) []agentlab.Record {
	var out []agentlab.Record
	for _, r := range seen.Records {
		if r.Event == "tool:before" && r.Tool != nil && strings.Contains(r.Tool.Command, word) {
			out = append(out, r)
		}
	}
	return out
}

// no is the judge's reason for a deny of the event.
func no(r agentlab.Record) string { return "judge-says-no-" + r.HostEvent + "." }
