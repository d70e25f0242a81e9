// Package guard judges tool calls. It asks the remote guard, one question for each call, within a budget, and turns the
// verdict into a decision; the hook calls it. The wire is that of existing guards (pinta, SPEC §8).
// It must not import database/sql.
package guard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"github.com/boathook/boathook/internal/config"
)

// Question is one tool call as the guard is told it: unredacted, since it judges what will really run.
type Question struct {
	SpanID   string
	ToolName string
	// Input is the arguments as valid JSON; InputText is their text as the host sent it.
	Input      json.RawMessage
	InputText  string
	Command    string
	MCPContext string
}

// Verdict is what became of a question.
type Verdict struct {
	// Outcome is allow, deny or review, else why there is none: timeout, refused, status_<code>, bad_body, bad_endpoint
	// or error.
	Outcome  string
	Reason   string
	Rule     string
	Duration time.Duration
}

// Decided tells whether the guard gave a verdict.
func (v Verdict) Decided() bool {
	return v.Outcome == "allow" || v.Outcome == "deny" || v.Outcome == "review"
}

const relayHeader = "x-pinta-relay-token"

// Ask puts the question to the guard and waits no longer than its budget, from dial to the last byte. It does not fail:
// the outcome says what went wrong. With trustEnv the proxies of the process environment are used.
func Ask(ctx context.Context, cfg config.Guard, trustEnv bool, q Question) Verdict {
	body, err := encode(q)
	if err != nil {
		return Verdict{Outcome: "error", Reason: err.Error()}
	}
	client, err := newClient(cfg, trustEnv)
	if err != nil {
		return Verdict{Outcome: "bad_endpoint", Reason: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, cfg.Timeout)
	defer cancel()
	answer := make(chan Verdict, 1)
	start := time.Now()
	go func() {
		defer func() {
			if p := recover(); p != nil { // an answer that breaks the HTTP client must not break the agent
				answer <- Verdict{Outcome: "error", Reason: fmt.Sprint(p)}
			}
		}()
		answer <- post(ctx, client, cfg, body)
	}()
	v := Verdict{Outcome: "timeout"}
	select {
	case v = <-answer:
	case <-ctx.Done(): // whatever the transport is busy with, the budget is over
	}
	v.Duration = time.Since(start)
	return v
}

func newClient(cfg config.Guard, trustEnv bool) (*http.Client, error) {
	at, err := url.Parse(cfg.Endpoint)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, errors.New("guard.endpoint is not an http or https URL")
	}
	transport := &http.Transport{DisableKeepAlives: true, DisableCompression: true}
	switch {
	case cfg.Proxy != "":
		proxy, err := url.Parse(cfg.Proxy)
		if err != nil || proxy.Host == "" {
			return nil, errors.New("guard.proxy is not a URL")
		}
		transport.Proxy = http.ProxyURL(proxy)
	case trustEnv:
		transport.Proxy = http.ProxyFromEnvironment
	}
	// A redirect would carry the token to wherever it points.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Transport: transport, CheckRedirect: stay}, nil
}

func post(ctx context.Context, client *http.Client, cfg config.Guard, body []byte) Verdict {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, cfg.Endpoint, bytes.NewReader(body))
	if err != nil {
		return Verdict{Outcome: "bad_endpoint", Reason: "guard.endpoint is not a URL"}
	}
	req.Header.Set("Content-Type", "application/json")
	if cfg.Token != "" {
		req.Header.Set(relayHeader, cfg.Token)
	}
	resp, err := client.Do(req)
	if err != nil {
		return failed(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return Verdict{Outcome: fmt.Sprintf("status_%d", resp.StatusCode)}
	}
	text, err := readReply(resp.Body)
	v := parse(text)
	if err != nil && !v.Decided() {
		return failed(ctx, err)
	}
	return v
}

func failed(ctx context.Context, err error) Verdict {
	var cause *url.Error
	if errors.As(err, &cause) {
		err = cause.Err // without the URL, which may carry a password
	}
	switch {
	case ctx.Err() != nil:
		return Verdict{Outcome: "timeout"}
	case errors.Is(err, syscall.ECONNREFUSED):
		return Verdict{Outcome: "refused", Reason: err.Error()}
	}
	return Verdict{Outcome: "error", Reason: err.Error()}
}
