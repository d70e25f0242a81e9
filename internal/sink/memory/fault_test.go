package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/sqlite"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
	"github.com/boathook/boathook/internal/store"
)

// faulty is a store of memory of which a test decides what it takes.
type faulty struct {
	rows.Store
	write func(rows.Batch) error
	after func() error
}

func (f faulty) Write(ctx context.Context, b rows.Batch) (rows.Written, error) {
	if f.write != nil {
		if err := f.write(b); err != nil {
			return rows.Written{}, err
		}
	}
	done, err := f.Store.Write(ctx, b)
	if err == nil && f.after != nil {
		err = f.after()
	}
	return done, err
}

// TestDown: what waits for a store that is down is taken when it is back, all of it, once; and the store is left alone meanwhile.
func TestDown(t *testing.T) {
	for name, why := range map[string]error{
		"down": rows.ErrUnavailable, "read-only": rows.ErrDenied, "older": rows.ErrOlder, "newer": rows.ErrNewer, "unknown": errors.New("disk full"),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, talk(t, 0, "s1")...)
			tries, down := 0, true
			w.broken = func(s rows.Store) rows.Store {
				return faulty{Store: s, write: func(rows.Batch) error {
					if tries++; down {
						return fmt.Errorf("write: %w", why)
					}
					return nil
				}}
			}
			for range 5 {
				passed := w.pass()
				c := w.cursor()
				if !passed.Behind || passed.Events != 0 || !passed.Next.Equal(c.Next) || !c.Next.After(w.now) || c.Event != 0 || c.Error == "" {
					t.Fatalf("%+v %+v", passed, c)
				}
				tried := tries
				if w.pass(); tries != tried {
					t.Error("it isn't left alone")
				}
				w.now = c.Next
			}
			if c := w.cursor(); c.Tries != 5 {
				t.Errorf("%d tries", c.Tries)
			}
			down = false
			if passed := w.pass(); passed.Behind || passed.Events != 8 {
				t.Errorf("%+v", passed)
			}
			if c := w.cursor(); c.Tries != 0 || c.Error != "" || !c.Next.IsZero() {
				t.Errorf("%+v", c)
			}
			if lines := w.memory(); len(lines) != 5 {
				t.Errorf("%s", strings.Join(lines, "\n"))
			}
			counts, err := w.events.Counters(t.Context())
			must(t, err)
			if counts[CountFailed] != 5*4 || counts[CountTaken] != 4 {
				t.Errorf("%v", counts)
			}
		})
	}
}

// TestMended: what failed before the settings were written is tried at once with them, and not again and again.
func TestMended(t *testing.T) {
	w := newWorld(t, talk(t, 0, "s1")...)
	opened := 0
	broken := func(c *Config) {
		c.Open = func(context.Context) (rows.Store, error) {
			opened++
			return nil, fmt.Errorf("connect: %w", rows.ErrLogin)
		}
	}
	w.restart(broken)
	w.pass()
	w.now = w.now.Add(time.Second)
	w.restart(broken, func(c *Config) { c.Changed = w.now })
	w.now = w.now.Add(time.Second)
	w.pass()
	w.pass()
	if c := w.cursor(); opened != 2 || c.Tries != 2 {
		t.Errorf("opened %d times, %+v", opened, c)
	}
	w.restart(func(c *Config) { c.Changed = w.now.Add(time.Millisecond) })
	w.now = w.now.Add(time.Second)
	if passed := w.pass(); passed.Behind || passed.Events != 8 {
		t.Errorf("%+v", passed)
	}
}

// TestUnopened: neither is a store that can't be opened asked again and again, nor does an error tell a secret.
func TestUnopened(t *testing.T) {
	w := newWorld(t, talk(t, 0, "s1")...)
	opened := 0
	const password = "hunter2" + "correcthorse"
	w.restart(func(c *Config) {
		c.Open = func(context.Context) (rows.Store, error) {
			opened++
			return nil, fmt.Errorf("dial postgres://me:%s@db/x: %w", password, rows.ErrUnavailable)
		}
	})
	w.pass()
	w.pass()
	if c := w.cursor(); opened != 1 || c.Tries != 1 || strings.Contains(c.Error, password) {
		t.Errorf("opened %d times, %+v", opened, c)
	}
}

