package postgres

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Pooler starts a PgBouncer in front of a database, in transaction mode: each transaction may get another of its few connections,
// and nothing of a session is kept. It returns the connection string through it.
func Pooler(tb testing.TB, d *Database) string {
	tb.Helper()
	root, err := unpacked(17)
	if err != nil {
		tb.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "boathook-pgbouncer-")
	if err != nil {
		tb.Fatal(err)
	}
	port, err := freePort()
	if err != nil {
		tb.Fatal(err)
	}
	if err := configure(d.Server, dir, port); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", supervise, "sh", dir, filepath.Join(dir, "log"), filepath.Join(root, "usr/sbin/pgbouncer"), filepath.Join(dir, "ini"))
	cmd.Dir = dir
	if err := supervised(tb, cmd); err != nil {
		tb.Fatal(err)
	}
	dsn := d.At(net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	answers(tb, dsn, filepath.Join(dir, "log"))
	return dsn
}

// configure writes the files of a pooler.
func configure(s *Server, dir string, port int) error {
	password, _ := s.admin.User.Password()
	host, serverPort, err := net.SplitHostPort(s.Addr())
	if err != nil {
		host, serverPort = s.Addr(), "5432"
	}
	files := map[string]string{
		"users": fmt.Sprintf("%q %q\n", s.admin.User.Username(), password),
		"ini": fmt.Sprintf("[databases]\n* = host=%s port=%s\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\nunix_socket_dir =\n"+
			"auth_type = scram-sha-256\nauth_file = %s\npool_mode = transaction\ndefault_pool_size = 3\nmin_pool_size = 3\nmax_client_conn = 200\n"+
			"max_prepared_statements = 0\nserver_round_robin = 1\n", host, serverPort, port, filepath.Join(dir, "users")),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil { // its user is another; the folder is closed
			return err
		}
	}
	return nil
}

// supervised starts a program until the test ends.
func supervised(tb testing.TB, cmd *exec.Cmd) error {
	tb.Helper()
	var err error
	if cmd.SysProcAttr, err = unprivileged(cmd.Dir); err != nil {
		return err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	tb.Cleanup(func() { _, _ = in.Close(), cmd.Wait() })
	return (&Server{in: in, out: bufio.NewReader(out), sup: cmd}).tell("start")
}

// answers waits until a server does.
func answers(tb testing.TB, dsn, log string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		c, err := pgx.Connect(ctx, dsn)
		if err == nil {
			_ = c.Close(ctx)
			return
		}
		if ctx.Err() != nil {
			said, _ := os.ReadFile(log) // to say more than the error does
			tb.Fatalf("wait for the pooler: %v\n%s", err, said)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
