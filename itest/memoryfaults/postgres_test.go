package memoryfaults_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/itest/postgres"
)

// team is a world whose memory is on a server of its own, behind a network of its own, with the three roles' logins.
func team(t *testing.T) *world {
	t.Helper()
	d := postgres.StartAlone(t, postgres.Options{Version: 17, Vector: true, Settings: map[string]string{"max_connections": "40"}})
	w := newWorld(t, memoryOn+"provider = \"postgres\"\n")
	w.db, w.net, w.secret = d, postgres.Between(t, d.Server.Addr()), "canary-7c9e6679f8a04d1b"
	w.env(d.DSN)
	w.Must("memory", "migrate")
	d.Exec(t, w.bare("memory", "roles", "--sql", "--login", "anna=reader,ops", "--login", "wim=writer,ops", "--login", "ada=admin,ops"))
	for _, login := range []string{"anna", "wim", "ada"} {
		d.Exec(t, fmt.Sprintf("ALTER ROLE %s PASSWORD '%s'", login, w.secret))
	}
	w.stored = w.postgresRows
	w.env(w.as("wim"))
	return w
}

// bare runs a command that takes no config.
func (w *world) bare(args ...string) string {
	w.Helper()
	cmd := exec.Command(w.Bin, args...)
	cmd.Env, cmd.Dir = w.Environ(), w.Home
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.Fatalf("boathook %q: %v: %s", args, err, out)
	}
	return string(out)
}

// as is the connection string of a login, through the network.
func (w *world) as(login string) string {
	u, err := url.Parse(w.db.As(login, w.secret))
	must(w.T, err)
	u.Host = w.net.Addr()
	return u.String()
}

func (w *world) connect() *pgx.Conn {
	w.Helper()
	c, err := pgx.Connect(w.Context(), w.db.DSN)
	must(w.T, err)
	return c
}

// postgresRows are the rows as the server has them, seen by a superuser.
func (w *world) postgresRows() (out []row) {
	w.Helper()
	c := w.connect()
	defer c.Close(context.Background())
	rows, err := c.Query(w.Context(), `SELECT role, session_id, coalesce(content_text, '') FROM ltm_messages WHERE NOT hidden AND NOT gone
		UNION ALL SELECT 'call', session_id, coalesce(command, '') FROM ltm_tool_calls`)
	must(w.T, err)
	out, err = pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	must(w.T, err)
	return out
}

// backends are the server's processes for the worker's login.
func (w *world) backends(where string) (pids []int) {
	c, err := pgx.Connect(context.Background(), w.db.DSN)
	if err != nil {
		return nil // it is just down
	}
	defer c.Close(context.Background())
	rows, err := c.Query(context.Background(), "SELECT pid FROM pg_stat_activity WHERE usename = 'wim' AND "+where)
	if err != nil {
		return nil
	}
	pids, _ = pgx.CollectRows(rows, pgx.RowTo[int]) // as above
	return pids
}

// again does something every now and then until done.
func again(done <-chan struct{}, every time.Duration, do func()) {
	for {
		select {
		case <-done:
			return
		case <-time.After(every):
			do()
		}
	}
}

// holder is who holds a lock of the data directory; zero is nobody.
func (w *world) holder(name string) int {
	path := filepath.Join(w.Data, name)
	if !lock.Held(path) {
		return 0
	}
	pid, err := lock.Holder(path)
	if err != nil {
		return 0
	}
	return pid
}

// kill ends a process of this lab; one that is none is left alone.
func (w *world) kill(pid int) bool {
	exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if pid == 0 || err != nil || !strings.HasPrefix(exe, filepath.Dir(w.Bin)) {
		return false
	}
	return syscall.Kill(pid, syscall.SIGKILL) == nil
}

// TestPostgres: one fault after the other comes over the same fifty sessions.
func TestPostgres(t *testing.T) {
	w := team(t)
	w.crowd.seed()
	w.Worker()
	w.crowd.speak(nil)
	w.drain()
	w.whole()
	for _, fault := range []struct {
		name string
		do   func(t *testing.T, w *world)
	}{
		{"stopped", stopped}, {"restarted", restarted}, {"read-only", readOnly}, {"full", full}, {"slow", slow}, {"silent", silent},
		{"no schema", noSchema}, {"backend killed", backendKilled}, {"postmaster killed", postmasterKilled},
		{"service killed", serviceKilled}, {"worker killed", workerKilled},
	} {
		if !t.Run(fault.name, func(t *testing.T) {
			for range longer(1) {
				fault.do(t, w)
				began := time.Now()
				w.drain()
				t.Logf("drained in %v", time.Since(began).Round(time.Millisecond))
				w.whole()
			}
		}) {
			t.FailNow()
		}
	}
	outcomes := w.crowd.patient()
	if outcomes["injected"] == 0 || outcomes["failed"] == 0 || outcomes["deadline"] == 0 {
		t.Errorf("the outcomes are %v: not all were tried", outcomes)
	}
}

func stopped(t *testing.T, w *world) {
	w.db.Server.Stop(t)
	w.crowd.speak(nil)
	t.Log(w.waits())
	w.db.Server.Restart(t)
}

