package policy

import (
	"strings"
	"sync"
	"testing"
)

func testMatcher() *matcher {
	return &matcher{home: "/home/dev", project: "/home/dev/shop", steps: maxSteps, regexps: &sync.Map{}}
}

const u = unknown

func TestGlob(t *testing.T) {
	for _, tc := range []struct {
		pattern, text string
		want          tri
	}{
		{"a", "a", yes}, {"a", "b", no}, {"", "", yes}, {"*", "", yes}, {"*", "a/b", yes}, {"a*", "abc", yes}, {"*c", "abc", yes}, {"a*c", "abcc", yes},
		{"a*c", "abcd", no}, {"?", "ä", yes}, {"?", "", no}, {"a?c", "abc", yes}, {"*.go", "x.go", yes}, {"**", "x", yes}, {"a**b", "a-b", yes},
		{"*a*b*c", "xxaxxbxxc", yes}, {"*a*b*c", "xxaxxcxxb", no},
		{"a", u, maybe}, {"*", u, yes}, {"push*", "push" + u, maybe}, {"pull*", "push" + u, no}, {"*.go", u + ".ts", no}, {"*.go", u + ".go", maybe}, {"ab", "a" + u, maybe},
	} {
		if got := glob(testMatcher(), tc.pattern, tc.text); got != tc.want {
			t.Errorf("glob(%q, %q) = %d, want %d", tc.pattern, tc.text, got, tc.want)
		}
	}
}

func TestPath(t *testing.T) {
	for _, tc := range []struct {
		pattern, text string
		want          tri
	}{
		{"/etc/hosts", "/etc/hosts", yes}, {"/etc/*", "/etc/hosts", yes}, {"/etc/*", "/etc/ssh/x", no}, {"/etc/**", "/etc/ssh/x", yes}, {"/etc/**", "/etc", yes},
		{"/etc/**", "/etcetera", no}, {"/**/x", "/x", yes}, {"/**/x", "/a/b/x", yes}, {"/a/**/b", "/a/b", yes}, {"/a/**/b", "/a/x/y/b", yes}, {"/a/**/b", "/a/xb", no},
		{"~/.ssh/**", "/home/dev/.ssh/id", yes}, {"~/.ssh/**", "/home/dev/.ssh", yes}, {"~/.ssh/**", "/home/developer/.ssh/id", no}, {"~", "/home/dev", yes},
		{"~", "/home/dev/", yes}, {"~", "/home/dev/x", no}, {"~/**", "/home/dev/x", yes},
		{"{project}/build/**", "/home/dev/shop/build/a", yes}, {"{project}", "/home/dev/shop", yes}, {"{project}/**", "/home/dev/shop2/x", no},
		{"db/migrations/**", "/home/dev/shop/db/migrations/1.sql", yes}, {"db/migrations/**", "/tmp/db/migrations/1.sql", no}, {"2/x", "/home/dev/shop2/x", no}, {"db/**", "db/x.sql", yes}, {"/db/**", "db/x.sql", no}, {"db/**", "/home/dev/" + u, maybe},
		{"*.pem", "/any/where/key.pem", yes}, {"*.pem", "/any/key.pem/x", no}, {".env", "/a/.env", yes}, {".env", "/a/x.env", no}, {"key?", "/a/keys", yes},
		{"/a/?", "/a/ä", yes}, {"/a?b", "/a/b", no}, {"**", "/x/y", yes}, {"**/x", "/y/x", yes},
		{`C:/Users/**`, `C:\Users\dev\x`, yes},
		{"/etc/**", "/etc/" + u, maybe}, {"/etc/**", u, maybe}, {"/etc/x", "/var/" + u, no}, {"*.pem", "/x/" + u, maybe}, {"~/.ssh/**", "/home/dev/" + u, maybe},
		{"~/.ssh/**", "/home/" + u, maybe}, {"~/.ssh/**", "/var/" + u, no}, {"{project}/**", "/home/dev/shop/" + u, yes},
	} {
		if got := path(testMatcher(), tc.pattern, tc.text); got != tc.want {
			t.Errorf("path(%q, %q) = %d, want %d", tc.pattern, tc.text, got, tc.want)
		}
	}
	if got := path(&matcher{steps: 100}, "~/x", "/home/dev/x"); got != maybe {
		t.Errorf("without a home: %d", got)
	}
}

// TestFold: where file systems do not tell the cases apart, patterns of paths and programs do not either.
func TestFold(t *testing.T) {
	m := testMatcher()
	m.fold = true
	if got := path(m, "~/Secrets/**", "/home/DEV/secrets/X"); got != yes {
		t.Errorf("a path: %d", got)
	}
	if got := m.command([]string{"git push"}, &Command{Argv: []string{"/usr/bin/GIT", "push"}}); got != yes {
		t.Errorf("a program: %d", got)
	}
	if got := m.command([]string{"git push"}, &Command{Argv: []string{"git", "PUSH"}}); got != no {
		t.Errorf("a word: %d", got)
	}
	if programBit("GIT") != programBit("git") {
		t.Error("an index that tells the cases apart")
	}
}

