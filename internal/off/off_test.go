package off

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 500, time.UTC)

func config(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "boathook", "config.toml")
}

// TestInForce: by the calendar and by the time since the machine's start, whichever ends first.
func TestInForce(t *testing.T) {
	begin := Clock{Now: noon, Up: 100 * time.Hour}
	hour := begin.Begin(time.Hour)
	for _, tc := range []struct {
		name   string
		now    time.Duration
		up     time.Duration
		during bool
	}{
		{"at once", 0, 0, true},
		{"a moment before the end", time.Hour - time.Second, time.Hour - time.Second, true},
		{"the end", time.Hour, time.Hour, false},
		{"long after", 1000 * time.Hour, 1000 * time.Hour, false},
		{"the calendar is set back before the begin", -time.Minute, time.Minute, false},
		{"the calendar is set back, and the hour is over", 10 * time.Minute, time.Hour, false},
		{"the calendar is set back, and the hour is not over", 10 * time.Minute, 50 * time.Minute, true},
		{"the calendar is set forward", 2 * time.Hour, time.Minute, false},
		{"the machine has restarted", 30 * time.Minute, -99 * time.Hour, true},
		{"the machine has restarted, and the hour is over", 2 * time.Hour, -99 * time.Hour, false},
	} {
		at := Clock{Now: noon.Add(tc.now), Up: begin.Up + tc.up}
		if got := hour.InForce(at); got != tc.during {
			t.Errorf("%s: in force %v", tc.name, got)
		}
		if !begin.Begin(0).InForce(at) {
			t.Errorf("%s: what is off for good is on", tc.name)
		}
	}
	if unknown := (Clock{Now: noon}).Begin(time.Hour); !unknown.InForce(Clock{Now: noon.Add(time.Minute)}) {
		t.Error("without the time since the start the calendar counts alone")
	}
}

func TestTheSystemsClockRuns(t *testing.T) {
	if a, b := At(noon), At(noon); a.Up <= 0 || b.Up < a.Up {
		t.Errorf("up %v, then %v", a.Up, b.Up)
	}
}

func TestSaveAndLoad(t *testing.T) {
	path, c := config(t), At(noon)
	if s, err := Load(path); err != nil || s.All != nil || s.Projects != nil {
		t.Fatalf("nothing there: %+v, %v", s, err)
	}
	all, project := c.Begin(time.Hour), c.Begin(0)
	want := State{V: Version, All: &all, Projects: map[string]Span{"/p": project}}
	ended := Span{Since: noon.Add(-2 * time.Hour), Until: noon.Add(-time.Hour)}
	if err := Save(path, State{All: &all, Projects: map[string]Span{"/p": project, "/ended": ended}}, c); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(Path(path))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left beside it: %v", entries)
	}
	for range 2 {
		if err := Save(path, State{}, c); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Lstat(Path(path)); !os.IsNotExist(err) {
		t.Errorf("with nothing off there is a file: %v", err)
	}
}

// TestWhatCannotBeReadSwitchesNothingOff: links, devices, nonsense, another version.
func TestWhatCannotBeReadSwitchesNothingOff(t *testing.T) {
	good := `{"v":1,"all":{"since":"2026-03-01T12:00:00Z"}}`
	for name, plant := range map[string]func(path string) error{
		"a link": func(path string) error {
			target := path + ".target"
			if err := os.WriteFile(target, []byte(good), 0o600); err != nil {
				return err
			}
			return os.Symlink(target, path)
		},
		"a directory":     func(path string) error { return os.Mkdir(path, 0o700) },
		"nonsense":        func(path string) error { return os.WriteFile(path, []byte("off"), 0o600) },
		"nothing":         func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"another version": func(path string) error { return os.WriteFile(path, []byte(strings.Replace(good, "1", "2", 1)), 0o600) },
		"a list":          func(path string) error { return os.WriteFile(path, []byte("[]"), 0o600) },
		"too long":        func(path string) error { return os.WriteFile(path, []byte(good+strings.Repeat(" ", maxFile)), 0o600) },
	} {
		path := config(t)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := plant(Path(path)); err != nil {
			t.Fatal(err)
		}
		if s, err := Load(path); err == nil || s.All != nil {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	if Path("relative/config.toml") != "" || Path("") != "" {
		t.Error("a file in the working directory is read")
	}
}

// TestALinkIsReplacedNotFollowed: whoever plants one chooses no file that is written.
func TestALinkIsReplacedNotFollowed(t *testing.T) {
	path, c := config(t), At(noon)
	target := filepath.Join(t.TempDir(), "precious")
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(target, []byte("mine"), 0o600))
	must(t, os.Symlink(target, Path(path)))
	all := c.Begin(0)
	must(t, Save(path, State{All: &all}, c))
	if text, err := os.ReadFile(target); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	if s, err := Load(path); err != nil || s.All == nil {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestIn(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	at := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
	for _, dir := range []string{at("a", "b", "deep", "er"), at("a", "bc"), at("elsewhere", "sub")} {
		must(t, os.MkdirAll(dir, 0o700))
	}
	must(t, os.WriteFile(at("a", "file"), nil, 0o600))
	must(t, os.Symlink(at("a", "b"), at("link")))
	must(t, os.Symlink(at("elsewhere"), at("a", "b", "out")))
	project := []string{at("gone"), "relative", at("a", "b")}
	for _, tc := range []struct {
		dir string
		in  bool
	}{
		{at("a", "b"), true},
		{at("a", "b") + "/", true},
		{at("a", "b", "deep", "er"), true},
		{at("a", "b", "..", "b", "deep"), true},
		{at("link"), true},
		{at("link", "deep"), true},
		{at("a", "bc"), false},
		{at("a"), false},
		{at("a", "b", "out", "sub"), false}, // its files are elsewhere
		{at("a", "b", "missing"), false},
		{at("gone"), false},
		{"relative", false},
		{"", false},
	} {
		if got, in := In(tc.dir, project); in != tc.in || in && got != at("a", "b") {
			t.Errorf("%s: %q, %v", tc.dir, got, in)
		}
	}
	if _, in := In(at("a", "b", "deep"), []string{at("link")}); !in {
		t.Error("a project that is named by a link is not found")
	}
	if _, in := In(at("a", "b"), nil); in {
		t.Error("in none of no projects")
	}
	must(t, os.Mkdir(at("Case"), 0o700))
	_, same := os.Stat(at("case"))
	if _, in := In(at("Case"), []string{at("case")}); in != (same == nil) {
		t.Errorf("in %v, though the file system says %v", in, same)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"v":1,"all":{"since":"2026-03-01T12:00:00Z","until":"2026-03-01T13:00:00Z","uptime_ms":5},"projects":{"/a":{}}}`))
	f.Add([]byte(`{"v":1,"all":null,"projects":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			return
		}
		c := At(noon)
		if s.V != Version {
			t.Fatalf("version %d", s.V)
		}
		for dir, span := range s.Current(c).Projects {
			if !span.InForce(c) {
				t.Fatalf("%s has ended", dir)
			}
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
