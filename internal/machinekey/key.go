// Package machinekey is the secret of this machine that all keyed hashes are made with. It imports of boathook internal/ownfile alone.
package machinekey

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/boathook/boathook/internal/ownfile"
)

// Key is the key of all keyed hashes: 32 bytes, made once, 0600, never leaving the data directory. Without it
// equal inputs could be found by guessing and hashing.
type Key []byte

// Load reads the key, or makes it. Hooks that race make one: the first link wins.
func Load(dataDir string) (Key, error) {
	path := filepath.Join(dataDir, "key")
	if key, err := read(path); err == nil {
		return key, nil
	}
	if err := ownfile.MakeRecorded(dataDir); err != nil {
		return nil, fmt.Errorf("make %s: %w", dataDir, err)
	}
	fresh := make([]byte, size)
	_, _ = rand.Read(fresh) // never fails since Go 1.24
	tmp := path + "." + hex.EncodeToString(fresh[:4])
	if err := write(tmp, fresh); err != nil {
		return nil, err
	}
	defer os.Remove(tmp)
	_ = os.Link(tmp, path) // someone else's key is as good; read tells if there is none
	return read(path)
}

func write(path string, key []byte) error {
	f, err := ownfile.Open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.WriteString(hex.EncodeToString(key))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(path)
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// read opens nothing that could hang or lead elsewhere.
func read(path string) (Key, error) {
	f, err := ownfile.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	defer f.Close()
	text := make([]byte, size*2+1)
	n, err := io.ReadFull(f, text)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	key, err := hex.DecodeString(string(text[:n]))
	if err != nil || len(key) != size {
		return nil, fmt.Errorf("read %s: not a key of %d bytes in hex", path, size)
	}
	return key, nil
}

const size = 32

// Hash is the keyed hash of a text. An empty text stays empty: that there is nothing is no secret.
func (k Key) Hash(text string) string {
	if k == nil || text == "" {
		return ""
	}
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}
