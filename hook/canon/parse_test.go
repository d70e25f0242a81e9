package canon

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseDecision(t *testing.T) {
	for text, want := range map[string]Decision{
		"":                                      {},
		" \n":                                   {},
		"{}":                                    {},
		`{"action":"allow"}`:                    {Action: Allow},
		`{"action":"deny","reason":"r"}` + "\n": {Action: Deny, Reason: "r"},
		`{"input":{"a":1},"context":"c"}`:       {Input: []byte(`{"a":1}`), Context: "c"},
		`{"input":null}`:                        {},
		"\ufeff" + `{"action":"deny"}`:          {Action: Deny},
	} {
		d, err := ParseDecision([]byte(text))
		if diff := cmp.Diff(want, d); diff != "" || err != nil {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
	}
	for text, want := range map[string]string{
		"no":                                 "no JSON object",
		`"deny"`:                             "no JSON object",
		`[]`:                                 "no JSON object",
		"null":                               "no JSON object",
		`{"decision":"deny"}`:                `unknown field "decision"`,
		`{"action":"block"}`:                 "none of allow, ask, deny",
		`{"action":5}`:                       "read the decision",
		`{"action":"deny","action":"allow"}`: "more than one action",
		`{"action":"deny","Action":"allow"}`: "more than one action",
		`{"input":[1]}`:                      "input is no JSON object",
		`{"action":"deny"`:                   "unexpected EOF",
		`{"action":"deny"} {}`:               "something follows",
		"logging…\n{\"action\":\"deny\"}":    "no JSON object",
	} {
		if d, err := ParseDecision([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %s", text, d, err, want)
		}
	}
}

// TestObjection: a complete deny or ask counts, whatever stands around it.
func TestObjection(t *testing.T) {
	deny := Decision{Action: Deny, Reason: "r"}
	const said = `{"action":"deny","reason":"r"}`
	for text, want := range map[string]Decision{
		said: deny, "\ufeff" + said: deny, said + "\ndone": deny, "logging {…\n" + said: deny, said + `{"action":"allow"}`: deny,
		`{"action":"allow"}` + said: deny, `{"action":"ask","reason":"a"}` + said: deny, said + `{"action":"ask"}`: deny,
		`{"action":"deny","reason":"r","action":"allow"}`:     deny,
		`{"reason":"r","Action":" DENY "}`:                    deny,
		`{"action":"deny","reason":"r","rule":7,"input":[1]}`: deny,
		said + `{"action":"deny","reason":"later"}`:           deny,
		said + strings.Repeat("{", 2*maxObjects):              deny,
		`{"action":"ask"}`:                                    {Action: Ask},
		`{"action":"deny","reason":5}`:                        {Action: Deny},
		`{"action":"deny"`:                                    {},
		`{"action":"block"}`:                                  {},
		`{"decision":"deny"}`:                                 {},
		`{"action":"allow","context":"c"}`:                    {},
		`{"tool":{"input":{"action":"deny"}}}`:                {},
		`"{\"action\":\"deny\"}"`:                             {},
		"":                                                    {},
	} {
		if diff := cmp.Diff(want, Objection([]byte(text))); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func FuzzParseDecision(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"action":"deny","reason":"r"}`, `{"input":{"a":1}}`, `{"action":"x"}`, "[", `{"action":"ask"}x`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ParseDecision(text)
		if o := Objection(text); err == nil && d.Action.Strictness() != o.Action.Strictness() {
			t.Errorf("%s: %+v, and its objection is %+v", text, d, o)
		}
		if err != nil {
			return
		}
		again, err := ParseDecision(plain(d))
		if err != nil {
			t.Fatalf("%s is read as %+v, which is none: %v", text, d, err)
		}
		if again.Action != d.Action || (again.Input == nil) != (d.Input == nil) {
			t.Errorf("%s: %+v, then %+v", text, d, again)
		}
	})
}

func TestRewriteCommand(t *testing.T) {
	for name, tc := range map[string]struct {
		event Event
		want  Decision
	}{
		"one argument":         {shell("ls", `{"command":"ls","timeout":5}`), Decision{Input: []byte(`{"command":"ls <a>","timeout":5}`)}},
		"another name":         {shell("ls", `{"CommandLine":"ls"}`), Decision{Input: []byte(`{"CommandLine":"ls <a>"}`)}},
		"the usual name":       {shell("ls", `{"command":"ls","description":"ls"}`), Decision{Input: []byte(`{"command":"ls <a>","description":"ls"}`)}},
		"two that could be it": {shell("ls", `{"a":"ls","b":"ls"}`), Decision{Action: Deny, Reason: "run this instead: ls <a>"}},
		"words":                {shell("bash -lc ls", `{"command":["bash","-lc","ls"]}`), Decision{Action: Deny, Reason: "run this instead: ls <a>"}},
		"no tool":              {Event{}, Decision{Action: Deny, Reason: "run this instead: ls <a>"}},
	} {
		if diff := cmp.Diff(tc.want, tc.event.RewriteCommand("ls <a>")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func shell(command, input string) Event {
	return Event{Tool: &Tool{Name: "bash", HostName: "Bash", Command: command, Input: []byte(input)}}
}

func TestDecodeInput(t *testing.T) {
	e := shell("ls", `{"command":"ls","timeout":5}`)
	var in struct{ Timeout int }
	if err := e.DecodeInput(&in); err != nil || in.Timeout != 5 {
		t.Errorf("%+v, %v", in, err)
	}
	if !e.IsTool("x", "Bash") || e.IsTool("x") || (&Event{}).IsTool("") {
		t.Error("IsTool")
	}
	if err := (&Event{}).DecodeInput(&in); err == nil {
		t.Error("there is no input")
	}
}
