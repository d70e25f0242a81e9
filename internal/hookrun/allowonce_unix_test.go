//go:build unix

package hookrun

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/pending"
)

// Of many processes that make the lifted call at once, one passes.
func TestOneOfManyProcessesPasses(t *testing.T) {
	l := newLab(t, "")
	answer := func() string {
		cmd := l.process("BeforeTool", true)
		cmd.Stdin = strings.NewReader(geminiShell("rm -rf /srv"))
		out, err := cmd.Output()
		if err != nil {
			t.Error(err)
		}
		return string(out)
	}
	answer()
	kept := pending.Store{Dir: l.data, Now: time.Now}
	entries, err := kept.List()
	if err != nil || len(entries) != 1 {
		t.Fatalf("%+v %v", entries, err)
	}
	if _, err := kept.Allow(entries[0].Code, time.Minute); err != nil {
		t.Fatal(err)
	}
	const many = 20
	passed := 0
	var mu sync.Mutex
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			got := answer()
			mu.Lock()
			defer mu.Unlock()
			if got == "{}\n" {
				passed++
			} else if !strings.Contains(got, `"decision":"deny"`) {
				t.Errorf("answer %q", got)
			}
		})
	}
	all.Wait()
	if passed != 1 {
		t.Errorf("%d passed", passed)
	}
}
