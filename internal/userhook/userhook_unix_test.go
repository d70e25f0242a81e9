//go:build unix

package userhook

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
)

func sh(line string, limit time.Duration) Result {
	return Run(context.Background(), Program{Command: []string{"/bin/sh", "-c", line}, Env: os.Environ(), Timeout: limit}, []byte("{}\n"))
}

func TestRun(t *testing.T) {
	deny := canon.Decision{Action: canon.Deny, Reason: "r"}
	const said = `echo '{"action":"deny","reason":"r","context":"c"}'`
	for line, want := range map[string]Result{
		"true":                           {},
		said + "; exit 7":                {Decision: deny, Failed: "exit_7"}, // the context is no objection
		said + "; kill -9 $$":            {Decision: deny, Failed: Killed},
		said + "; echo more":             {Decision: deny, Failed: Garbage},
		"echo more; " + said:             {Decision: deny, Failed: Garbage},
		said + "; exec cat /dev/zero":    {Decision: deny, Failed: TooLong},
		"echo '{\"action\":\"deny\"'":    {Failed: Garbage},
		`echo '{"context":"c"}'; exit 1`: {Failed: "exit_1"},
		"exit 126":                       {Failed: "exit_126"},
	} {
		got := sh(line, time.Minute)
		got.Took, got.Detail = 0, ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}

// TestWhatDoesNotStart: the detail says what would start it.
func TestWhatDoesNotStart(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"plain": 0o600, "bare": 0o700, "lost": 0o700} {
		text := map[string]string{"lost": "#!/nowhere/at/all\n"}[name]
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"exit 0\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for program, want := range map[string]string{
		filepath.Join(dir, "plain"): "chmod +x", filepath.Join(dir, "bare"): "#!/usr/bin/env", filepath.Join(dir, "lost"): "interpreter",
		filepath.Join(dir, "none"): "is not there", "none-such-program": "is not there",
	} {
		r := Run(context.Background(), Program{Command: []string{program}, Timeout: time.Minute}, []byte("{}\n"))
		if r.Failed != NotStarted || !strings.Contains(r.Detail, want) || strings.Contains(r.Detail, "\n") {
			t.Errorf("%s: %s %q", program, r.Failed, r.Detail)
		}
	}
}

// TestWhatItSaidBeforeTheLimit: a deny counts, whatever the program goes on with.
func TestWhatItSaidBeforeTheLimit(t *testing.T) {
	got := sh(`echo '{"action":"deny","reason":"r"}'; exec sleep 600`, 700*time.Millisecond)
	if got.Failed != Timeout || got.Decision.Action != canon.Deny {
		t.Errorf("%+v", got)
	}
}

// TestTheDetailIsBounded: standard error has the cause, and a flood of it does no harm.
func TestTheDetailIsBounded(t *testing.T) {
	got := sh("echo cause >&2; i=0; while [ $i -lt 2000 ]; do echo xxxxxxxxxxxxxxxxxxxxxxxxxx >&2; i=$((i+1)); done; exit 1", time.Minute)
	if got.Failed != "exit_1" || !strings.HasPrefix(got.Detail, "cause") || len(got.Detail) > 2*maxStderr {
		t.Errorf("%s, %d bytes: %.40s", got.Failed, len(got.Detail), got.Detail)
	}
}

// TestTheDetailHasNoHalfWord: masked as a text later, half a secret would not be known for one.
func TestTheDetailHasNoHalfWord(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	for _, before := range []int{maxStderr - 41, maxStderr - 40, maxStderr - 20, maxStderr - 4} {
		got := sh("printf '%0"+strconv.Itoa(before)+"d %s\\n' 0 "+secret+" >&2; exit 1", time.Minute)
		whole := before+1+len(secret) <= maxStderr
		if strings.Contains(got.Detail, secret) != whole || !whole && strings.Contains(got.Detail, "ghp") {
			t.Errorf("behind %d bytes: %s", before, got.Detail)
		}
	}
}

// TestALargeEvent is read, or not, as the program likes.
func TestALargeEvent(t *testing.T) {
	event := []byte(`{"a":"` + strings.Repeat("x", 4<<20) + `"}` + "\n")
	for _, line := range []string{"cat >/dev/null", "true", "head -c 10 >/dev/null"} {
		got := Run(context.Background(), Program{Command: []string{"/bin/sh", "-c", line}, Env: os.Environ(), Timeout: time.Minute}, event)
		if got.Failed != "" {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

func TestEnviron(t *testing.T) {
	got := Environ([]string{"PATH=/bin", "LD_PRELOAD=/e.so", "PYTHONPATH=/e", "NODE_OPTIONS=-r /e", "BASH_ENV=/e", "HOME=/h", "ENV=/e", "AWS_PROFILE=p", "BASH_FUNC_ls%%=() { :; }", "DYLD_INSERT_LIBRARIES=/e",
		"ZDOTDIR=/e", "OPENSSL_CONF=/e", "LUA_INIT_5_4=@/e", "PHP_INI_SCAN_DIR=/e", "GEM_HOME=/e", "DOTNET_STARTUP_HOOKS=/e.dll", "CORECLR_PROFILER_PATH=/e.so", "COLOR=1"})
	if diff := cmp.Diff([]string{"PATH=/bin", "HOME=/h", "AWS_PROFILE=p", "COLOR=1"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestEvent: whatever a payload held, programs get one line of JSON.
func TestEvent(t *testing.T) {
	for _, e := range []canon.Event{
		{},
		{Raw: []byte("{broken"), Prompt: "<a>\u2028"},
		{Tool: &canon.Tool{Name: "bash", Command: "ls", Input: []byte("{broken")}},
	} {
		text := Event(e)
		var back canon.Event
		if err := json.Unmarshal(text, &back); err != nil || strings.Count(string(text), "\n") != 1 || back.Command() != e.Command() {
			t.Errorf("%s, %v", text, err)
		}
	}
}
