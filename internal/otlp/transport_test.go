package otlp

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	path string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{path: filepath.Join(t.TempDir(), "ca.pem")}
	a.key = newKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	must(t, err)
	a.cert, err = x509.ParseCertificate(der)
	must(t, err)
	writePEM(t, a.path, "CERTIFICATE", der)
	return a
}

// issue writes a certificate and its key to two files.
func (a *authority) issue(t *testing.T, change func(*x509.Certificate)) (certPath, keyPath string) {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if change != nil {
		change(template)
	}
	key := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	must(t, err)
	keyDER, err := x509.MarshalECPrivateKey(key)
	must(t, err)
	dir := t.TempDir()
	certPath, keyPath = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writePEM(t, certPath, "CERTIFICATE", der)
	writePEM(t, keyPath, "EC PRIVATE KEY", keyDER)
	return certPath, keyPath
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	return key
}

func writePEM(t *testing.T, path, kind string, der []byte) {
	t.Helper()
	must(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// serveTLS starts a server with a certificate of an authority. With clients it wants certificates that these have signed.
func serveTLS(t *testing.T, a, clients *authority, change func(*x509.Certificate), version uint16) *httptest.Server {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(a.issue(t, change))
	must(t, err)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MaxVersion: version}
	if version != 0 && version < tls.VersionTLS12 {
		s.TLS.MinVersion = version
	}
	if clients != nil {
		s.TLS.ClientAuth, s.TLS.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		s.TLS.ClientCAs.AddCert(clients.cert)
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestCertificates(t *testing.T) {
	ours, other := newAuthority(t), newAuthority(t)
	cert, key := ours.issue(t, nil)
	otherCert, otherKey := other.issue(t, nil)
	for name, tc := range map[string]struct {
		o       Options
		clients *authority
		change  func(*x509.Certificate)
		version uint16
		want    Outcome
	}{
		"signed by telemetry.certificate": {o: Options{CA: ours.path}, want: Accepted},
		"signed by another authority":     {o: Options{CA: other.path}, want: Misconfigured},
		"not known to the system":         {o: Options{}, want: Misconfigured},
		"for another host": {
			o: Options{CA: ours.path}, want: Misconfigured,
			change: func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"otlp.example"} },
		},
		"expired": {
			o: Options{CA: ours.path}, want: Misconfigured,
			change: func(c *x509.Certificate) { c.NotAfter = c.NotBefore.Add(time.Minute) },
		},
		"client certificate":              {o: Options{CA: ours.path, ClientCert: cert, ClientKey: key}, clients: ours, want: Accepted},
		"client certificate, TLS 1.2":     {o: Options{CA: ours.path, ClientCert: cert, ClientKey: key}, clients: ours, version: tls.VersionTLS12, want: Accepted},
		"no client certificate":           {o: Options{CA: ours.path}, clients: ours, version: tls.VersionTLS12, want: Misconfigured},
		"no client certificate, TLS 1.3":  {o: Options{CA: ours.path}, clients: ours, want: Misconfigured},
		"wrong client certificate":        {o: Options{CA: ours.path, ClientCert: otherCert, ClientKey: otherKey}, clients: ours, version: tls.VersionTLS12, want: Misconfigured},
		"TLS 1.1":                         {o: Options{CA: ours.path}, version: tls.VersionTLS11, want: Misconfigured},
		"unwanted client certificate":     {o: Options{CA: ours.path, ClientCert: cert, ClientKey: key}, want: Accepted},
		"certificate for clients alone":   {o: Options{CA: ours.path}, want: Misconfigured, change: func(c *x509.Certificate) { c.ExtKeyUsage = c.ExtKeyUsage[1:] }},
		"signed for a moment yet to come": {o: Options{CA: ours.path}, want: Misconfigured, change: func(c *x509.Certificate) { c.NotBefore = c.NotAfter.Add(-time.Minute) }},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveTLS(t, ours, tc.clients, tc.change, tc.version)
			got := client(t, secretly(tc.o, s.URL)).SendTraces(t.Context(), exampleTraces())
			if got.Outcome != tc.want {
				t.Errorf("%+v, want %s", got, tc.want)
			}
			wantSecret(t, got.Message)
		})
	}
}

// TestWrongScheme: neither side's way to say so may cost an event.
func TestWrongScheme(t *testing.T) {
	ours := newAuthority(t)
	s := serveTLS(t, ours, nil, nil, 0)
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	for _, at := range []string{strings.Replace(s.URL, "https:", "http:", 1), strings.Replace(plain, "http:", "https:", 1)} {
		got := client(t, secretly(Options{CA: ours.path}, at)).SendTraces(t.Context(), exampleTraces())
		if got.Outcome != Misconfigured {
			t.Errorf("%s: %+v", at, got)
		}
		wantSecret(t, got.Message)
	}
}

