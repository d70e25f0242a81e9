package audit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// TestMain lets the test binary play hooks: "append DIR FIRST COUNT MOST" writes COUNT numbered lines at once.
func TestMain(m *testing.M) {
	if len(os.Args) == 6 && os.Args[1] == "append" {
		first, _ := strconv.Atoi(os.Args[3])
		count, _ := strconv.Atoi(os.Args[4])
		most, _ := strconv.ParseInt(os.Args[5], 10, 64)
		var wg sync.WaitGroup
		for n := first; n < first+count; n++ {
			wg.Go(func() {
				if err := Append(os.Args[2], Line(numbered(n)), most); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
			})
		}
		wg.Wait()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func numbered(n int) Entry {
	return Entry{Time: time.Unix(int64(n), 0).UTC(), PID: n, Version: "v", PayloadText: strings.Repeat("x", 200)}
}

// lines reads a log and fails where a line is not whole.
func lines(t *testing.T, path string) []Entry {
	t.Helper()
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	}
	must(t, err)
	defer f.Close()
	var out []Entry
	r := bufio.NewReader(f)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return out
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil || e.V != Version {
			t.Fatalf("%s has a broken line %q: %v", path, line, err)
		}
		out = append(out, e)
	}
}

// TestManyHooksAtOnce: 400 of them, 20 in each of 20 processes; no line lost or torn; none but what two files hold is kept.
func TestManyHooksAtOnce(t *testing.T) {
	for _, tc := range []struct {
		name string
		most int64
		all  bool
	}{{"no rotation", 1 << 30, true}, {"one rotation", 100 << 10, true}, {"many rotations", 8 << 10, false}} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			var wg sync.WaitGroup
			for n := range 20 {
				wg.Go(func() {
					out, err := exec.Command(os.Args[0], "append", dir, strconv.Itoa(20*n+1), "20", strconv.FormatInt(tc.most, 10)).CombinedOutput()
					if err != nil {
						t.Errorf("%v: %s", err, out)
					}
				})
			}
			wg.Wait()
			seen := map[int]int{}
			for _, name := range []string{File, File + ".old"} {
				path := filepath.Join(dir, name)
				all := lines(t, path)
				for _, e := range all {
					seen[e.PID]++
				}
				info, err := os.Stat(path)
				if err == nil && (info.Mode().Perm() != 0o600 || info.Size() > tc.most+64<<10) {
					t.Errorf("%s: mode %v, %d bytes", name, info.Mode(), info.Size())
				}
				if err != nil && (tc.most < 1<<30 || name == File) {
					t.Errorf("%s is not there", name)
				}
			}
			for n, times := range seen {
				if times != 1 || n < 1 || n > 400 {
					t.Errorf("line %d is there %d times", n, times)
				}
			}
			if len(seen) == 0 || tc.all && len(seen) != 400 {
				t.Errorf("%d lines, want all 400", len(seen))
			}
			if entries, _ := os.ReadDir(dir); len(entries) > 2 {
				t.Errorf("left: %v", entries)
			}
		})
	}
}

// TestALongLineIsCut: a line stays below its bound, marked, valid, with what names the run.
func TestALongLineIsCut(t *testing.T) {
	big, _ := json.Marshal(strings.Repeat("é", 3<<20))
	huge := strings.Repeat("y", 2<<20)
	for name, e := range map[string]Entry{
		"payload": {Payload: big},
		"text":    {PayloadText: strings.Repeat("é", 3<<20)},
		"event":   {Payload: json.RawMessage(`{}`), Event: canon.Event{Prompt: huge, HostEvent: huge, Tool: &canon.Tool{Name: huge, Output: big}}},
		"rest":    {Answer: huge, Notes: []string{huge}, Argv: []string{huge}, Decision: record.Decision{Reason: huge}, Guard: &record.Guard{Reason: huge}},
	} {
		e.Event.ID, e.PID, e.PayloadBytes = "01J", 7, 99
		line := Line(e)
		var got Entry
		if err := json.Unmarshal(line, &got); err != nil || len(line) > MaxLine || bytes.Count(line, []byte("\n")) != 1 {
			t.Fatalf("%s: %d bytes, %v", name, len(line), err)
		}
		if !got.Cut || got.Event.ID != "01J" || got.PID != 7 || got.PayloadBytes != 99 || !utf8.ValidString(got.PayloadText) {
			t.Errorf("%s: %+v", name, got)
		}
		if (name == "payload" || name == "text") && len(got.PayloadText) < head-4 {
			t.Errorf("%s: %d bytes of it are left", name, len(got.PayloadText))
		}
	}
	if e := (Entry{Payload: json.RawMessage(`{"a":"<>&"}`)}); !bytes.Contains(Line(e), []byte(`"payload":{"a":"<>&"}`)) || bytes.Contains(Line(e), []byte("cut")) {
		t.Errorf("%s", Line(e))
	}
}

