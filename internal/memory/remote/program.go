package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/wake"
)

// Beside is the second program beside a running one, links resolved. It is never looked for on PATH, which a repository may have
// set.
func Beside(exe string) (string, error) {
	resolved, err := filepath.EvalSymlinks(exe)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", Program, err)
	}
	name := Program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(filepath.Dir(resolved), name)
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
		return path, nil
	}
	return "", &classified{
		text: fmt.Sprintf("%s is not beside %s; %s", Program, resolved, cure),
		is:   []error{memory.ErrUnavailable, ErrMissing},
	}
}

// child is a service of one's own on pipes. It ends with its stdin, and so with whoever started it.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	said   tail
	exited chan struct{}
	once   sync.Once
	// grace is how long it may take to end by itself.
	grace time.Duration
}

// start starts a service. It gets nothing of the caller's environment that a repository's .env could use against the
// connection, no descriptors but its own, and no arguments that tell anything.
func start(program, dir string) (*child, error) {
	if _, err := os.Stat(dir); err != nil { // nothing was recorded yet; the error would be told of the program
		dir = filepath.Dir(program)
	}
	cmd := exec.Command(program, "serve")
	cmd.Dir, cmd.Env = dir, wake.Environ(os.Getenv)
	c := &child{cmd: cmd, exited: make(chan struct{}), grace: childGrace}
	cmd.Stderr = &c.said
	detach(cmd)
	var err error
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	if c.out, err = cmd.StdoutPipe(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	wake.Seal()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	return c, nil
}

// childGrace is how long a child may take to end once its stdin has.
const childGrace = time.Second

func (c *child) Read(p []byte) (int, error)  { return c.out.Read(p) }
func (c *child) Write(p []byte) (int, error) { return c.in.Write(p) }

// Close ends the stream, and so the child. It doesn't wait; end does.
func (c *child) Close() error {
	c.once.Do(func() {
		_ = c.in.Close()
		go func() {
			_ = c.cmd.Wait() // how it ended matters to nobody any more
			close(c.exited)
		}()
	})
	return nil
}

// end waits until the child has ended, and kills one that does not.
func (c *child) end() {
	_ = c.Close()
	timer := time.NewTimer(c.grace)
	defer timer.Stop()
	select {
	case <-c.exited:
		return
	case <-timer.C:
	}
	_ = c.cmd.Process.Kill()
	<-c.exited
}

// explain adds what the child said before it ended to an error.
func (c *child) explain(err error) error {
	if said := c.said.String(); said != "" && errors.Is(err, errGone) {
		return unavailable(fmt.Errorf("%w: %s", err, said))
	}
	return err
}

// tail keeps the beginning of what a program says, for a message.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

const maxTail = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text.Write(p[:min(len(p), max(0, maxTail-t.text.Len()))])
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(strings.Fields(t.text.String()), " ")
}

// startAndGreet starts a child and says hello to it.
func startAndGreet(ctx context.Context, program, dir string, h hello) (*child, *link, welcome, error) {
	c, err := start(program, dir)
	if err != nil {
		return nil, nil, welcome{}, unavailable(err)
	}
	l := newLink(c)
	w, err := l.greet(ctx, h)
	if err != nil {
		l.close()
		c.end()
		return nil, nil, w, c.explain(err)
	}
	return c, l, w, nil
}
