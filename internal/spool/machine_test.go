package spool

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// machine compares a spool with what it should hold, over random sequences of everything that hooks and the worker do.
type machine struct {
	s       Spool
	next    int
	waiting map[string]string
	bad     map[string]string
	dropped int64 // dropped, and not yet taken and forgotten
}

func TestMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "spool")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		m := &machine{s: Spool{Dir: dir}, waiting: map[string]string{}, bad: map[string]string{}}
		t.Repeat(rapid.StateMachineActions(m))
	})
}

func (m *machine) Append(t *rapid.T) {
	data := rapid.StringN(0, 40, 40).Draw(t, "data")
	// Ids mostly rise; a clock that goes backwards makes them fall.
	m.next += rapid.IntRange(1, 3).Draw(t, "step")
	n := m.next
	if rapid.IntRange(0, 9).Draw(t, "backwards") == 0 {
		n = 1_000_000_000 - m.next
	}
	if err := m.s.Append(id(n), []byte(data)); err != nil {
		t.Fatal(err)
	}
	m.waiting[id(n)+".json"] = data
}

func (m *machine) Done(t *rapid.T) {
	name := m.draw(t)
	if err := m.s.Done(name); err != nil {
		t.Fatal(err)
	}
	delete(m.waiting, name)
}

func (m *machine) Quarantine(t *rapid.T) {
	name := m.draw(t)
	if err := m.s.Quarantine(name, "reason of "+name); err != nil {
		t.Fatal(err)
	}
	m.bad[name] = "reason of " + name
	delete(m.waiting, name)
}

func (m *machine) Enforce(t *rapid.T) {
	m.s.MaxBytes = int64(rapid.IntRange(1, 200).Draw(t, "cap"))
	var total int64
	for _, data := range m.waiting {
		total += int64(len(data))
	}
	want := 0
	for _, name := range m.names() {
		if total <= m.s.MaxBytes {
			break
		}
		total -= int64(len(m.waiting[name]))
		delete(m.waiting, name)
		want++
	}
	if got, err := m.s.Enforce(); err != nil || got != want {
		t.Fatalf("dropped %d, %v, want %d", got, err, want)
	}
	m.dropped += int64(want)
}

func (m *machine) TakeDropped(t *rapid.T) {
	d, err := m.s.TakeDropped()
	if err != nil || d.Count > m.dropped {
		t.Fatalf("took %+v, %v of %d", d, err, m.dropped)
	}
	if rapid.Bool().Draw(t, "crash before forgetting") {
		return
	}
	if err := m.s.ForgetDropped(d); err != nil {
		t.Fatal(err)
	}
	m.dropped -= d.Count
}

// Check runs after every action.
func (m *machine) Check(t *rapid.T) {
	got, err := m.s.Pending()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.names(), got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatal(diff)
	}
	var total int64
	for _, name := range got {
		b, err := m.s.Read(name)
		if err != nil || string(b) != m.waiting[name] {
			t.Fatalf("%s is %q, %v, want %q", name, b, err, m.waiting[name])
		}
		total += int64(len(b))
	}
	if files, size, _, err := m.s.Usage(); err != nil || files != len(got) || size != total {
		t.Fatalf("usage %d %d %v, want %d %d", files, size, err, len(got), total)
	}
	bad, err := m.s.Quarantined()
	if err != nil || len(bad) != len(m.bad) {
		t.Fatalf("quarantined %v, %v", bad, err)
	}
	for _, b := range bad {
		if m.bad[b.Name] != b.Reason {
			t.Fatalf("%s is bad for %q, want %q", b.Name, b.Reason, m.bad[b.Name])
		}
	}
}

func (m *machine) names() []string { return slices.Sorted(maps.Keys(m.waiting)) }

func (m *machine) draw(t *rapid.T) string {
	if len(m.waiting) == 0 {
		t.Skip("nothing waits")
	}
	return rapid.SampledFrom(m.names()).Draw(t, "name")
}
