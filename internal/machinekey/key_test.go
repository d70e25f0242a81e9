package machinekey

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestOneKeyForAll: whoever comes first makes it, and all have the same one then.
func TestOneKeyForAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	keys := make([]Key, 20)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			var err error
			if keys[i], err = Load(dir); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, k := range keys {
		if len(k) != size || string(k) != string(keys[0]) {
			t.Fatalf("keys %x and %x", keys[0], k)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "key")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key is %v, %v", info.Mode(), err)
	}
	if h := keys[0].Hash("a"); h == keys[0].Hash("b") || len(h) != 64 || keys[0].Hash("") != "" || Key(nil).Hash("a") != "" {
		t.Errorf("hash %q", h)
	}
}

func TestWhatIsNoKey(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if key, err := Load(dir); err == nil {
		t.Errorf("key %x", key)
	}
}
