package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/pending"
	"github.com/boathook/boathook/internal/record"
)

// TestJudgeAnswersAtOnce: who waits for an answer before the next question gets it.
func TestJudgeAnswersAtOnce(t *testing.T) {
	in, questions := io.Pipe()
	answers, out := io.Pipe()
	env := testEnv(t.TempDir())
	env.Stdin, env.Stdout, env.Stderr = in, out, io.Discard
	done := make(chan int, 1)
	go func() {
		done <- Run(t.Context(), env, []string{"policy", "judge"})
		_ = out.Close()
	}()
	read := bufio.NewScanner(answers)
	for i := range 3 {
		if _, err := fmt.Fprintf(questions, `{"id":%d,"command":"git push --force"}`+"\n", i); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf(`{"id":%d,"decision":"deny"`, i); !read.Scan() || !strings.HasPrefix(read.Text(), want) {
			t.Fatalf("%q, want %q", read.Text(), want)
		}
	}
	_ = questions.Close()
	if code := <-done; code != exitOK {
		t.Errorf("exit %d", code)
	}
}

// TestJudgeIsTheSameForAnyProgram: an answer does not tell where boathook lies.
func TestJudgeIsTheSameForAnyProgram(t *testing.T) {
	var out bytes.Buffer
	env := testEnv("/home/dev")
	env.Exe = "/opt/tools/boathook"
	env.Stdin, env.Stdout, env.Stderr = strings.NewReader(`{"command":"rm -f /opt/tools/*"}`), &out, io.Discard
	if code := Run(t.Context(), env, []string{"policy", "judge", "--built-in"}); code != exitOK || strings.Contains(out.String(), "guard-tamper") {
		t.Errorf("exit %d: %s", code, &out)
	}
}

// TestJudgeKeepsTheOrder, whatever takes how long.
func TestJudgeKeepsTheOrder(t *testing.T) {
	var in bytes.Buffer
	const n = 500
	for i := range n {
		fmt.Fprintln(&in, i)
	}
	var out bytes.Buffer
	bad, err := eachLine(&in, &out, func(n int, line []byte) ([]byte, bool) {
		if n%7 == 0 {
			time.Sleep(time.Millisecond)
		}
		return append(line, '\n'), n%100 != 0
	})
	var want bytes.Buffer
	for i := range n {
		fmt.Fprintln(&want, i)
	}
	if bad != n/100 || err != nil || !bytes.Equal(out.Bytes(), want.Bytes()) {
		t.Errorf("%d bad, %v", bad, err)
	}
}

func TestTimesOfIDs(t *testing.T) {
	at := time.UnixMilli(1_796_030_989_373)
	// The id of that moment begins so.
	const id = "01M8NVY0TXQ3Z4VGJ5H6R7S8T9"
	for n := 1; n <= len(id); n++ {
		from, until, ok := timesOf(id[:n])
		if !ok || until.Before(from) {
			t.Fatalf("%s: %s to %s", id[:n], from, until)
		}
		if f, u, _ := timesOf(id[:max(n-1, 1)]); from.Before(f) || until.After(u) {
			t.Errorf("%s is wider than what it is a part of", id[:n])
		}
	}
	for _, bad := range []string{"", "8", "01I", "x", id + "0"} {
		if _, _, ok := timesOf(bad); ok {
			t.Errorf("%q is taken for an id", bad)
		}
	}
	from, until, _ := timesOf("01M8")
	if at.Before(from) || at.After(until) {
		t.Errorf("%s is not from %s to %s", at, from, until)
	}
}

