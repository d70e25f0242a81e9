package paths

import (
	"runtime"
	"strings"
	"testing"
)

func TestDirs(t *testing.T) {
	env := func(vars map[string]string) Lookup {
		return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	}
	for _, tc := range []struct {
		name, home   string
		env          Lookup
		config, data string
	}{
		{"home", "/h", env(nil), "/h/.config/boathook", "/h/.local/share/boathook"},
		{"XDG", "/h", env(map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d"}), "/c/boathook", "/d/boathook"},
		{"relative XDG is ignored", "/h", env(map[string]string{"XDG_CONFIG_HOME": "c", "XDG_DATA_HOME": ""}), "/h/.config/boathook", "/h/.local/share/boathook"},
		{"an environment that may not be asked", "/h", nil, "/h/.config/boathook", "/h/.local/share/boathook"},
		{"no home", "", env(nil), "", ""},
	} {
		if got := ConfigDir(tc.home, tc.env); got != tc.config {
			t.Errorf("%s: config %q, want %q", tc.name, got, tc.config)
		}
		if got := DataDir(tc.home, tc.env); got != tc.data {
			t.Errorf("%s: data %q, want %q", tc.name, got, tc.data)
		}
	}
}

func TestProject(t *testing.T) {
	repo := func(path string) bool { return path == "/home/u/repo/.git" }
	for dir, want := range map[string]string{
		"/home/u/repo": "/home/u/repo", "/home/u/repo/a/b": "/home/u/repo", "/home/u/other": "/home/u/other",
		"relative": "relative", "/": "/",
	} {
		if got := Project(dir, repo); got != want {
			t.Errorf("Project(%s) = %s, want %s", dir, got, want)
		}
	}
}

func TestAccountHome(t *testing.T) {
	t.Setenv("HOME", "/evil")
	if home := AccountHome(); runtime.GOOS != "windows" && (home == "/evil" || strings.Contains(home, ":")) {
		t.Errorf("home %q", home)
	}
}
