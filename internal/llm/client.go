package llm

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/foreign"
	"github.com/boathook/boathook/internal/version"
)

const (
	// maxAnswer bounds what is read of an answer: 64 vectors of 16,000 numbers are 20 MB.
	maxAnswer = 32 << 20
	// longest is how long one request may take where its context says nothing.
	longest = time.Minute
	// dialTime bounds a dial, which goes on when its request has given up.
	dialTime = 10 * time.Second
)

// client asks one target. It may be used concurrently.
type client struct {
	target
	http *http.Client
	mask *strings.Replacer
}

func newClient(t target, c config.LLM, trustEnv bool) (*client, error) {
	transport := &http.Transport{
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		DialContext:         (&net.Dialer{Timeout: dialTime}).DialContext,
		TLSHandshakeTimeout: dialTime, MaxIdleConnsPerHost: 2, IdleConnTimeout: 90 * time.Second, MaxResponseHeaderBytes: 64 << 10, DisableCompression: true,
	}
	if !trustEnv {
		// Whoever set them may be a repository: it must not choose whom TLS trusts.
		for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR"} {
			_ = os.Unsetenv(name)
		}
	}
	if c.CA != "" {
		pem, err := foreign.Read(c.CA)
		if err != nil {
			return nil, fmt.Errorf("read llm.certificate: %w", err)
		}
		transport.TLSClientConfig.RootCAs = x509.NewCertPool()
		if !transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("read llm.certificate: %s has no certificate: it must be a PEM file", c.CA)
		}
	}
	secrets := t.secrets
	switch {
	case c.Proxy != "":
		proxy, err := url.Parse(c.Proxy)
		if err != nil || proxy.Host == "" {
			return nil, errors.New("use llm.proxy: it is not a URL")
		}
		if password, ok := proxy.User.Password(); ok {
			secrets = append(secrets, password)
		}
		transport.Proxy = http.ProxyURL(proxy)
	case trustEnv:
		transport.Proxy = http.ProxyFromEnvironment
	}
	// A redirect would carry the key to wherever it points.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{target: t, http: &http.Client{Transport: transport, CheckRedirect: stay}, mask: masker(secrets)}, nil
}

func masker(secrets []string) *strings.Replacer {
	var pairs []string
	for _, s := range secrets {
		if len(s) >= 4 {
			pairs = append(pairs, s, "********")
		}
	}
	return strings.NewReplacer(pairs...)
}

// Close closes the connections that no request uses.
func (c *client) Close() { c.http.CloseIdleConnections() }

// post sends a document to a path of the API and reads the answer into another.
func (c *client) post(ctx context.Context, path string, ask, answer any) error {
	body, err := json.Marshal(ask)
	if err != nil {
		return &Error{Provider: c.provider, Message: "the question is no JSON: " + c.clean(err.Error())}
	}
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, longest)
		defer cancel()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(body))
	if err != nil {
		return &Error{Provider: c.provider, Misconfigured: true, Message: "its address is no URL"}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "boathook/"+version.String())
	for name, values := range c.headers {
		req.Header[name] = values
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return c.unreached(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case resp.StatusCode != http.StatusOK:
		return c.refused(resp, text)
	case err != nil:
		return c.unreached(err)
	case len(text) > maxAnswer:
		return &Error{Provider: c.provider, Status: resp.StatusCode, Message: fmt.Sprintf("its answer is longer than %d MiB", maxAnswer>>20)}
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return &Error{Provider: c.provider, Status: resp.StatusCode, Misconfigured: true, Message: "its answer is not the JSON that its API has; is the address right?"}
	}
	return nil
}
