package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/off"
)

// bench is a home whose clock the test moves.
type switchBench struct {
	t    *testing.T
	home string
	dir  string
	now  time.Time
}

func newSwitchBench(t *testing.T, settings string) *switchBench {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &switchBench{t: t, home: home, dir: home, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	b.mkdir(".config/boathook")
	if err := os.WriteFile(b.config(), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *switchBench) config() string { return filepath.Join(b.home, ".config/boathook/config.toml") }

func (b *switchBench) mkdir(name string) string {
	b.t.Helper()
	path := filepath.Join(b.home, name)
	if err := os.MkdirAll(path, 0o700); err != nil {
		b.t.Fatal(err)
	}
	return path
}

func (b *switchBench) run(args ...string) (code int, stdout, stderr string) {
	b.t.Helper()
	var out, errs bytes.Buffer
	env := testEnv(b.home)
	env.Dir, env.Now = b.dir, func() time.Time { return b.now }
	env.Stdin, env.Stdout, env.Stderr = strings.NewReader(""), &out, &errs
	code = Run(context.Background(), env, args)
	return code, strings.Join(strings.Fields(out.String()), " "), errs.String()
}

func (b *switchBench) state() off.State {
	b.t.Helper()
	s, err := off.Load(b.config())
	if err != nil {
		b.t.Fatal(err)
	}
	return s.Current(off.At(b.now))
}

func TestOffAndOn(t *testing.T) {
	b := newSwitchBench(t, "")
	for _, tc := range []struct {
		args string
		want string
		off  bool
	}{
		{"on", "on: nothing is switched off", false},
		{"off", "off everywhere until 'boathook on': hooks answer neutrally", true},
		{"off", "off everywhere until 'boathook on'", true},
		{"off --for 90m", "off everywhere until 2026-03-01 13:30:00 (1 h 30 min): hooks", true},
		{"off --for 2d", "until 2026-03-03 12:00:00 (2 d)", true},
		{"on", "on: nothing is switched off", false},
		{"on", "on: nothing is switched off", false},
	} {
		code, out, errs := b.run(strings.Fields(tc.args)...)
		if code != exitOK || errs != "" || !strings.Contains(out, tc.want) || (b.state().All != nil) != tc.off {
			t.Errorf("%s: %d %q %q", tc.args, code, out, errs)
		}
	}
	b.run("off", "--for", "1h")
	b.now = b.now.Add(time.Hour)
	if _, out, _ := b.run("off", "--project", "--json"); strings.Contains(out, `"off":true`) {
		t.Errorf("after the hour: %s", out)
	}
}

// TestOffInOneProject: the repository around the working directory, or the directory that is named; by whatever name.
func TestOffInOneProject(t *testing.T) {
	b := newSwitchBench(t, "")
	repo, deep, other := b.mkdir("repo"), b.mkdir("repo/a/b"), b.mkdir("other dir")
	b.mkdir("repo/.git")
	if err := os.Symlink(repo, filepath.Join(b.home, "link")); err != nil {
		t.Fatal(err)
	}
	b.dir = deep
	if code, out, errs := b.run("off", "--project"); code != exitOK || !strings.Contains(out, "off in "+repo+" until 'boathook on --project "+repo+"'") || !strings.Contains(out, "on everywhere else") {
		t.Errorf("%d %q %q", code, out, errs)
	}
	b.dir = b.home
	if code, _, errs := b.run("off", "--project", "--for", "1h", "link"); code != exitOK || len(b.state().Projects) != 1 || b.state().Projects[repo].Until.IsZero() {
		t.Errorf("%d %q %+v", code, errs, b.state())
	}
	b.run("off", "--project", other)
	code, out, _ := b.run("off", "--json")
	var got switched
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitOK {
		t.Fatalf("%v: %s", err, out)
	}
	if !got.Off || !got.Until.IsZero() || len(got.Projects) != 2 || got.Projects[0].Dir != other || got.Projects[1].Dir != repo || got.File != off.Path(b.config()) {
		t.Errorf("%+v", got)
	}
	b.dir = deep
	if _, out, _ := b.run("on", "--project"); !strings.Contains(out, "off everywhere") || strings.Contains(out, "off in "+repo) {
		t.Errorf("%s", out)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	if b.run("on", "--project", other); len(b.state().Projects) != 0 || b.state().All == nil {
		t.Errorf("%+v", b.state())
	}
}

// TestLogSaysThatHooksAreOff: whoever misses records is told.
func TestLogSaysThatHooksAreOff(t *testing.T) {
	b := newSwitchBench(t, "")
	play := b.mkdir("play")
	if _, _, errs := b.run("log"); strings.Contains(errs, "off") {
		t.Errorf("%q", errs)
	}
	b.run("off", "--project", play)
	if _, _, errs := b.run("log"); strings.Contains(errs, "off") {
		t.Errorf("outside it: %q", errs)
	}
	b.dir = play
	if _, _, errs := b.run("log"); !strings.Contains(errs, "hooks are off in "+play+" until 'boathook on --project "+play+"'") {
		t.Errorf("in it: %q", errs)
	}
	b.run("off", "--for", "1h")
	if _, _, errs := b.run("log"); !strings.Contains(errs, "hooks are off everywhere until 2026-03-01 13:00:00 (1 h)") {
		t.Errorf("%q", errs)
	}
}

func TestOffThatIsRefused(t *testing.T) {
	b := newSwitchBench(t, "[off]\nswitch = \"refused\"\n")
	code, out, errs := b.run("off", "--for", "1h")
	if code != exitRefused || out != "" || !strings.Contains(errs, "off.switch is refused ("+b.config()+")") {
		t.Errorf("%d %q %q", code, out, errs)
	}
	if _, err := os.Lstat(off.Path(b.config())); err == nil {
		t.Error("it is written all the same")
	}
}

func TestProjectsOfTheConfig(t *testing.T) {
	b := newSwitchBench(t, "")
	play := b.mkdir("play")
	if err := os.WriteFile(b.config(), []byte("[off]\nprojects = [\"~/play\"]\n[guard]\nfail = \"closed\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := b.run("on", "--project", play)
	if code != exitRefused || !strings.Contains(out, "off in "+play+", by off.projects ("+b.config()+")") || !strings.Contains(errs, "take it out of off.projects") {
		t.Errorf("%d %q %q", code, out, errs)
	}
	if !strings.Contains(errs, "guard.fail = closed does not count") {
		t.Errorf("%q", errs)
	}
}

func TestOffArguments(t *testing.T) {
	b := newSwitchBench(t, "")
	for args, want := range map[string]string{
		"off here":                  `"here" is one`,
		"off --project a b":         `"b" is one`,
		"off --for 0s":              "--for wants a time from 1s to 366d",
		"off --for 400d":            "--for wants a time from 1s to 366d",
		"off --for -1h":             "--for wants a time from 1s to 366d",
		"off --for soon":            "--for wants a time from 1s to 366d",
		"on --for 1h":               "unknown flag: --for",
		"off --project missing":     "find project: ",
		"off --config missing.toml": "",
	} {
		code, _, errs := b.run(strings.Fields(args)...)
		if code == exitOK || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %q", args, code, errs)
		}
	}
	if s := b.state(); s.All != nil || s.Projects != nil {
		t.Errorf("%+v", s)
	}
}

// TestABrokenSwitchIsReplaced: it had no effect, and says so.
func TestABrokenSwitchIsReplaced(t *testing.T) {
	b := newSwitchBench(t, "")
	if err := os.WriteFile(off.Path(b.config()), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs := b.run("off")
	if code != exitOK || !strings.Contains(errs, "nothing was off by it") || b.state().All == nil {
		t.Errorf("%d %q", code, errs)
	}
}

// TestOffInNoProject: an empty name, as of a variable that is not set, is none.
func TestOffInNoProject(t *testing.T) {
	b := newSwitchBench(t, "")
	for _, command := range []string{"off", "on"} {
		if code, _, errs := b.run(command, "--project", ""); code != exitUsage || !strings.Contains(errs, "the directory behind --project is empty") {
			t.Errorf("%s: exit %d, %s", command, code, errs)
		}
	}
	if s := b.state(); s.All != nil || len(s.Projects) > 0 {
		t.Errorf("%+v", s)
	}
}

// TestOffInManyProjectsAtOnce: none is lost.
func TestOffInManyProjectsAtOnce(t *testing.T) {
	b := newSwitchBench(t, "")
	var wg sync.WaitGroup
	for n := range 20 {
		dir := b.mkdir("p" + strconv.Itoa(n))
		wg.Go(func() {
			if code, _, errs := b.run("off", "--project", dir); code != exitOK {
				t.Errorf("exit %d, %s", code, errs)
			}
		})
	}
	wg.Wait()
	if s := b.state(); len(s.Projects) != 20 {
		t.Errorf("%d are off", len(s.Projects))
	}
}
