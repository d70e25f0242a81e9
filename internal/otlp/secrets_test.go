package otlp

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// everyForm fails where a text shows a user's password, in any form that somebody could repeat it in.
func everyForm(t *testing.T, text, user, password string) {
	t.Helper()
	pair := user + ":" + password
	for _, form := range []string{
		password, url.QueryEscape(password), url.PathEscape(password), base64.StdEncoding.EncodeToString([]byte(pair)),
		base64.RawURLEncoding.EncodeToString([]byte(pair)), url.UserPassword(user, password).String(),
	} {
		if strings.Contains(text, form) {
			t.Errorf("%q has %q", text, form)
		}
	}
}

// TestWhoeverRepeatsASecret: what a server or a proxy was sent, as it was sent and as it can be read.
func TestWhoeverRepeatsASecret(t *testing.T) {
	const user, password = "canaryuser", "canary-p@ss+wo/rd>7?"
	decoded := func(header string) string {
		b, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(header, "Basic "))
		pair := string(b)
		_, alone, _ := strings.Cut(pair, ":")
		return pair + " " + alone + " " + url.QueryEscape(pair) + " " + url.PathEscape(alone) + " " + base64.RawURLEncoding.EncodeToString(b)
	}
	for _, status := range []int{200, 302, 400, 407, 503} {
		at := serve(t, func(w http.ResponseWriter, req *http.Request) {
			text := req.URL.RawQuery
			for _, name := range []string{"Authorization", "Proxy-Authorization", "X-Basic"} {
				text += fmt.Sprintf(" %q %s", req.Header.Get(name), decoded(req.Header.Get(name)))
			}
			if status == 200 {
				w.Header().Set("Content-Type", JSON)
				_, _ = fmt.Fprintf(w, `{"partialSuccess":{"rejectedSpans":1,"errorMessage":%s}}`, stringJSON(nil, text))
				return
			}
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(status)
			_, _ = fmt.Fprint(w, text)
		})
		u, err := url.Parse(at)
		if err != nil {
			t.Fatal(err)
		}
		u.User = url.UserPassword(user, password)
		basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
		for name, o := range map[string]Options{
			"URL":    {Traces: u.String()},
			"header": {Traces: at, Headers: map[string]string{"X-Basic": basic}},
			"proxy":  {Traces: "http://collector.invalid/v1/traces", Proxy: u.String()},
		} {
			r := client(t, o).SendTraces(t.Context(), exampleTraces())
			if r.Status != status || !strings.Contains(r.Message, "***") {
				t.Errorf("%s, %d: %+v", name, status, r)
			}
			everyForm(t, r.Message, user, password)
		}
	}
}

// TestSecrets: all that has to be masked, in the forms in which it may come.
func TestSecrets(t *testing.T) {
	for name, tc := range map[string]struct {
		headers map[string]string
		urls    []string
		want    []string
	}{
		"URL":               {nil, []string{"http://user:pass%2Bword@h/"}, []string{"user", "pass%2Bword", "pass+word", "dXNlcjpwYXNzK3dvcmQ="}},
		"no URL":            {nil, []string{"http://user:pass word@bad host:1x"}, []string{"pass word", "user:pass word"}},
		"slash in password": {nil, []string{"http://user:pa/ssword@host:1x"}, []string{"pa/ssword"}},
		"query":             {nil, []string{"https://h/v1?key=a%20value&alone"}, []string{"a%20value", "a value", "a+value", "alone"}},
		"words":             {map[string]string{"a": "Bearer word1,word2"}, nil, []string{"Bearer word1,word2", "word1", "word2"}},
		"escaped":           {map[string]string{"a": "Bearer%20secret%2Fword"}, nil, []string{"Bearer secret/word"}},
		"basic":             {map[string]string{"a": "basic dTo8cGFzczo+Pz8/"}, nil, []string{"<pass:>???", "dTo8cGFzczo+Pz8/", "dTo8cGFzczo-Pz8_"}},
		"nothing":           {map[string]string{"a": "x"}, []string{"http://h/p", "", "h:1"}, nil},
	} {
		got, users := Secrets(tc.headers, tc.urls...)
		got = append(got, users...)
		for _, want := range tc.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %q is not in %q", name, want, got)
			}
		}
		if tc.want == nil && len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestUsersAreApart: a proxy's user may have a home directory of that name. One without a password is a token.
func TestUsersAreApart(t *testing.T) {
	secret, users := Secrets(map[string]string{"a": "Basic cm9iZXJ0OnBhc3M="}, "http://robert:pass@h", "http://token@h")
	if slices.Contains(secret, "robert") || !slices.Contains(secret, "token") || !slices.Equal(users, []string{"robert"}) {
		t.Errorf("%q, %q", secret, users)
	}
}

// TestSecretsOfTheEnvironment: its proxies count where it is trusted.
func TestSecretsOfTheEnvironment(t *testing.T) {
	t.Setenv("HTTP_PROXY", "canaryuser:canarypass1@proxy:3128")
	t.Setenv("https_proxy", "http://canaryuser:canarypass2@proxy:3128")
	trusted, not := secretsOf(Options{TrustEnv: true}), secretsOf(Options{})
	if !slices.Contains(trusted, "canarypass1") || !slices.Contains(trusted, "canarypass2") || len(not) > 0 {
		t.Errorf("%q, %q", trusted, not)
	}
}
