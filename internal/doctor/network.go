package doctor

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
	"syscall"
	"time"

	"github.com/boathook/boathook/internal/foreign"
)

// target is a server as the settings name it.
type target struct {
	url, proxy string
	// key is the setting that names it, proxyKey the one that names the proxy; the next three are files.
	key, proxyKey             string
	ca, clientCert, clientKey string
	trustEnv                  bool
}

// dialLimit is how long one connection may take.
const dialLimit = 3 * time.Second

// dial goes the way to a server step by step, so that it can say at which one it ends: the URL, the name, the
// connection, the certificate. took is how long all that was.
func (w *World) dial(ctx context.Context, t target) (took time.Duration, bad *Result) {
	edit := "edit " + w.configFile() + ": " + t.key
	found := func(r Result) (time.Duration, *Result) { return 0, &r }
	u, err := url.Parse(t.url)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return found(fail(edit, "%s is not an http or https URL", t.key))
	}
	to, way := u, "edit "+w.configFile()+": "+t.key+", or start the server"
	if strings.HasPrefix(t.key, "telemetry.") {
		way += grpcPort(t.url)
	}
	if proxy := w.proxyFor(t, u); proxy != nil {
		to, way = proxy, "edit "+w.configFile()+": "+t.proxyKey
		if t.proxy == "" {
			way = "look at the proxy that the environment names: env | grep -i _proxy"
		}
	}
	ctx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	start := time.Now()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", hostPort(to))
	if err != nil {
		return found(fail(way, "%s: %s", Address(to.String()), w.dialError(ctx, to, err)))
	}
	defer conn.Close()
	if to.Scheme != "https" || to != u {
		return time.Since(start), nil // what is behind a proxy shows when something is sent
	}
	return w.shake(ctx, t, u, conn, start)
}

func (w *World) shake(ctx context.Context, t target, u *url.URL, conn net.Conn, start time.Time) (time.Duration, *Result) {
	config := w.tls(t, u)
	if err := tls.Client(conn, config).HandshakeContext(ctx); err != nil {
		text, cure := w.tlsError(t, err)
		r := fail(cure, "%s: %s", Address(t.url), text)
		return 0, &r
	}
	return time.Since(start), nil
}

func (w *World) proxyFor(t target, u *url.URL) *url.URL {
	if t.proxy != "" {
		if proxy, err := url.Parse(t.proxy); err == nil && proxy.Host != "" {
			return proxy
		}
	}
	if !t.trustEnv {
		return nil
	}
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: u})
	if err != nil {
		return nil
	}
	return proxy
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

func (w *World) dialError(ctx context.Context, u *url.URL, err error) string {
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "there is no host of the name " + u.Hostname()
	case errors.As(err, &dns):
		return "the name " + u.Hostname() + " can't be looked up"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there (connection refused)"
	case ctx.Err() != nil, errors.Is(err, os.ErrDeadlineExceeded):
		return "no answer within " + dialLimit.String()
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return w.Foreign(err.Error())
}

// tls are the authorities and the certificate that the settings name. What of them can't be used the client has said.
func (w *World) tls(t target, u *url.URL) *tls.Config {
	config := &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	if pem, err := foreign.Read(t.ca); t.ca != "" && err == nil {
		config.RootCAs = x509.NewCertPool()
		config.RootCAs.AppendCertsFromPEM(pem)
	}
	cert, _ := foreign.Read(t.clientCert) // what can't be read is no pair
	key, _ := foreign.Read(t.clientKey)
	if pair, err := tls.X509KeyPair(cert, key); err == nil {
		config.Certificates = []tls.Certificate{pair}
	}
	return config
}

// tlsError names what is wrong with a certificate.
func (w *World) tlsError(t target, err error) (text, cure string) {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	edit := "edit " + w.configFile() + ": "
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Sprintf("its certificate has expired, or is not valid yet (valid until %s)", invalid.Cert.NotAfter.UTC().Format("2006-01-02")),
			"renew the server's certificate, and look at this machine's clock"
	case errors.As(err, &unknown):
		key := "telemetry.certificate"
		if strings.HasPrefix(t.key, "guard") {
			return "its certificate is from an unknown authority", "add the authority to this system's"
		}
		return "its certificate is from an unknown authority", edit + key + " = the authority's PEM file"
	case errors.As(err, &host):
		return "its certificate is for another name (" + w.Foreign(err.Error()) + ")", edit + t.key
	case strings.Contains(err.Error(), "does not look like a TLS handshake"):
		return "it does not speak TLS", edit + t.key + " (http:// instead of https://)"
	case strings.Contains(err.Error(), "certificate required"), strings.Contains(err.Error(), "bad certificate"):
		return "it wants a certificate of the client", edit + "telemetry.client_certificate and telemetry.client_key"
	}
	return "no TLS connection (" + w.Foreign(err.Error()) + ")", edit + t.key
}

// serverTime asks a server for its time, by the Date of whatever it answers. No header and no content goes with it.
func (w *World) serverTime(ctx context.Context, t target) (at time.Time, ok bool) {
	u, err := url.Parse(t.url)
	if err != nil {
		return at, false
	}
	u.User, u.RawQuery = nil, ""
	transport := &http.Transport{DisableKeepAlives: true}
	if proxy := w.proxyFor(t, u); proxy != nil {
		transport.Proxy = http.ProxyURL(proxy)
	}
	transport.TLSClientConfig = w.tls(t, u)
	client := &http.Client{Transport: transport, Timeout: dialLimit, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, u.String(), nil)
	if err != nil {
		return at, false
	}
	resp, err := client.Do(req)
	if err != nil {
		return at, false
	}
	defer resp.Body.Close()
	at, err = http.ParseTime(resp.Header.Get("Date"))
	return at, err == nil
}
