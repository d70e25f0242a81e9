package host

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
)

// TestExpress: what an agent has no word for becomes stricter, and never weaker without saying so.
func TestExpress(t *testing.T) {
	h := &Host{Title: "Agent", Approve: "; do it yourself"}
	all := Can{Deny: true, Ask: true, Rewrite: true, Context: true}
	input := []byte(`{"command":"ls"}`)
	for _, tc := range []struct {
		name string
		can  Can
		d    canon.Decision
		want canon.Decision
		lost string
	}{
		{"nothing said", all, canon.Decision{}, canon.Decision{Action: canon.Allow}, ""},
		{"all of it can be said", all, canon.Decision{Action: canon.Allow, Input: input, Context: "c"}, canon.Decision{Action: canon.Allow, Input: input, Context: "c"}, ""},
		{"what is no action", all, canon.Decision{Action: "block", Reason: "r"}, canon.Decision{Action: canon.Deny, Reason: "r"}, ""},
		{"a deny without a reason", all, canon.Decision{Action: canon.Deny, Input: input}, canon.Decision{Action: canon.Deny, Reason: "denied by boathook"}, ""},
		{"a deny whose reason nobody sees", all, canon.Decision{Action: canon.Deny, Reason: " \n\t\u200b\x00\u3000"}, canon.Decision{Action: canon.Deny, Reason: "denied by boathook"}, ""},
		{"a reason for a terminal", all, canon.Decision{Action: canon.Deny, Reason: "no\x1b[2J\x00 \u202erm\r\nx"}, canon.Decision{Action: canon.Deny, Reason: "no\ufffd[2J\ufffd \ufffdrm\nx"}, ""},
		{"nobody can be asked", Can{Deny: true}, canon.Decision{Action: canon.Ask, Reason: "r"}, canon.Decision{Action: canon.Deny, Reason: "r (needs a person's approval, which Agent hooks cannot ask for; do it yourself)"}, ""},
		{"an ask with another input", all, canon.Decision{Action: canon.Ask, Reason: "r", Input: input}, canon.Decision{Action: canon.Deny, Reason: "r (needs a person's approval with another input, which Agent hooks cannot ask for)"}, ""},
		{"another input that can't be set", Can{Deny: true}, canon.Decision{Reason: "r", Input: input}, canon.Decision{Action: canon.Deny, Reason: `r (the call has to have another input, which Agent hooks cannot set; make it with this one: {"command":"ls"})`}, ""},
		{"an input that is none", all, canon.Decision{Input: []byte(`"ls"`)}, canon.Decision{Action: canon.Deny, Reason: "(the call has to have another input, and the one that was given is no JSON object)"}, ""},
		{"an input that is no JSON", all, canon.Decision{Input: []byte(` {"command":`)}, canon.Decision{Action: canon.Deny, Reason: "(the call has to have another input, and the one that was given is no JSON object)"}, ""},
		{"an empty input", all, canon.Decision{Input: []byte{}}, canon.Decision{Action: canon.Deny, Reason: "(the call has to have another input, and the one that was given is no JSON object)"}, ""},
		{"nothing can be said", Can{}, canon.Decision{Action: canon.Deny, Reason: "r", Context: "c"}, canon.Decision{Action: canon.Allow, Reason: "r"}, "the deny and the context"},
		{"context alone is lost", Can{Deny: true}, canon.Decision{Context: "c"}, canon.Decision{Action: canon.Allow}, "the context"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, lost := h.Express(Event{Can: tc.can}, tc.d)
			if diff := cmp.Diff(tc.want, got); diff != "" || lost != tc.lost {
				t.Errorf("lost %q, want %q\n%s", lost, tc.lost, diff)
			}
		})
	}
}
