package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
	store "github.com/boathook/boathook/internal/memory/postgres"
	"github.com/boathook/boathook/itest/postgres"
)

// TestClasses: what may pass by itself is told from what doesn't, and a store works again afterwards.
func TestClasses(t *testing.T) {
	d := postgres.StartAlone(t, postgres.Options{Version: 15, Settings: map[string]string{"max_connections": "12", "superuser_reserved_connections": "1"}})
	ctx := t.Context()
	s := opened(t, store.Options{DSN: d.DSN, Connections: 2})
	write := func() error {
		_, err := s.Write(ctx, story("a"))
		return err
	}
	is := func(when string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", when, err)
		}
	}
	is("no tables", write(), memory.ErrOlder)
	if err := s.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	is("migrated", write(), nil)
	d.Server.Stop(t)
	is("stopped", write(), memory.ErrUnavailable)
	_, err := s.Find(ctx, memory.Query{Filter: shop(), Terms: []string{"walrus"}, Limit: 1})
	is("stopped", err, memory.ErrUnavailable)
	d.Server.Restart(t)
	is("restarted", write(), nil)
	d.Server.Kill(t)
	d.Server.Restart(t)
	is("killed and restarted, with connections of before", write(), nil)
	d.Server.ReadOnly(t, true)
	eventually(t, func() bool { return errors.Is(write(), memory.ErrUnavailable) })
	d.Server.ReadOnly(t, false)
	eventually(t, func() bool { return write() == nil })
	full(t, d, func() {
		fresh := opened(t, store.Options{DSN: d.DSN})
		_, err := fresh.Write(ctx, story("a"))
		is("out of connections", err, memory.ErrUnavailable)
	})
	d.Exec(t, "UPDATE ltm_migrations SET version = version + 1000 WHERE version = (SELECT max(version) FROM ltm_migrations)")
	_, err = opened(t, store.Options{DSN: d.DSN}).Stats(ctx, shop())
	is("newer tables", err, memory.ErrNewer)
	_, err = opened(t, store.Options{DSN: d.As("postgres", "no such canary-9f2")}).Stats(ctx, shop())
	is("a wrong password", err, memory.ErrDenied)
	if strings.Contains(fmt.Sprint(err), "canary-9f2") {
		t.Errorf("it tells the password: %v", err)
	}
	if _, err := store.Open(ctx, store.Options{DSN: "postgres://u:canary-9f2@host:port/x"}); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("a connection string that is none: %v", err)
	}
}

// full runs f while all connections are taken.
func full(t *testing.T, d *postgres.Database, f func()) {
	t.Helper()
	var taken []*pgx.Conn
	for {
		c, err := pgx.Connect(t.Context(), d.DSN)
		if err != nil {
			break
		}
		taken = append(taken, c)
	}
	f()
	for _, c := range taken {
		_ = c.Close(t.Context())
	}
}

func eventually(t *testing.T, f func() bool) {
	t.Helper()
	for range 400 {
		if f() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("it did not come about")
}

// TestDeadline: whatever the network does, a call ends with its context.
func TestDeadline(t *testing.T) {
	d := postgres.Start(t, postgres.Options{Version: 15})
	migrated(t, d.DSN)
	n := postgres.Between(t, d.Server.Addr())
	s := opened(t, store.Options{DSN: d.At(n.Addr())})
	if _, err := s.Write(t.Context(), story("a")); err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func(){"slow": func() { n.Slow(time.Minute) }, "silent": func() { n.Slow(0); n.Silent(true) }} {
		do()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		ended := make(chan error, 1)
		go func() {
			_, err := s.Find(ctx, memory.Query{Filter: shop(), Terms: []string{"walrus"}, Limit: 1})
			ended <- err
		}()
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s: an answer", name)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s: the call does not end", name)
		}
		cancel()
	}
	n.Silent(false)
	n.Cut()
	eventually(t, func() bool {
		found, err := s.Find(t.Context(), memory.Query{Filter: shop(), Terms: []string{"walrus"}, Limit: 5})
		return err == nil && len(found.Hits) == 3
	})
}

// TestPooler: behind a pooler that gives each transaction another connection everything works as without it, at the same time too.
func TestPooler(t *testing.T) {
	d := postgres.Start(t, postgres.Options{Version: 17, Vector: true})
	dsn := postgres.Pooler(t, d)
	migrated(t, dsn)
	s := opened(t, store.Options{DSN: dsn, Connections: 12})
	var wait sync.WaitGroup
	for n := range 12 {
		wait.Go(func() {
			for k := range 10 {
				b := story("a")
				b.Sessions[0].ID = fmt.Sprintf("claude/%d", n)
				for i := range b.Messages {
					b.Messages[i].Session, b.Messages[i].Text = b.Sessions[0].ID, fmt.Sprint(b.Messages[i].Text, " ", k)
				}
				b.ToolCalls[0].Session = b.Sessions[0].ID
				if _, err := s.Write(t.Context(), b); err != nil {
					t.Error(err)
				}
				if _, err := s.Find(t.Context(), memory.Query{Filter: shop(), Terms: []string{"walrus"}, Limit: 3}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	embedAll(t, s, "small", 3)
	embedAll(t, s, "wide", 1536)
	found, err := s.Find(t.Context(), memory.Query{Filter: shop(), Vector: []float32{1, 0, 0}, Model: "small", Limit: 5})
	if err != nil || len(found.Hits) != 5 {
		t.Errorf("by vector: %d hits, %v", len(found.Hits), err)
	}
	got, err := s.Stats(t.Context(), shop())
	if err != nil || got.Messages != 12*20 || got.Sessions != 12 || got.ToolCalls != 12 {
		t.Errorf("%+v, %v", got, err)
	}
	if done, err := s.Forget(t.Context(), memory.Selection{Filter: shop()}); err != nil || done.Messages != 240 {
		t.Errorf("forgot %+v, %v", done, err)
	}
	// Nothing was set for good: the pooler's connections are as they were.
	for range 6 {
		c, err := pgx.Connect(t.Context(), dsn+"&default_query_exec_mode=exec")
		if err != nil {
			t.Fatal(err)
		}
		var seqscan, sort string
		if err := c.QueryRow(t.Context(), "SELECT current_setting('enable_seqscan'), current_setting('enable_sort')").Scan(&seqscan, &sort); err != nil ||
			seqscan != "on" || sort != "on" {
			t.Errorf("enable_seqscan is %s, enable_sort %s, %v", seqscan, sort, err)
		}
		_ = c.Close(t.Context())
	}
}
