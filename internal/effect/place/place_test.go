package place_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

func linux() *place.Machine {
	return &place.Machine{OS: "linux", Home: "/home/dev", Dir: "/home/dev/shop", Project: "/home/dev/shop", Temp: []string{"/run/user/1000/tmp", "/home"}}
}

func darwin() *place.Machine {
	return &place.Machine{OS: "darwin", Home: "/Users/dev", Dir: "/Users/dev/shop", Project: "/Users/dev/shop"}
}

func windows() *place.Machine {
	return &place.Machine{OS: "windows", Home: `C:\Users\dev`, Dir: `C:\Users\dev\shop`, Project: `C:\Users\dev\shop`}
}

// shown is a spot in a line: its path, its place, and what else is said of it.
func shown(s place.Spot) string {
	out := strings.ReplaceAll(s.Path, word.Unknown, "?") + " " + string(s.Where)
	for _, f := range [...]struct {
		on   bool
		name string
	}{{s.Glob, "glob"}, {s.All, "all"}, {s.Dynamic, "dynamic"}, {s.Stream, "stream"}} {
		if f.on {
			out += " " + f.name
		}
	}
	if s.Link {
		out += " → " + s.Real
	}
	return out
}

// The words have % for a part that is not known; one with * is a pattern.
var places = []struct{ dir, text, want string }{
	{"", "src/a.go", "/home/dev/shop/src/a.go inside"},
	{"", "./src//./a.go", "/home/dev/shop/src/a.go inside"},
	{"", ".", "/home/dev/shop project"},
	{"", "./", "/home/dev/shop project"},
	{"", "src/..", "/home/dev/shop project"},
	{"", "../shop", "/home/dev/shop project"},
	{"", "..", "/home/dev home"},
	{"", "../..", "/home home"},
	{"", "../../..", "/ root"},
	{"", "../../../../../..", "/ root"},
	{"", "../other", "/home/dev/other user"},
	{"", "/", "/ root"},
	{"", "//", "/ root"},
	{"", "/.", "/ root"},
	{"", "/home/dev/../../", "/ root"},
	{"", "/tmp/../etc", "/etc system"},
	{"", "/home/dev/", "/home/dev home"},
	{"", "/home", "/home home"},
	{"", "/home/bob", "/home/bob home"},
	{"", "/home/bob/x", "/home/bob/x home"},
	{"", "/root", "/root home"},
	{"", "~", "/home/dev home"},
	{"", "~/x", "/home/dev/x user"},
	{"", "~bob/x", "/home/bob/x home"},
	{"", "/tmp", "/tmp system"},
	{"", "/tmp/x", "/tmp/x temp"},
	{"", "/var/tmp/x", "/var/tmp/x temp"},
	{"", "/dev/shm/x", "/dev/shm/x temp"},
	{"", "/run/user/1000/tmp/x", "/run/user/1000/tmp/x temp"},
	{"", "/home/x", "/home/x home"}, // a TMPDIR that holds the home is none
	{"", "/etc/passwd", "/etc/passwd system"},
	{"", "/usr/local/bin/x", "/usr/local/bin/x system"},
	{"", "/data/x", "/data/x elsewhere"},
	{"", "/mnt/disk", "/mnt/disk elsewhere"},
	{"", "/app", "/app elsewhere"},
	{"", ".git", "/home/dev/shop/.git vcs"},
	{"", "sub/.git/config", "/home/dev/shop/sub/.git/config vcs"},
	{"", ".github/workflows", "/home/dev/shop/.github/workflows inside"},
	{"", "/dev/null", "/dev/null system stream"},
	{"", "/dev/fd/3", "/dev/fd/3 system stream"},
	{"", "/dev/sda", "/dev/sda system"},
	{"", "/proc/self/cwd/x", "/home/dev/shop/x inside"},
	{"", "/proc/self/cwd", "/home/dev/shop project"},
	{"", "/proc/self/root/etc", "/etc system"},
	{"", "/proc/1/root", "/ root"},
	{"", "/proc/self/task/1/root/home", "/home home"},
	{"", "/proc/cpuinfo", "/proc/cpuinfo system"},
	{"", "file:///etc/passwd", "/etc/passwd system"},
	{"", "", " unknown"},

	{"", "*", "/home/dev/shop/* project glob all"},
	{"", "./*", "/home/dev/shop/* project glob all"},
	{"", ".*", "/home/dev/shop/.* project glob all"},
	{"", "*/", "/home/dev/shop/* project glob all"},
	{"", "**", "/home/dev/shop/** project glob all"},
	{"", "*.log", "/home/dev/shop/*.log inside glob"},
	{"", "src/*", "/home/dev/shop/src/* inside glob all"},
	{"", "../*", "/home/dev/* home glob all"},
	{"", "/*", "/* root glob all"},
	{"", "~/*", "/home/dev/* home glob all"},
	{"", "~/.*", "/home/dev/.* home glob all"},
	{"", "~/D*", "/home/dev/D* user glob"},
	{"", "/tmp/*", "/tmp/* temp glob all"},
	{"", "/tmp/x*", "/tmp/x* temp glob"},
	{"", "/usr/*", "/usr/* system glob all"},
	{"", "/home/*", "/home/* home glob all"},
	{"", "/home/*/x", "/home/*/x home glob"},
	{"", "/home/d*", "/home/d* home glob"},
	{"", "/u*", "/u* system glob"},
	{"", "/*/x", "/*/x system glob"},
	{"", "*/node_modules", "/home/dev/shop/*/node_modules inside glob"},

	{"", "%", "? unknown dynamic"},
	{"", "%/x", "?/x unknown dynamic"},
	{"", "%/*", "?/* unknown glob all dynamic"},
	{"", "/%", "/? root dynamic"},
	{"", "/%/x", "/?/x system dynamic"},
	{"", "/tmp/%", "/tmp/? temp dynamic"},
	{"", "/tmp/%/x", "/tmp/?/x temp dynamic"},
	{"", "/tmp/%/../x", "/tmp/x unknown dynamic"},
	{"", "/home/%", "/home/? home dynamic"},
	{"", "~/%", "/home/dev/? user dynamic"},
	{"", "src/%", "/home/dev/shop/src/? inside dynamic"},
	{"", "/usr/%", "/usr/? system dynamic"},

	{"/tmp/w", "x", "/tmp/w/x temp"},
	{"/", "*", "/* root glob all"},
	{"/home/dev", "shop", "/home/dev/shop project"},
	{"/home/dev/shop/src", "..", "/home/dev/shop project"},
	{"%", "x", "?/x unknown"},
	{"/tmp/%", "x", "/tmp/?/x temp dynamic"},
}

