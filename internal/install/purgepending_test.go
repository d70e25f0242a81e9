package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/pending"
)

// TestPurgeKnowsPendingCalls: every file that denied calls and a person's leave for them have is known to a purge.
func TestPurgeKnowsPendingCalls(t *testing.T) {
	dir := t.TempDir()
	s := pending.Store{Dir: dir, Now: time.Now}
	for _, key := range []string{strings.Repeat("a1", 32), strings.Repeat("b2", 32)} {
		if _, err := s.Deny(pending.Entry{Key: key, Agent: "gemini", Tool: "bash", What: "rm -rf x", Rule: "r"}, "session"); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.List()
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	if _, err := s.Allow(list[0].Code, time.Minute); err != nil {
		t.Fatal(err)
	}
	s.Pass(strings.Repeat("c3", 32), "BeforeTool")
	for _, path := range dataFiles(dir) {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if inside, _ := filepath.Glob(filepath.Join(dir, "pending", "*")); err != nil || len(left)+len(inside) > 0 {
		t.Errorf("left: %v %v (%v)", left, inside, err)
	}
}
