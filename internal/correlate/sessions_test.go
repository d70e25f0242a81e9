package correlate

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const remote = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// TestSessions: each line is an event and where it belongs: its trace and its turn, named by the number of the line that
// began them, and of a tool event the pairing and the line of its Before. "sweep" ends the turns that are silent by then.
func TestSessions(t *testing.T) {
	for _, tc := range []struct {
		name   string
		events string
		turns  []string
	}{
		{"two turns", `
			s start                    | 0 -
			s prompt                   | 1 1
			s model                    | 1 1
			s before bash:ls           | 1 1 open
			s after bash:ls            | 1 1 unique 3
			s stop                     | 1 1
			s prompt                   | 6 6
			s stop                     | 6 6
			s end                      | 6 6`,
			[]string{"1-5 completed events=5 unique=1", "6-7 completed events=2"}},
		{"two sessions in one directory", `
			a prompt                   | 0 0
			b prompt                   | 1 1
			a before bash:ls           | 0 0 open
			b before bash:ls           | 1 1 open
			b after bash:ls            | 1 1 unique 3
			a after bash:ls            | 0 0 unique 2
			b after bash:ls            | 1 1 unmatched
			a stop                     | 0 0
			b end                      | 1 1`,
			[]string{"0-7 completed events=4 unique=1", "1-8 interrupted events=5 unique=1 unmatched=1"}},
		{"one session id of two agents", `
			x prompt                   | 0 0
			agyx model                 | 1 1
			x stop                     | 0 0
			agyx stop                  | 1 1`,
			[]string{"0-2 completed events=2", "1-3 completed events=2"}},
		{"a task is a turn", `
			clines start               | 0 0
			clines before bash:ls      | 0 0 open
			clines after bash:ls       | 0 0 unique 1
			clines stop                | 0 0
			clines end                 | 0 0
			clines start               | 5 5
			clines prompt              | 5 5
			clines prompt              | 7 7
			clines stop                | 7 7`,
			[]string{"0-3 completed events=4 unique=1", "5-6 interrupted events=2", "7-8 completed events=2"}},
		{"resumed session", `
			s start source=startup     | 0 -
			s prompt                   | 1 1
			s stop                     | 1 1
			s end reason=exit          | 1 1
			s start source=resume      | 1 1
			s prompt                   | 5 5
			s stop                     | 5 5`,
			[]string{"1-2 completed events=2", "5-6 completed events=2"}},
		{"resumed in the middle of a turn, after a kill", `
			s prompt                   | 0 0
			s before bash:ls           | 0 0 open
			s start source=resume      | 0 0
			s after bash:ls            | 0 0 unmatched
			s prompt                   | 4 4`,
			[]string{"0-1 abandoned events=2 unmatched=1"}},
		{"compaction is no start", `
			s prompt                   | 0 0
			s start source=compact     | 0 0
			s stop                     | 0 0`,
			[]string{"0-2 completed events=3"}},
		{"clear with one session id", `
			s prompt                   | 0 0
			s stop                     | 0 0
			s end reason=clear         | 0 0
			s start source=clear       | 0 0
			s prompt                   | 4 4`,
			[]string{"0-1 completed events=2"}},
		{"clear with a new session id, in the middle of a turn", `
			s prompt                   | 0 0
			s before bash:ls           | 0 0 open
			s end reason=clear         | 0 0
			s2 start source=clear      | 3 -
			s2 before bash:ls          | 3 - open
			s2 after bash:ls           | 3 - unique 4
			s2 after bash:ls           | 3 - unmatched`,
			[]string{"0-2 interrupted events=3 unmatched=1"}},
		{"the session ends twice", `
			s prompt                   | 0 0
			s end                      | 0 0
			s end                      | 0 0
			s end                      | 0 0`,
			[]string{"0-1 interrupted events=2"}},
		{"killed, and nothing comes any more", `
			s prompt                   | 0 0
			other prompt               | 1 1
			s before bash:ls           | 0 0 open
			sweep
			s after bash:ls            | 0 0 unique 2
			s prompt                   | 5 5`,
			[]string{"1-1 abandoned events=1", "0-2 abandoned events=2 unmatched=1"}},
		{"the next prompt comes without a stop", `
			s prompt                   | 0 0
			s before bash:ls           | 0 0 open
			s prompt                   | 2 2
			s after bash:ls            | 2 2 unmatched
			s stop                     | 2 2`,
			[]string{"0-1 interrupted events=2 unmatched=1", "2-4 completed events=3 unmatched=1"}},
		{"two equal calls at once: which is which is never known", `
			s prompt                   | 0 0
			s before bash:ls           | 0 0 open
			s before bash:ls           | 0 0 open
			s after bash:ls            | 0 0 ambiguous
			s after bash:ls            | 0 0 ambiguous
			s after bash:ls            | 0 0 unmatched
			s stop                     | 0 0`,
			[]string{"0-6 completed events=7 ambiguous=2 unmatched=1"}},
		{"an equal call beside what is in doubt", `
			s prompt                   | 0 0
			s before bash:ls           | 0 0 open
			s before bash:ls           | 0 0 open
			s after bash:ls            | 0 0 ambiguous
			s before bash:ls           | 0 0 open
			s after bash:ls            | 0 0 ambiguous
			s after bash:ls            | 0 0 ambiguous
			s before bash:ls           | 0 0 open
			s after bash:ls            | 0 0 unique 7`, nil},
		{"equal calls one after the other", `
			s prompt                   | 0 0
			s before bash:ls           | 0 0 open
			s after bash:ls            | 0 0 unique 1
			s before bash:ls           | 0 0 open
			s error bash:ls failed     | 0 0 unique 3
			s stop                     | 0 0`,
			[]string{"0-5 completed events=6 unique=2 failed=1"}},
		{"two tools and two inputs at once", `
			s prompt                   | 0 0
			s before bash:ls           | 0 0 open
			s before bash:pwd          | 0 0 open
			s before read:ls           | 0 0 open
			s after read:ls            | 0 0 unique 3
			s after bash:ls            | 0 0 unique 1
			s after bash:pwd           | 0 0 unique 2`, nil},
		{"a denied call has no other half", `
			s prompt                   | 0 0
			s before bash:rm deny      | 0 0 blocked
			s after bash:rm            | 0 0 unmatched
			s before bash:rm           | 0 0 open
			s after bash:rm            | 0 0 unique 3
			s stop                     | 0 0`,
			[]string{"0-5 completed events=6 blocked=1 unique=1 unmatched=1"}},
		{"no Before, no input, no tool", `
			s prompt                   | 0 0
			s after bash:ls            | 0 0 unmatched
			s before bash              | 0 0 open
			s after bash               | 0 0 unmatched
			s after null               | 0 0 unmatched
			s before null              | 0 0
			s stop                     | 0 0`,
			[]string{"0-6 completed events=7 unmatched=4"}},
		{"the turn ends before its tool", `
			s prompt                   | 0 0
			s before bash:sleep        | 0 0 open
			s stop                     | 0 0
			s after bash:sleep         | 0 0 unique 1`,
			[]string{"0-2 completed events=3 unmatched=1"}},
		{"an Antigravity conversation: one trace, a turn from each first call of the model to its stop", `
			agy model                  | 0 0
			agy before bash:ls id=0    | 0 0 open
			agy after null id=0        | 0 0 exact 1
			agy answer                 | 0 0
			agy model                  | 0 0
			agy before bash:ls id=4    | 0 0 open
			agy before bash:ls id=5    | 0 0 open
			agy after bash:ls id=5     | 0 0 exact 6
			agy after null id=4        | 0 0 exact 5
			agy after null id=4        | 0 0 unmatched
			agy answer                 | 0 0
			agy stop                   | 0 0
			agy stop                   | 0 0
			agy model                  | 0 13
			agy stop                   | 0 13
			agy2 model                 | 15 15`,
			[]string{"0-11 completed events=12 exact=3 unmatched=1", "13-14 completed events=2"}},
		{"Antigravity's tools before any call of the model", `
			agy before bash:ls id=1    | 0 - open
			agy after null id=1        | 0 - exact 0
			agy model                  | 0 2`, nil},
		{"one call id of two calls", `
			agy model                  | 0 0
			agy before bash:ls id=1    | 0 0 open
			agy before bash:pwd id=1   | 0 0 open
			agy after null id=1        | 0 0 ambiguous
			agy after null id=1        | 0 0 ambiguous`, nil},
		{"a trace from without", `
			s start parent=` + remote + `  | 0af7651916cd43dd8448eb211c80319c - <b7ad6b7169203331
			s prompt parent=` + remote + ` | 0af7651916cd43dd8448eb211c80319c 1 <b7ad6b7169203331
			s before bash:ls           | 0af7651916cd43dd8448eb211c80319c 1 <b7ad6b7169203331 open
			s stop                     | 0af7651916cd43dd8448eb211c80319c 1 <b7ad6b7169203331
			s prompt                   | 4 4
			agy model parent=` + remote + ` | 0af7651916cd43dd8448eb211c80319c 5 <b7ad6b7169203331
			agy model                  | 0af7651916cd43dd8448eb211c80319c 5 <b7ad6b7169203331`,
			[]string{"1-3 completed events=3 unmatched=1"}},
		{"Claude Code: calls at once, of which one is denied and one fails", `
			s start source=startup     | 0 -
			s prompt                   | 1 1
			s before bash:ls id=b      | 1 1 open
			s before bash:ls id=a      | 1 1 open
			s before bash:rm id=c deny | 1 1 blocked
			s asked bash:ls            | 1 1
			s error bash:ls id=a failed | 1 1 exact 3
			s after bash:ls id=b       | 1 1 exact 2
			s batch                    | 1 1
			s stop                     | 1 1
			s end                      | 1 1`,
			[]string{"1-9 completed events=9 blocked=1 exact=2 failed=1"}},
		{"Claude Code: a rewritten call is the same call", `
			s prompt                   | 0 0
			s before bash:rm id=a      | 0 0 open
			s after bash:ls id=a       | 0 0 exact 1
			s stop                     | 0 0`,
			[]string{"0-3 completed events=4 exact=1"}},
		{"a subagent in the foreground ends nothing but itself", `
			s prompt                   | 0 0
			s before task:x id=t       | 0 0 open
			s begun sub=a1             | 0 0
			s prompt sub=a1            | 0 0
			s before bash:ls id=1 sub=a1 | 0 0 open
			s after bash:ls id=1 sub=a1 | 0 0 exact 4
			s stop sub=a1              | 0 0
			s returned sub=a1          | 0 0
			s after task:x id=t        | 0 0 exact 1
			s stop                     | 0 0`,
			[]string{"0-9 completed events=10 exact=2"}},
		{"a subagent in the background: what it does outlives the turn, and its return begins another of the same trace", `
			s prompt                   | 0 0
			s before task:x id=t       | 0 0 open
			s after task:x id=t        | 0 0 exact 1
			s begun sub=a1             | 0 0
			s before bash:ls id=1 sub=a1 | 0 0 open
			s stop                     | 0 0
			s prompt                   | 6 6
			s after bash:ls id=1 sub=a1 | 6 6 exact 4
			s stop                     | 6 6
			s returned sub=a1          | 6 6
			s goes-on                  | 6 10
			s before bash:pwd id=2     | 6 10 open
			s after bash:pwd id=2      | 6 10 exact 11
			s stop                     | 6 10`,
			[]string{"0-5 completed events=6 exact=1 unmatched=1", "6-8 completed events=3 exact=1", "10-13 completed events=4 exact=1"}},
		{"a subagent's call that never ends counts once", `
			s prompt                   | 0 0
			s before bash:ls id=1 sub=a1 | 0 0 open
			s stop                     | 0 0
			s prompt                   | 3 3
			s stop                     | 3 3
			s start source=resume      | 3 3
			s after bash:ls id=1 sub=a1 | 3 3 unmatched`,
			[]string{"0-2 completed events=3 unmatched=1", "3-4 completed events=2"}},
		{"what comes back in the middle of a turn begins none", `
			s prompt                   | 0 0
			s goes-on                  | 0 0
			s stop                     | 0 0`,
			[]string{"0-2 completed events=3"}},
		{"Qwen Code: each result of a tool comes as a prompt of nobody", `
			s prompt                   | 0 0
			s before bash:ls id=1      | 0 0 open
			s after bash:ls id=1       | 0 0 exact 1
			s batch id=1               | 0 0
			s goes-on                  | 0 0
			s stop                     | 0 0`,
			[]string{"0-5 completed events=6 exact=1"}},
		{"Codex: the user breaks the turn off", `
			s prompt                   | 0 0
			s before bash:sleep id=1   | 0 0 open
			s Interrupt reason=interrupt | 0 0
			s prompt                   | 3 3
			s stop                     | 3 3`,
			[]string{"0-2 interrupted events=3 unmatched=1", "3-4 completed events=2"}},
		{"Claude Code: the model can't be reached", `
			s prompt                   | 0 0
			s StopFailure reason=unknown | 0 0
			s end                      | 0 0`,
			[]string{"0-1 interrupted events=2"}},
		{"Claude Code: a compaction in the middle of a turn", `
			s prompt                   | 0 0
			s before bash:ls id=1      | 0 0 open
			s start source=compact     | 0 0
			s after bash:ls id=1       | 0 0 exact 1
			s stop                     | 0 0`,
			[]string{"0-4 completed events=5 exact=1"}},
		{"no session id", `
			- prompt                   | 0 -
			- before bash:ls           | 1 - open
			- after bash:ls            | 2 - unmatched
			- before bash:rm deny      | 3 - blocked
			- stop                     | 4 -`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) { playSession(t, tc.events, tc.turns) })
	}
}

