//go:build unix

package doctor

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/store"
)

// endpoint sets a collector with every kind of secret in its settings.
func (h *home) endpoint(url, more string) {
	url = strings.Replace(url, "://", "://canary-user-4713:canary-pass-4717@", 1)
	h.config(fmt.Sprintf("[telemetry]\nendpoint = %q\nheaders = { Authorization = \"Bearer canary-header-4712\" }\napi_key = \"canary-token-4711\"\nmetrics = false\n%s",
		url+"/v1/traces?key=canary-query-4714", more))
}

func (h *home) serve(status int) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte("canary-payload-4715 for token=canary-header-4712"))
	}))
	h.t.Cleanup(s.Close)
	return s.URL
}

// serveTLS serves with a certificate that is valid until then, and gives its PEM file.
func (h *home) serveTLS(until time.Time) (url, file string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(h.t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: until.Add(-48 * time.Hour), NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	check(h.t, err)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.Config.ErrorLog = quiet
	s.StartTLS()
	h.t.Cleanup(s.Close)
	file = h.path("ca.pem")
	h.put("ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), 0o600)
	return s.URL, file
}

func brokenTelemetry() []broken {
	at := func(status int) func(h *home) { return func(h *home) { h.endpoint(h.serve(status), "") } }
	return []broken{
		{"collector not there", "telemetry.endpoint", Fail, "nothing listens there", "telemetry.endpoint", false, func(h *home) { h.endpoint("http://127.0.0.1:1", "") }},
		{"collector of no name", "telemetry.endpoint", Fail, "no-such-host.invalid", "telemetry.endpoint", false, func(h *home) { h.endpoint("http://no-such-host.invalid", "") }},
		{"endpoint no URL", "telemetry.endpoint", Fail, "not an http or https URL", "telemetry.endpoint", false, func(h *home) { h.config("[telemetry]\nendpoint = \"localhost:4317\"") }},
		{"endpoint of another signal", "telemetry.endpoint", Fail, "/v1/metrics ends in /v1/metrics", "end its path in /v1/traces", false, func(h *home) {
			h.config("[telemetry]\nendpoint = \"" + h.serve(200) + "/v1/metrics\"")
		}},
		{"metrics sent to the traces", "telemetry.metrics", Fail, "ends in /v1/traces", "end its path in /v1/metrics", false, func(h *home) {
			url := h.serve(200)
			h.config("[telemetry]\nendpoint = \"" + url + "/v1/traces\"\nmetrics_endpoint = \"" + url + "/v1/traces\"")
		}},
		{"metrics endpoint no URL", "telemetry.metrics", Fail, "not an http or https URL", "telemetry.metrics_endpoint = ", false, func(h *home) {
			h.config("[telemetry]\nendpoint = \"" + h.serve(200) + "/v1/traces\"\nmetrics_endpoint = \"localhost:4318\"")
		}},
		{"nothing where gRPC is", "telemetry.endpoint", Fail, "nothing listens there", "4317 is usually gRPC's port", false, func(h *home) { h.endpoint("http://127.0.0.2:4317", "") }},
		{"header's name is none", "telemetry.endpoint", Fail, "telemetry.headers has a name that no header can have", "telemetry.headers: write them as NAME", false, func(h *home) {
			h.config("[telemetry]\nendpoint = \"" + h.serve(200) + "/v1/traces\"\nheaders = { \"x team\" = \"canary-header-4712\" }")
		}},
		{"headers in the wrong form", "telemetry.endpoint", Fail, "telemetry.headers has a name that no header can have", "NAME=VALUE", false, func(h *home) {
			h.config("[telemetry]\nendpoint = \"" + h.serve(200) + "/v1/traces\"\nheaders = \"Authorization: Bearer canary-header-4712==\"")
		}},
		{"a header without a value", "telemetry.endpoint", Fail, "sent with (not a header name)", "telemetry.headers", false, func(h *home) {
			h.config("[telemetry]\nendpoint = \"" + h.serve(401) + "/v1/traces\"\nheaders = \"canary-header-4712==\"")
		}},
		{"header's value is none", "telemetry.endpoint", Fail, "the value of the header x-team can't be sent", "telemetry.headers: x-team has a character", false, func(h *home) {
			h.config("[telemetry]\nendpoint = \"" + h.serve(200) + "/v1/traces\"\nheaders = { x-team = \"canary-header-4712\\n\" }")
		}},
		{"key with a line break", "telemetry.endpoint", Fail, "the value of telemetry.api_key", "telemetry.api_key: ", false, func(h *home) {
			h.config("[telemetry]\nendpoint = \"" + h.serve(200) + "/v1/traces\"\napi_key = \"canary\\ntoken-4711\"")
		}},
		{"certificate gone without TLS", "telemetry.endpoint", Fail, "telemetry.certificate", "config.toml: telemetry.certificate", false, func(h *home) {
			h.endpoint(h.serve(200), "certificate = \"/nowhere.pem\"")
		}},
		{"client's certificate without key", "telemetry.endpoint", Fail, "set without telemetry.client_key", "config.toml: telemetry.client_certificate and telemetry.client_key", false, func(h *home) {
			h.endpoint(h.serve(200), "client_certificate = \"/nowhere.pem\"")
		}},
		{"client's files gone", "telemetry.endpoint", Fail, "no such file", "config.toml: telemetry.client_certificate and telemetry.client_key", false, func(h *home) {
			h.endpoint(h.serve(200), "client_certificate = \"/nowhere.pem\"\nclient_key = \"/nowhere.key\"")
		}},
		{"proxy not there", "telemetry.metrics", Fail, "nothing listens there", "config.toml: telemetry.proxy", false, func(h *home) {
			h.config("[telemetry]\nendpoint = \"http://a.invalid/v1/traces\"\nmetrics_endpoint = \"http://b.invalid/v1/metrics\"\nproxy = \"http://127.0.0.1:1\"")
		}},
		{"collector refuses us", "telemetry.endpoint", Fail, "status 401", "telemetry.headers", false, at(401)},
		{"collector forbids us", "telemetry.endpoint", Fail, "status 403", "telemetry.api_key", false, at(403)},
		{"wrong path", "telemetry.endpoint", Fail, "status 404", "/v1/traces", false, at(404)},
		{"wrong protocol", "telemetry.endpoint", Fail, "status 415", "telemetry.protocol", false, at(415)},
		{"collector busy", "telemetry.endpoint", Warn, "status 503", "tried again", false, at(503)},
		{"unknown authority", "telemetry.endpoint", Fail, "unknown authority", "telemetry.certificate", false, func(h *home) {
			url, _ := h.serveTLS(time.Now().Add(time.Hour))
			h.endpoint(url, "")
		}},
		{"certificate expired", "telemetry.endpoint", Fail, "has expired", "renew", false, func(h *home) {
			url, file := h.serveTLS(time.Now().Add(-time.Hour))
			h.endpoint(url, "certificate = \""+file+"\"")
		}},
		{"certificate file gone", "telemetry.endpoint", Fail, "telemetry.certificate", "telemetry.certificate", false, func(h *home) {
			url, _ := h.serveTLS(time.Now().Add(time.Hour))
			h.endpoint(url, "certificate = \"/nowhere.pem\"")
		}},
		{"TLS asked of a server without", "telemetry.endpoint", Fail, "does not speak TLS", "http://", false, func(h *home) {
			h.endpoint(strings.Replace(h.serve(200), "http://", "https://", 1), "")
		}},
		{"collector that hangs", "telemetry.endpoint", Fail, "127.0.0.1", "telemetry.endpoint", false, func(h *home) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			check(h.t, err)
			h.t.Cleanup(func() { _ = l.Close() })
			h.endpoint("http://"+l.Addr().String(), "timeout_ms = 300")
		}},
		{"metrics alone, to nobody", "telemetry.metrics", Fail, "nothing listens there", "telemetry.metrics_endpoint", false, func(h *home) {
			h.config("[telemetry]\nmetrics_endpoint = \"http://127.0.0.1:1/v1/metrics\"")
		}},
		{"backend without metrics", "telemetry.metrics", Fail, "status 404", "telemetry.metrics = false", false, func(h *home) {
			h.config(fmt.Sprintf("[telemetry]\nendpoint = %q\nmetrics_endpoint = %q", h.serve(200), h.serve(404)+"/v1/metrics"))
		}},
		{"sink fails", "telemetry.sinks", Warn, "traces: behind by 1 event; 4 failed tries: 503", "see the endpoint", false, func(h *home) {
			h.endpoint(h.serve(503), "")
			h.store(func(s *store.Store) {
				event, _, err := s.Head(h.t.Context())
				check(h.t, err)
				c := store.Cursor{Name: "otlp", Event: event - 1, Tries: 4, Next: time.Now().Add(time.Minute), Error: "503: authorization: Bearer canary-header-4712"}
				check(h.t, s.SetCursor(h.t.Context(), nil, c))
			})
		}},
		{"server of another time", "clock.servers", Warn, "behind this machine", "clock", false, func(h *home) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
			}))
			h.t.Cleanup(s.Close)
			h.endpoint(s.URL, "")
		}},
	}
}

