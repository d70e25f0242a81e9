package otlp

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// reply is how the collector answers one request.
type reply struct {
	status     int // 0 is 200
	retryAfter int
	rejected   int
	// hang says that there is no answer at all, lost that all is taken and the answer is lost.
	hang, lost bool
}

// collector takes spans, and answers each request as answer says.
type collector struct {
	url    string
	answer func(request int, spans []wire.Span) reply

	mu       sync.Mutex
	requests int
	// taken has each span that was taken, by its id, as often as it was; lost counts how often the sender couldn't know.
	taken map[[8]byte][]string
	lost  map[[8]byte]int
	order []string // of the names of the spans that were taken
}

func collect(t testing.TB) *collector {
	t.Helper()
	c := &collector{taken: map[[8]byte][]string{}, lost: map[[8]byte]int{}}
	over := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { c.serve(t, w, req, over) }))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(over) })
	c.url = s.URL + "/v1/traces"
	return c
}

func (c *collector) serve(t testing.TB, w http.ResponseWriter, req *http.Request, over chan struct{}) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	all, err := wire.ParseTraces(req.Header.Get("Content-Type"), body)
	if err != nil {
		t.Errorf("request: %v", err)
	}
	var spans []wire.Span
	for _, r := range all {
		spans = append(spans, r.Spans...)
	}
	c.mu.Lock()
	c.requests++
	n := c.requests
	c.mu.Unlock()
	var r reply
	if c.answer != nil {
		r = c.answer(n, spans)
	}
	if r.hang {
		select {
		case <-over:
		case <-req.Context().Done():
		}
		return
	}
	if r.status == 0 || r.lost {
		c.take(spans[:len(spans)-r.rejected], r.lost)
	}
	if r.lost {
		panic(http.ErrAbortHandler)
	}
	if r.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(r.retryAfter))
	}
	if r.status != 0 {
		w.WriteHeader(r.status)
		return
	}
	w.Header().Set("Content-Type", wire.Protobuf)
	if r.rejected > 0 { // ExportTraceServiceResponse with a partial success
		_, _ = w.Write([]byte{0x0a, 2, 0x08, byte(r.rejected)})
	}
}

func (c *collector) take(spans []wire.Span, lost bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range spans {
		c.taken[s.SpanID] = append(c.taken[s.SpanID], string(wire.AppendTraces(nil, wire.Protobuf, wire.Traces{{Spans: []wire.Span{s}}})))
		c.order = append(c.order, s.Name)
		if lost {
			c.lost[s.SpanID]++
		}
	}
}

func (c *collector) count() (requests, spans int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.requests, len(c.order)
}

// rig is a store with a cursor, a collector and a clock that only the test moves.
type rig struct {
	t     testing.TB
	store *store.Store
	to    *collector
	sink  *Sink
	now   time.Time
}

func newRig(t testing.TB, st *store.Store) *rig {
	t.Helper()
	r := &rig{t: t, store: st, to: collect(t), now: begin}
	must(t, st.SetCursor(t.Context(), nil, store.Cursor{Name: Name}))
	r.fresh(ample)
	return r
}

// ample is a timeout that no request comes to, on however slow a machine.
const ample = time.Minute

// fresh gives the rig a sink that knows nothing, as another process would have.
func (r *rig) fresh(timeout time.Duration) {
	r.t.Helper()
	client, err := wire.NewClient(wire.Options{Traces: r.to.url, Timeout: timeout})
	must(r.t, err)
	r.t.Cleanup(client.Close)
	c := both(true)
	c.Client, c.Now = client, func() time.Time { return r.now }
	r.sink = New(c)
}

func (r *rig) pass() worker.Passed {
	r.t.Helper()
	p, err := r.sink.Pass(r.t.Context(), r.store)
	must(r.t, err)
	return p
}

func (r *rig) cursor() store.Cursor {
	r.t.Helper()
	c, ok, err := r.store.Cursor(r.t.Context(), Name)
	must(r.t, err)
	if !ok {
		r.t.Fatal("no cursor")
	}
	return c
}

func (r *rig) counter(name string) int64 {
	r.t.Helper()
	all, err := r.store.Counters(r.t.Context())
	must(r.t, err)
	return all[name]
}

// atHead fails the test unless everything that is stored was taken.
func (r *rig) atHead() {
	r.t.Helper()
	event, turn, err := r.store.Head(r.t.Context())
	must(r.t, err)
	if c := r.cursor(); c.Event != event || c.Turn != turn || c.Tries != 0 || c.Error != "" || !c.Next.IsZero() || positionOf(c).part != 0 {
		r.t.Errorf("cursor %+v, head %d and %d", c, event, turn)
	}
}
