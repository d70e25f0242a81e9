package memory

import (
	"database/sql"
	"testing"

	_ "github.com/ncruces/go-sqlite3/driver"
)

// damage makes the records of the call that failed unreadable.
func damage(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	_, err = db.ExecContext(t.Context(), `UPDATE events SET json = 'no JSON' WHERE json LIKE '%make build%'`)
	must(t, err)
}
