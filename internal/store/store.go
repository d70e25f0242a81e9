// Package store is the table of events: SQLite, one file, append-only but for retention. The worker writes it; log, policy
// replay, the dashboard and the sinks read it in the order of insertion. It must not import net/http.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ncruces/go-sqlite3"
	// The driver registers itself with database/sql as "sqlite3".
	_ "github.com/ncruces/go-sqlite3/driver"

	"github.com/boathook/boathook/internal/ownfile"
)

// FileName is the store's file in the data directory.
const FileName = "events.db"

// ErrNewer says that the file was written by a newer version of this program. Nothing is wrong with it.
var ErrNewer = errors.New("written by a newer version")

// Store is an open events table. It may be used concurrently: writers wait for one another, and what sinks read waits for nobody.
type Store struct {
	db   *sql.DB
	path string
	file fs.FileInfo
	// users is how many times it has to be closed.
	users atomic.Int32
	// older says that the tables are those of an older version, which no worker has brought up to date yet: its events
	// belong to nothing, and there are no turns and no cursors.
	older  bool
	stmts  statements
	second reading
	recent recent
	log    logFile
	large  atomic.Bool
}

// Open opens the store at path, makes it when it is missing, and brings its tables up to date. An error that is
// ErrCorrupt means that the file is no usable database.
func Open(ctx context.Context, path string) (*Store, error) {
	return open(ctx, path, "normal")
}

// OpenDurable is Open, but what Insert returned from survives a loss of power, at the price of an fsync per transaction.
func OpenDurable(ctx context.Context, path string) (*Store, error) {
	return open(ctx, path, "full")
}

func open(ctx context.Context, path, synchronous string) (*Store, error) {
	// The file is made here for its mode, which SQLite then gives to the write-ahead log (modeof), and since SQLite would
	// follow a link to it. A link or directory is moved aside like a corrupt store, without a look at what is behind it.
	f, err := ownfile.Open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		if fi, serr := os.Lstat(path); serr == nil && !fi.Mode().IsRegular() {
			err = fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		return nil, fmt.Errorf("open store: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	// SQLite does not wait where two make the same new file a WAL database.
	for tries := 0; ; tries++ {
		s, err := connect(ctx, path, true, "auto_vacuum(2)", "journal_mode(wal)", "synchronous("+synchronous+")", "journal_size_limit(16777216)",
			"secure_delete(1)", "wal_autocheckpoint(4000)")
		if !errors.Is(err, sqlite3.BUSY) || tries == busyTries {
			return s, err
		}
		time.Sleep(busyWait/2 + rand.N(busyWait))
	}
}

const (
	busyTries = 50
	busyWait  = 20 * time.Millisecond
)

// OpenReadOnly opens an existing store for reading. An error that is fs.ErrNotExist means that there is nothing yet. The
// file is opened for writing, as a WAL database needs, but every statement that would change it fails.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	return connect(ctx, path, false, "query_only(1)")
}

func connect(ctx context.Context, path string, write bool, pragmas ...string) (*Store, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("open store %s: %w: not a regular file", path, ErrCorrupt)
	}
	db, err := sql.Open("sqlite3", dsn(path, pragmas))
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	// One connection: SQLite has one writer, and Each holds none while it calls back.
	db.SetMaxOpenConns(1)
	s := &Store{db: db, path: path, file: fi}
	s.users.Store(1)
	prepare := s.check
	if write {
		prepare = s.migrate
	}
	if err := prepare(ctx); err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("open store %s: %w", path, classify(err))
	}
	if write {
		if err := s.prepareStatements(ctx); err != nil {
			_ = db.Close()
			return nil, fmt.Errorf("open store %s: %w", path, classify(err))
		}
	}
	// The index of the log holds no data, so that it is no harm that its mode comes late.
	_ = os.Chmod(path+"-shm", 0o600)
	return s, nil
}

// dsn is the URI of an existing file. The busy timeout comes first, since the other pragmas may have to wait.
func dsn(path string, pragmas []string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	query := url.Values{"mode": {"rw"}, "modeof": {path}, "_txlock": {"immediate"}}
	for _, p := range append([]string{"busy_timeout(5000)"}, pragmas...) {
		query.Add("_pragma", p)
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	// To SQLite a plus sign is no space.
	raw := strings.ReplaceAll(query.Encode(), "+", "%20")
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: raw}).String()
}

// Share makes another user of an open store, who must close it too; it stays open until all have. It reports false when
// all had already.
func (s *Store) Share() bool {
	for {
		n := s.users.Load()
		if n <= 0 {
			return false
		}
		if s.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Close closes the store. The last one to close it folds the write-ahead log into the file.
func (s *Store) Close() error {
	if s.users.Add(-1) != 0 {
		return nil
	}
	s.second.close()
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close store %s: %w", s.path, err)
	}
	return nil
}

// Integrity has SQLite check the whole file, which takes a while on a large one.
func (s *Store) Integrity(ctx context.Context) error {
	problems, err := s.texts(ctx, "PRAGMA integrity_check(10)")
	if err != nil {
		return fmt.Errorf("check store %s: %w", s.path, classify(err))
	}
	if len(problems) != 1 || problems[0] != "ok" {
		return fmt.Errorf("check store %s: %w: %s", s.path, ErrCorrupt, strings.Join(problems, "; "))
	}
	return nil
}

// texts reads a result of one column.
func (s *Store) texts(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, rows.Err()
}
