package project

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func of(t *testing.T, r Resolver, dir string) Project {
	t.Helper()
	p, err := r.Of(dir)
	must(t, err)
	if len(p.Key) != 33 || p.Key[0] != 'p' || strings.Trim(p.Key[1:], "0123456789abcdef") != "" {
		t.Fatalf("key %q", p.Key)
	}
	return p
}

// lay makes a repository with a linked worktree, a subfolder, a submodule and a link to it, and one beside it.
func lay(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, name := range []string{"shop", "other"} {
		repo := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Join(repo, "a", "b"), 0o700))
		git(t, repo, "init", "-q", "-b", "main")
		must(t, os.WriteFile(filepath.Join(repo, "a", "b", "f"), []byte("x"), 0o600))
		git(t, repo, "add", ".")
		git(t, repo, "commit", "-qm", "one")
	}
	shop := filepath.Join(dir, "shop")
	git(t, shop, "remote", "add", "origin", "https://u:secret@Example.org/team/Shop.git")
	git(t, shop, "submodule", "add", "-q", filepath.Join(dir, "other"), "sub")
	git(t, shop, "worktree", "add", "-q", filepath.Join(dir, "elsewhere"), "-b", "fix")
	must(t, os.Symlink(shop, filepath.Join(dir, "link")))
	return dir
}

func TestOneProjectForAllItsPlaces(t *testing.T) {
	dir := lay(t)
	want := of(t, Resolver{}, filepath.Join(dir, "shop"))
	if want.Name != "shop" || want.Root != filepath.Join(dir, "shop") || want.Remote != "example.org/team/Shop" || want.Private {
		t.Errorf("project %+v", want)
	}
	for _, at := range []string{"shop/a/b", "elsewhere", "elsewhere/a/b", "link", "link/a", "shop/a/gone/for/good"} {
		if got := of(t, Resolver{}, filepath.Join(dir, at)); got != want {
			t.Errorf("%s: %+v, want %+v", at, got, want)
		}
	}
	seen := map[string]string{want.Key: "shop"}
	for _, at := range []string{"other", "shop/sub", "", "nothing/there"} {
		got := of(t, Resolver{}, filepath.Join(dir, at))
		if was := seen[got.Key]; was != "" {
			t.Errorf("%s is the same as %s", at, was)
		}
		seen[got.Key] = at
	}
}

// TestAClaimIsNoProof: what came with a repository names the git directory of another.
func TestAClaimIsNoProof(t *testing.T) {
	dir := lay(t)
	shop := of(t, Resolver{}, filepath.Join(dir, "shop"))
	worktree := filepath.Join(dir, "shop", ".git", "worktrees", "elsewhere")
	for name, text := range map[string]string{
		"its git directory":        "gitdir: " + filepath.Join(dir, "shop", ".git") + "\n",
		"a worktree of another":    "gitdir: " + worktree + "\n",
		"relative":                 "gitdir: ../shop/.git/worktrees/elsewhere\n",
		"itself":                   "gitdir: .git\n",
		"nothing":                  "",
		"no path":                  "gitdir:\n",
		"a device":                 "gitdir: /dev/zero\n",
		"not there":                "gitdir: /no/such/worktrees/x\n",
		"a line too many":          "gitdir: " + worktree + "\nmore\n",
		"endless":                  "gitdir: " + strings.Repeat("x/", 1<<20),
		"a list of its own making": "gitdir: own/worktrees/x\n",
	} {
		at := filepath.Join(dir, "evil")
		must(t, os.RemoveAll(at))
		own := filepath.Join(at, "own", "worktrees", "x")
		must(t, os.MkdirAll(own, 0o700))
		must(t, os.WriteFile(filepath.Join(at, ".git"), []byte(text), 0o600))
		must(t, os.WriteFile(filepath.Join(own, "gitdir"), []byte(filepath.Join(at, ".git")+"\n"), 0o600))
		must(t, os.WriteFile(filepath.Join(own, "commondir"), []byte(filepath.Join(dir, "shop", ".git")+"\n"), 0o600))
		if got := of(t, Resolver{}, at); got.Key == shop.Key || got.Root == shop.Root {
			t.Errorf("%s: it passes for %+v", name, got)
		}
	}
}