func arg(text string) word.Arg {
	return word.Arg{Text: strings.ReplaceAll(text, "%", word.Unknown), Glob: strings.Contains(text, "*")}
}

func TestPlace(t *testing.T) {
	for _, tt := range places {
		m := linux()
		dir := tt.dir
		if dir == "" {
			dir = m.Dir
		}
		if got := shown(m.Place(arg(tt.text), arg(dir), place.Entry)); got != tt.want && dir != "%" {
			t.Errorf("%q in %q: %s, want %s", tt.text, dir, got, tt.want)
		}
	}
}

func TestPlaceAdrift(t *testing.T) {
	m := &place.Machine{OS: "linux", Home: "/home/dev"}
	for _, tt := range []struct{ dir, text, want string }{
		{"", "src/x", "src/x inside"}, {"", ".git", ".git vcs"}, {"", ".", ". unknown dynamic"}, {"", "*", "* unknown glob all dynamic"},
		{"", "../x", "x unknown dynamic"}, {"%", "build", "build inside"}, {"sub", "x", "sub/x inside"}, {"sub", "../../x", "x unknown dynamic"},
		{"", "/etc", "/etc system"}, {"", "a/../../b", "b unknown dynamic"},
	} {
		if got := shown(m.Place(arg(tt.text), arg(tt.dir), place.Entry)); got != tt.want {
			t.Errorf("%q in %q: %s, want %s", tt.text, tt.dir, got, tt.want)
		}
	}
}

