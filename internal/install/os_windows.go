package install

import (
	"errors"
	"io/fs"
)

// owner is not known: Windows has access lists instead.
func owner(fs.FileInfo) (int, bool) { return 0, false }

// terminate can't ask a process without a console to end.
func terminate(int) error { return errors.ErrUnsupported }

// lockDir gives none: directories can't be locked.
func lockDir(string) (unlock func(), err error) { return func() {}, nil }

// mayWrite and mayReplace know nothing: access lists are asked by trying.
func mayWrite(string) error   { return nil }
func mayReplace(string) error { return nil }
