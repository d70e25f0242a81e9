package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Error is what a provider said, or that it said nothing.
type Error struct {
	Provider string
	// Status is the HTTP status; zero where there was no answer.
	Status int
	// Temporary says that the same question may be answered later; after RetryAfter, where the provider said so (at most an hour).
	Temporary  bool
	RetryAfter time.Duration
	// Misconfigured says that no question would be answered until somebody mends the settings.
	Misconfigured bool
	// Message is of one line, without a secret.
	Message string
	cause   error
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("ask %s: status %d: %s", e.Provider, e.Status, e.Message)
	}
	return fmt.Sprintf("ask %s: %s", e.Provider, e.Message)
}

// Unwrap gives the context's error, where that ended the request.
func (e *Error) Unwrap() error { return e.cause }

// unreached is the error where there is no whole answer.
func (c *client) unreached(err error) error {
	e := &Error{Provider: c.provider, Temporary: true}
	for _, ended := range []error{context.DeadlineExceeded, context.Canceled} {
		if errors.Is(err, ended) {
			e.cause, e.Message = ended, "no answer in time"
			return e
		}
	}
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err // without the URL, which may carry a password
	}
	e.Message = c.clean(err.Error())
	return e
}

// refused is the error of an answer that is none.
func (c *client) refused(resp *http.Response, text []byte) error {
	e := &Error{Provider: c.provider, Status: resp.StatusCode, Message: "it said nothing more"}
	switch s := resp.StatusCode; {
	case s == http.StatusRequestTimeout, s == http.StatusTooManyRequests, s >= 500:
		e.Temporary = true
	case s == http.StatusBadRequest, s == http.StatusRequestEntityTooLarge, s == http.StatusUnprocessableEntity:
	default: // redirects among them
		e.Misconfigured = true
	}
	said, delay := reasonOf(text)
	if said = c.clean(said); said != "" {
		e.Message = said
	}
	e.RetryAfter = max(delay, retryAfter(resp.Header))
	return e
}

// reasonOf reads the error bodies of the providers: {"error":{"message":…}}, also as a list, and {"error":"…"}, {"message":…}.
func reasonOf(text []byte) (said string, delay time.Duration) {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil && len(list) > 0 {
		text = list[0]
	}
	var body struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(text, &body) != nil {
		return "", 0 // a page of a proxy says nothing to anybody
	}
	var full struct {
		Message string `json:"message"`
		Details []struct {
			RetryDelay string `json:"retryDelay"`
		} `json:"details"`
	}
	if json.Unmarshal(body.Error, &full) == nil && full.Message != "" {
		for _, d := range full.Details {
			if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > 0 {
				delay = min(wait, time.Hour)
			}
		}
		return full.Message, delay
	}
	var plain string
	if json.Unmarshal(body.Error, &plain) == nil && plain != "" {
		return plain, 0
	}
	return body.Message, 0
}

// retryAfter is the header's time, an hour at most; zero where there is none.
func retryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(n, 0), 3600)) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date")) // by the provider's clock, where it says it
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), time.Hour)
}

// clean is a text of somebody else's as an error may have it.
func (c *client) clean(text string) string {
	const most = 300
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	text = strings.TrimSpace(c.mask.Replace(text))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
