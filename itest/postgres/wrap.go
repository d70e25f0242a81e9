package postgres

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// wrapAll makes the unpacked programs run on a system with other libraries: each becomes a script that starts it by the loader
// that was unpacked with it. So there is need neither of a chroot nor of anybody's rights.
func wrapAll(work, final string, version int) error {
	loader, err := one(work, "usr/lib64/ld-linux-*.so.*", "lib64/ld-linux-*.so.*", "usr/lib/ld-linux-*.so.*", "lib/ld-linux-*.so.*")
	if err != nil {
		return fmt.Errorf("find the loader: %w", err)
	}
	libc, err := all(work, "usr/lib/*-linux-gnu*/libc.so.6", "lib/*-linux-gnu*/libc.so.6", "usr/lib/*-linux-gnu*/libpq.so.5")
	if err != nil || len(libc) == 0 {
		return fmt.Errorf("find the libraries: %w", err)
	}
	libraries := ""
	for _, file := range libc {
		libraries += filepath.Join(final, filepath.Dir(file)) + ":"
	}
	names := []string{"usr/sbin/pgbouncer"}
	for _, name := range []string{"initdb", "postgres"} {
		names = append(names, filepath.Join("usr/lib/postgresql", fmt.Sprint(version), "bin", name))
	}
	for _, name := range names {
		path := filepath.Join(work, name)
		if err := os.Rename(path, path+".program"); err != nil {
			return err
		}
		script := fmt.Sprintf("#!/bin/sh\nexec %q --argv0 \"$0\" --library-path %q %q \"$@\"\n",
			filepath.Join(final, loader), libraries, filepath.Join(final, name+".program"))
		if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
			return err
		}
	}
	return nil
}

func all(root string, patterns ...string) ([]string, error) {
	var out []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			name, err := filepath.Rel(root, file)
			if err != nil {
				return nil, err
			}
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func one(root string, patterns ...string) (string, error) {
	found, err := all(root, patterns...)
	if err == nil && len(found) == 0 {
		err = errors.New("there is none")
	}
	if err != nil {
		return "", err
	}
	return found[0], nil
}
