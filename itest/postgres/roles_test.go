package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/boathook/boathook/internal/memory"
	store "github.com/boathook/boathook/internal/memory/postgres"
	"github.com/boathook/boathook/itest/postgres"
)

// team is a database with logins of two tenants and of every role. Their password is their name.
func team(t *testing.T, o postgres.Options) (d *postgres.Database, as func(login string) *store.Store) {
	t.Helper()
	d = postgres.Start(t, o)
	owner := "owner_" + d.Name
	d.Exec(t, fmt.Sprintf("CREATE ROLE %[1]s LOGIN CREATEROLE PASSWORD '%[1]s'; GRANT CREATE, CONNECT ON DATABASE %[2]s TO %[1]s; "+
		"ALTER SCHEMA public OWNER TO %[1]s", owner, d.Name))
	if o.Vector {
		d.Exec(t, "CREATE EXTENSION vector") // it is for superusers to create
	}
	t.Cleanup(func() { d.Exec(t, "DROP OWNED BY "+owner+" CASCADE; DROP ROLE IF EXISTS "+owner) })
	migrated(t, d.As(owner, owner))
	var logins []store.Login
	for _, tenant := range []string{"a", "b"} {
		for _, role := range []string{"reader", "writer", "admin"} {
			logins = append(logins, store.Login{Name: role + "_" + tenant + "_" + d.Name, Role: role, Tenant: tenant})
		}
	}
	sql, err := store.RolesSQL(store.RolesOptions{Logins: logins})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // they may be run again
		d.Exec(t, sql)
	}
	for _, l := range logins {
		d.Exec(t, fmt.Sprintf("ALTER ROLE %[1]s PASSWORD '%[1]s'", l.Name))
		t.Cleanup(func() { d.Exec(t, "DROP OWNED BY "+l.Name+" CASCADE; DROP ROLE "+l.Name) })
	}
	return d, func(login string) *store.Store {
		login += "_" + d.Name
		return opened(t, store.Options{DSN: d.As(login, login)})
	}
}

// story is a session with a message, a tool call and the texts of a tenant.
func story(tenant string) memory.Batch {
	id := memory.SessionID("claude", "same") // both have it: ids are the agents' choice
	now := time.Now()
	return memory.Batch{
		Sessions: []memory.Session{{ID: id, Project: "shop", Agent: "claude", Root: "/home/" + tenant, Started: now, Summary: "secret of " + tenant}},
		Messages: []memory.Message{
			{Session: id, Role: "user", Time: now, Text: "walrus secret of " + tenant, Source: memory.FromHook, Origin: "1"},
			{Session: id, Role: "user", Time: now, Text: "walrus of both", Source: memory.FromHook, Origin: "2"},
		},
		ToolCalls: []memory.ToolCall{{Session: id, Tool: "bash", Command: "echo " + tenant, Output: "walrus secret of " + tenant, Time: now,
			Status: memory.StatusSuccess, Source: memory.FromHook, Origin: "3"}},
	}
}

func shop() memory.Filter { return memory.Filter{Projects: []string{"shop"}} }

// TestRoles: a reader writes nothing, a writer deletes nothing, and nobody but an admin forgets.
func TestRoles(t *testing.T) {
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			d, as := team(t, o)
			ctx := t.Context()
			writer, reader, admin := as("writer_a"), as("reader_a"), as("admin_a")
			if done, err := writer.Write(ctx, story("a")); err != nil || done.New != 3 {
				t.Fatal(done, err)
			}
			if _, err := reader.Write(ctx, story("a")); !errors.Is(err, memory.ErrDenied) {
				t.Errorf("a reader writes: %v", err)
			}
			found, err := reader.Find(ctx, memory.Query{Filter: shop(), Terms: []string{"walrus"}, Limit: 10})
			if err != nil || len(found.Hits) != 3 {
				t.Errorf("a reader finds %+v, %v", found, err)
			}
			for login, s := range map[string]*store.Store{"reader": reader, "writer": writer} {
				if _, err := s.Forget(ctx, memory.Selection{Filter: shop()}); !errors.Is(err, memory.ErrDenied) {
					t.Errorf("a %s forgets: %v", login, err)
				}
				if _, _, err := s.Retain(ctx, memory.Retention{Raw: 1}, time.Now()); !errors.Is(err, memory.ErrDenied) {
					t.Errorf("a %s retains: %v", login, err)
				}
				if err := s.Migrate(ctx); err != nil {
					t.Errorf("a %s migrates what is migrated: %v", login, err)
				}
			}
			refused(t, d, "writer_a", "DELETE FROM ltm_messages", "DELETE FROM ltm_chunks", "TRUNCATE ltm_sessions", "DROP TABLE ltm_chunks",
				"SELECT * FROM ltm_terms", "SELECT * FROM ltm_logins", "INSERT INTO ltm_logins VALUES (session_user, 'b')",
				"ALTER TABLE ltm_messages DISABLE ROW LEVEL SECURITY", "CREATE TABLE public.mine (n int)")
			refused(t, d, "reader_a", "UPDATE ltm_messages SET role = 'x'", "INSERT INTO ltm_projects (tenant_id, project_hash) VALUES ('a', 'x')",
				"SELECT ltm_index('a', '[]')", "SELECT ltm_unindex('a', '{1}')", "DELETE FROM ltm_sessions", "SELECT ltm_make_width(3)")
			refused(t, d, "admin_a", "INSERT INTO ltm_logins VALUES (session_user, 'b')", "DROP TABLE ltm_chunks", "SELECT * FROM ltm_terms")
			if done, err := admin.Forget(ctx, memory.Selection{Filter: shop()}); err != nil || done.Messages != 2 || done.ToolCalls != 1 || done.Sessions != 1 {
				t.Errorf("an admin forgets %+v, %v", done, err)
			}
		})
	}
}

