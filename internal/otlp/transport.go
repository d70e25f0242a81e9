package otlp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/foreign"
)

// maxHeader bounds the header of an answer.
const maxHeader = 64 << 10

// current is the HTTP client for the certificates that are there now. While their files are broken, as between the writes
// of somebody who replaces them, it stays the one before.
func (c *Client) current() *http.Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	if files := stamps(c.o); files != c.files {
		if next, err := newHTTP(c.o); err == nil {
			c.http.CloseIdleConnections()
			c.http, c.files = next, files
		}
	}
	return c.http
}

// stamps tells versions of the certificates' files apart.
func stamps(o Options) string {
	var s strings.Builder
	for _, path := range []string{o.CA, o.ClientCert, o.ClientKey} {
		if path == "" {
			continue
		}
		if fi, err := os.Stat(path); err == nil {
			fmt.Fprint(&s, fi.ModTime().UnixNano(), " ", fi.Size())
		}
		fmt.Fprintln(&s)
	}
	return s.String()
}

func newHTTP(o Options) (*http.Client, error) {
	if !o.TrustEnv {
		// Whoever set them may be a repository: it must not choose whom TLS trusts.
		for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR"} {
			_ = os.Unsetenv(name)
		}
	}
	config, err := tlsConfig(o)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		TLSClientConfig:        config,
		Proxy:                  proxyOf(o),
		OnProxyConnectResponse: proxyAnswered,
		// A dial goes on when its request has given up, and mustn't for long.
		DialContext:            (&net.Dialer{Timeout: o.Timeout}).DialContext,
		TLSHandshakeTimeout:    o.Timeout,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true, // answers are small, and what unpacks isn't bounded by what was read
	}
	// A redirect would carry the headers to wherever it points.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Transport: transport, CheckRedirect: stay}, nil
}

func tlsConfig(o Options) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CA != "" {
		pem, err := foreign.Read(o.CA)
		if err != nil {
			return nil, fmt.Errorf("read telemetry.certificate: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("telemetry.certificate: %s has no certificate: it must be a PEM file", o.CA)
		}
	}
	switch {
	case o.ClientCert == "" && o.ClientKey == "":
		return config, nil
	case o.ClientCert == "":
		return nil, errors.New("telemetry.client_key is set without telemetry.client_certificate: set both or none")
	case o.ClientKey == "":
		return nil, errors.New("telemetry.client_certificate is set without telemetry.client_key: set both or none")
	}
	pair, err := keyPair(o.ClientCert, o.ClientKey)
	if err != nil {
		return nil, fmt.Errorf("load telemetry.client_certificate and telemetry.client_key: %w", err)
	}
	config.Certificates = []tls.Certificate{pair}
	return config, nil
}

// keyPair is tls.LoadX509KeyPair for files that may be anything.
func keyPair(certFile, keyFile string) (tls.Certificate, error) {
	cert, err := foreign.Read(certFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := foreign.Read(keyFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(cert, key)
}

func proxyOf(o Options) func(*http.Request) (*url.URL, error) {
	switch {
	case o.Proxy != "":
		proxy, err := url.Parse(o.Proxy)
		if err != nil {
			err = errors.New("telemetry.proxy is not a URL")
		}
		return func(*http.Request) (*url.URL, error) { return proxy, err }
	case o.TrustEnv:
		return http.ProxyFromEnvironment
	}
	return nil
}

// proxyError is a proxy's refusal to connect.
type proxyError int

func (e proxyError) Error() string { return fmt.Sprintf("proxy answered %d", int(e)) }

func proxyAnswered(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode != http.StatusOK {
		return proxyError(resp.StatusCode)
	}
	return nil
}