// A project that is the home, or holds it, is none.
func TestNoProject(t *testing.T) {
	for _, project := range []string{"/home/dev", "/home", "/", ""} {
		m := &place.Machine{OS: "linux", Home: "/home/dev", Dir: "/home/dev", Project: project}
		for text, want := range map[string]policy.Where{"x": policy.User, ".": policy.Home, "*": policy.Home, "/etc": policy.System, "..": policy.Home} {
			if got := m.Place(arg(text), word.Lit(m.Dir), place.Entry).Where; got != want {
				t.Errorf("project %q: %q is %s, want %s", project, text, got, want)
			}
		}
	}
}

func TestHoldsTheProject(t *testing.T) {
	m := &place.Machine{OS: "linux", Home: "/home/dev", Dir: "/tmp/w/shop", Project: "/tmp/w/shop"}
	for text, want := range map[string]policy.Where{"/tmp/w": policy.Project, "/tmp/w/shop/x": policy.Inside, "/tmp/other": policy.Temp, ".": policy.Project, "..": policy.Project} {
		if got := m.Place(arg(text), word.Lit(m.Dir), place.Entry).Where; got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestPlaceDarwin(t *testing.T) {
	for text, want := range map[string]string{
		"SRC/x": "/Users/dev/shop/SRC/x inside", "/users/DEV": "/users/DEV home", "/USERS/dev/shop": "/USERS/dev/shop project",
		"/private/tmp/x": "/private/tmp/x temp", "/private/var/folders/a/b/T/x": "/private/var/folders/a/b/T/x temp",
		"/System/Library": "/System/Library system", "/Library": "/Library system", "~/Library/x": "/Users/dev/Library/x user",
		"/Applications": "/Applications system", "/Volumes/USB": "/Volumes/USB elsewhere", "/private/etc": "/private/etc system",
		"~bob": "/Users/bob home", "/Users": "/Users home", "/Users/Shared/x": "/Users/Shared/x elsewhere", ".GIT": "/Users/dev/shop/.GIT vcs",
	} {
		m := darwin()
		if got := shown(m.Place(arg(text), word.Lit(m.Dir), place.Entry)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestPlaceWindows(t *testing.T) {
	for text, want := range map[string]string{
		`src\a.go`: "C:/Users/dev/shop/src/a.go inside", `C:\`: "C:/ root", `C:`: "C:/ root", `c:\windows\system32`: "C:/windows/system32 system",
		`C:\Users\dev`: "C:/Users/dev home", `C:\Users`: "C:/Users home", `C:\Users\bob\x`: "C:/Users/bob/x home",
		`..\shop2`: "C:/Users/dev/shop2 user", `c:/users/DEV/SHOP/x`: "C:/users/DEV/SHOP/x inside", `/c/Users/dev/shop`: "C:/Users/dev/shop project",
		`%USERPROFILE%\Documents`: "C:/Users/dev/Documents user", `$env:USERPROFILE\x`: "C:/Users/dev/x user", `${env:TEMP}\x`: "C:/Users/dev/AppData/Local/Temp/x temp",
		`%TEMP%\x`: "C:/Users/dev/AppData/Local/Temp/x temp", `$env:SystemRoot`: "C:/Windows system", `%NOSUCH%\x`: "?/x unknown dynamic",
		`\\server\share\x`: "//server/share/x elsewhere", `\\?\C:\Windows`: "C:/Windows system", `\\.\C:\x`: "C:/x elsewhere",
		`D:\`: "D:/ root", `D:\*`: "D:/* root glob all", `D:\data`: "D:/data elsewhere", `~\x`: "C:/Users/dev/x user", `*`: "C:/Users/dev/shop/* project glob all",
		`C:\Program Files\x`: "C:/Program Files/x system", `.git`: "C:/Users/dev/shop/.git vcs",
	} {
		m := windows()
		a := word.Arg{Text: text, Glob: strings.Contains(text, "*")}
		if got := shown(m.Place(a, word.Lit(m.Dir), place.Entry)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// disk is what of a disk the tests say.
type disk struct {
	links   map[string]string
	there   map[string]bool
	ignored map[string]bool
}

func (d disk) Resolve(path string) (string, bool) {
	for range 10 {
		for from, to := range d.links {
			if path == from || strings.HasPrefix(path, from+"/") {
				path = to + path[len(from):]
			}
		}
	}
	return path, true
}
func (d disk) Exists(path string) (exists, known bool) { return d.there[path], d.there != nil }
func (d disk) Ignored(_, path string) bool             { return d.ignored[path] }

func TestLinks(t *testing.T) {
	m := linux()
	m.Facts = disk{links: map[string]string{"/home/dev/shop/out": "/home/dev/Documents", "/home/dev/shop/in": "/home/dev/shop/src", "/home/dev/shop/all": "/"}}
	for _, tt := range []struct {
		text string
		how  place.How
		want string
	}{
		{"out", place.Entry, "/home/dev/shop/out inside"}, {"out", place.Follow, "/home/dev/shop/out user → /home/dev/Documents"},
		{"out/", place.Entry, "/home/dev/shop/out user → /home/dev/Documents"}, {"out/x", place.Entry, "/home/dev/shop/out/x user → /home/dev/Documents/x"},
		{"out/*", place.Entry, "/home/dev/shop/out/* user glob all → /home/dev/Documents/*"}, {"in/x", place.Entry, "/home/dev/shop/in/x inside → /home/dev/shop/src/x"},
		{"all/", place.Entry, "/home/dev/shop/all root → /"}, {"all/*", place.Entry, "/home/dev/shop/all/* root glob all → /*"},
		{"out/../x", place.Entry, "/home/dev/x user"}, {"in/../x", place.Entry, "/home/dev/shop/x inside"},
		{"out/%", place.Entry, "/home/dev/shop/out/? user dynamic → /home/dev/Documents/?"},
	} {
		if got := shown(m.Place(arg(tt.text), word.Lit(m.Dir), tt.how)); strings.ReplaceAll(got, word.Unknown, "?") != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// A home that is itself behind a link is no other place.
func TestLinkedHome(t *testing.T) {
	m := linux()
	m.Facts = disk{links: map[string]string{"/home": "/data/home"}}
	for text, want := range map[string]string{"src/x": "/home/dev/shop/src/x inside", "~/x": "/home/dev/x user", "..": "/home/dev home", "../shop/y": "/home/dev/shop/y inside"} {
		if got := shown(m.Place(arg(text), word.Lit(m.Dir), place.Entry)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestFlags(t *testing.T) {
	m := linux()
	m.Facts = disk{
		there:   map[string]bool{"/home/dev/shop/src": true, "/home/dev/shop/build": true, "/home/dev/shop/dist": true, "/home/dev/.cache/x": true, "/home/dev/shop/.git/index.lock": true, "/home/dev/shop/.git": true},
		ignored: map[string]bool{"/home/dev/shop/build": true},
	}
	for text, want := range map[string]string{
		"src": "", "build": "ignored", "dist": "regenerable", "gone": "missing", "*": "glob all", "*.o": "glob", "a/node_modules/b": "regenerable missing",
		"~/.cache/x": "regenerable", "~/x": "missing", "%": "dynamic", ".git/index.lock": "regenerable", ".git": "", "lib.egg-info": "regenerable missing",
		"~/code/node_modules": "regenerable missing", "/opt/node_modules": "missing", "node_modules/../src": "",
	} {
		got := strings.Join(m.Flags(m.Place(arg(text), word.Lit(m.Dir), place.Entry)), " ")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "x", true}, {"a*c", "abc", true}, {"a*c", "abd", false}, {"?", "x", true}, {"?", "", false}, {"[ab]x", "bx", true}, {"[!ab]x", "bx", false},
		{"[a-c]", "b", true}, {"[", "[", true}, {"[]]", "]", true}, {`\*`, "*", true}, {`\*`, "x", false}, {"", "", true}, {"**", "", true}, {"*a*a*a*b", strings.Repeat("a", 3000), false},
	} {
		if got := place.Match(tt.pattern, tt.name); got != tt.want {
			t.Errorf("%q and %.20q: %t", tt.pattern, tt.name, got)
		}
	}
}

func TestRelate(t *testing.T) {
	m := darwin()
	for _, tt := range []struct {
		path string
		glob bool
		kept string
		want place.Relation
	}{
		{".claude/settings.json", false, ".claude/settings.json", place.Within}, {".Claude", false, ".claude/settings.json", place.Holds},
		{".claude/hooks/x", false, ".claude/hooks", place.Within}, {".claude/settings", false, ".claude/settings.json", place.Apart},
		{".cl*", true, ".claude/hooks", place.Holds}, {"*/settings.json", true, ".claude/settings.json", place.Apart},
		{".*/settings.json", true, ".claude/settings.json", place.Within}, {".claude/*", true, ".claude/settings.json", place.Within},
		{".claude/hooks/*", true, ".claude/hooks", place.Within}, {"*", true, ".claude/hooks", place.Apart},
	} {
		if got := m.Relate(tt.path, tt.glob, tt.kept); got != tt.want {
			t.Errorf("%s and %s: %d, want %d", tt.path, tt.kept, got, tt.want)
		}
	}
}

func FuzzPlace(f *testing.F) {
	for _, tt := range places {
		f.Add(strings.ReplaceAll(tt.text, "%", word.Unknown), strings.ReplaceAll(tt.dir, "%", word.Unknown), true, byte(0))
	}
	f.Add(`C:\..\..`, `\\?\`, true, byte(2))
	f.Add("%%", "/", false, byte(2))
	f.Fuzz(func(t *testing.T, text, dir string, glob bool, system byte) {
		m := [...]*place.Machine{linux(), darwin(), windows()}[system%3]
		m.Links = []place.Link{{Path: m.Home + "/x", Target: m.Home + "/x/x"}, {Path: "/tmp/a", Target: "/tmp/b"}, {Path: "/tmp/b", Target: "/tmp/a"}}
		s := m.Place(word.Arg{Text: text, Glob: glob}, word.Lit(dir), place.Entry)
		if s.Where == "" {
			t.Errorf("%q is nowhere at all", text)
		}
		if s.Where == policy.Inside && strings.Contains(s.Path+"/", "/../") {
			t.Errorf("%q: %q climbs", text, s.Path)
		}
		m.Flags(s)
		m.Relate(s.Path, s.Glob, ".claude/settings.json")
	})
}

// What no system takes for a path is not looked at any further: its work is bounded.
func TestLongPath(t *testing.T) {
	m := linux()
	for _, text := range []string{strings.Repeat("x/", 400000) + strings.Repeat("../", 100000), strings.Repeat("*", 1<<20), strings.Repeat("x/", 2000) + strings.Repeat("../", 1300)} {
		s := m.Place(word.Arg{Text: text, Glob: true}, word.Lit(m.Dir), place.Entry)
		if len(s.Path) > 1<<14 || s.Where == policy.Temp {
			t.Errorf("%.10q…: %.20q %s", text, s.Path, s.Where)
		}
	}
}
