// Package sqlite is the memory store in one file: SQLite without cgo, keywords by FTS5, vectors scanned by Go. Any number of processes
// may have the file open; writers wait for one another, and readers for nobody. It must not import net/http or database/sql.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/ownfile"
)

// FileName is the store's file in the data directory.
const FileName = "memory.db"

// readers is how many connections read at once.
const readers = 4

// errReadOnly is what writing a store says that was opened for reading.
var errReadOnly = fmt.Errorf("opened for reading: %w", memory.ErrDenied)

// Store is an open memory. It may be used concurrently.
type Store struct {
	path string
	// file is the one at path that was opened for writing.
	file os.FileInfo
	// write has the connection that writes while nobody uses it; it is nil for a reader.
	write chan *conn
	// read has the connections that read, and nil for each that was not made yet.
	read chan *conn
}

var _ memory.Store = (*Store)(nil)

// Open opens the memory at path, makes it when it is missing, and brings its tables up to date. An error that is ErrCorrupt means
// that the file is no usable database.
func Open(ctx context.Context, path string) (*Store, error) {
	// The file is made here for its mode, which SQLite then gives to the write-ahead log (modeof), and since SQLite would
	// follow a link to it.
	f, err := ownfile.Open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		if fi, serr := os.Lstat(path); serr == nil && !fi.Mode().IsRegular() {
			err = fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		return nil, fmt.Errorf("open memory: %w", err)
	}
	file, err := f.Stat()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fmt.Errorf("open memory %s: %w", path, err)
	}
	// SQLite does not wait where two make the same new file a WAL database.
	for tries := 0; ; tries++ {
		s, err := openWriter(ctx, path)
		if err == nil {
			s.file = file
		}
		if !errors.Is(err, sqlite3.BUSY) || tries == busyTries || ctx.Err() != nil {
			return s, err
		}
		time.Sleep(busyWait/2 + rand.N(busyWait))
	}
}

const (
	busyTries = 50
	busyWait  = 20 * time.Millisecond
)

func openWriter(ctx context.Context, path string) (*Store, error) {
	c, err := dial(ctx, path, "synchronous(normal)", "journal_size_limit(16777216)", "secure_delete(1)", "wal_autocheckpoint(4000)", "cache_size(-16000)")
	if err == nil {
		if err = c.searching(); err == nil {
			err = migrate(ctx, c)
		}
		if err != nil {
			_ = c.close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open memory %s: %w", path, classify(err))
	}
	s := newStore(path)
	s.write = make(chan *conn, 1)
	s.write <- c
	return s, nil
}

// OpenReadOnly opens an existing memory for reading. An error that is fs.ErrNotExist means that there is nothing yet. The
// file is opened for writing, as a WAL database needs, but every statement that would change it fails.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("open memory: %w", err)
	}
	if !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("open memory %s: %w: not a regular file", path, ErrCorrupt)
	}
	s := newStore(path)
	c, err := s.dialReader(ctx)
	if err == nil {
		if err = c.searching(); err == nil {
			err = check(c)
		}
		if err != nil {
			_ = c.close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open memory %s: %w", path, classify(err))
	}
	<-s.read
	s.read <- c
	return s, nil
}

func newStore(path string) *Store {
	s := &Store{path: path, read: make(chan *conn, readers)}
	for range readers {
		s.read <- nil
	}
	return s
}

func (s *Store) dialReader(ctx context.Context) (*conn, error) {
	c, err := dial(ctx, s.path, "query_only(1)")
	if err == nil {
		// A hook that is the last to close the file must not be the one that folds a writer's log into it.
		if _, err = c.db.Config(sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE, true); err != nil {
			_ = c.close()
		}
	}
	// The index of the log holds no data, so that it is no harm that its mode comes late. Of a link it would be somebody else's file.
	if fi, err := os.Lstat(s.path + "-shm"); err == nil && fi.Mode().IsRegular() && fi.Mode().Perm() != 0o600 {
		_ = os.Chmod(s.path+"-shm", 0o600)
	}
	return c, err
}

// reading runs f with a connection, in one read transaction.
func (s *Store) reading(ctx context.Context, what string, f func(*conn) error) error {
	c, err := s.take(ctx)
	if err == nil {
		err = c.within(ctx, "BEGIN", func() error { return f(c) })
		s.read <- c
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, s.path, classify(err))
	}
	return nil
}

// take gives one that was used before first: what it has prepared is worth more than a new one.
func (s *Store) take(ctx context.Context) (*conn, error) {
	for i := 0; ; i++ {
		select {
		case c, open := <-s.read:
			switch {
			case !open:
				return nil, errClosed
			case c != nil:
				return c, nil
			case i < readers-1:
				s.read <- nil
				continue
			}
			c, err := s.dialReader(ctx)
			if err != nil {
				s.read <- nil
			}
			return c, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

var errClosed = errors.New("memory is closed")

// writing runs f with the connection that writes, in one transaction.
func (s *Store) writing(ctx context.Context, what string, f func(*conn) error) error {
	err := s.alone(ctx, func(c *conn) error {
		if err := c.within(ctx, "BEGIN IMMEDIATE", func() error { return f(c) }); err != nil {
			return err
		}
		return s.there()
	})
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, s.path, classify(err))
	}
	return nil
}

// there is an error where the file at path is no longer the one that was written to: somebody removed it, or put another in its place, and
// what was written is lost. Who opens it anew can write it again.
func (s *Store) there() error {
	if now, err := os.Lstat(s.path); err != nil || !os.SameFile(now, s.file) {
		return fmt.Errorf("%w: the file was removed or replaced", memory.ErrUnavailable)
	}
	return nil
}

// alone runs f with the connection that writes, outside of a transaction.
func (s *Store) alone(ctx context.Context, f func(*conn) error) error {
	if s.write == nil {
		return errReadOnly
	}
	select {
	case c, open := <-s.write:
		if !open {
			return errClosed
		}
		defer func() { s.write <- c }()
		return f(c)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close closes the store, once what is being asked of it has ended. The last process to close the file folds the write-ahead log
// into it.
func (s *Store) Close() error {
	var errs []error
	for range readers {
		c, open := <-s.read
		if !open {
			return nil
		}
		if c != nil {
			errs = append(errs, c.close())
		}
	}
	close(s.read)
	if s.write != nil {
		c := <-s.write
		close(s.write)
		errs = append(errs, c.close())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close memory %s: %w", s.path, err)
	}
	return nil
}