// TestAPathThatNobodyHas is nowhere: each of its half a million directories would be looked for.
func TestAPathThatNobodyHas(t *testing.T) {
	long := t.TempDir() + strings.Repeat("/a", 500_000)
	asked := false
	r := Resolver{Stuck: func(string) string { asked = true; return "" }}
	if p, err := r.Of(long); !errors.Is(err, ErrNowhere) || asked {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestIDs(t *testing.T) {
	dir := lay(t)
	shop := filepath.Join(dir, "shop")
	r := Resolver{IDs: map[string]string{shop + "/": "org/shop", filepath.Join(shop, "a", "b"): "org/shop-b", "relative": "x", dir: "around"}}
	for at, id := range map[string]string{
		"shop": "org/shop", "shop/a": "org/shop", "link/a": "org/shop", "elsewhere": "org/shop", "shop/a/b": "org/shop-b", "shop/a/b/c": "org/shop-b",
		"other": "", "shop/sub": "", "plain/folder": "around",
	} {
		if got := of(t, r, filepath.Join(dir, at)); got.ID != id || id != "" && (got.Name != id || got.Private) {
			t.Errorf("%s: %+v, want the id %q", at, got, id)
		}
	}
	other := Resolver{IDs: map[string]string{"/somewhere/else": "org/shop"}, Shared: true, Machine: []byte("another machine")}
	if a, b := of(t, r, shop), of(t, other, "/somewhere/else"); a.Key != b.Key {
		t.Errorf("one id, two keys: %+v %+v", a, b)
	}
}

// TestASharedStoreIsAskedFor: without a confirmed id no two machines share a project, whatever its remote.
func TestASharedStoreIsAskedFor(t *testing.T) {
	dir := lay(t)
	shop := filepath.Join(dir, "shop")
	if _, err := (Resolver{Shared: true}).Of(shop); err == nil {
		t.Error("a shared store without the machine's key")
	}
	a, b := of(t, Resolver{Shared: true, Machine: []byte("a")}, shop), of(t, Resolver{Shared: true, Machine: []byte("b")}, shop)
	if a.Key == b.Key || !a.Private || a.Remote == "" || a.Key == of(t, Resolver{}, shop).Key {
		t.Errorf("%+v and %+v", a, b)
	}
	if again := of(t, Resolver{Shared: true, Machine: []byte("a")}, filepath.Join(dir, "elsewhere")); again != a {
		t.Errorf("a worktree is %+v, want %+v", again, a)
	}
}

func TestDisksThatHang(t *testing.T) {
	dir := lay(t)
	for _, bad := range []string{"shop", "shop/.git/worktrees"} {
		r := Resolver{Limit: time.Minute, Stuck: func(path string) string {
			if strings.HasPrefix(path, filepath.Join(dir, bad)) {
				return "nfs"
			}
			return ""
		}}
		p, err := r.Of(filepath.Join(dir, "shop"))
		if (err == nil) == (bad == "shop") {
			t.Errorf("%s hangs: %+v, %v", bad, p, err)
		}
		if p, err := r.Of(filepath.Join(dir, "elsewhere")); err != nil || p.Root != filepath.Join(dir, "elsewhere") {
			t.Errorf("%s hangs, and a worktree's list is not looked at: %+v, %v", bad, p, err)
		}
	}
	if _, err := (Resolver{}).Of("relative"); err == nil {
		t.Error("a directory that is nowhere")
	}
	if _, err := (Resolver{}).Of(""); err == nil {
		t.Error("no directory")
	}
}

func TestRemote(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/Org/Repo.git": "github.com/Org/Repo", "https://user:tok@GitHub.com/Org/Repo": "github.com/Org/Repo",
		"git@github.com:Org/Repo.git": "github.com/Org/Repo", "ssh://git@github.com:22/Org/Repo.git/": "github.com/Org/Repo",
		"ssh://git@github.com:2222/Org/Repo": "github.com:2222/Org/Repo", "git+ssh://github.com/Org/Repo": "github.com/Org/Repo",
		"git://github.com:9418/Org//Repo": "github.com/Org/Repo", "https://github.com:443/Org/Repo/": "github.com/Org/Repo",
		"http://h.:80/a": "h/a", "host:a/b": "host/a/b", "https://[::1]:8443/a": "[::1]:8443/a", "https://h/a/../../b?x#y": "h/b",
		"": "", "/srv/git/repo": "", "file:///srv/repo": "", "./repo": "", `C:\repo`: "", "C:/repo": "", "https:///x": "", "https://h": "",
		"a b": "", "https://h/\x00": "", "https://ex%41mple/x": "", "https://ho<st/x": "",
	} {
		if got := Remote(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

func TestOriginURL(t *testing.T) {
	for config, want := range map[string]string{
		"[remote \"origin\"]\n\turl = a:b/c\n":                                               "a:b/c",
		"[core]\nurl=x\n[Remote \"origin\"] URL = \"q:r\" ; c\n":                             "q:r",
		"[remote \"fork\"]\nurl = no\n[remote \"origin\"]\nurl = yes # this\nurl = second\n": "yes",
		"[remote \"origin\"\nurl = x":                                                        "", "url = x": "", "": "",
	} {
		if got := originURL(config); got != want {
			t.Errorf("%q: %q, want %q", config, got, want)
		}
	}
}

func TestIn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths with slashes")
	}
	p := Project{Key: "pabc", Root: "/home/u/clients/acme", Name: "acme", ID: "org/acme"}
	for pattern, want := range map[string]bool{
		"acme": true, "ac*": true, "pabc": true, "org/acme": true, "org/*": true, "/home/u/clients/*": true, "/home/u/clients": true, "/home/u/clients/": true,
		"~/clients/*": true, "~/clients/other": false, "/home/u/client": false, "/home/*/acme": false, "/home/**/acme": true, "**": true, "other": false,
		"clients": true, "clients/ac*": true, "": false, " acme ": true, "[": false, "/home/u/clients/acme/sub": false,
	} {
		if got := p.In([]string{"nothing", pattern}, "/home/u"); got != want {
			t.Errorf("%q: %t", pattern, got)
		}
	}
	if !p.In([]string{"/home/u/clients/acme/sub"}, "", "/home/u/clients/acme/sub/deeper") {
		t.Error("a directory in it does not count")
	}
	for file, want := range map[string]bool{"/w/.env": true, "/w/a/.env": true, "/w/env": false, "/w/keys/a.pem": true, "/w/keys/a/b": true, "": false} {
		if got := Excluded([]string{".env", "keys/**", "*.pem"}, "", file); got != want {
			t.Errorf("%q: %t", file, got)
		}
	}
}

func FuzzGitFiles(f *testing.F) {
	f.Add("gitdir: x\n", "[remote \"origin\"]\nurl = https://a@b/c.git", "**/a*", "x/y")
	f.Fuzz(func(t *testing.T, pointer, config, pattern, text string) {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, ".git"), []byte(pointer), 0o600))
		p, err := (Resolver{Limit: time.Minute}).Of(dir)
		if err != nil || p.Root == "" || p.Key == "" {
			t.Errorf("%+v, %v", p, err)
		}
		if r := Remote(originURL(config)); r != "" && (Remote("https://"+r) == "" || strings.ContainsAny(r, "@ \n")) {
			t.Errorf("remote %q", r)
		}
		Glob(pattern, text)
	})
}

func BenchmarkOf(b *testing.B) {
	dir, err := os.Getwd()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		_, _ = Resolver{}.Of(dir)
	}
}
