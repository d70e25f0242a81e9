//go:build unix

package hookrun

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary play the program: "hook …" is the hook, "worker … --data DIR" a worker that writes down
// what it was given and goes on until DIR/go is there, if it is told to drain.
func TestMain(m *testing.M) {
	diskTime, maskTime, judgeTime, factTime, claimTime = 10*time.Second, 10*time.Second, 10*time.Second, 10*time.Second, 10*time.Second // what they protect from is not slow machines
	switch {
	case len(os.Args) > 1 && os.Args[1] == "hook":
		os.Exit(Main(os.Args[2:], nil))
	case len(os.Args) > 1 && os.Args[1] == "worker":
		playWorker(os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func playWorker(args []string) {
	dir := args[slices.Index(args, "--data")+1]
	kind := "worker"
	if args[1] == "drain" {
		kind = "drain"
	}
	seen := strings.Join(append([]string{strings.Join(args, " "), fmt.Sprint(os.Getuid())}, os.Environ()...), "\n")
	tmp := filepath.Join(dir, fmt.Sprint("seen.", os.Getpid()))
	_ = os.WriteFile(tmp, []byte(seen), 0o600)
	_ = os.Rename(tmp, filepath.Join(dir, "seen."+kind))
	for end := time.Now().Add(time.Minute); kind == "drain" && time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "go")); err == nil {
			_ = os.WriteFile(filepath.Join(dir, "went"), nil, 0o600)
			return
		}
	}
}

// process is a hook as a process of its own.
func (l *lab) process(event string, wired bool, env ...string) *exec.Cmd {
	args := []string{"hook", "--agent", "gemini", "--event", event}
	if wired {
		args = append(args, "--config", l.config)
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append([]string{"HOME=" + l.home, "PATH=" + os.Getenv("PATH")}, env...)
	cmd.Stdin = strings.NewReader("{}")
	return cmd
}

func (l *lab) seen(t *testing.T, kind string) []string {
	t.Helper()
	path := filepath.Join(l.data, "seen."+kind)
	wait(t, path)
	text, err := os.ReadFile(path)
	must(t, err)
	return strings.Split(string(text), "\n")
}

func wait(t *testing.T, path string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
	t.Fatalf("%s does not come", path)
}

// TestWhatTheWorkerGetsOfTheEnvironment: with a config nothing but the home; where the environment has a say, exactly the
// variables of the settings, of proxies and of certificates.
func TestWhatTheWorkerGetsOfTheEnvironment(t *testing.T) {
	settings := []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_TRACES_HEADERS=a=b", "PINTA_RELAY_TOKEN=t", "PINTA_GUARD_DISABLED=1",
		"HTTPS_PROXY=http://127.0.0.1:2", "no_proxy=x", "SSL_CERT_FILE=/ca.pem",
	}
	for _, tc := range []struct {
		name, settings, args string
		wired, all           bool
	}{
		{"a config", "", "--config CONFIG", true, false},
		{"a config that trusts", "environment = 'trusted'\n", "--config CONFIG", true, true},
		{"no config", "", "--no-config", false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t, tc.settings)
			given := append([]string{"API_KEY=secret", "PINTA_OTHER=x", "GODEBUG=x=1"}, settings...)
			if !tc.wired {
				given = append(given, "GEMINI_PLUGIN_DATA="+l.data)
			}
			out, err := l.process("SessionStart", tc.wired, given...).CombinedOutput()
			if err != nil || string(out) != "{}\n" {
				t.Fatalf("%s, %v", out, err)
			}
			seen := l.seen(t, "worker")
			if want := "worker --data " + l.data + " " + strings.ReplaceAll(tc.args, "CONFIG", l.config); seen[0] != want {
				t.Errorf("called as %q, want %q", seen[0], want)
			}
			want := []string{"HOME=" + l.home}
			if tc.all {
				want = append(want, settings...)
				want = append(want, "PATH="+os.Getenv("PATH"))
			}
			if !tc.wired {
				want = append(want, "GEMINI_PLUGIN_DATA="+l.data)
			}
			got := seen[2:]
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("got %q\nwant %q", got, want)
			}
		})
	}
}

// TestFlushAtTheEndOfASession: the answer is out before anybody waits, and then the hook waits for the drain.
func TestFlushAtTheEndOfASession(t *testing.T) {
	l := newLab(t, "hook.flush_ms = 10000\nhook.deadline_ms = 12000\n")
	cmd := l.process("SessionEnd", true)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	r := bufio.NewReader(stdout)
	if line, err := r.ReadString('\n'); err != nil || line != "{}\n" {
		t.Errorf("answer %q, %v", line, err)
	}
	seen := l.seen(t, "drain")
	for _, part := range []string{"worker drain --wait ", " --data " + l.data + " --config " + l.config} {
		if !strings.Contains(seen[0], part) {
			t.Errorf("called as %q", seen[0])
		}
	}
	must(t, os.WriteFile(filepath.Join(l.data, "go"), nil, 0o600))
	if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
		t.Errorf("then %q, %v", rest, err)
	}
	must(t, cmd.Wait())
	if _, err := os.Stat(filepath.Join(l.data, "went")); err != nil {
		t.Errorf("the hook did not wait: %v", err)
	}
}

