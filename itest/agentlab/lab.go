// Package agentlab is one user's world for the tests that drive real agents: a home, a repository to work in, a boathook to
// install there, processes that see nothing of the tests' own environment, and the log of what hooks recorded, read back
// as a user's script would. It knows no agent; packages for one embed Lab. Only tests import it.
package agentlab

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/procs"
)

// Lab is one user's world. It is for one goroutine.
type Lab struct {
	// Root holds everything else.
	Root string
	// Home is the user's home, Repo a git repository, Work the folder in it that the agent is started in.
	Home, Repo, Work string
	// Bin is the boathook that this lab installs, there from Bring on. A test may damage it.
	Bin string
	// Env is added to the environment of every process of the lab, as "NAME=value".
	Env []string
	// Wrap is what every process of the lab is started with: a program, and what it is given before the command.
	Wrap []string
}

// New makes a lab below a new temporary folder. With a name, everything lives in a folder so called. Processes of its
// boathook are ended with the test.
func New(tb testing.TB, name string) *Lab {
	tb.Helper()
	root := filepath.Join(tempDir(tb), name)
	l := &Lab{
		Root: root, Home: filepath.Join(root, "home"), Repo: filepath.Join(root, "repo"),
		Work: filepath.Join(root, "repo", "sub"), Bin: filepath.Join(root, "bin", "boathook"),
	}
	tb.Cleanup(func() {
		if err := procs.End(filepath.Dir(l.Bin)); err != nil {
			tb.Error(err) // the folder could not be removed
		}
	})
	l.furnish(tb)
	return l
}

// tempDir is like tb.TempDir, but resolves symbolic links, as agents do.
func tempDir(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	Must(tb, err)
	return dir
}

// Refurnish moves home and repository aside and makes new ones in the same place, so that what two runs left behind
// can be compared without a word about paths. It returns where the old home is.
func (l *Lab) Refurnish(tb testing.TB, aside string) string {
	tb.Helper()
	old := filepath.Join(l.Root, aside)
	Must(tb, os.MkdirAll(old, 0o755))
	Must(tb, os.Rename(l.Home, filepath.Join(old, "home")))
	Must(tb, os.Rename(l.Repo, filepath.Join(old, "repo")))
	l.furnish(tb)
	return filepath.Join(old, "home")
}

func (l *Lab) furnish(tb testing.TB) {
	tb.Helper()
	for _, dir := range []string{l.Home, l.Work, filepath.Dir(l.Bin)} {
		Must(tb, os.MkdirAll(dir, 0o755))
	}
	git := exec.Command("git", "init", "-q", l.Repo)
	git.Env = l.Environ()
	if out, err := git.CombinedOutput(); err != nil {
		tb.Fatalf("git init: %v\n%s", err, out)
	}
}

// Environ is the whole environment of a process in the lab; nothing of the tests' own environment but PATH gets in.
func (l *Lab) Environ(extra ...string) []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + l.Home, "TERM=xterm-256color", "LANG=C.UTF-8", "NO_COLOR=1"}
	return append(append(env, l.Env...), extra...)
}

// Write writes a file of the lab and makes its folder.
func (l *Lab) Write(tb testing.TB, path, text string) {
	tb.Helper()
	Must(tb, os.MkdirAll(filepath.Dir(path), 0o755))
	Must(tb, os.WriteFile(path, []byte(text), 0o600))
}

// Bring puts the built boathook into the lab.
func (l *Lab) Bring(tb testing.TB) {
	tb.Helper()
	l.PutBin(tb, build.Boathook(tb))
}

// RemoveBin removes the lab's boathook, whatever it is now.
func (l *Lab) RemoveBin(tb testing.TB) {
	tb.Helper()
	Must(tb, os.RemoveAll(l.Bin))
}

// PutBin puts another program where the lab's boathook was removed from.
func (l *Lab) PutBin(tb testing.TB, program string) {
	tb.Helper()
	b, err := os.ReadFile(program)
	Must(tb, err)
	syscall.ForkLock.RLock() // a process that a test beside starts now would hold the file open, and it could not be run
	defer syscall.ForkLock.RUnlock()
	Must(tb, os.WriteFile(l.Bin, b, 0o755))
}

// EmptyWork removes what the agent's tools made, so that the next session starts as the first did.
func (l *Lab) EmptyWork(tb testing.TB) {
	tb.Helper()
	Must(tb, os.RemoveAll(l.Work))
	Must(tb, os.Mkdir(l.Work, 0o755))
}

// Running are the processes of the lab's own boathook, a worker for example.
func (l *Lab) Running() []int { return procs.Under(filepath.Dir(l.Bin)) }

// WaitIdle waits until none of them is left, for one that is could write again.
func (l *Lab) WaitIdle(tb testing.TB) {
	tb.Helper()
	for deadline := time.Now().Add(time.Minute); len(l.Running()) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Errorf("processes %v of boathook still run", l.Running())
			return
		}
	}
}

// Must fails the test on an error that is none of the product.
func Must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
