package torture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/canary"
)

// TestCanaries plants every type of secret in every place and then looks for it in all that is on the disk, first while
// the spool holds it (the worker is kept out by its own lock), then in the store.
func TestCanaries(t *testing.T) {
	b := newBench(t, "")
	release := b.holdWorker(t)
	n := 0
	for _, c := range canary.All() {
		for where, payload := range canary.Places(c.Text) {
			words := strings.Fields(where)
			answer(t, b.hook(words[0], words[1]), strings.NewReader(payload))
			n++
		}
	}
	b.search(t, "spool")
	release()
	if got := len(b.records(t)); got != n {
		t.Errorf("%d records of %d", got, n)
	}
	b.search(t, "events.db")
}

// search looks for every secret in every file below the data directory; part must be among the files with content.
func (b *bench) search(t *testing.T, part string) {
	t.Helper()
	var size int64
	err := filepath.WalkDir(b.data, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(path, part) {
			size += int64(len(text))
		}
		for _, kind := range canary.Found(string(text)) {
			t.Errorf("%s: a secret (%s) is in clear", filepath.Base(path), kind)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if size == 0 {
		t.Errorf("nothing was looked at in %s", part)
	}
}