func TestURL(t *testing.T) {
	for _, tc := range []struct {
		pattern, text string
		want          tri
	}{
		{"example.com", "https://example.com/a?b", yes}, {"*.example.com", "https://api.example.com", yes}, {"*.example.com", "https://example.com.evil.org", no},
		{"https://example.com/*", "https://example.com/a", yes}, {"https://example.com/*", "https://example.org/a", no}, {"example.com", "git@example.com:a/b", yes},
		{"example.com", "https://user:pw@EXAMPLE.com:8443/x", yes}, {"fd00:ec2::254", "http://[fd00:ec2::254]/x", yes}, {"example.com", "example.com", yes},
		{"example.com", "https://evil.org/example.com", no}, {"example.com", "https://" + u, maybe},
	} {
		if got := url(testMatcher(), tc.pattern, tc.text); got != tc.want {
			t.Errorf("url(%q, %q) = %d, want %d", tc.pattern, tc.text, got, tc.want)
		}
	}
}

func TestCommand(t *testing.T) {
	for _, tc := range []struct {
		pattern, argv string
		want          tri
	}{
		{"git push", "git push origin main", yes}, {"git push", "/usr/bin/git -C x push", yes}, {"git push", "git -c a=b --no-pager push", yes}, {"git push", "git pull", no},
		{"git push", "git", no}, {"git", "git", yes}, {"git", "gitk", no}, {"git*", "gitk", yes}, {"git push origin", "git push -f origin", yes}, {"git * origin", "git push origin", yes},
		{"/usr/bin/git", "/usr/bin/git x", yes}, {"/usr/bin/git", "git x", no}, {"kubectl delete", "kubectl -n prod delete pod", yes}, {"!git", "git", no}, {"!git", "ls", yes},
		{"re:^git (push|pull)( |$)", "git -C x pull", yes}, {"re:^git (push|pull)( |$)", "git fetch", no}, {"git push", "git " + u, maybe}, {"git push", u + " push", maybe},
		{"git", "git " + u, yes}, {"git", "C:\\bin\\git.exe push", yes}, {"cargo build", "cargo +nightly build", yes}, {"git push", "git -- push", yes},
	} {
		c := &Command{Argv: strings.Split(tc.argv, " ")}
		if got := testMatcher().command([]string{tc.pattern}, c); got != tc.want {
			t.Errorf("command(%q, %q) = %d, want %d", tc.pattern, tc.argv, got, tc.want)
		}
	}
	if got := testMatcher().command([]string{"git"}, &Command{Op: "delete", Argv: []string{"git"}}); got != no {
		t.Errorf("an operation of code is no program: %d", got)
	}
}

func TestArgv(t *testing.T) {
	for _, tc := range []struct {
		patterns []string
		argv     string
		want     tri
	}{
		{[]string{"--force"}, "git push --force", yes}, {[]string{"--force", "main"}, "git push --force origin", no}, {[]string{"--force", "main"}, "git push --force main", yes},
		{[]string{"!--dry-run"}, "git push --force", yes}, {[]string{"!--dry-run"}, "git push --dry-run", no}, {[]string{"--force"}, "git push " + u, maybe},
		{[]string{"!--dry-run"}, "git push " + u, maybe}, {[]string{"git"}, "git push", no}, {[]string{"re:^-[a-z]*f"}, "rm -rf", yes},
	} {
		if got := testMatcher().argv(tc.patterns, &Command{Argv: strings.Split(tc.argv, " ")}); got != tc.want {
			t.Errorf("argv(%q, %q) = %d, want %d", tc.patterns, tc.argv, got, tc.want)
		}
	}
}

// TestBounded: patterns made to be slow end with maybe, in a bounded number of steps.
func TestBounded(t *testing.T) {
	text := "/" + strings.Repeat("a/", 20_000) + "b"
	for _, pattern := range []string{"/**/a/**/a/**/a/**/a/**/c", "/" + strings.Repeat("**/", 60) + "c", "/" + strings.Repeat("*a*/", 60) + "c"} {
		m := testMatcher()
		if got := path(m, pattern, text); got == yes || m.steps < -200_000 {
			t.Errorf("%s: %d, %d steps", pattern, got, maxSteps-m.steps)
		}
	}
	m := testMatcher()
	if got := glob(m, strings.Repeat("*a", 100)+"*b", strings.Repeat("a", 1<<20)); got == yes {
		t.Error("glob found what is not there")
	}
	if got := m.regexp("a*a*b", strings.Repeat("a", 1<<20)); got != maybe {
		t.Errorf("a regular expression on 1 MB: %d", got)
	}
}

func TestKindsFit(t *testing.T) {
	if len(kinds) > 32 {
		t.Fatal("a rule's kinds are 32 bits")
	}
	seen := uint32(0)
	for _, k := range kinds {
		if bit := kindBit(k.Kind); bit == 0 || seen&bit != 0 || k.Doc == "" {
			t.Errorf("%s has no bit or no text of its own", k.Kind)
		} else {
			seen |= bit
		}
	}
}
