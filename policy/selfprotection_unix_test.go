//go:build unix

package policy_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/callspec"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

// TestNoLinkLeadsToTheGuard holds that boathook's own files are known by where a path leads, on a real disk, and not by how it is
// written.
func TestNoLinkLeadsToTheGuard(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	at := func(name string) string { return filepath.Join(root, name) }
	for _, dir := range []string{"home/.config/boathook", "home/.claude", "home/shop/src", "home/shop/real"} {
		must(t, os.MkdirAll(at(dir), 0o700))
	}
	must(t, os.WriteFile(at("home/.config/boathook/policy.toml"), []byte("version = 1\n"), 0o600))
	must(t, os.WriteFile(at("home/.claude/settings.json"), []byte("{}"), 0o600))
	for link, to := range map[string]string{
		"home/shop/notes": at("home/.config/boathook"), "home/shop/p.toml": "../.config/boathook/policy.toml", "home/shop/s.json": "../.claude/settings.json",
		"home/shop/up": "..", "home/shop/twice": "notes", "home/shop/fine": "real",
	} {
		must(t, os.Symlink(to, at(link)))
	}
	machine := func() *place.Machine {
		m := judge.Machine(at("home"), at("home/shop"), at("home/shop"))
		m.Guard = []string{at("home/.config/boathook")}
		m.Facts = judge.NewDisk(10*time.Second, func(string) bool { return false })
		return m
	}
	set := policy.Combine()
	judged := func(c callspec.Call) policy.Action {
		c.Agent, c.CWD, c.Project = "claude", at("home/shop"), at("home/shop")
		return set.Judge(judge.Read(c.Event(), machine())).Action
	}
	for command, want := range map[string]policy.Action{
		"echo x > p.toml": policy.Deny, "echo x >> notes/policy.toml": policy.Deny, "sed -i s/a/b/ p.toml": policy.Deny, "rm -rf notes/": policy.Deny,
		"cp /dev/null twice/policy.toml": policy.Deny, "rm up/.config/boathook/policy.toml": policy.Deny, "tee s.json < /dev/null": policy.Deny,
		"cd notes && rm policy.toml": policy.Deny, "truncate -s 0 twice/policy.toml": policy.Deny, "find notes/ -type f -delete": policy.Deny,
		"python3 -c \"open('p.toml','w')\"": policy.Deny, "cat p.toml": policy.Allow, "echo x > fine/policy.toml": policy.Allow, "ls notes": policy.Allow,
		"ln -s ~/.config/boathook y && rm y/policy.toml": policy.Deny,
	} {
		if got := judged(callspec.Call{Command: command}); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	for path, want := range map[string]policy.Action{
		"p.toml": policy.Deny, "notes/policy.toml": policy.Deny, "twice/new.toml": policy.Deny, "s.json": policy.Deny, "up/.claude/settings.json": policy.Deny,
		"fine/policy.toml": policy.Allow, "src/p.toml": policy.Allow,
	} {
		input, err := json.Marshal(map[string]string{"file_path": at("home/shop/" + path), "content": "x"})
		must(t, err)
		if got := judged(callspec.Call{Tool: "Write", Input: input}); got != want {
			t.Errorf("Write %s: %s, want %s", path, got, want)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
