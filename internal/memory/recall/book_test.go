package recall

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/machinekey"
)

func newBook(t *testing.T) Book {
	t.Helper()
	dir := t.TempDir()
	key, err := machinekey.Load(dir)
	must(t, err)
	return Book{Data: dir, Hash: key.Hash, Now: time.Now}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func files(t *testing.T, b Book) []string {
	t.Helper()
	var out []string
	must(t, filepath.WalkDir(b.dir(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
		out = append(out, path)
		return nil
	}))
	return out
}

// TestEachItemIsClaimedOnce, by whoever comes first, in each session.
func TestEachItemIsClaimedOnce(t *testing.T) {
	b := newBook(t)
	ids := []string{"a", "b", "c", "d", "e"}
	var mu sync.Mutex
	got := map[string]int{}
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			fresh, err := b.Claim("s", ids[i%3:])
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, id := range fresh {
				got[id]++
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		if got[id] != 1 || !b.Told("s")(id) {
			t.Errorf("%s was claimed %d times", id, got[id])
		}
	}
	if told := b.Told("another"); told != nil {
		t.Error("another session was told something")
	}
	for _, f := range files(t, b) {
		text, err := os.ReadFile(f)
		if must(t, err); strings.ContainsAny(strings.TrimSpace(string(text)), "ghijklmnopqrstuvwxyz") || strings.Contains(filepath.Base(f), "s.") {
			t.Errorf("%s has more than hashes", f)
		}
	}
}

// TestTorn: a kill in the middle of a line costs that line alone.
func TestTorn(t *testing.T) {
	b := newBook(t)
	_, err := b.Claim("s", []string{"a", "b"})
	must(t, err)
	path := files(t, b)[0]
	text, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, text[:len(text)-5], 0o600))
	fresh, err := b.Claim("s", []string{"a", "b", "c"})
	if must(t, err); !slices.Equal(fresh, []string{"b", "c"}) {
		t.Errorf("fresh %q", fresh)
	}
	again, err := b.Claim("s", []string{"a", "b", "c"})
	if must(t, err); len(again) != 0 {
		t.Errorf("again %q", again)
	}
}

func TestNoPlaceNoClaim(t *testing.T) {
	b := newBook(t)
	must(t, os.WriteFile(filepath.Join(b.Data, Dir), nil, 0o600))
	if fresh, err := b.Claim("s", []string{"a"}); err == nil {
		t.Errorf("claimed %q", fresh)
	}
	b = newBook(t)
	b.Hash = func(string) string { return "" }
	if fresh, err := b.Claim("s", []string{"a"}); !errors.Is(err, errNoKey) {
		t.Errorf("claimed %q, %v", fresh, err)
	}
	if err := b.Wait("s", Asked{Prompt: "x"}); !errors.Is(err, errNoKey) {
		t.Error(err)
	}
	b = newBook(t)
	other := filepath.Join(t.TempDir(), "precious")
	must(t, os.WriteFile(other, []byte("precious"), 0o600))
	must(t, os.MkdirAll(b.dir(), 0o700))
	path, err := b.path("s", ".told")
	must(t, err)
	must(t, os.Symlink(other, path))
	if fresh, err := b.Claim("s", []string{"a"}); err == nil {
		t.Errorf("claimed %q through a link", fresh)
	}
	if text, err := os.ReadFile(other); err != nil || string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestQuestionsWaitOnce(t *testing.T) {
	b := newBook(t)
	must(t, b.Wait("s", Asked{Prompt: "first", Time: time.Now()}))
	must(t, b.Wait("s", Asked{Prompt: "/do second", Event: "E", Time: time.Now()}))
	if a, ok := b.Next("other"); ok {
		t.Errorf("another session's: %+v", a)
	}
	var mu sync.Mutex
	var got []Asked
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if a, ok := b.Next("s"); ok {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, a)
			}
		})
	}
	all.Wait()
	if len(got) != 1 || got[0].Prompt != "second" || got[0].Event != "E" {
		t.Errorf("%+v", got)
	}
	must(t, b.Wait("s", Asked{Prompt: "old", Time: time.Now().Add(-time.Hour)}))
	if a, ok := b.Next("s"); ok {
		t.Errorf("%+v", a)
	}
}

func TestWhatIsOldGoes(t *testing.T) {
	b := newBook(t)
	_, err := b.Claim("old", []string{"a"})
	must(t, err)
	must(t, b.Wait("old", Asked{Prompt: "x", Time: time.Now()}))
	must(t, b.Hold("old", Review{Block: "x"}))
	was := time.Now().Add(-40 * 24 * time.Hour)
	for _, f := range files(t, b) {
		must(t, os.Chtimes(f, was, was))
	}
	must(t, b.Wait("young", Asked{Prompt: "x", Time: time.Now()}))
	_, err = b.Claim("new", []string{"a"})
	must(t, err)
	if left := files(t, b); len(left) != 2 {
		t.Errorf("left are %q", left)
	}
}

