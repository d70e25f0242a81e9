package store

import (
	"database/sql"
	"unsafe"
)

// largeRow is from which size on a row makes SQLite's memory grow by much: a connection never gives that back.
const largeRow = 4 << 20

// noteSize remembers that a large row was read or written.
func (s *Store) noteSize(bytes int) {
	if bytes >= largeRow {
		s.large.Store(true)
	}
}

// Shed gives the memory back that large rows took, if there were any since the last time: idle connections are closed, and
// made anew when they are needed.
func (s *Store) Shed() bool {
	if !s.large.Swap(false) {
		return false
	}
	for _, db := range []*sql.DB{s.db, s.second.opened()} {
		if db != nil {
			db.SetMaxIdleConns(0)
			db.SetMaxIdleConns(1)
		}
	}
	s.log.forget() // the last connection to be closed removes it
	return true
}

// textOf and bytesOf are the same memory as the other type, since rows may be large. Nobody changes it meanwhile.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func bytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }
