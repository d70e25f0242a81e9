package off

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestManyChangeAtOnce: none of them loses what another one wrote.
func TestManyChangeAtOnce(t *testing.T) {
	path, c := config(t), At(noon)
	unread := func(err error) { t.Error(err) }
	var wg sync.WaitGroup
	for n := range 20 {
		wg.Go(func() {
			_, err := Change(path, c, unread, func(s *State) {
				if s.Projects == nil {
					s.Projects = map[string]Span{}
				}
				s.Projects[fmt.Sprint("/p", n)] = c.Begin(time.Hour)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s, err := Load(path); err != nil || len(s.Projects) != 20 {
		t.Errorf("%d are off, %v", len(s.Projects), err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left beside it: %v", entries)
	}
}

// TestNothingIsMadeForNothing: who switches on what is not off leaves no trace.
func TestNothingIsMadeForNothing(t *testing.T) {
	path := config(t)
	s, err := Change(path, At(noon), func(err error) { t.Error(err) }, func(s *State) { s.All = nil })
	if err != nil || s.All != nil {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := os.Lstat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
}

// TestAKilledOffIsInNobodysWay: what it leaves has a name that a purge knows, and a lock that nobody holds.
func TestAKilledOffIsInNobodysWay(t *testing.T) {
	path, c := config(t), At(noon)
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(filepath.Join(filepath.Dir(path), LockFile), []byte("99999999\n"), 0o600))
	all := c.Begin(0)
	if s, err := Change(path, c, func(err error) { t.Error(err) }, func(s *State) { s.All = &all }); err != nil || s.All == nil {
		t.Errorf("%+v, %v", s, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 || entries[0].Name() != File {
		t.Errorf("left beside it: %v", entries)
	}
}
