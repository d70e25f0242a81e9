package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// fake is a store that notes what it was asked and gives what it was told to.
type fake struct {
	mu    sync.Mutex
	asked map[string][]any
	// give are the results by operation, fail is what each call ends with.
	give map[string]any
	fail error
	// hold, where it is set, has each call wait for its context, or for hold to be closed; begun gets a value then.
	hold  chan struct{}
	begun chan string
	// ended counts the calls that ended since their contexts did.
	ended  int
	closed int
}

func (f *fake) note(ctx context.Context, op string, args ...any) error {
	f.mu.Lock()
	if f.asked == nil {
		f.asked = map[string][]any{}
	}
	f.asked[op] = args
	hold, begun, fail := f.hold, f.begun, f.fail
	f.mu.Unlock()
	if begun != nil {
		begun <- op
	}
	if hold == nil {
		return fail
	}
	select {
	case <-hold:
		return fail
	case <-ctx.Done():
		f.mu.Lock()
		f.ended++
		f.mu.Unlock()
		return ctx.Err()
	}
}

func (f *fake) state() (ended, closed int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ended, f.closed
}

func given[T any](f *fake, op string) T {
	v, _ := f.give[op].(T)
	return v
}

func (f *fake) Write(ctx context.Context, b memory.Batch) (memory.Written, error) {
	err := f.note(ctx, opWrite, b)
	return given[memory.Written](f, opWrite), err
}

func (f *fake) Find(ctx context.Context, q memory.Query) (memory.Found, error) {
	err := f.note(ctx, opFind, q)
	return given[memory.Found](f, opFind), err
}

func (f *fake) Sessions(ctx context.Context, fl memory.Filter, at memory.Page, limit int) ([]memory.Session, memory.Page, error) {
	err := f.note(ctx, opSessions, fl, at, limit)
	return given[[]memory.Session](f, opSessions), given[memory.Page](f, "page"), err
}

func (f *fake) Entries(ctx context.Context, fl memory.Filter, at memory.Page, limit int) ([]memory.Entry, memory.Page, error) {
	err := f.note(ctx, opEntries, fl, at, limit)
	return given[[]memory.Entry](f, opEntries), given[memory.Page](f, "page"), err
}

func (f *fake) Get(ctx context.Context, fl memory.Filter, ids []string) ([]memory.Entry, error) {
	err := f.note(ctx, opGet, fl, ids)
	return given[[]memory.Entry](f, opGet), err
}

func (f *fake) Unembedded(ctx context.Context, model string, width, limit int) ([]memory.Chunk, error) {
	err := f.note(ctx, opUnembedded, model, width, limit)
	return given[[]memory.Chunk](f, opUnembedded), err
}

func (f *fake) Embed(ctx context.Context, model string, width int, vectors []memory.Embedding) error {
	return f.note(ctx, opEmbed, model, width, vectors)
}

func (f *fake) Forget(ctx context.Context, s memory.Selection) (memory.Removed, error) {
	err := f.note(ctx, opForget, s)
	return given[memory.Removed](f, opForget), err
}

func (f *fake) Retain(ctx context.Context, r memory.Retention, now time.Time) (memory.Removed, bool, error) {
	err := f.note(ctx, opRetain, r, now)
	return given[memory.Removed](f, opRetain), given[bool](f, "more"), err
}

func (f *fake) Occurs(ctx context.Context, text string) (int, error) {
	err := f.note(ctx, opOccurs, text)
	return given[int](f, opOccurs), err
}

func (f *fake) Stats(ctx context.Context, fl memory.Filter) (memory.Stats, error) {
	err := f.note(ctx, opStats, fl)
	return given[memory.Stats](f, opStats), err
}

func (f *fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed++
	return nil
}

// filled is a value of a type in which nothing is zero, so that what the wire loses is seen. The texts are such as JSON likes least.
func filled[T any]() T {
	var out T
	fill(reflect.ValueOf(&out).Elem(), new(int))
	return out
}

func fill(v reflect.Value, n *int) {
	*n++
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Date(2026, 11, 30, 1, 2, *n%60, 123456789, time.FixedZone("", 9*3600))))
		return
	}
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		v.SetBytes(fmt.Appendf(nil, `{"a":"<b> & \u2028","n":%d.50}`, *n))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() == reflect.TypeFor[memory.Retention]() && v.Field(i).Kind() == reflect.Map {
				v.Field(i).Set(reflect.ValueOf(map[string]memory.Retention{"p": {Raw: 1, Summaries: 2}}))
				continue
			}
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), n)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString(fmt.Sprintf("%d<&>\"\\\x00\u2028가😀\n", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*n) + 0.5)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	default:
		panic("no value for " + v.Type().String())
	}
}

// pair is a client and the server of a store, over a connection within this process. dials counts connections.
type pair struct {
	*Client
	server *Server
	mu     sync.Mutex
	// servers are the ends of the connections that the server has.
	servers []io.Closer
}

func (p *pair) dials() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.servers)
}

// cut ends the newest connection, from the server's side.
func (p *pair) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.servers[len(p.servers)-1].Close()
}

func connectTo(t testing.TB, s memory.Store, change ...func(*hello)) *pair {
	t.Helper()
	p := &pair{server: &Server{Version: "v1", Store: fixed(s), Fingerprint: "f"}}
	dial := func(ctx context.Context) (*link, func(), error) {
		ours, theirs := net.Pipe()
		p.mu.Lock()
		p.servers = append(p.servers, theirs)
		p.mu.Unlock()
		done := make(chan struct{})
		go func() { defer close(done); _ = p.server.Serve(context.Background(), theirs) }()
		l := newLink(ours)
		h := hello{Protocol: protocol, Version: "v1", Fingerprint: "f"}
		for _, f := range change {
			f(&h)
		}
		if _, err := l.greet(ctx, h); err != nil {
			l.close()
			<-done
			return nil, nil, err
		}
		return l, func() { <-done }, nil
	}
	c, err := newClient(t.Context(), dial)
	must(t, err)
	p.Client = c
	t.Cleanup(func() { must(t, c.Close()) })
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fixed is a store that is there already.
func fixed(s memory.Store) func(context.Context) (memory.Store, error) {
	return func(context.Context) (memory.Store, error) { return s, nil }
}
