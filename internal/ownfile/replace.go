package ownfile

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
)

// Replace writes a file aside and moves it into place: whoever reads it gets the old one or the new one, whole. Its folder is made where it
// is missing.
func Replace(path string, text []byte) error {
	if err := MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	var chance [6]byte
	_, _ = rand.Read(chance[:]) // never fails since Go 1.24
	tmp := path + "." + hex.EncodeToString(chance[:])
	f, err := Open(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp)
	}
	return err
}