// TestReadOnly: a store that may only be read is waited for as well.
func TestReadOnly(t *testing.T) {
	w := newWorld(t, talk(t, 0, "s1")...)
	made, err := sqlite.Open(t.Context(), w.path)
	must(t, err)
	must(t, made.Close())
	w.restart(func(c *Config) {
		c.Open = func(ctx context.Context) (rows.Store, error) {
			s, err := sqlite.OpenReadOnly(ctx, w.path)
			if err != nil {
				return nil, err
			}
			return s, nil
		}
	})
	if passed := w.pass(); !passed.Behind || passed.Events != 0 {
		t.Errorf("%+v", passed)
	}
	c := w.cursor()
	if least := w.now.Add(brokenBase / 10); c.Tries != 1 || c.Next.Before(least) || c.Error == "" {
		t.Errorf("%+v", c)
	}
	w.restart()
	w.now = c.Next
	if passed := w.pass(); passed.Behind || passed.Events != 8 || len(w.memory()) != 5 {
		t.Errorf("%+v", passed)
	}
}

// TestCursorIsDiscreet: what the cursor keeps of an open session is nothing that forgetting would have to find; and a session whose events
// are gone is not finished.
func TestCursorIsDiscreet(t *testing.T) {
	all := talk(t, 0, "session-of-mine")
	w := newWorld(t, all[:6]...)
	w.now = begin.Add(time.Minute)
	w.pass()
	c := w.cursor()
	if len(readState(c.State).Sessions) != 1 || strings.Contains(string(c.State), "mine") || strings.Contains(string(c.State), "claude") {
		t.Errorf("%s", c.State)
	}
	_, err := w.events.Purge(t.Context(), store.PurgeFilter{Session: "session-of-mine"})
	must(t, err)
	w.now = begin.Add(time.Hour)
	if passed := w.pass(); passed.Behind || len(readState(w.cursor().State).Sessions) != 0 {
		t.Errorf("%+v %s", passed, w.cursor().State)
	}
	if lines := w.memory(); count(lines, "outcome=success") != 0 {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}

// TestWaits: the wait doubles, stays within its bounds, and differs.
func TestWaits(t *testing.T) {
	for tries, bound := range map[int]time.Duration{1: time.Second, 3: 4 * time.Second, 9: 256 * time.Second, 10: maxBackoff, 1000: maxBackoff} {
		seen := map[time.Duration]bool{}
		for range 50 {
			d := wait(tries, rows.ErrUnavailable)
			if d < bound/10 || d > bound {
				t.Errorf("%d: %s", tries, d)
			}
			seen[d] = true
		}
		if len(seen) < 10 {
			t.Errorf("%d: always the same", tries)
		}
	}
	if d := wait(1, rows.ErrDenied); d < brokenBase/10 {
		t.Errorf("%s", d)
	}
}

// many are sessions one after the other.
func many(t *testing.T, n int) (out []record.Record) {
	for i := range n {
		out = append(out, talk(t, 10*i, fmt.Sprintf("s%d", i))...)
	}
	return out
}

// TestKilled: wherever a process ends, before a write, between the write and its note, or while it notes, the next one makes the same rows
// of it, and counts each once.
func TestKilled(t *testing.T) {
	records := many(t, 30)
	whole := newWorld(t, records...)
	whole.pass()
	want := whole.memory()
	for at := range 12 {
		w := newWorld(t, records...)
		n := 0
		ctx, kill := context.WithCancel(t.Context())
		end := func() error {
			if n++; n == at+1 {
				kill()
				return errors.New("killed")
			}
			return nil
		}
		w.broken = func(s rows.Store) rows.Store {
			if at%2 == 0 {
				return faulty{Store: s, write: func(rows.Batch) error { return end() }}
			}
			return faulty{Store: s, after: end}
		}
		passed, err := w.sink.Pass(ctx, w.events)
		kill()
		if err != nil || !passed.Behind {
			t.Fatalf("at %d: %+v %v", at, passed, err)
		}
		w.broken = nil
		w.restart()
		if passed := w.pass(); passed.Behind {
			t.Errorf("at %d: %+v", at, passed)
		}
		if diff := cmp.Diff(want, w.memory()); diff != "" {
			t.Errorf("at %d: %s", at, diff)
		}
		counts, err := w.events.Counters(t.Context())
		must(t, err)
		if counts[CountTaken] != 4*30 {
			t.Errorf("at %d: %v", at, counts)
		}
	}
}

// TestPoison: a row that the store refuses for good is put aside, masked, and counted; all others are remembered.
func TestPoison(t *testing.T) {
	const secret = "gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a"
	records := many(t, 20)
	records[17*8+1].Prompt = "POISON " + secret
	w := newWorld(t, records...)
	w.broken = func(s rows.Store) rows.Store {
		return faulty{Store: s, write: func(b rows.Batch) error {
			for _, m := range b.Messages {
				if strings.Contains(m.Text, "POISON") {
					return fmt.Errorf("write: %w", rows.ErrPoison)
				}
			}
			return nil
		}}
	}
	if passed := w.pass(); passed.Behind || passed.Events != len(records) {
		t.Errorf("%+v", passed)
	}
	if lines := w.memory(); count(lines, "POISON") != 0 || count(lines, "user: the build") != 19 {
		t.Errorf("%d prompts", count(lines, "user: the build"))
	}
	counts, err := w.events.Counters(t.Context())
	must(t, err)
	if counts[CountRefused] != 1 || counts[CountTaken] != 20*4-1 || counts[CountFailed] != 0 {
		t.Errorf("%v", counts)
	}
	path := filepath.Join(w.dir, BadFile)
	text, err := os.ReadFile(path)
	must(t, err)
	fi, err := os.Stat(path)
	must(t, err)
	if strings.Contains(string(text), secret) || !strings.Contains(string(text), "POISON") || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v %s", fi.Mode(), text)
	}
	if n, err := Bad(w.dir); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// TestRefusesAll: a store that takes nothing is the wrong one, and nothing is put aside for that.
func TestRefusesAll(t *testing.T) {
	w := newWorld(t, many(t, 3)...)
	w.broken = func(s rows.Store) rows.Store {
		return faulty{Store: s, write: func(rows.Batch) error { return rows.ErrPoison }}
	}
	if passed := w.pass(); !passed.Behind || passed.Events != 0 {
		t.Errorf("%+v", passed)
	}
	if n, err := Bad(w.dir); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	w.broken = nil
	w.restart()
	w.now = w.cursor().Next
	if passed := w.pass(); passed.Behind || passed.Events != 24 {
		t.Errorf("%+v", passed)
	}
}

// TestDamaged: an event that can't be read is passed.
func TestDamaged(t *testing.T) {
	w := newWorld(t, talk(t, 0, "s1")...)
	must(t, w.events.Close())
	damage(t, filepath.Join(w.dir, store.FileName))
	var err error
	w.events, err = store.Open(t.Context(), filepath.Join(w.dir, store.FileName))
	must(t, err)
	if passed := w.pass(); passed.Behind || passed.Events != 8 {
		t.Errorf("%+v", passed)
	}
	if lines := w.memory(); count(lines, "make build") != 0 || count(lines, "make all") == 0 {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}

// forgetful filters what a test says.
type forgetful struct{ session string }

func (f forgetful) Filter(b rows.Batch) (left rows.Batch, dropped int, err error) {
	for _, s := range b.Sessions {
		if s.ID != f.session {
			left.Sessions = append(left.Sessions, s)
		}
	}
	for _, m := range b.Messages {
		if m.Session != f.session {
			left.Messages = append(left.Messages, m)
		}
	}
	for _, c := range b.ToolCalls {
		if c.Session != f.session {
			left.ToolCalls = append(left.ToolCalls, c)
		}
	}
	return left, 1, nil
}

func TestForgottenStaysSo(t *testing.T) {
	w := newWorld(t, many(t, 2)...)
	w.restart(func(c *Config) { c.Forgotten = forgetful{"claude/s0"} })
	w.pass()
	if lines := w.memory(); count(lines, "s0") != 0 || count(lines, "s1") == 0 {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}

// TestNoMask: what is put aside is masked without any settings, too.
func TestNoMask(t *testing.T) {
	s := New(Config{DataDir: t.TempDir(), Mask: (*redact.Redactor)(nil)})
	const secret = "gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a"
	must(t, s.putAside("e", rows.Batch{Messages: []rows.Message{{Text: secret}}}, errors.New(secret)))
	text, err := os.ReadFile(filepath.Join(s.DataDir, BadFile))
	must(t, err)
	if strings.Contains(string(text), secret) {
		t.Errorf("%s", text)
	}
}
