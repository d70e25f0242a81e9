package store

import (
	"database/sql"
	"sync"
)

// reading is a second connection: what is read through it waits for no insert, and no insert for it.
type reading struct {
	once sync.Once
	mu   sync.Mutex
	db   *sql.DB
}

// reader is the connection for what sinks read. It is the store's only one where a second would open another file.
func (s *Store) reader() *sql.DB {
	if s.stmts.insert == nil {
		return s.db
	}
	s.second.once.Do(func() {
		db, err := sql.Open("sqlite3", dsn(s.path, []string{"query_only(1)"}))
		if err != nil {
			return
		}
		db.SetMaxOpenConns(1)
		if db.Ping() != nil || !s.Current() {
			_ = db.Close()
			return
		}
		s.second.mu.Lock()
		s.second.db = db
		s.second.mu.Unlock()
	})
	if s.second.db == nil {
		return s.db
	}
	return s.second.db
}

// opened is the connection if there is one.
func (r *reading) opened() *sql.DB {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.db
}

// close ends a second connection, if there is one.
func (r *reading) close() {
	r.once.Do(func() {})
	if r.db != nil {
		_ = r.db.Close()
	}
}