func login(t *testing.T, d *postgres.Database, name string) *pgx.Conn {
	t.Helper()
	name += "_" + d.Name
	c, err := pgx.Connect(t.Context(), d.As(name, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

// refused wants each statement to be one that the login has no right to.
func refused(t *testing.T, d *postgres.Database, name string, statements ...string) {
	t.Helper()
	c := login(t, d, name)
	for _, sql := range statements {
		_, err := c.Exec(t.Context(), sql)
		var told *pgconn.PgError
		if !errors.As(err, &told) || told.Code != "42501" && told.Code != "42883" {
			t.Errorf("%s: %s: %v", name, sql, err)
		}
	}
}

// TestTenants: whatever SQL a login of one tenant writes, it sees and touches no row of another.
func TestTenants(t *testing.T) {
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			d, as := team(t, o)
			ctx := t.Context()
			for _, tenant := range []string{"a", "b"} {
				s := as("writer_" + tenant)
				if done, err := s.Write(ctx, story(tenant)); err != nil || done.New != 3 {
					t.Fatal(done, err)
				}
				if o.Vector {
					embedAll(t, s, "small", 3)
					embedAll(t, s, "wide", 1536)
				}
			}
			as("reader_b") // may see what is b's alone
			if s := opened(t, store.Options{DSN: d.As("reader_a_"+d.Name, "reader_a_"+d.Name), Tenant: "b"}); true {
				if _, err := s.Stats(ctx, shop()); !errors.Is(err, memory.ErrDenied) {
					t.Errorf("a reader of a asks as b: %v", err)
				}
			}
			seen(t, d, o)
			touched(t, d, o)
			for _, tenant := range []string{"a", "b"} {
				got, err := as("reader_"+tenant).Stats(ctx, memory.Filter{AllProjects: true})
				if err != nil || got.Messages != 2 || got.ToolCalls != 1 || got.Sessions != 1 || got.Chunks != 3 {
					t.Errorf("%s has %+v, %v", tenant, got, err)
				}
			}
		})
	}
}

// tables are those that tenants may read.
func tables(o postgres.Options) []string {
	out := []string{"ltm_projects", "ltm_sessions", "ltm_messages", "ltm_tool_calls", "ltm_chunks"}
	if o.Vector {
		out = append(out, "ltm_vectors_3")
	}
	return out
}

// seen reads everything there is, as each role of a.
func seen(t *testing.T, d *postgres.Database, o postgres.Options) {
	t.Helper()
	for _, role := range []string{"reader_a", "writer_a", "admin_a"} {
		c := login(t, d, role)
		for _, table := range tables(o) {
			for _, sql := range []string{
				"SELECT x::text FROM " + table + " x", "SELECT x::text FROM " + table + " x WHERE tenant_id = 'b'",
				"SELECT x::text FROM " + table + " x WHERE tenant_id <> 'a' OR random() >= 0", "SELECT to_json(x)::text FROM " + table + " x",
			} {
				rows, err := c.Query(t.Context(), sql)
				if err != nil {
					t.Fatal(err)
				}
				all, err := pgx.CollectRows(rows, pgx.RowTo[string])
				if err != nil {
					t.Fatalf("%s: %v", sql, err)
				}
				if len(all) == 0 && !strings.Contains(sql, "'b'") {
					t.Errorf("%s: %s: nothing of a's own", role, sql)
				}
				for _, row := range all {
					if strings.Contains(row, "secret of b") || strings.Contains(row, "(b,") || strings.Contains(row, `"tenant_id":"b"`) {
						t.Errorf("%s: %s: %s", role, sql, row)
					}
				}
			}
		}
		for _, sql := range []string{
			"SELECT count(*) FROM ltm_candidates('b', (SELECT array_agg(n) FROM generate_series(1, 9) n), '{1}')",
			"SELECT count(*) FROM ltm_frequency('b', '{1,2}', 10)", "SELECT count(*) FROM unnest(ltm_tenants()) AS x WHERE x <> 'a'",
			"SELECT count(*) FROM ltm_sessions WHERE tenant_id = 'b' AND session_id = 'claude/same'",
		} {
			var n int
			if err := c.QueryRow(t.Context(), sql).Scan(&n); err != nil || n != 0 {
				t.Errorf("%s: %s: %d, %v", role, sql, n, err)
			}
		}
	}
}

