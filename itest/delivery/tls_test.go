package delivery_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/otelcol"
)

// tlsWorld has a collector that speaks TLS alone, and asks for a certificate.
func tlsWorld(t *testing.T) (*world, *otelcol.Certificates) {
	t.Helper()
	w, certs := &world{recorder: otelcol.NewRecorder(t)}, otelcol.NewCertificates(t)
	w.collector = otelcol.Start(t, otelcol.Options{Recorder: w.recorder, TLS: certs})
	w.Lab = hooklab.New(t, "")
	w.Feed = w.NewFeed("please do")
	return w, certs
}

// certified are settings with these files.
func (w *world) certified(ca, cert, key string) string {
	var lines []string
	for name, path := range map[string]string{"certificate": ca, "client_certificate": cert, "client_key": key} {
		if path != "" {
			lines = append(lines, fmt.Sprintf("%s = %q", name, path))
		}
	}
	return settings(w.collector.Traces(), lines...)
}

func TestTLS(t *testing.T) {
	w, certs := tlsWorld(t)
	w.Configure(w.certified(certs.CA, certs.ClientCert, certs.ClientKey))
	w.Turns(20)
	w.Worker()
	w.arrived(len(w.Spans))
	w.drain()
	w.check(t)
}

// TestWrongCertificate: nothing is sent, nothing is lost, and the error says which key of the config is to blame. Once that is
// mended everything arrives.
func TestWrongCertificate(t *testing.T) {
	for _, row := range []struct {
		name    string
		files   func(right, foreign *otelcol.Certificates, dir string) (ca, cert, key string)
		message string
	}{
		{"the system's authorities", func(r, _ *otelcol.Certificates, _ string) (string, string, string) {
			return "", r.ClientCert, r.ClientKey
		}, "telemetry.certificate"},
		{"a foreign authority", func(r, f *otelcol.Certificates, _ string) (string, string, string) {
			return f.CA, r.ClientCert, r.ClientKey
		}, "telemetry.certificate"},
		{"no certificate of one's own", func(r, _ *otelcol.Certificates, _ string) (string, string, string) {
			return r.CA, "", ""
		}, "telemetry.client_certificate"},
		{"a foreign certificate", func(r, f *otelcol.Certificates, _ string) (string, string, string) {
			return r.CA, f.ClientCert, f.ClientKey
		}, "telemetry.client_certificate"},
		{"a file that is missing", func(r, _ *otelcol.Certificates, dir string) (string, string, string) {
			return filepath.Join(dir, "none.pem"), r.ClientCert, r.ClientKey
		}, "telemetry.certificate"},
		{"a file that is no certificate", func(r, _ *otelcol.Certificates, dir string) (string, string, string) {
			garbage := filepath.Join(dir, "garbage.pem")
			_ = os.WriteFile(garbage, []byte("no certificate\n"), 0o600) // the test fails without it
			return r.CA, garbage, r.ClientKey
		}, "telemetry.client_certificate"},
		{"another's key", func(r, f *otelcol.Certificates, _ string) (string, string, string) {
			return r.CA, r.ClientCert, f.ClientKey
		}, "telemetry.client_key"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w, right := tlsWorld(t)
			ca, cert, key := row.files(right, otelcol.NewCertificates(t), t.TempDir())
			w.Configure(w.certified(ca, cert, key))
			w.Turns(3)
			worker := w.Worker()
			if why := w.failing(t); !strings.Contains(why, row.message) {
				t.Errorf("the error does not name %s: %s", row.message, why)
			}
			if err := worker.Stop(); err != nil {
				t.Error(err)
			}
			if n := len(w.spans()); n != 0 {
				t.Errorf("%d spans were sent", n)
			}
			if s := w.state(t); len(s.Sinks) != 1 || s.Sinks[0].Events != 12 {
				t.Errorf("the status is %+v, want 12 events that wait", s)
			}
			w.checkSilence(t)
			w.Configure(w.certified(right.CA, right.ClientCert, right.ClientKey))
			w.drain()
			w.check(t)
		})
	}
}