// TestFlushHasItsLimit: a drain that takes longer goes on alone, without the agent's pipe.
func TestFlushHasItsLimit(t *testing.T) {
	l := newLab(t, "hook.flush_ms = 150\n")
	out, err := l.process("SessionEnd", true).CombinedOutput() // ends with the pipe
	if err != nil || string(out) != "{}\n" {
		t.Fatalf("%q, %v", out, err)
	}
	l.seen(t, "drain")
	if _, err := os.Stat(filepath.Join(l.data, "went")); err == nil {
		t.Error("the drain had ended")
	}
	must(t, os.WriteFile(filepath.Join(l.data, "go"), nil, 0o600))
	wait(t, filepath.Join(l.data, "went"))
}

// TestWhenAHookFlushes: at a session's end, where it is wanted, within the deadline.
func TestWhenAHookFlushes(t *testing.T) {
	const flush = "hook.flush_ms = 3000\n"
	for _, tc := range []struct {
		name, settings, agent, event, payload string
		want                                  time.Duration
	}{
		{"a session's end", flush, "gemini", "SessionEnd", `{}`, 3 * time.Second},
		{"within the deadline", flush + "hook.deadline_ms = 2000\n", "gemini", "SessionEnd", `{}`, 2 * time.Second},
		{"not wanted", "", "gemini", "SessionEnd", `{}`, 0},
		{"a turn's end", flush, "gemini", "AfterAgent", `{}`, 0},
		{"Antigravity rests", flush, "antigravity", "Stop", `{"fullyIdle":true}`, 3 * time.Second},
		{"Antigravity goes on", flush, "antigravity", "Stop", `{"fullyIdle":false}`, 0},
		{"Antigravity does not say", flush, "antigravity", "Stop", `{}`, 0},
	} {
		l := newLab(t, tc.settings)
		got := Run(l.env(strings.NewReader(tc.payload)), []string{"--agent", tc.agent, "--event", tc.event, "--config", l.config})
		if got.Flush != tc.want || tc.want > 0 && (got.Worker.DataDir != l.data || got.Worker.Config != l.config) {
			t.Errorf("%s: %v by %+v", tc.name, got.Flush, got.Worker)
		}
	}
}

// TestRootActsAsTheOwner: what root's hook leaves in another user's data belongs to that user, its worker's too.
func TestRootActsAsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED LOUDLY: to act as somebody else takes root")
	}
	const nobody = 65534
	for _, there := range []bool{true, false} {
		l := newLab(t, "[audit]\nenabled = true\n")
		for dir := l.home; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
			must(t, os.Chmod(dir, 0o755))
		}
		exe := filepath.Join(l.home, "boathook")
		text, err := os.ReadFile(os.Args[0])
		must(t, err)
		must(t, os.WriteFile(exe, text, 0o755))
		must(t, os.Chown(l.home, nobody, nobody))
		must(t, os.Chown(l.config, nobody, nobody))
		if there {
			must(t, os.Mkdir(l.data, 0o700))
			must(t, os.Chown(l.data, nobody, nobody))
		}
		cmd := l.process("SessionStart", true)
		cmd.Path = exe
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "{}\n" {
			t.Fatalf("%q, %v", out, err)
		}
		if seen := l.seen(t, "worker"); seen[1] != fmt.Sprint(nobody) {
			t.Errorf("the worker is user %s", seen[1])
		}
		files := 0
		must(t, filepath.WalkDir(l.data, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			if st := info.Sys().(*syscall.Stat_t); st.Uid != nobody || st.Gid != nobody {
				t.Errorf("%s belongs to %d:%d", path, st.Uid, st.Gid)
			}
			if !d.IsDir() {
				files++
			}
			return nil
		}))
		if len(l.records(t)) != 1 || files < 4 { // record, key, audit log, stamp, what the worker wrote
			t.Errorf("%d records, %d files", len(l.records(t)), files)
		}
	}
}

// TestRootThatCannotActAsTheOwnerWritesNothing: the answer comes all the same.
func TestRootThatCannotActAsTheOwnerWritesNothing(t *testing.T) {
	url, _ := serveGuard(t, deniedBody)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n")
	env := l.env(strings.NewReader(rm))
	env.Yield = func(paths ...string) error {
		if !slices.Equal(paths, []string{l.config, l.data}) {
			t.Errorf("asked for %s", paths)
		}
		return os.ErrPermission
	}
	if got := string(Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config}).Stdout); !strings.Contains(got, `"deny"`) {
		t.Errorf("%s", got)
	}
	l.untouched(t)
}
