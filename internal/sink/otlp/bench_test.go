package otlp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/store"
)

// BenchmarkSpan makes and encodes the spans of one event, with a payload of 1 KiB.
func BenchmarkSpan(b *testing.B) {
	for _, content := range []bool{true, false} {
		b.Run(fmt.Sprintf("content=%v", content), func(b *testing.B) {
			st := benchStore(b, 100)
			sink := New(both(content))
			events, err := st.After(b.Context(), 0, 500, 64<<20)
			must(b, err)
			var buf []byte
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				spans, _, err := sink.spansOf(b.Context(), st, &events[i%len(events)])
				must(b, err)
				buf = wire.AppendTraces(buf[:0], wire.Protobuf, wire.Traces{{Spans: spans}})
			}
		})
	}
}

// BenchmarkPass takes events from the store to a server that throws them away.
func BenchmarkPass(b *testing.B) {
	for _, gzip := range []bool{false, true} {
		b.Run(fmt.Sprintf("gzip=%v", gzip), func(b *testing.B) {
			const turns = 1000
			st := benchStore(b, turns)
			s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
			defer s.Close()
			client, err := wire.NewClient(wire.Options{Traces: s.URL, Gzip: gzip})
			must(b, err)
			c := both(true)
			c.Client = client
			sink := New(c)
			events := 0
			for b.Loop() {
				must(b, st.SetCursor(context.Background(), nil, store.Cursor{Name: Name}))
				p, err := sink.Pass(b.Context(), st)
				must(b, err)
				events += p.Events
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// benchStore holds turns of five events each, in many transactions as a worker makes them.
func benchStore(b *testing.B, n int) *store.Store {
	b.Helper()
	st, err := store.Open(b.Context(), filepath.Join(b.TempDir(), store.FileName))
	must(b, err)
	b.Cleanup(func() { _ = st.Close() })
	all := turns(b, n)
	for i := range all {
		r := &all[i]
		r.Raw = append(r.Raw[:len(r.Raw)-1], fmt.Sprintf(`,"transcript_path":"/home/user/.gemini/tmp/shop/chats/session.jsonl","cwd":"/home/user/shop",
"hook_event_name":"%s","timestamp":"2026-11-30T09:27:44.878Z","more":{"text":"%0900d"}}`, r.HostEvent, i)...)
	}
	for len(all) > 0 {
		k := min(len(all), 100)
		insert(b, st, all[:k]...)
		all = all[k:]
	}
	return st
}
