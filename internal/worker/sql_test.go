package worker

import (
	"database/sql"
	"fmt"
	"testing"
)

// setVersion makes the store look as if another version of the program had migrated it.
func setVersion(t testing.TB, path string, version int) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec(fmt.Sprintf("PRAGMA user_version = %d", version))
	must(t, err)
}
