package geminirun

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/boathook/boathook/itest/agentlab"
)

// Terminal is the CLI running interactively on a pseudo-terminal. It is for one goroutine.
type Terminal struct {
	tb  testing.TB
	cmd *exec.Cmd
	tty *os.File

	mu     sync.Mutex
	screen []byte
	eof    chan struct{}
}

// Terminal starts the CLI without a prompt, as a person would.
func (l *Lab) Terminal(tb testing.TB, env ...string) *Terminal {
	tb.Helper()
	cmd := exec.Command("node", l.script, "-m", "gemini-2.5-flash")
	cmd.Dir, cmd.Env = l.Work, l.Environ(l.environ(append(Direct.env(), env...)...)...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 160}) // a session, so a process group, of its own
	agentlab.Must(tb, err)
	t := &Terminal{tb: tb, cmd: cmd, tty: tty, eof: make(chan struct{})}
	go t.pump()
	tb.Cleanup(t.end)
	return t
}

// escapes are the control sequences between the words on the screen.
var escapes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b[=>78]`)
})

// pump keeps what is shown and answers what a real terminal would be asked for, until the CLI is gone.
func (t *Terminal) pump() {
	defer close(t.eof)
	answers := []struct{ query, reply string }{
		{"\x1b[6n", "\x1b[1;1R"},   // where is the cursor?
		{"\x1b[c", "\x1b[?62;22c"}, // what are you?
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := t.tty.Read(buf)
		t.mu.Lock()
		t.screen = append(t.screen, buf[:n]...)
		t.mu.Unlock()
		for _, a := range answers {
			if bytes.Contains(buf[:n], []byte(a.query)) {
				_, _ = t.tty.WriteString(a.reply) // a failure shows as the end of reading
			}
		}
		if err != nil {
			return
		}
	}
}

// Screen is everything shown so far, without control sequences.
func (t *Terminal) Screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(escapes().ReplaceAll(t.screen, nil))
}

// tail is the last of what was shown, for messages.
func (t *Terminal) tail() string {
	s := t.Screen()
	return s[max(0, len(s)-6000):]
}

// Expect waits until the pattern was shown.
func (t *Terminal) Expect(pattern string) {
	t.tb.Helper()
	re := regexp.MustCompile(pattern)
	deadline := time.Now().Add(agentlab.Timeout)
	for !re.MatchString(t.Screen()) {
		select {
		case <-t.eof:
			t.tb.Fatalf("the CLI ended before it showed %q; the screen:\n%s", pattern, t.tail())
		case <-time.After(50 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.tb.Fatalf("the CLI never showed %q; the screen:\n%s", pattern, t.tail())
		}
	}
}

// Type presses keys one after the other, as the CLI takes a burst for a paste.
func (t *Terminal) Type(keys string) {
	t.tb.Helper()
	for _, key := range keys {
		if _, err := t.tty.WriteString(string(key)); err != nil {
			t.tb.Fatalf("type: %v", err)
		}
		time.Sleep(40 * time.Millisecond)
	}
}

// Press presses a key until the pattern was shown: what has only just appeared may take none yet.
func (t *Terminal) Press(key, pattern string) {
	t.tb.Helper()
	re := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(agentlab.Timeout); time.Now().Before(deadline); {
		t.Type(key)
		for again := time.Now().Add(10 * time.Second); time.Now().Before(again); time.Sleep(50 * time.Millisecond) {
			if re.MatchString(t.Screen()) {
				return
			}
		}
	}
	t.tb.Fatalf("%q never made the CLI show %q; the screen:\n%s", key, pattern, t.tail())
}

// Submit types a prompt and hands it over, until the pattern was shown: a return key that comes while the CLI is busy is one more line
// of the prompt.
func (t *Terminal) Submit(prompt, pattern string) {
	t.tb.Helper()
	t.Type(prompt)
	t.Expect(`> ` + regexp.QuoteMeta(prompt))
	time.Sleep(300 * time.Millisecond) // an Enter right after text counts as pasted
	t.Press("\r", pattern)
}

// Enter presses the return key.
func (t *Terminal) Enter() {
	t.tb.Helper()
	time.Sleep(300 * time.Millisecond) // an Enter right after text counts as pasted
	t.Type("\r")
}

// Quit leaves the CLI, by the key that leaves it when pressed twice, and returns its exit code. (The command /quit would race
// with its own completion on a busy machine.)
func (t *Terminal) Quit() int {
	t.tb.Helper()
	const ctrlD = "\x04"
	deadline := time.Now().Add(agentlab.Timeout)
	for running := true; running; {
		_, _ = t.tty.WriteString(ctrlD) // a failure means that the CLI is gone
		select {
		case <-t.eof:
			running = false
		case <-time.After(400 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.tb.Fatalf("the CLI does not end; the screen:\n%s", t.tail())
		}
	}
	err := t.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.tb.Fatal(err)
	}
	return t.cmd.ProcessState.ExitCode()
}

// end ends the CLI and what it started, if the test has not seen it end.
func (t *Terminal) end() {
	if t.cmd.ProcessState == nil {
		_ = syscall.Kill(-t.cmd.Process.Pid, syscall.SIGKILL) // the group is gone if the CLI is
		_ = t.cmd.Wait()
	}
	_ = t.tty.Close()
	<-t.eof
}
