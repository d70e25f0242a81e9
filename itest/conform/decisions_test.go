package conform

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/build"
)

// decides holds that what the judge says of a call is done.
func (c *trial) decides(t *testing.T) {
	c.Configure(t, build.Fixture(t, "judge"), "context")
	seen := c.session(t, strict, "please", true)
	c.context(t, seen)
	c.goesOn(t, seen)
	decided := map[string]Seen{"deny-me": seen, "ask-me": seen, "rewrite-me": seen}
	if c.Agent.DenyEnds {
		for word := range decided {
			decided[word] = c.session(t, one+word, "please", true)
		}
	} else {
		for _, file := range []string{"beside", "last"} {
			if !slices.Contains(seen.Files, file) {
				t.Errorf("%s, which nobody denied, was not made", file)
			}
		}
	}
	c.denies(t, decided["deny-me"])
	c.asks(t, decided["ask-me"])
	c.rewrites(t, decided["rewrite-me"])
}

// only is the one record before the tool's call with a word; two that tell of one call are a mistake of install.
func only(t *testing.T, seen Seen, word string) agentlab.Record {
	t.Helper()
	found := before(seen, word)
	if len(found) != 1 {
		t.Fatalf("%d records come before the call with %q, want 1", len(found), word)
	}
	return found[0]
}

func (c *trial) denies(t *testing.T, seen Seen) {
	t.Helper()
	r := only(t, seen, "deny-me")
	if slices.Contains(seen.Files, "deny-me") {
		t.Errorf("the denied call ran")
		return
	}
	if r.Decision.Expressed != "deny" {
		t.Errorf("the decision about the denied call is %+v", r.Decision)
		return
	}
	add(&c.shown.Deny, r.HostEvent)
	if strings.Contains(seen.Results[callID("deny-me")], no(r)) {
		add(&c.shown.Reason, r.HostEvent)
	}
}

// asks: nobody is there to be asked, so the call does not run.
func (c *trial) asks(t *testing.T, seen Seen) {
	t.Helper()
	r := only(t, seen, "ask-me")
	if slices.Contains(seen.Files, "ask-me") {
		t.Error("the call of which a person should be asked ran unasked")
		return
	}
	switch {
	case r.Decision.Expressed == "ask":
		add(&c.shown.Ask, r.HostEvent)
	case r.Decision.Action != "ask" || r.Decision.Expressed != "deny":
		t.Errorf("the decision about the call of which a person should be asked is %+v", r.Decision)
	}
}

// rewrites: the other input ran, or the call was denied and the model told of the other input.
func (c *trial) rewrites(t *testing.T, seen Seen) {
	t.Helper()
	r := only(t, seen, "rewrite-me")
	switch {
	case slices.Contains(seen.Files, "rewrite-me"):
		t.Error("the call that should have another input ran with its own")
	case slices.Contains(seen.Files, "rewritten"):
		add(&c.shown.Rewrite, r.HostEvent)
	case r.Decision.Expressed != "deny":
		t.Errorf("neither input of the rewritten call ran, and the decision about it is %+v", r.Decision)
	case !c.Agent.DenyEnds && !strings.Contains(seen.Results[callID("rewrite-me")], "> rewritten"):
		t.Errorf("the model is not told of the input to use: %q", seen.Results[callID("rewrite-me")])
	}
}

// context looks for the texts that the judge gave at each event.
func (c *trial) context(t *testing.T, seen Seen) {
	t.Helper()
	events := map[string]bool{}
	for _, r := range seen.Records {
		events[r.HostEvent] = true
	}
	for event := range maps.Keys(events) {
		if c.Model.Heard("judge-context-" + event + ".") {
			add(&c.shown.Context, event)
		}
	}
}

// goesOn: at the end of a turn a deny makes the model go on, with the reason.
func (c *trial) goesOn(t *testing.T, seen Seen) {
	t.Helper()
	for _, r := range seen.Records {
		if (r.Event == "agent:stop" || r.Event == "subagent:stop") && r.Decision.Expressed == "deny" && c.Model.Heard(no(r)) {
			add(&c.shown.Deny, r.HostEvent)
			add(&c.shown.Reason, r.HostEvent)
		}
	}
}

// deniesPrompt: a prompt that is denied never reaches the model.
func (c *trial) deniesPrompt(t *testing.T) {
	seen := c.session(t, calm, "deny-me please", true)
	for _, r := range seen.Records {
		if r.Event != "prompt:submit" || r.Decision.Expressed != "deny" {
			continue
		}
		if c.Model.Heard("deny-me please") || len(seen.Files) > 0 {
			t.Errorf("the denied prompt went to the model, which made %q", seen.Files)
			continue
		}
		add(&c.shown.Deny, r.HostEvent)
	}
}

// deniesSubagent: what a subagent does is judged, too.
func (c *trial) deniesSubagent(t *testing.T) {
	if c.Agent.Subagent == nil {
		return
	}
	seen := c.session(t, child, "please", true)
	r := only(t, seen, "child-deny-me")
	if slices.Contains(seen.Files, "child-deny-me") {
		t.Error("the denied call of a subagent ran")
	}
	if !c.Agent.DenyEnds && !c.Model.Heard(no(r)) {
		t.Error("the subagent's model is not told why")
	}
	c.goesOn(t, seen)
	c.context(t, seen)
}

// tellsAll has every event of the agent registered, those too that install leaves out by itself; it stays so.
func (c *trial) tellsAll(t *testing.T) {
	c.Configure(t, build.Fixture(t, "judge"), "context")
	c.Lab.Install(t, "--events", "all")
	seen := c.session(t, calm, "please", true)
	if diff := cmp.Diff(c.control.Files, seen.Files); diff != "" {
		t.Errorf("files (-without +with):\n%s", diff)
	}
	c.context(t, seen)
}