// TestOnlyOurOwnFile: no link is followed, and pinta-gemini's log of the same name is neither moved nor taken for ours.
func TestOnlyOurOwnFile(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(t.TempDir(), "target")
	must(t, os.WriteFile(target, []byte("mine"), 0o600))
	must(t, os.Symlink(target, filepath.Join(dir, File)))
	if err := Append(dir, []byte("x\n"), 1); err == nil {
		t.Error("a link is followed")
	}
	if text, _ := os.ReadFile(target); string(text) != "mine" {
		t.Errorf("%q", text)
	}
	must(t, os.Remove(filepath.Join(dir, File)))
	must(t, os.WriteFile(filepath.Join(dir, File), []byte("{\"host\":\"gemini\"}\n"), 0o600))
	if Ours(filepath.Join(dir, File)) || Append(dir, []byte("x\n"), 4) == nil || Append(dir, []byte("x\n"), 1<<20) == nil {
		t.Error("another program's log is ours")
	}
	if _, err := os.Lstat(filepath.Join(dir, File+".old")); err == nil {
		t.Error("another program's log was moved")
	}
	must(t, os.Remove(filepath.Join(dir, File)))
	must(t, Append(dir, Line(numbered(1)), 1<<20))
	if !Ours(filepath.Join(dir, File)) {
		t.Error("our log is not ours")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestATornLineIsEnded: what a full disk left of a line costs that line alone, be it the first one.
func TestATornLineIsEnded(t *testing.T) {
	whole := string(Line(numbered(1)))
	for _, foreign := range []string{"\n", "{\n  ", "{x", "\n" + whole, "{\n\n" + whole} {
		path := filepath.Join(t.TempDir(), File)
		must(t, os.WriteFile(path, []byte(foreign), 0o600))
		if Ours(path) || Append(filepath.Dir(path), []byte(whole), 1<<20) == nil {
			t.Errorf("%q is ours", foreign)
		}
	}
	for _, left := range []string{"{", `{"boa`, `{"boathook":`, `{"boathook":1,"time":"20`, "{\n{\n{\"b", whole + `{"boa`, whole} {
		dir := t.TempDir()
		path := filepath.Join(dir, File)
		must(t, os.WriteFile(path, []byte(left), 0o600))
		if !Ours(path) {
			t.Errorf("%q is not ours", left)
		}
		for n := range 2 {
			must(t, Append(dir, Line(numbered(n)), 1<<20))
		}
		got, err := os.ReadFile(path)
		must(t, err)
		want := left + strings.Repeat("\n", map[bool]int{true: 0, false: 1}[left == whole]) + string(Line(numbered(0))) + string(Line(numbered(1)))
		if string(got) != want {
			t.Errorf("after %q: %s", left, got)
		}
	}
}

// TestNoRoomForTheOldLog: a directory in its place is left alone, and the log does not grow without end.
func TestNoRoomForTheOldLog(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, File+".old", "kept")
	must(t, os.MkdirAll(filepath.Dir(kept), 0o700))
	must(t, os.WriteFile(kept, nil, 0o600))
	for n := range 50 {
		must(t, Append(dir, Line(numbered(n)), 2<<10))
	}
	all := lines(t, filepath.Join(dir, File))
	if len(all) == 0 || len(all) > 7 || all[len(all)-1].PID != 49 {
		t.Errorf("%d lines", len(all))
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
}

// TestNothingInALineIsObeyed: a text that would turn a terminal's or an editor's direction is escaped, and reads as it was.
func TestNothingInALineIsObeyed(t *testing.T) {
	const odd = "a\u202eb\u2066c\u200bd\x1b[2J\u009b\x7fé日\U000e0041\ufeff\u2028"
	payload, err := json.Marshal(map[string]string{odd: odd})
	must(t, err)
	line := Line(Entry{Payload: payload, PayloadText: odd, Answer: odd, Argv: []string{odd}, Notes: []string{odd}})
	if i := strings.IndexFunc(string(line[:len(line)-1]), func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("%q", line[i:])
	}
	if !strings.Contains(string(line), "é日") {
		t.Error("what is harmless is escaped")
	}
	var got Entry
	must(t, json.Unmarshal(line, &got))
	if got.PayloadText != odd || got.Answer != odd || got.Argv[0] != odd || got.Notes[0] != odd {
		t.Errorf("%+v", got)
	}
	var back map[string]string
	if err := json.Unmarshal(got.Payload, &back); err != nil || back[odd] != odd {
		t.Errorf("%s, %v", got.Payload, err)
	}
}
