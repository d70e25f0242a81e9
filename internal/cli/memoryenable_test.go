package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/config"
)

func memoryOf(home string) config.Settings {
	return config.Load(config.Request{Path: filepath.Join(home, ".config", "boathook", "config.toml"), Home: home})
}

// TestMemoryEnable: a person is asked what may go into prompts, sees the change, and can undo it.
func TestMemoryEnable(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".config", "boathook", "config.toml")
	const mine = "# mine\n[guard]\nfail = \"closed\"\ntoken = \"canary-token-1\"\n"
	writeTo(t, path, mine)
	person := func(e *Env) { e.IsTerminal, e.Width = true, 100 }
	code, out, errs := typing(t, home, home, "review\ny\n", person, "memory", "enable", "--diff")
	if code != exitOK || !strings.Contains(out, "off, on or review [off]") || !strings.Contains(out, `inject = "review"`) || strings.Contains(out, "canary") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if s := memoryOf(home); !s.Memory.Enabled || s.Memory.Inject != "review" || !s.Guard.FailClosed || len(s.Problems) > 0 {
		t.Errorf("%+v, %q", s.Memory, s.Problems)
	}
	if !strings.Contains(out, "no hooks are installed") {
		t.Errorf("%s", out)
	}
	for typed, want := range map[string]int{"\nn\n": exitOK, "sometimes\n": exitRefused, "off\nn\n": exitRefused, "": exitOK} {
		if code, out, _ := typing(t, home, home, typed, person, "memory", "enable"); code != want {
			t.Errorf("%q: %d %s", typed, code, out)
		}
		if memoryOf(home).Memory.Inject != "review" {
			t.Errorf("%q changed it", typed)
		}
	}
	if code, out, _ := inside(t, home, home, "memory", "disable", "--yes"); code != exitOK || memoryOf(home).Memory.Enabled || memoryOf(home).Memory.Inject != "review" {
		t.Errorf("%d %s", code, out)
	}
	code, out, _ = inside(t, home, home, "memory", "disable", "--json", "--yes")
	var doc struct{ Applied bool }
	if decoded(t, out, &doc); code != exitOK || doc.Applied {
		t.Errorf("%d %s", code, out)
	}
}

// TestMemoryEnableWithoutAConfig: one is made; a dry run makes nothing.
func TestMemoryEnableWithoutAConfig(t *testing.T) {
	home := t.TempDir()
	if code, out, errs := inside(t, home, home, "memory", "enable", "--dry-run", "--inject", "on"); code != exitOK || !strings.Contains(out, "memory.inject = \"on\"") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if _, err := os.Stat(filepath.Join(home, ".config")); err == nil {
		t.Error("a dry run made something")
	}
	if code, out, errs := inside(t, home, home, "memory", "enable", "--yes"); code != exitOK {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if s := memoryOf(home); !s.Memory.Enabled || s.Memory.Inject != "off" || len(s.Problems) > 0 {
		t.Errorf("%+v, %q", s.Memory, s.Problems)
	}
}

// TestMemoryEnableForATeam: the remote becomes the project's id only where a person says so.
func TestMemoryEnableForATeam(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	home := t.TempDir()
	shop := filepath.Join(home, "shop")
	writeTo(t, filepath.Join(shop, "sub", "x"), "")
	for _, args := range [][]string{{"init", "-q"}, {"remote", "add", "origin", "git@GitHub.com:acme/shop.git"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = shop
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s", out)
		}
	}
	root, err := filepath.EvalSymlinks(shop)
	if err != nil {
		t.Fatal(err)
	}
	person := func(e *Env) { e.IsTerminal, e.Width = true, 100 }
	sub := filepath.Join(shop, "sub")
	code, _, errs := inside(t, home, sub, "memory", "enable", "--provider", "postgres", "--yes")
	if s := memoryOf(home); code != exitOK || s.Memory.Provider != "postgres" || len(s.Memory.ProjectIDs) > 0 || !strings.Contains(errs, "boathook.env") {
		t.Errorf("%d %s %+v", code, errs, s.Memory)
	}
	code, out, errs := typing(t, home, sub, "\ny\ny\n", person, "memory", "enable")
	if s := memoryOf(home); code != exitOK || s.Memory.ProjectIDs[root] != "github.com/acme/shop" || !strings.Contains(out, "github.com/acme/shop") {
		t.Errorf("%d %s%s %+v", code, out, errs, s.Memory)
	}
	if code, out, _ := typing(t, home, sub, "\ny\n", person, "memory", "enable"); code != exitOK || strings.Contains(out, "one id") {
		t.Errorf("asked again: %s", out)
	}
	code, out, errs = inside(t, home, sub, "memory", "enable", "--project-id", "shop-eu", "--yes")
	if s := memoryOf(home); code != exitOK || s.Memory.ProjectIDs[root] != "shop-eu" {
		t.Errorf("%d %s%s %+v", code, out, errs, s.Memory)
	}
	code, _, errs = inside(t, home, sub, "memory", "search", "fuser")
	if code != exitFailed || !strings.Contains(errs, "BOATHOOK_MEMORY_DSN") {
		t.Errorf("%d %s", code, errs)
	}
	for _, args := range [][]string{{"memory", "migrate"}, {"memory", "roles", "--sql"}} {
		if code, _, errs := inside(t, home, sub, args...); code != exitFailed || errs == "" {
			t.Errorf("%v: %d %s", args, code, errs)
		}
	}
}

func TestMemoryMigrate(t *testing.T) {
	home := t.TempDir()
	var doc migration
	for _, tc := range []struct {
		args string
		want migration
	}{
		{"--dry-run", migration{Backend: "sqlite", Want: 1, DryRun: true}},
		{"", migration{Backend: "sqlite", Want: 1, Done: true}},
		{"", migration{Backend: "sqlite", Have: 1, Want: 1, Done: true}},
	} {
		code, out, errs := inside(t, home, home, append([]string{"memory", "migrate", "--json"}, strings.Fields(tc.args)...)...)
		doc = migration{}
		if decoded(t, out, &doc); code != exitOK || doc.Backend != tc.want.Backend || doc.Done != tc.want.Done || doc.DryRun != tc.want.DryRun || (doc.Have > 0) != (tc.want.Have > 0) || doc.Want < 1 {
			t.Errorf("%q: %d %s%s", tc.args, code, out, errs)
		}
	}
}

func TestMemoryRoles(t *testing.T) {
	home := t.TempDir()
	if code, out, _ := inside(t, home, home, "memory", "roles"); code != exitOK || !strings.Contains(out, "ltm_writer") || !strings.Contains(out, "can't delete") {
		t.Errorf("%d %s", code, out)
	}
	var doc struct{ Roles []role }
	_, out, _ := inside(t, home, home, "memory", "roles", "--json")
	if decoded(t, out, &doc); len(doc.Roles) != 3 || doc.Roles[0].Name != "ltm_reader" {
		t.Errorf("%s", out)
	}
	for text, want := range map[string]login{"ci=writer": {"ci", "writer", ""}, "ann = ltm_reader,acme": {"ann", "reader", "acme"}} {
		if got, err := parseLogin(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}
