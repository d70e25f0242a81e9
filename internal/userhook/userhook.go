// Package userhook runs the user's own programs that judge events: the canonical event in JSON on standard input, the
// canonical decision in JSON from standard output. The hook path calls it for [[hooks]], `boathook exec` and `boathook hooks
// test` for the program that they are given. A program that hangs, crashes or floods costs its time limit and no more.
// It must not import database/sql or net/http.
package userhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/lenient"
)

// The bounds of what a program may say.
const (
	maxAnswer = 1 << 20
	maxStderr = 1 << 10
)

// grace is how long output may come once the program has ended: a child of it may hold the pipe for good.
const grace = 50 * time.Millisecond

// The outcomes of a program that gave no answer; exit_<code> is another.
const (
	Timeout    = "timeout"
	Killed     = "killed"
	Garbage    = "garbage"
	TooLong    = "too_long"
	Held       = "held"
	NotStarted = "not_started"
)

// Program is what to run.
type Program struct {
	Command []string
	Env     []string
	Timeout time.Duration
}

// Result is what became of it.
type Result struct {
	// Decision is what it answered. Of a program that failed it is a complete answer only where that asks or denies: what is
	// stricter than a failure counts all the same.
	Decision canon.Decision
	// Failed says why there is no answer, empty where there is one; Detail has more for people, and may hold anything.
	Failed, Detail string
	Took           time.Duration
}

// Event is an event as programs get it: one line of JSON.
func Event(e canon.Event) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(e) != nil { // a broken payload got through: everything but that
		e.Raw = nil
		b.Reset()
		if enc.Encode(e) != nil && e.Tool != nil {
			e.Tool = &canon.Tool{Name: e.Tool.Name, HostName: e.Tool.HostName, Kind: e.Tool.Kind, Command: e.Tool.Command}
			b.Reset()
			_ = enc.Encode(e)
		}
	}
	return b.Bytes()
}

// Run asks a program. It returns at the time limit at the latest, whatever hangs; the program and all that it started in its
// process group are killed then.
func Run(ctx context.Context, p Program, event []byte) Result {
	start := time.Now()
	if nested("/proc", os.Getppid()) >= maxNested {
		return Result{Failed: Nested, Detail: "hooks of boathook's have started one another " + strconv.Itoa(maxNested) + " times"}
	}
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	out := &output{most: maxAnswer, full: cancel}
	errs := &output{most: maxStderr + 1} // the one more tells whether the last word is whole
	ended, killed := make(chan error, 1), make(chan struct{})
	go func() { ended <- run(ctx, p, event, out, errs, killed) }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = context.DeadlineExceeded
		select {
		case err = <-ended: // both at once
		case <-killed: // this process may end now
		case <-time.After(grace):
		}
	}
	r := judge(ctx, err, out)
	if r.Failed != "" {
		r.Detail = join(r.Detail, strings.TrimSpace(lenient.Cut(string(errs.bytes()), maxStderr)))
	}
	r.Took = time.Since(start)
	return r
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; stderr: " + b
}

var errNotStarted = errors.New("start")

// run starts the program and waits for it, in a thread of its own: where the system can, the program is killed when this
// thread ends, that is with this process.
func run(ctx context.Context, p Program, event []byte, out, errs *output, killed chan<- struct{}) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	cmd.Env = p.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(event), out, errs
	cmd.WaitDelay = grace
	kill := group(cmd)
	cmd.Cancel = func() error {
		defer close(killed)
		return kill()
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%w %w%s", errNotStarted, err, cureOf(err))
	}
	return cmd.Wait()
}

// cureOf says what makes a program start, where that is known.
func cureOf(err error) string {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return "; it is not there, or the interpreter of its first line is not"
	case errors.Is(err, fs.ErrPermission):
		return "; make it executable (chmod +x), or name its interpreter before it"
	case errors.Is(err, syscall.ENOEXEC):
		return "; give it a first line like #!/usr/bin/env python3, or name its interpreter before it"
	}
	return ""
}

// judge reads the answer.
func judge(ctx context.Context, err error, out *output) Result {
	text := out.bytes()
	d, bad := canon.ParseDecision(text)
	r := Result{Decision: d}
	var exit *exec.ExitError
	switch {
	case out.overflowed():
		r.Failed = TooLong
	case errors.Is(err, errNotStarted):
		r.Failed, r.Detail = NotStarted, err.Error()
	case err != nil && ctx.Err() != nil:
		r.Failed = Timeout
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		r.Failed = "exit_" + strconv.Itoa(exit.ExitCode())
	case errors.As(err, &exit):
		r.Failed = Killed
	case errors.Is(err, exec.ErrWaitDelay) && len(bytes.TrimSpace(text)) == 0:
		r.Failed = Held
	case bad != nil:
		r.Failed, r.Detail = Garbage, bad.Error()
	}
	if r.Failed != "" {
		r.Decision = canon.Objection(text) // what else it said does not count
	}
	return r
}

// output keeps what a program says, up to a bound. It may be read while the program still writes.
type output struct {
	mu   sync.Mutex
	most int
	text []byte
	over bool
	full func() // called when it says more
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	room := o.most - len(o.text)
	o.text = append(o.text, p[:min(room, len(p))]...)
	if len(p) > room && !o.over {
		o.over = true
		if o.full != nil {
			o.full()
		}
	}
	return len(p), nil
}

func (o *output) bytes() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return bytes.Clone(o.text)
}

func (o *output) overflowed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.over
}
