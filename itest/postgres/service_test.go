package postgres_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/postgres"
)

// machine is a home whose memory is on a server, used by the built programs alone.
type machine struct {
	*testing.T
	boathook, home, data string
}

func newMachine(t *testing.T, dsn string) *machine {
	t.Helper()
	home, err := os.MkdirTemp("", "bhs") // short enough for a socket
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(home) })
	m := &machine{T: t, boathook: build.Boathook(t), home: home, data: filepath.Join(home, "data")}
	must(t, os.Mkdir(m.data, 0o700))
	config := filepath.Join(home, ".config", "boathook")
	must(t, os.MkdirAll(config, 0o700))
	must(t, os.WriteFile(filepath.Join(config, "config.toml"), fmt.Appendf(nil, "data_dir = %q\n[memory]\nenabled = true\nprovider = \"postgres\"\n", m.data), 0o600))
	must(t, os.WriteFile(filepath.Join(config, "boathook.env"), []byte("BOATHOOK_MEMORY_DSN="+dsn+"\n"), 0o600))
	return m
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (m *machine) command(args ...string) *exec.Cmd {
	cmd := exec.Command(m.boathook, args...)
	cmd.Dir, cmd.Env = m.home, []string{"HOME=" + m.home, "PATH=" + os.Getenv("PATH")}
	return cmd
}

// ask runs a command that has to go well.
func (m *machine) ask(args ...string) {
	m.Helper()
	out, err := m.command(args...).CombinedOutput()
	if err != nil {
		m.Fatalf("boathook %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// took is the best time of some runs.
func (m *machine) took(args ...string) time.Duration {
	m.Helper()
	best := time.Hour
	for range 15 {
		began := time.Now()
		m.ask(args...)
		best = min(best, time.Since(began))
	}
	return best
}

// TestService: while a worker runs, its service answers what asks for memory; without one each starts its own. Killed, it comes back;
// it ends with the worker, and leaves nothing.
func TestService(t *testing.T) {
	t.Cleanup(build.Cleanup)
	m := newMachine(t, postgres.Start(t, postgres.Options{Version: 17, Vector: true}).DSN)
	m.ask("memory", "migrate")
	own := m.took("memory", "stats", "--json")

	worker := m.command("worker", "--foreground")
	var said bytes.Buffer
	worker.Stderr = &said
	must(t, worker.Start())
	socket, held := filepath.Join(m.data, "memory.sock"), filepath.Join(m.data, "memory.lock")
	appears := func() (pid int) {
		for tries := 0; pid == 0 && tries < 6000; tries++ {
			time.Sleep(10 * time.Millisecond)
			if _, err := os.Lstat(socket); err == nil && lock.Held(held) {
				pid, _ = lock.Holder(held)
			}
		}
		if pid == 0 {
			t.Fatalf("there is no service: %s", said.String())
		}
		return pid
	}
	first := appears()
	warm := m.took("memory", "stats", "--json")
	t.Logf("memory stats with a service of its own %v, by the worker's %v", own, warm)

	must(t, syscall.Kill(first, syscall.SIGKILL))
	m.ask("memory", "stats", "--json")
	for appears() == first {
		time.Sleep(10 * time.Millisecond)
	}
	arguments, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", appears()))
	environment, eerr := os.ReadFile(fmt.Sprintf("/proc/%d/environ", appears()))
	if err != nil || eerr != nil || strings.Contains(string(arguments)+string(environment), "postgres://") {
		t.Errorf("the service's arguments are %q, its environment %q (%v, %v)", arguments, environment, err, eerr)
	}
	must(t, worker.Process.Signal(syscall.SIGTERM))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	context.AfterFunc(ctx, func() { _ = worker.Process.Kill() })
	must(t, worker.Wait())
	if _, err := os.Lstat(socket); err == nil || lock.Held(held) {
		t.Errorf("after the worker the socket is there (%v), or the lock is held (%v)", err == nil, lock.Held(held))
	}
}