func TestPolicyNotes(t *testing.T) {
	for _, tt := range []struct {
		policy *record.Policy
		want   string
	}{
		{nil, ""},
		{&record.Policy{Action: "deny", Rule: "r"}, ""},
		{&record.Policy{Action: "deny", Rule: "r", Shadow: true}, "shadow: deny r"},
		{&record.Policy{Hits: []record.Hit{{Rule: "a", Action: "ask", Shadow: true}, {Rule: "b", Action: "deny"}}}, "shadow: ask a"},
		{&record.Policy{Hits: []record.Hit{{Rule: "a", Action: "ask", Shadow: true, Relieved: "x"}}}, ""},
		{&record.Policy{Problems: []string{"x"}, AllowedOnce: true, Loop: 5}, "policy broken; allowed once; 5th time"},
	} {
		if got := strings.Join(policyNotes(record.Record{Policy: tt.policy}), "; "); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.policy, got, tt.want)
		}
	}
	var got []string
	for _, n := range []int{1, 2, 3, 4, 11, 12, 13, 21, 112} {
		got = append(got, nth(n))
	}
	if want := "1st 2nd 3rd 4th 11th 12th 13th 21st 112th"; strings.Join(got, " ") != want {
		t.Error(got)
	}
}

// TestJUnitIsXML: whatever a case holds.
func TestJUnitIsXML(t *testing.T) {
	got := xmlText("a<b>&\"'\x00\x1b[31m\uFFFE\u202e")
	if want := `a&lt;b&gt;&amp;&quot;&#39;\x00\x1b[31m\u{fffe}\u{202e}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestPersonsCommandsRefuseAgents: each of them, and nothing is changed.
func TestPersonsCommandsRefuseAgents(t *testing.T) {
	home := t.TempDir()
	for _, args := range []string{"pending", "allow-once ABCDEFGH", "policy trust --yes", "policy untrust", "policy init", "policy init --project"} {
		var stderr bytes.Buffer
		env := testEnv(home)
		env.Stdin, env.Stdout, env.Stderr = strings.NewReader(""), io.Discard, &stderr
		env.Under = func() (string, int, bool) { return "codex", 4711, true }
		if code := Run(t.Context(), env, strings.Fields(args)); code != exitRefused || !strings.Contains(stderr.String(), "below codex (process 4711)") {
			t.Errorf("%s: exit %d, %s", args, code, stderr.String())
		}
	}
	entries, err := os.ReadDir(home)
	if err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestAllowOnceAsJSON: a person lifts a call, and what an organisation denies stays denied.
func TestAllowOnceAsJSON(t *testing.T) {
	home := t.TempDir()
	store := pending.Store{Dir: filepath.Join(home, ".local", "share", "boathook"), Now: time.Now}
	for i, locked := range []bool{false, true} {
		if _, err := store.Deny(pending.Entry{Key: strings.Repeat(fmt.Sprint(i+1), 16), Agent: "claude", Tool: "bash", What: "make deploy", Rule: "r", Locked: locked}, "s"); err != nil {
			t.Fatal(err)
		}
	}
	list, err := store.List()
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	for _, e := range list {
		var stdout, stderr bytes.Buffer
		env := testEnv(home)
		env.Stdin, env.Stdout, env.Stderr, env.Now = strings.NewReader(""), &stdout, &stderr, time.Now
		env.Under = func() (string, int, bool) { return "", 0, false }
		env.Present = func() bool { return true }
		code := Run(t.Context(), env, []string{"allow-once", e.Code, "--json"})
		want, text := exitOK, `"agent":"claude"`
		if e.Locked {
			want, text = exitRefused, "can't be lifted"
		}
		if code != want || !strings.Contains(stdout.String(), text) {
			t.Errorf("%+v: exit %d, %s%s", e, code, stdout.String(), stderr.String())
		}
	}
	lifted := store.Consume(strings.Repeat("1", 16))
	if !lifted || store.Consume(strings.Repeat("1", 16)) || store.Consume(strings.Repeat("2", 16)) {
		t.Error("it is not lifted once")
	}
}

// TestRowsOfWhatGoesOn: a warning and a rewrite are no mere allow.
func TestRowsOfWhatGoesOn(t *testing.T) {
	for _, action := range []string{"warn", "rewrite"} {
		r := record.Record{
			Decision: record.Decision{Action: "allow", Expressed: "allow", Source: "local_policy", Rule: "r"}, Policy: &record.Policy{Action: action, Rule: "r"},
		}
		if verdict, rule, paint := decisionText(r); verdict != action || rule != "r" || paint != yellow {
			t.Errorf("%s: %s %s", action, verdict, rule)
		}
	}
}
