package hooklab

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/boathook/boathook/itest/procs"
)

// Hold keeps every worker out, by the lock that they take. What hooks record meanwhile stays in the spool.
func (l *Lab) Hold() (release func()) {
	l.tb.Helper()
	l.must(os.MkdirAll(l.Data, 0o700))
	f, err := os.OpenFile(filepath.Join(l.Data, "worker.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	l.must(err)
	l.must(syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
	return func() { _ = f.Close() }
}

// Worker starts a worker as hooks do, but as a child of the test, and returns the process.
func (l *Lab) Worker() *Process {
	l.tb.Helper()
	cmd := exec.Command(l.Bin, "worker", "--config", l.Config)
	cmd.Env, cmd.Dir = l.Environ(), l.Home
	l.must(cmd.Start())
	p := &Process{cmd: cmd, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		p.err = cmd.Wait()
	}()
	l.tb.Cleanup(p.Kill)
	return p
}

// KillAll ends every process of the lab, by id, where it stands.
func (l *Lab) KillAll() {
	l.tb.Helper()
	l.must(procs.End(filepath.Dir(l.Bin)))
}

// Process is a worker of the test.
type Process struct {
	cmd   *exec.Cmd
	ended chan struct{}
	err   error
}

// PID is its id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Kill ends it where it stands and returns when it is gone.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may be gone already
	<-p.ended
}

// Stop asks it to end and says how it did.
func (p *Process) Stop() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may be gone already
	select {
	case <-p.ended:
		return p.err
	case <-time.After(Patience):
		return errors.New("the worker does not end")
	}
}

// Running tells whether it has not ended.
func (p *Process) Running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// Until waits until a condition holds.
func (l *Lab) Until(what string, holds func() bool) {
	l.tb.Helper()
	for deadline := time.Now().Add(Patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			l.tb.Fatal(fmt.Errorf("this never came: %s; the worker's log:\n%s", what, l.WorkerLog()))
		}
	}
}
