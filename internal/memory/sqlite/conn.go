package sqlite

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"
)

// conn is one connection with the statements that it was asked for. One goroutine uses it at a time. It goes without database/sql,
// which would double what a row costs.
type conn struct {
	db    *sqlite3.Conn
	stmts map[string]*sqlite3.Stmt
	fts   bool
}

// dial opens an existing file. The busy timeout comes first, since the other pragmas may have to wait.
func dial(ctx context.Context, path string, pragmas ...string) (*conn, error) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	query := url.Values{"mode": {"rw"}, "modeof": {path}}
	for _, p := range append([]string{"busy_timeout(5000)"}, pragmas...) {
		query.Add("_pragma", p)
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	// To SQLite a plus sign is no space.
	raw := strings.ReplaceAll(query.Encode(), "+", "%20")
	db, err := sqlite3.OpenContext(ctx, (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: raw}).String())
	if err != nil {
		return nil, err
	}
	return &conn{db: db, stmts: map[string]*sqlite3.Stmt{}}, nil
}

// searching makes the index of terms known to the connection, which costs one that doesn't ask it more than all else of opening it.
func (c *conn) searching() error {
	if c.fts {
		return nil
	}
	if err := fts5.Register(c.db); err != nil {
		return err
	}
	c.fts = true
	return nil
}

func (c *conn) close() error {
	for _, s := range c.stmts {
		_ = s.Close()
	}
	c.stmts = nil
	return c.db.Close()
}

// stmt is a prepared statement, bound.
func (c *conn) stmt(query string, args []any) (*sqlite3.Stmt, error) {
	s := c.stmts[query]
	if s == nil {
		var err error
		if s, _, err = c.db.PrepareFlags(query, sqlite3.PREPARE_PERSISTENT); err != nil {
			return nil, err
		}
		c.stmts[query] = s
	}
	for i, a := range args {
		if err := bind(s, i+1, a); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func bind(s *sqlite3.Stmt, i int, a any) error {
	switch a := a.(type) {
	case nil:
		return s.BindNull(i)
	case string:
		return s.BindText(i, a)
	case int:
		return s.BindInt(i, a)
	case int64:
		return s.BindInt64(i, a)
	case bool:
		return s.BindBool(i, a)
	case []byte:
		if a == nil {
			return s.BindNull(i)
		}
		return s.BindBlob(i, a)
	}
	return fmt.Errorf("bind a %T", a)
}

// exec runs a statement that gives no rows.
func (c *conn) exec(query string, args ...any) error {
	return c.each(query, args, nil)
}

// each calls back with each row. Within the call the statement may be read, but not run again.
func (c *conn) each(query string, args []any, row func(*sqlite3.Stmt) error) error {
	s, err := c.stmt(query, args)
	if err != nil {
		return err
	}
	for s.Step() {
		if row == nil {
			continue
		}
		if err := row(s); err != nil {
			_ = s.Reset()
			return err
		}
	}
	err = s.Err()
	if rerr := s.Reset(); err == nil {
		err = rerr
	}
	return err
}

// number reads one integer; ok is false where there is no row.
func (c *conn) number(query string, args ...any) (n int64, ok bool, err error) {
	err = c.each(query, args, func(s *sqlite3.Stmt) error {
		n, ok = s.ColumnInt64(0), true
		return nil
	})
	return n, ok, err
}

// within runs f in a transaction: "BEGIN" or "BEGIN IMMEDIATE".
func (c *conn) within(ctx context.Context, begin string, f func() error) (err error) {
	old := c.db.SetInterrupt(ctx)
	defer c.db.SetInterrupt(old)
	if err := c.exec(begin); err != nil {
		return interrupted(ctx, err)
	}
	defer func() {
		if err != nil {
			// What ended the context must not end the rollback.
			c.db.SetInterrupt(old)
			if !c.db.GetAutocommit() {
				_ = c.exec("ROLLBACK")
			}
			err = interrupted(ctx, err)
		}
	}()
	if err := f(); err != nil {
		return err
	}
	return c.exec("COMMIT")
}

// interrupted names the context as the reason, where it is.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return err
}