// touched tries to change b's rows, as a's admin and writer.
func touched(t *testing.T, d *postgres.Database, o postgres.Options) {
	t.Helper()
	for _, role := range []string{"writer_a", "admin_a"} {
		c := login(t, d, role)
		for _, table := range tables(o) {
			tag, err := c.Exec(t.Context(), "UPDATE "+table+" SET tenant_id = tenant_id WHERE tenant_id = 'b'")
			if err != nil || tag.RowsAffected() != 0 {
				t.Errorf("%s changes %d rows of %s: %v", role, tag.RowsAffected(), table, err)
			}
			var told *pgconn.PgError
			if _, err := c.Exec(t.Context(), "UPDATE "+table+" SET tenant_id = 'b'"); !errors.As(err, &told) || told.Code != "42501" {
				t.Errorf("%s gives away rows of %s: %v", role, table, err)
			}
			if role == "admin_a" {
				if tag, err := c.Exec(t.Context(), "DELETE FROM "+table+" WHERE tenant_id = 'b'"); err != nil || tag.RowsAffected() != 0 {
					t.Errorf("%s deletes %d rows of %s: %v", role, tag.RowsAffected(), table, err)
				}
			}
		}
		// The functions of the owner answer for the login's tenants alone.
		for _, sql := range []string{
			`SELECT ltm_index('b', '[{"r":"x","p":0,"t":[1]}]')`, "SELECT ltm_unindex('b', ARRAY(SELECT n FROM generate_series(1, 100) n))",
			"SET ROLE ltm_admin; SELECT ltm_unindex('a', ARRAY(SELECT n FROM generate_series(1, 100) n))",
		} {
			if _, err := c.PgConn().Exec(t.Context(), sql).ReadAll(); err != nil && role == "admin_a" {
				t.Errorf("%s: %s: %v", role, sql, err)
			}
		}
	}
	c, err := pgx.Connect(t.Context(), d.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	var n int
	if err := c.QueryRow(t.Context(), "SELECT count(*) FROM ltm_terms").Scan(&n); err != nil || n != 6 {
		t.Errorf("the index has %d chunks, %v", n, err)
	}
}

// embedAll gives every chunk a vector.
func embedAll(t *testing.T, s *store.Store, model string, width int) {
	t.Helper()
	for {
		some, err := s.Unembedded(t.Context(), model, width, 100)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) == 0 {
			return
		}
		var out []memory.Embedding
		for _, c := range some {
			v := make([]float32, width)
			v[int(c.ID)%width] = 1
			out = append(out, memory.Embedding{Chunk: c.ID, Vector: v})
		}
		if err := s.Embed(t.Context(), model, width, out); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRolesText: names are data, whatever is in them.
func TestRolesText(t *testing.T) {
	d := postgres.Start(t, postgres.Options{Version: 15})
	migrated(t, d.DSN)
	name := `o'x"; DROP TABLE ltm_chunks; -- \` + d.Name
	sql, err := store.RolesSQL(store.RolesOptions{Logins: []store.Login{{Name: name, Role: "reader", Tenant: `te'n\ant`}}})
	if err != nil {
		t.Fatal(err)
	}
	d.Exec(t, sql)
	t.Cleanup(func() { d.Exec(t, "DROP ROLE "+pgx.Identifier{name}.Sanitize()) })
	d.Exec(t, "SELECT 1 / (SELECT count(*) FROM ltm_logins WHERE tenant_id = E'te''n\\\\ant')::int; SELECT 1 FROM ltm_chunks")
	if _, err := store.RolesSQL(store.RolesOptions{Logins: []store.Login{{Name: "x", Role: "owner"}}}); err == nil {
		t.Error("a role that there isn't")
	}
}