// TestCertificatesAreReadAgain when their files have changed; broken files change nothing.
func TestCertificatesAreReadAgain(t *testing.T) {
	first, second := newAuthority(t), newAuthority(t)
	path := filepath.Join(t.TempDir(), "ca.pem")
	put := func(text []byte, age time.Duration) {
		must(t, os.WriteFile(path, text, 0o600))
		at := time.Now().Add(-age)
		must(t, os.Chtimes(path, at, at))
	}
	pemOf := func(a *authority) []byte {
		b, err := os.ReadFile(a.path)
		must(t, err)
		return b
	}
	s := serveTLS(t, second, nil, nil, 0)
	put(pemOf(first), 3*time.Hour)
	c := client(t, Options{Traces: s.URL, CA: path})
	send := func(want Outcome) {
		t.Helper()
		if got := c.SendTraces(t.Context(), exampleTraces()); got.Outcome != want {
			t.Errorf("%+v, want %s", got, want)
		}
	}
	send(Misconfigured)
	put(pemOf(second), 2*time.Hour)
	send(Accepted)
	put([]byte("half"), time.Hour)
	send(Accepted)
	must(t, os.Remove(path))
	send(Accepted)
}

// proxy is an HTTP proxy that counts, and asks for the password of the tests.
func proxy(t *testing.T, seen *atomic.Int32) *url.URL {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Add(1)
		want := &http.Request{Header: http.Header{}}
		want.SetBasicAuth(userCanary, passwordCanary)
		if r.Header.Get("Proxy-Authorization") != want.Header.Get("Authorization") {
			http.Error(w, r.Header.Get("Proxy-Authorization"), http.StatusProxyAuthRequired)
			return
		}
		if r.Method != http.MethodConnect {
			w.WriteHeader(http.StatusOK)
			return
		}
		to, err := net.Dial("tcp", r.Host)
		if err != nil {
			http.Error(w, "no", http.StatusBadGateway)
			return
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(to, conn); to.Close() }()
		_, _ = io.Copy(conn, to)
		conn.Close()
	}))
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	must(t, err)
	return u
}

func TestProxy(t *testing.T) {
	var seen atomic.Int32
	ours := newAuthority(t)
	s := serveTLS(t, ours, nil, nil, 0)
	with, without := proxy(t, &seen), proxy(t, &seen)
	with.User = url.UserPassword(userCanary, passwordCanary)
	for name, tc := range map[string]struct {
		at, proxy string
		want      Outcome
	}{
		"http":              {"http://otlp.invalid/v1/traces", with.String(), Accepted},
		"https":             {s.URL, with.String(), Accepted},
		"http, wrong pass":  {"http://otlp.invalid/v1/traces", without.String(), Misconfigured},
		"https, wrong pass": {s.URL, without.String(), Misconfigured},
		"https, no way":     {"https://otlp.invalid/v1/traces", with.String(), Retry},
	} {
		before := seen.Load()
		got := client(t, secretly(Options{CA: ours.path, Proxy: tc.proxy}, tc.at)).SendTraces(t.Context(), exampleTraces())
		if got.Outcome != tc.want || seen.Load() != before+1 {
			t.Errorf("%s: %+v, want %s, by the proxy %d times", name, got, tc.want, seen.Load()-before)
		}
		wantSecret(t, got.Message)
	}
}

// TestEnvironmentIsNotTrusted: a repository may have set it.
func TestEnvironmentIsNotTrusted(t *testing.T) {
	ours := newAuthority(t)
	t.Setenv("SSL_CERT_FILE", ours.path)
	t.Setenv("SSL_CERT_DIR", filepath.Dir(ours.path))
	if proxyOf(Options{}) != nil || proxyOf(Options{TrustEnv: true}) == nil {
		t.Error("proxies of the environment count without trust, or don't with it")
	}
	client(t, Options{TrustEnv: true})
	if os.Getenv("SSL_CERT_FILE") == "" || os.Getenv("SSL_CERT_DIR") == "" {
		t.Error("with trust the variables are gone")
	}
	client(t, Options{})
	if os.Getenv("SSL_CERT_FILE") != "" || os.Getenv("SSL_CERT_DIR") != "" {
		t.Error("without trust the variables are there")
	}
}
