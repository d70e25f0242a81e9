package pending

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
)

const key = "00112233445566778899aabbccddeeff"

// clock is a store with a clock that tests turn.
type clock struct {
	Store
	now time.Time
}

func newStore(t *testing.T) *clock {
	t.Helper()
	c := &clock{now: time.Now()}
	c.Store = Store{Dir: t.TempDir(), Now: func() time.Time { return c.now }}
	return c
}

func TestACallIsLiftedOnce(t *testing.T) {
	s := newStore(t)
	for i, session := range []string{"a", "a", "b"} {
		times, err := s.Deny(Entry{Key: key, Agent: "gemini", Tool: "bash", What: "rm -rf x", Rule: "r"}, session)
		if want := []int{1, 2, 1}[i]; err != nil || times != want {
			t.Errorf("%s: %d times, want %d (%v)", session, times, want, err)
		}
	}
	all, err := s.List()
	if err != nil || len(all) != 1 || len(all[0].Code) != 8 || all[0].What != "rm -rf x" {
		t.Fatalf("%+v %v", all, err)
	}
	if s.Consume(key) {
		t.Error("nobody lifted it")
	}
	if _, err := s.Allow("AAAAAAAA", time.Minute); !errors.Is(err, ErrUnknown) {
		t.Errorf("another code: %v", err)
	}
	e, err := s.Allow(" "+strings.ToLower(all[0].Code)+"\n", time.Minute)
	if err != nil || !e.Until.Equal(s.now.Add(time.Minute)) {
		t.Errorf("%+v %v", e, err)
	}
	if all, _ := s.List(); len(all) != 1 || all[0].Until.IsZero() {
		t.Errorf("%+v", all)
	}
	if !s.Consume(key) || s.Consume(key) {
		t.Error("it is not once")
	}
	if all, _ := s.List(); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

func TestLiftedForSomeMinutes(t *testing.T) {
	s := newStore(t)
	if _, err := s.Deny(Entry{Key: key}, ""); err != nil {
		t.Fatal(err)
	}
	all, _ := s.List()
	if _, err := s.Allow(all[0].Code, time.Minute); err != nil {
		t.Fatal(err)
	}
	s.now = s.now.Add(time.Minute)
	if s.Consume(key) {
		t.Error("it is over")
	}
}

func TestLockedIsNotLifted(t *testing.T) {
	s := newStore(t)
	if _, err := s.Deny(Entry{Key: key, Locked: true}, ""); err != nil {
		t.Fatal(err)
	}
	all, _ := s.List()
	if _, err := s.Allow(all[0].Code, time.Minute); !errors.Is(err, ErrLocked) || s.Consume(key) {
		t.Errorf("lifted: %v", err)
	}
}

func TestWhatIsOldGoes(t *testing.T) {
	s := newStore(t)
	for i := range maxEntries + 20 {
		k := fmt.Sprintf("%032x", i)
		if _, err := s.Deny(Entry{Key: k}, ""); err != nil {
			t.Fatal(err)
		}
		at := s.now.Add(time.Duration(i-1000) * time.Second)
		if err := os.Chtimes(s.path(k, ".json"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := s.List(); err != nil || len(all) > maxEntries {
		t.Errorf("%d are kept (%v)", len(all), err)
	}
	s.now = s.now.Add(keepFor + time.Second)
	if all, _ := s.List(); len(all) != 0 {
		t.Errorf("%d are shown after a day", len(all))
	}
}

func TestOneOfManyConsumes(t *testing.T) {
	s := newStore(t)
	if _, err := s.Deny(Entry{Key: key}, ""); err != nil {
		t.Fatal(err)
	}
	all, _ := s.List()
	if _, err := s.Allow(all[0].Code, time.Minute); err != nil {
		t.Fatal(err)
	}
	var got sync.Map
	var wait sync.WaitGroup
	for i := range 100 {
		wait.Go(func() {
			if s.Consume(key) {
				got.Store(i, true)
			}
		})
	}
	wait.Wait()
	n := 0
	got.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d consumed it", n)
	}
}

// Of two that deny a call at once for the first time the code of one counts, and stays.
func TestTheCodeStays(t *testing.T) {
	s := newStore(t)
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if _, err := s.Deny(Entry{Key: key}, "s"); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	before, _ := s.List()
	if _, err := s.Deny(Entry{Key: key}, "s"); err != nil {
		t.Fatal(err)
	}
	after, _ := s.List()
	if len(before) != 1 || len(after) != 1 || before[0].Code != after[0].Code {
		t.Errorf("%+v, then %+v", before, after)
	}
	if names, _ := os.ReadDir(s.dir()); len(names) != 2 { // the call, and how often
		t.Errorf("%d files", len(names))
	}
	if times := after[0].Sessions["s"]; times != 21 {
		t.Errorf("denied 21 times, counted %d", times)
	}
}

// A session that is denied a lot must not push out what a person has just lifted.
func TestALiftedCallIsNotPushedOut(t *testing.T) {
	s := newStore(t)
	if _, err := s.Deny(Entry{Key: key}, "s"); err != nil {
		t.Fatal(err)
	}
	all, err := s.List()
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if _, err := s.Allow(all[0].Code, time.Minute); err != nil {
		t.Fatal(err)
	}
	for i := range maxEntries + 20 {
		if _, err := s.Deny(Entry{Key: fmt.Sprintf("%032x", i)}, "s"); err != nil {
			t.Fatal(err)
		}
	}
	if names, _ := os.ReadDir(s.dir()); len(names) > 2*maxEntries+2 {
		t.Errorf("%d files", len(names))
	}
	if !s.Consume(key) {
		t.Error("it is no longer lifted")
	}
}

func TestForeignFilesAreNone(t *testing.T) {
	s := newStore(t)
	if err := os.MkdirAll(s.dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{key + ".json": "{", "x.json": "{}", key + "0.json": `{"code":"","key":"` + key + `0"}`} {
		if err := os.WriteFile(filepath.Join(s.dir(), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Allow("", time.Minute); !errors.Is(err, ErrUnknown) {
		t.Errorf("no code lifts something: %v", err)
	}
	if _, err := s.Deny(Entry{Key: "../../x"}, ""); err == nil {
		t.Error("a key that leads elsewhere")
	}
	if s.Consume("../../x") || s.Passed("../../x", "g") {
		t.Error("a key that leads elsewhere")
	}
}

func TestTheOtherGatesOfACall(t *testing.T) {
	s := newStore(t)
	if _, err := s.Deny(Entry{Key: key}, ""); err != nil {
		t.Fatal(err)
	}
	if s.Pass(key, "PreToolUse"); s.Passed(key, "PreToolUse") {
		t.Error("the same gate again is another call")
	}
	if !s.Passed(key, "PermissionRequest") || s.Passed(key, "PermissionRequest") {
		t.Error("the other gate passes once")
	}
	s.Pass(key, "PreToolUse")
	s.now = s.now.Add(2 * passFor)
	if s.Passed(key, "PermissionRequest") {
		t.Error("it is over")
	}
}

func TestIdentity(t *testing.T) {
	call := func(agent, cwd, input string) canon.Event {
		return canon.Event{Agent: agent, CWD: cwd, SessionID: "s", Tool: &canon.Tool{Name: "bash", HostName: "Bash", Kind: "shell", Command: "ls", Input: []byte(input)}}
	}
	base := Identity(call("claude", "/w", `{"command":"ls","description":"a"}`))
	for _, tt := range []struct {
		name string
		ev   canon.Event
		same bool
	}{
		{"in other words", call("claude", "/w", `{"description":"b", "command":"ls"}`), true},
		{"another agent", call("codex", "/w", `{"command":"ls","description":"a"}`), false},
		{"elsewhere", call("claude", "/x", `{"command":"ls","description":"a"}`), false},
		{"with more than one", call("claude", "/w", `{"command":"rm","command":"ls"}`), false},
		{"without a sandbox", call("claude", "/w", `{"command":"ls","dangerouslyDisableSandbox":true}`), false},
	} {
		if got := Identity(tt.ev) == base; got != tt.same {
			t.Errorf("%s: the same is %t", tt.name, got)
		}
	}
}

func TestUnderAgent(t *testing.T) {
	tree := func(ps ...Process) Look {
		return func(pid int) (Process, bool) {
			for _, p := range ps {
				if p.PID == pid {
					return p, true
				}
			}
			return Process{}, false
		}
	}
	none := map[string]string{}
	tests := []struct {
		name string
		env  map[string]string
		look Look
		want string
	}{
		{"a person's shell", none, tree(Process{10, 9, "boathook", []string{"boathook"}}, Process{9, 1, "zsh", []string{"-zsh"}}), ""},
		{"Claude Code", none, tree(Process{10, 9, "boathook", nil}, Process{9, 8, "bash", []string{"bash", "-c", "x"}}, Process{8, 2, "claude", []string{"claude"}}), "claude"},
		{"a script of node's", none, tree(Process{10, 9, "bash", nil}, Process{9, 2, "node", []string{"node", "--no-warnings", "/usr/lib/node_modules/@google/gemini-cli/bundle/index.js"}}), "gemini"},
		{"a script behind what node loads", none, tree(Process{10, 2, "node", []string{"node", "-r", "fs", "--import", "x", "/n/@google/gemini-cli/dist/index.js"}}), "gemini"},
		{"a script that bun runs", none, tree(Process{10, 2, "bun", []string{"bun", "run", "/n/@qwen-code/qwen-code/cli.js"}}), "qwen"},
		{"a link of node's", none, tree(Process{10, 2, "MainThread", []string{"node", "/usr/local/bin/qwen"}}), "qwen"},
		{"another script", none, tree(Process{10, 2, "node", []string{"node", "server.js", "claude"}}), ""},
		{"an editor of a file of that name", none, tree(Process{10, 2, "vim", []string{"vim", "claude"}}), ""},
		{"Windows", none, tree(Process{10, 9, "boathook.exe", nil}, Process{9, 2, "Codex.exe", nil}), "codex"},
		{"a circle", none, tree(Process{10, 9, "a", nil}, Process{9, 10, "b", nil}), ""},
		{"a variable", map[string]string{"CLAUDECODE": "1"}, tree(), "claude"},
		{"an empty variable", map[string]string{"CLAUDECODE": ""}, tree(), ""},
	}
	for _, tt := range tests {
		got, _, ok := UnderAgent(func(name string) (string, bool) { v, ok := tt.env[name]; return v, ok }, 10, tt.look)
		if diff := cmp.Diff(tt.want, got); diff != "" || ok != (tt.want != "") {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	if p, ok := System()(os.Getpid()); ok && (p.PID != os.Getpid() || p.Parent != os.Getppid()) {
		t.Errorf("this process is %+v", p)
	}
}