func TestATrustedEndpointIsHealthy(t *testing.T) {
	h := healthy(t)
	url, file := h.serveTLS(time.Now().Add(time.Hour))
	h.endpoint(url, "certificate = \""+file+"\"")
	r := h.run()
	for _, f := range bad(r) {
		t.Errorf("%s: %s: %s", f.ID, f.Status, f.Text)
	}
	if f := r.find("telemetry.endpoint", OK); f == nil || !strings.Contains(f.Text, "takes what is sent") {
		t.Errorf("%+v", f)
	}
}

// What keeps both signals out is said once.
func TestOneServerIsSaidToBeGoneOnce(t *testing.T) {
	h := healthy(t)
	h.config("[telemetry]\nendpoint = \"http://127.0.0.1:1/v1/traces\"")
	if found := bad(h.run()); len(found) != 1 || found[0].ID != "telemetry.endpoint" {
		t.Errorf("%+v", found)
	}
	h.config("[telemetry]\nmetrics_endpoint = \"http://127.0.0.1:2/v1/metrics\"")
	if found := bad(h.run()); len(found) != 2 || found[1].ID != "telemetry.metrics" {
		t.Errorf("%+v", found)
	}
}

// An empty text is what nobody set, whoever wrote it.
func TestAnEmptyEndpointIsUnset(t *testing.T) {
	h := healthy(t)
	h.config("[telemetry]\nendpoint = \"\"\nmetrics_endpoint = \"\"")
	r := h.run()
	if found := bad(r); len(found) > 0 || r.find("telemetry.endpoint", Info) == nil {
		t.Errorf("%+v", found)
	}
}