func restarted(t *testing.T, w *world) {
	w.crowd.speak(func(done <-chan struct{}) {
		again(done, 300*time.Millisecond, func() { w.db.Server.Stop(t); w.db.Server.Restart(t) })
	})
}

func readOnly(t *testing.T, w *world) {
	w.db.Server.ReadOnly(t, true)
	w.crowd.speak(nil)
	t.Log(w.waits())
	c := w.connect()
	defer c.Close(context.Background())
	for _, sql := range []string{"SET default_transaction_read_only = off", "ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()"} {
		_, err := c.Exec(t.Context(), sql)
		must(t, err)
	}
}

// full has all connections taken by another login, those that memory had included.
func full(t *testing.T, w *world) {
	w.db.Exec(t, "DROP ROLE IF EXISTS greedy; CREATE ROLE greedy LOGIN PASSWORD 'greedy'")
	var taken []*pgx.Conn
	take := func() {
		for {
			c, err := pgx.Connect(context.Background(), w.db.As("greedy", "greedy"))
			if err != nil {
				return
			}
			taken = append(taken, c)
		}
	}
	admin := w.connect()
	defer admin.Close(context.Background())
	w.Until("a server whose connections are all another's", func() bool {
		take()
		_, err := admin.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'wim'")
		must(t, err)
		take()
		var left int
		must(t, admin.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE usename = 'wim'").Scan(&left))
		return left == 0
	})
	if c, err := pgx.Connect(t.Context(), w.as("wim")); err == nil {
		c.Close(context.Background())
		t.Fatal("there are connections left")
	}
	w.crowd.speak(nil)
	t.Log(w.waits())
	for _, c := range taken {
		c.Close(context.Background())
	}
	_, err := admin.Exec(t.Context(), "DROP ROLE greedy")
	must(t, err)
}

func slow(_ *testing.T, w *world) {
	w.net.Slow(200 * time.Millisecond)
	w.crowd.speak(nil)
	w.net.Slow(0)
}

// silent has nothing come through: who waits for an answer waits for ever.
func silent(_ *testing.T, w *world) {
	w.net.Silent(true)
	w.crowd.speak(nil)
	w.net.Silent(false)
	w.net.Cut()
}

func noSchema(t *testing.T, w *world) {
	w.db.Exec(t, "ALTER SCHEMA public RENAME TO away")
	w.crowd.speak(nil)
	if why := w.waits(); !strings.Contains(why, "migrate") {
		t.Errorf("the reason is %q", why)
	}
	w.db.Exec(t, "ALTER SCHEMA away RENAME TO public")
}

// backendKilled kills processes of the server amid their transactions, of which it makes a restart each time.
func backendKilled(t *testing.T, w *world) {
	killed := 0
	w.crowd.speak(func(done <-chan struct{}) {
		again(done, 20*time.Millisecond, func() {
			if killed >= longer(4) {
				return
			}
			for _, pid := range w.backends("xact_start IS NOT NULL") {
				if syscall.Kill(pid, syscall.SIGKILL) == nil {
					killed++
					return
				}
			}
		})
	})
	if killed == 0 {
		t.Error("no transaction was there to be killed")
	}
	w.Until("the server's recovery", func() bool {
		c, err := pgx.Connect(context.Background(), w.db.DSN)
		if err == nil {
			c.Close(context.Background())
		}
		return err == nil
	})
}

// postmasterKilled kills the server's first process amid a transaction; its others notice that.
func postmasterKilled(t *testing.T, w *world) {
	b, err := os.ReadFile(filepath.Join(w.db.Server.Data, "postmaster.pid"))
	must(t, err)
	pid, err := strconv.Atoi(strings.SplitN(string(b), "\n", 2)[0])
	must(t, err)
	family := children(pid)
	w.crowd.speak(func(done <-chan struct{}) {
		for len(w.backends("xact_start IS NOT NULL")) == 0 {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
		family = children(pid)
		_ = syscall.Kill(pid, syscall.SIGKILL) // what comes of it is looked at below
	})
	_ = syscall.Kill(pid, syscall.SIGKILL) // where there was no transaction
	t.Log(w.waits())
	w.Until("the end of the server's processes", func() bool {
		for _, p := range family {
			if syscall.Kill(p, 0) == nil {
				return false
			}
		}
		return true
	})
	w.db.Server.Restart(t)
}

func children(of int) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		_, after, _ := strings.Cut(string(b), ") ")
		if fields := strings.Fields(after); len(fields) > 1 && fields[1] == strconv.Itoa(of) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file))) // it is a number
			pids = append(pids, pid)
		}
	}
	return pids
}

func serviceKilled(t *testing.T, w *world) {
	w.Worker()
	killed := 0
	w.crowd.speak(func(done <-chan struct{}) {
		again(done, 100*time.Millisecond, func() {
			if w.kill(w.holder("memory.lock")) {
				killed++
			}
		})
	})
	if killed == 0 {
		t.Error("no service was killed")
	}
}

func workerKilled(t *testing.T, w *world) {
	killed := 0
	w.crowd.speak(func(done <-chan struct{}) {
		again(done, 200*time.Millisecond, func() {
			if w.kill(w.holder("worker.lock")) {
				killed++
			}
		})
	})
	if killed == 0 {
		t.Error("no worker was killed")
	}
}