func playSession(t *testing.T, events string, turns []string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(events), "\n")
	ns, w := namesOf(len(lines)), &world{}
	for n, text := range lines {
		event, want, _ := strings.Cut(text, "|")
		if strings.TrimSpace(event) == "sweep" {
			w.sweep(t, time.Unix(int64(1_700_000_000+n), 0))
			continue
		}
		r := line(t, n, event)
		if diff := cmp.Diff(strings.TrimSpace(want), ns.place(w.next(t, &r))); diff != "" {
			t.Errorf("line %d,%s: %s", n, event, diff)
		}
	}
	var ended []string
	for _, u := range w.turns {
		ended = append(ended, ns.turn(u))
	}
	if diff := cmp.Diff(turns, ended); diff != "" {
		t.Errorf("turns: %s", diff)
	}
}

// TestIDs: spans of turns and calls are told apart from one another, and a trace is the ULID's own bytes.
func TestIDs(t *testing.T) {
	const event = "01HF7YAT0000000000000000ZZ"
	if got := TraceID(event); got != "018bcfe56800000000000000000003ff" {
		t.Errorf("trace %s", got)
	}
	if TurnSpanID(event) == CallSpanID(event) || len(TurnSpanID(event)) != 16 || len(TraceID("no ULID")) != 32 {
		t.Errorf("%s %s %s", TurnSpanID(event), CallSpanID(event), TraceID("no ULID"))
	}
}