// Of an endpoint that can't be used nothing is said to be sent.
func TestNothingIsSentToNoURL(t *testing.T) {
	h := healthy(t)
	h.store(func(s *store.Store) {
		event, _, err := s.Head(t.Context())
		check(t, err)
		check(t, s.SetCursor(t.Context(), nil, store.Cursor{Name: "otlp", Event: event, Moved: time.Now()}))
	})
	head := "[telemetry]\nendpoint = "
	h.config(head + "\"\"")
	last := "\"\""
	for _, endpoint := range []string{"\"\"", "\"localhost:4318\""} {
		h.edit(configName, head+last, head+endpoint)
		last = endpoint
		if f := h.run().find("telemetry.sinks", OK); f != nil {
			t.Errorf("%q: %s", endpoint, f.Text)
		}
	}
	h.edit(configName, head+last, head+"\""+h.serve(200)+"/v1/traces\"\nmetrics = false")
	if f := h.run().find("telemetry.sinks", OK); f == nil {
		t.Error("what is sent is not said to be")
	}
}

// The collector gets one request for each signal, as the worker would send it: by POST, whole, with the headers.
func TestTheCollectorIsAskedAsTheWorkerWould(t *testing.T) {
	h := healthy(t)
	var mu sync.Mutex
	var got []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		got = append(got, r.Method+" "+r.URL.String())
		traces, perr := otlp.ParseTraces(r.Header.Get("Content-Type"), body)
		if r.URL.Path == "/v1/traces" && (err != nil || perr != nil || len(traces) != 1 || len(traces[0].Spans) > 0) {
			t.Errorf("%v %v %v", err, perr, traces)
		}
		if r.Header.Get("X-Key") != "canary-header-4712" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(s.Close)
	h.config("[telemetry]\nendpoint = \"" + s.URL + "/v1/traces?k=v\"\ncompression = \"none\"\nheaders = { x-key = \"canary-header-4712\" }")
	r := h.run()
	for _, f := range bad(r) {
		t.Errorf("%s: %s", f.ID, f.Text)
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"POST /v1/metrics?k=v", "POST /v1/traces?k=v"}, got); diff != "" {
		t.Error(diff)
	}
	if r.find("clock.servers", OK) == nil {
		t.Error("the collector's clock is not looked at")
	}
	h.edit(configName, "headers = { x-key", "headers = { x-kee")
	if f := h.run().find("telemetry.endpoint", Fail); f == nil || !strings.Contains(f.Text, "status 401, sent with x-kee") {
		t.Errorf("%+v", f)
	}
}

// What is asked of nobody can fail for nobody.
func TestOfflineAsksNobody(t *testing.T) {
	h := healthy(t)
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	t.Cleanup(s.Close)
	h.endpoint(s.URL, "")
	h.config("[guard]\nendpoint = \"" + s.URL + "\"")
	h.env.Offline = true
	if found := bad(h.run()); len(found) > 0 || asked > 0 {
		t.Errorf("asked %d times: %+v", asked, found)
	}
}
