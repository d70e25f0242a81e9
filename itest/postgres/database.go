package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TB is what of a test is needed here; a program that is no test can bring its own.
type TB interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Cleanup(f func())
}

// Database is a database of a test's own.
type Database struct {
	// DSN connects to it as a superuser.
	DSN    string
	Name   string
	Server *Server
}

// shared has a func() (*Server, error) for each kind of server.
var shared sync.Map

// Start makes a database on the server that the tests of a binary share. It goes with the test.
func Start(tb TB, o Options) *Database {
	tb.Helper()
	o = o.whole(tb)
	if len(o.Settings) > 0 {
		return StartAlone(tb, o)
	}
	key := fmt.Sprint(o.Version, o.Vector)
	once, _ := shared.LoadOrStore(key, sync.OnceValues(func() (*Server, error) {
		if dsn := os.Getenv(Variable); dsn != "" && o.Version == 17 {
			admin, err := url.Parse(dsn)
			if err != nil || admin.Host == "" {
				return nil, fmt.Errorf("read %s: it has to be a URL, postgres://user:password@host/database", Variable)
			}
			return &Server{admin: admin}, nil
		}
		return launch(o)
	}))
	s, err := once.(func() (*Server, error))()
	if err != nil {
		tb.Fatal(err)
	}
	return s.database(tb)
}

// StartAlone is Start on a server of the test's own, which it may stop.
func StartAlone(tb TB, o Options) *Database {
	tb.Helper()
	s, err := launch(o.whole(tb))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.end(); err != nil {
			tb.Errorf("end PostgreSQL: %v", err)
		}
	})
	return s.database(tb)
}

func (o Options) whole(tb TB) Options {
	tb.Helper()
	if o.Version == 0 {
		o.Version = 17
	}
	if o.Vector && o.Version != 17 {
		tb.Fatalf("Debian has no pgvector for PostgreSQL %d", o.Version)
	}
	return o
}

// database makes a database, which goes with the test if the server can still be asked.
func (s *Server) database(tb TB) *Database {
	tb.Helper()
	name := "t_" + strings.ToLower(rand.Text())
	s.Exec(tb, "CREATE DATABASE "+name+" TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
	tb.Cleanup(func() {
		c, err := pgx.Connect(context.Background(), s.admin.String())
		if err != nil {
			return // the test stopped it
		}
		defer func() { _ = c.Close(context.Background()) }()
		if _, err := c.Exec(context.Background(), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			tb.Errorf("drop the test's database: %v", err)
		}
	})
	dsn := *s.admin
	dsn.Path = "/" + name
	return &Database{DSN: dsn.String(), Name: name, Server: s}
}

// As connects to the database as another login.
func (d *Database) As(login, password string) string {
	dsn, err := url.Parse(d.DSN)
	if err != nil {
		panic(err) // it was made by this package
	}
	dsn.User = url.UserPassword(login, password)
	return dsn.String()
}

// At connects to the database through another address, a proxy's or a pooler's.
func (d *Database) At(addr string) string {
	dsn, err := url.Parse(d.DSN)
	if err != nil {
		panic(err) // it was made by this package
	}
	dsn.Host = addr
	return dsn.String()
}

// Exec runs statements in the database as the superuser.
func (d *Database) Exec(tb TB, sql string) {
	tb.Helper()
	query(tb, d.DSN, sql)
}

// Exec runs statements in the server's first database as the superuser.
func (s *Server) Exec(tb TB, sql string) {
	tb.Helper()
	query(tb, s.admin.String(), sql)
}

func query(tb TB, dsn, sql string) {
	tb.Helper()
	c, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = c.Close(context.Background()) }()
	if _, err := c.PgConn().Exec(context.Background(), sql).ReadAll(); err != nil {
		tb.Fatalf("%v, in\n%s", err, sql)
	}
}

// Stop ends the server as an operator does, Kill as a power cut; both return when it is down. Restart starts it again on the same
// port.
func (s *Server) Stop(tb testing.TB) { tb.Helper(); s.must(tb, "stop") }

// Kill is Stop without any of what a server does at its end.
func (s *Server) Kill(tb testing.TB) { tb.Helper(); s.must(tb, "kill") }

// Restart starts a server that is down.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	s.must(tb, "start")
	if err := s.ready(); err != nil {
		tb.Fatal(err)
	}
}

func (s *Server) must(tb TB, verb string) {
	tb.Helper()
	if err := s.tell(verb); err != nil {
		tb.Fatal(err)
	}
}

// ReadOnly makes every new transaction of the server one that can't write, or ends that.
func (s *Server) ReadOnly(tb testing.TB, on bool) {
	tb.Helper()
	s.Exec(tb, fmt.Sprintf("ALTER SYSTEM SET default_transaction_read_only = %v", on))
	s.Exec(tb, "SELECT pg_reload_conf()")
}
