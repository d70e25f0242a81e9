// Package postgres brings up real PostgreSQL servers for tests: those of Debian's packages, unpacked into a cache, each on a port
// of its own on the loopback interface, with its data in a folder that goes with the test binary, however that ends. Where
// BOATHOOK_TEST_POSTGRES_DSN names a server, it stands for version 17 with pgvector.
package postgres

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Variable names the server that is used in place of one of version 17.
const Variable = "BOATHOOK_TEST_POSTGRES_DSN"

// Options say which server a test wants.
type Options struct {
	// Version is 15 or 17; zero is 17.
	Version int
	// Vector says that pgvector has to be there to be created; only 17 has it.
	Vector bool
	// Settings are further lines of postgresql.conf. Only servers of their own have them.
	Settings map[string]string

	pooler bool
}

// Server is a running server.
type Server struct {
	// Data is its data directory, Log what it said; both are empty for one that Variable names.
	Data, Log string

	admin *url.URL
	sup   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	mu    sync.Mutex
}

// supervise starts and stops the server as it is told, line by line. When its input ends, since the test binary did, it ends the
// server by its id and removes the folder.
const supervise = `dir=$1; log=$2; shift 2; pid=
end() { [ -z "$pid" ] && return; kill -s "$1" "$pid" 2>/dev/null; wait "$pid"; pid=; }
while read -r verb; do
	case $verb in
	start) "$@" >>"$log" 2>&1 & pid=$! ;;
	stop) end INT ;;
	kill) end QUIT ;;
	esac
	echo "$verb"
done
end QUIT
rm -rf "$dir"`

func launch(o Options) (*Server, error) {
	bin, err := programs(o)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "boathook-postgres-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	s := &Server{Data: filepath.Join(dir, "data"), Log: filepath.Join(dir, "log")}
	if err := s.prepare(bin, dir, o); err != nil {
		return nil, errors.Join(fmt.Errorf("start PostgreSQL %d: %w", o.Version, err), os.RemoveAll(dir))
	}
	s.sup = exec.Command("sh", "-c", supervise, "sh", dir, s.Log, filepath.Join(bin, "postgres"), "-D", s.Data)
	s.sup.Dir = dir
	if s.sup.SysProcAttr, err = unprivileged(dir); err != nil {
		return nil, err
	}
	s.in, err = s.sup.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.sup.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	if err := s.sup.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start PostgreSQL: %w", err), os.RemoveAll(dir))
	}
	if err := s.tell("start"); err != nil {
		return nil, err
	}
	return s, s.ready()
}

// prepare makes the data directory.
func (s *Server) prepare(bin, dir string, o Options) error {
	attr, err := unprivileged(dir)
	if err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	password := rand.Text()
	s.admin = &url.URL{Scheme: "postgres", User: url.UserPassword("postgres", password), Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		Path: "/postgres", RawQuery: "sslmode=disable"}
	// The server's user has to read it, and nobody else can enter the folder.
	secret := filepath.Join(dir, "password")
	if err := os.WriteFile(secret, []byte(password), 0o644); err != nil {
		return err
	}
	init := exec.Command(filepath.Join(bin, "initdb"), "-D", s.Data, "-U", "postgres", "--pwfile", secret, "-A", "scram-sha-256", "-E", "UTF8",
		"--locale=C", "--no-sync", "--no-instructions")
	init.Dir, init.SysProcAttr = dir, attr
	init.Env = append(os.Environ(), "TZ=GMT", "LC_ALL=C")
	if out, err := init.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	settings := map[string]string{
		"port": strconv.Itoa(port), "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off", "full_page_writes": "off",
		"max_connections": "150", "shared_buffers": "128MB", "jit": "off", "dynamic_shared_memory_type": "mmap", "timezone": "GMT",
		"log_timezone": "GMT", "max_wal_size": "2GB", "logging_collector": "off",
	}
	for name, value := range o.Settings {
		settings[name] = value
	}
	text := ""
	for name, value := range settings {
		text += fmt.Sprintf("%s = '%s'\n", name, value)
	}
	f, err := os.OpenFile(filepath.Join(s.Data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// unprivileged gives a folder to the user that the server runs as, for it refuses to run as root.
func unprivileged(dir string) (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Setsid: true} // an interrupt of the terminal is for the test alone
	if os.Getuid() != 0 {
		return attr, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return nil, fmt.Errorf("find a user for PostgreSQL: %w", err)
		}
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return nil, err
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr, os.Chown(dir, uid, gid)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func (s *Server) tell(verb string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sup == nil {
		return fmt.Errorf("the server that %s names is not the test's to %s", Variable, verb)
	}
	if _, err := fmt.Fprintln(s.in, verb); err != nil {
		return fmt.Errorf("%s PostgreSQL: %w", verb, err)
	}
	if _, err := s.out.ReadString('\n'); err != nil {
		return fmt.Errorf("%s PostgreSQL: %w", verb, err)
	}
	return nil
}

// ready waits until it takes connections.
func (s *Server) ready() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for {
		c, err := pgx.Connect(ctx, s.admin.String())
		if err == nil {
			return c.Close(ctx)
		}
		select {
		case <-ctx.Done():
			said, _ := os.ReadFile(s.Log) // to say more than the error does
			return fmt.Errorf("wait for PostgreSQL: %w\n%s", err, said)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// end is for servers of one test; others end with the test binary.
func (s *Server) end() error {
	return errors.Join(s.in.Close(), s.sup.Wait())
}

// Addr is its address, HOST:PORT.
func (s *Server) Addr() string { return s.admin.Host }
