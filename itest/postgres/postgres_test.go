package postgres_test

import (
	"context"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/itest/postgres"
)

// TestServers: both servers run, a database is empty and one's own, and pgvector is where it is said to be.
func TestServers(t *testing.T) {
	for _, o := range []postgres.Options{{Version: 15}, {Version: 17, Vector: true}} {
		d := postgres.Start(t, o)
		c, err := pgx.Connect(t.Context(), d.DSN)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(context.Background())
		var version, vectors, tables int
		err = c.QueryRow(t.Context(), `SELECT current_setting('server_version_num')::int / 10000,
			(SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'),
			(SELECT count(*) FROM pg_tables WHERE schemaname = 'public')`).Scan(&version, &vectors, &tables)
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv(postgres.Variable) == "" && version != o.Version || (vectors == 1) != o.Vector || tables != 0 {
			t.Errorf("asked for %+v: version %d, %d pgvector, %d tables", o, version, vectors, tables)
		}
	}
}

// TestAlone: a server of one's own stops, is killed, comes back with what was committed, and can be made one that writes nothing.
func TestAlone(t *testing.T) {
	d := postgres.StartAlone(t, postgres.Options{Version: 15})
	d.Exec(t, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)")
	for _, down := range []func(testing.TB){d.Server.Stop, d.Server.Kill} {
		down(t)
		if c, err := pgx.Connect(t.Context(), d.DSN); err == nil {
			t.Fatal(c.Close(t.Context()), "the server is down and answers")
		}
		d.Server.Restart(t)
	}
	c, err := pgx.Connect(t.Context(), d.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	var n int
	if err := c.QueryRow(t.Context(), "SELECT n FROM kept").Scan(&n); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	d.Server.ReadOnly(t, true)
	other, err := pgx.Connect(t.Context(), d.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(context.Background())
	if _, err := other.Exec(t.Context(), "INSERT INTO kept VALUES (2)"); err == nil {
		t.Error("a server that is read-only wrote")
	}
	d.Server.ReadOnly(t, false)
}