func TestReviews(t *testing.T) {
	b := newBook(t)
	for range 8 {
		must(t, b.Hold("s", Review{Agent: "claude", Block: "block"}))
	}
	must(t, b.Hold("t", Review{Agent: "codex", Block: "other"}))
	held, err := Pending(b.Data, time.Now())
	if must(t, err); len(held) != maxHeld+1 {
		t.Fatalf("%d wait", len(held))
	}
	if _, ok := b.Approved("s"); ok {
		t.Error("nobody approved it")
	}
	for _, bad := range []string{"", "NOSUCH", "../../key", "*"} {
		if err := Approve(b.Data, bad); !errors.Is(err, ErrNoReview) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	var code string
	for _, r := range held {
		if r.Agent == "codex" {
			code = r.Code
		}
	}
	must(t, Approve(b.Data, " "+strings.ToLower(code)))
	if err := Approve(b.Data, code); !errors.Is(err, ErrNoReview) {
		t.Errorf("twice: %v", err)
	}
	if _, ok := b.Approved("s"); ok {
		t.Error("another session's")
	}
	if r, ok := b.Approved("t"); !ok || r.Block != "other" {
		t.Errorf("%+v", r)
	}
	if _, ok := b.Approved("t"); ok {
		t.Error("twice")
	}
	for _, f := range files(t, b) {
		must(t, os.WriteFile(f, []byte("{damaged"), 0o600))
	}
	if held, err := Pending(b.Data, time.Now()); err != nil || len(held) != 0 {
		t.Errorf("%+v, %v", held, err)
	}
	if held, err := Pending(t.TempDir(), time.Now()); err != nil || held != nil {
		t.Errorf("%+v, %v", held, err)
	}
}

// TestALongList: what a session was told stays told, however much stands in its file, and whoever wrote that.
func TestALongList(t *testing.T) {
	b := newBook(t)
	path, err := b.path("s", ".told")
	must(t, err)
	must(t, os.MkdirAll(b.dir(), 0o700))
	junk := strings.Repeat("0123456789abcdef\nno line of ours\n\x00\xff", 2*maxTold/32)
	must(t, os.WriteFile(path, []byte(junk), 0o600))
	for i, want := range []int{2, 0, 0} {
		if fresh, err := b.Claim("s", []string{"a", "b"}); err != nil || len(fresh) != want {
			t.Errorf("%d: %q, %v", i, fresh, err)
		}
	}
	if told := b.Told("s"); told == nil || !told("a") || told("c") {
		t.Error("it is not known what was told")
	}
}

// TestOtherFilesAreNoHindrance: a new session does not look through all that lies there; who has the time removes what is old.
func TestOtherFilesAreNoHindrance(t *testing.T) {
	b := newBook(t)
	must(t, os.MkdirAll(b.pendingDir(), 0o700))
	now := time.Now()
	old := now.Add(-keepText - time.Hour)
	const many = 3 * pruneAtOnce
	for i := range many {
		path := filepath.Join(b.dir(), "junk"+strconv.Itoa(i))
		must(t, os.WriteFile(path, nil, 0o600))
		must(t, os.Chtimes(path, old, old))
	}
	held := filepath.Join(b.pendingDir(), "x.held")
	must(t, os.WriteFile(held, nil, 0o600))
	must(t, os.Chtimes(held, old, old))
	outside := filepath.Join(t.TempDir(), "precious")
	must(t, os.WriteFile(outside, nil, 0o600))
	must(t, os.Chtimes(outside, old, old))
	must(t, os.Symlink(outside, filepath.Join(b.dir(), "link")))
	if fresh, err := b.Claim("s", []string{"a"}); err != nil || len(fresh) != 1 {
		t.Errorf("%q, %v", fresh, err)
	}
	names, err := os.ReadDir(b.dir())
	must(t, err)
	if len(names) < many-pruneAtOnce {
		t.Errorf("a hook removed %d files", many-len(names))
	}
	Prune(b.Data, now)
	names, err = os.ReadDir(b.dir())
	must(t, err)
	if len(names) != 3 { // what the session was told, pending, and the link
		t.Errorf("%d files are left", len(names))
	}
	if _, err := os.Lstat(held); err == nil {
		t.Error("what waited too long waits still")
	}
	if _, err := os.Lstat(outside); err != nil {
		t.Error(err)
	}
	elsewhere := t.TempDir()
	must(t, os.WriteFile(filepath.Join(elsewhere, "old"), nil, 0o600))
	must(t, os.Chtimes(filepath.Join(elsewhere, "old"), old, old))
	linked := t.TempDir()
	must(t, os.Symlink(elsewhere, filepath.Join(linked, Dir)))
	Prune(linked, now)
	if _, err := os.Lstat(filepath.Join(elsewhere, "old")); err != nil {
		t.Error("it went through a link")
	}
}
