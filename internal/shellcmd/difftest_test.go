//go:build unix

package shellcmd

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

var (
	diffCases   = flag.Int("shellcmd.cases", diffDefault, "how many generated texts are run by real shells")
	diffSeed    = flag.Uint64("shellcmd.seed", 1, "the generator's seed")
	diffFlagged = flag.Int("shellcmd.flagged", 5, "how many texts that are only flagged are shown")
	diffOne     = flag.Int("shellcmd.one", -1, "shows one case")
)

// rig is a folder in which generated text runs.
type rig struct {
	dir    string
	shells map[string]string
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{dir: t.TempDir(), shells: map[string]string{}}
	for _, s := range []string{"bash", "dash", "zsh"} {
		if p, err := exec.LookPath(s); err == nil {
			r.shells[s] = p
		}
	}
	if len(r.shells) == 0 {
		t.Skip("there is no shell")
	}
	if err := os.MkdirAll(filepath.Join(r.dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	canary := "#!/bin/sh\nprintf '%s\\0' \"$#\" \"$@\" >>\"$CANARY_LOG\"\n"
	if err := os.WriteFile(filepath.Join(r.dir, "bin", "canary"), []byte(canary), 0o755); err != nil {
		t.Fatal(err)
	}
	return r
}

// run gives the arguments of each time that the program was run.
func (r *rig) run(shell, text string) (runs [][]string, timeout bool) {
	work, err := os.MkdirTemp(r.dir, "w")
	if err != nil {
		return nil, true
	}
	defer os.RemoveAll(work)
	log := work + ".log"
	defer os.Remove(log)
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Second)
	defer cancel()
	args := []string{"-c", text}
	if shell == "zsh" {
		args = []string{"-f", "-c", text}
	}
	c := exec.CommandContext(ctx, r.shells[shell], args...)
	c.Dir = work
	c.Env = []string{"PATH=" + filepath.Join(r.dir, "bin") + ":/usr/bin:/bin", "HOME=/w", "LC_ALL=C.UTF-8", "CANARY_LOG=" + log}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	_ = c.Run()
	b, _ := os.ReadFile(log)
	return records(string(b)), ctx.Err() != nil
}

func records(s string) (runs [][]string) {
	parts := strings.Split(s, "\x00")
	for i := 0; i < len(parts)-1; {
		n, err := strconv.Atoi(parts[i])
		if err != nil || i+1+n > len(parts) {
			return runs
		}
		runs = append(runs, parts[i+1:i+1+n])
		i += 1 + n
	}
	return runs
}

// covers tells whether a command that was found stands for one that ran.
func covers(argv []word.Arg, ran []string) bool {
	if len(argv) == 0 {
		return len(ran) == 0
	}
	a := argv[0]
	if a.Many || a.Glob {
		for n := 0; n <= len(ran); n++ {
			if covers(argv[1:], ran[n:]) {
				return true
			}
		}
		return false
	}
	return len(ran) > 0 && like(a.Text, ran[0]) && covers(argv[1:], ran[1:])
}

func like(text, s string) bool {
	parts := strings.Split(text, word.Unknown)
	if len(parts) == 1 {
		return text == s
	}
	if !strings.HasPrefix(s, parts[0]) {
		return false
	}
	s = s[len(parts[0]):]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(s, p)
		if i < 0 {
			return false
		}
		s = s[i+len(p):]
	}
	return strings.HasSuffix(s, parts[len(parts)-1])
}

func found(r Result, ran []string) bool {
	for _, c := range r.Commands {
		if c.Name() == "canary" && covers(c.Argv[1:], ran) {
			return true
		}
		// A shell takes its script from PATH where it is not in the directory.
		if len(c.Argv) > 1 && interpreter(c.Name()) != "" && covers(c.Argv[1:], append([]string{"canary"}, ran...)) {
			return true
		}
		if len(c.Argv) > 1 && interpreter(c.Name()) != "" && covers(c.Argv[1:], append([]string{"--", "canary"}, ran...)) {
			return true
		}
	}
	return false
}

func anyCanary(r Result) bool {
	for _, c := range r.Commands {
		if c.Name() == "canary" {
			return true
		}
	}
	return false
}

func shellOf(i int) string { return []string{"bash", "zsh", "bash", "dash"}[i%4] }

func caseOf(seed uint64, i int) (shell, text string, data bool) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(i))), shell: shellOf(i)}
	g.data = g.chance(20)
	return g.shell, g.text(), g.data
}

type tally struct {
	sync.Mutex
	ran, unseen, excused, timeouts, data, over, quiet int
	shown                                             int
}

func (y *tally) report(t *testing.T, kind string, i int, shell, text string, runs [][]string, r Result) {
	if y.shown++; y.shown > 15 {
		return
	}
	var b strings.Builder
	for _, c := range r.Commands {
		fmt.Fprintf(&b, "    %q\n", word.Texts(c.Argv))
	}
	t.Errorf("%s, case %d, %s:\n%s\n  ran %q\n  found\n%s  unsure %v", kind, i, shell, text, runs, b.String(), r.Unsure)
}

// TestDifferential compares what is said of generated text with what real shells do with it.
func TestDifferential(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs thousands of shells")
	}
	var y tally
	next := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		r := newRig(t)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				y.compare(t, r, i)
			}
		}()
	}
	if *diffOne >= 0 {
		next <- *diffOne
	} else {
		for i := range *diffCases {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	t.Logf("%d texts ran the program; %d runs unseen, %d only flagged, %d timeouts; %d ran nothing; of %d that are only data %d were taken for a command (%.2f%%)",
		y.ran, y.unseen, y.excused, y.timeouts, y.quiet, y.data, y.over, 100*float64(y.over)/float64(max(y.data, 1)))
	if y.over*100 > y.data*3 {
		t.Errorf("%d of %d texts that are only data were taken for a command", y.over, y.data)
	}
	if y.excused*100 > y.ran*5 {
		t.Errorf("%d of %d texts were only flagged", y.excused, y.ran)
	}
}

func (y *tally) compare(t *testing.T, r *rig, i int) {
	shell, text, data := caseOf(*diffSeed, i)
	if r.shells[shell] == "" {
		return
	}
	res := Parse(text, Options{Dialect: shell, Dir: "/w", Home: "/w"})
	runs, timeout := r.run(shell, text)
	y.Lock()
	defer y.Unlock()
	if *diffOne >= 0 {
		y.report(t, "shown", i, shell, text, runs, res)
	}
	if timeout {
		y.timeouts++
		t.Logf("case %d, %s, takes too long:\n%s", i, shell, text)
	}
	if len(runs) == 0 {
		y.quiet++
		if data {
			y.data++
			if anyCanary(res) {
				y.over++
				y.report(t, "data taken for a command", i, shell, text, runs, res)
			}
		}
		return
	}
	y.ran++
	for _, ran := range runs {
		if found(res, ran) {
			continue
		}
		if len(res.Unsure) > 0 {
			y.excused++
			if *diffOne < 0 && y.excused < *diffFlagged {
				t.Logf("only flagged, case %d, %s:\n%s\n  ran %q, unsure %v", i, shell, text, ran, res.Unsure)
			}
			return
		}
		y.unseen++
		y.report(t, "unseen", i, shell, text, runs, res)
		return
	}
}
