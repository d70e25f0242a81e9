package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/otlp"
)

// startCollector runs the command until the returned function is called, which gives its exit code.
func startCollector(t *testing.T, args ...string) (url string, out, errs *syncBuffer, end func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, errs = &syncBuffer{}, &syncBuffer{}
	env := testEnv(t.TempDir())
	env.Stdout, env.Stderr, env.Now = out, errs, time.Now
	code := make(chan int, 1)
	go func() { code <- Run(ctx, env, append([]string{"collector", "--listen", "127.0.0.1:0"}, args...)) }()
	waitFor(t, func() bool { return strings.Contains(errs.String(), "listening on") })
	url = regexp.MustCompile(`http://\S+`).FindString(errs.String())
	return url, out, errs, func() int { cancel(); return <-code }
}

func post(t *testing.T, url, kind string, body []byte) {
	t.Helper()
	resp, err := http.Post(url, kind, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()

}

func someSpans(spans ...otlp.Span) []byte {
	return otlp.AppendTraces(nil, otlp.Protobuf, otlp.Traces{{
		Resource: otlp.Resource{Attrs: []otlp.Attr{attr("service.name", "svc")}}, Spans: spans,
	}})
}

func TestCollectorPrintsWhatSettles(t *testing.T) {
	url, out, errs, end := startCollector(t)
	root := treeSpan(1, 0, "root\x1b[31m", 0, 10).Span
	post(t, url+"/v1/traces", otlp.Protobuf, someSpans(root, treeSpan(2, 1, "child", 1, 2).Span))
	waitFor(t, func() bool { return strings.Contains(out.String(), "└ child") })
	post(t, url+"/v1/traces", otlp.Protobuf, someSpans(treeSpan(3, 1, "late", 3, 4).Span))
	post(t, url+"/v1/metrics", otlp.JSON, []byte(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m"}]}]}]}`))
	post(t, url+"/v1/traces", otlp.JSON, []byte("\x1b"))
	if code := end(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if got := out.String(); !strings.Contains(got, `root\x1b[31m`) || strings.Count(got, "child") != 1 || !strings.Contains(got, "└ late") {
		t.Errorf("%s", got)
	}
	if got := errs.String(); !strings.Contains(got, "received 3 spans of 1 trace, and 1 metric") || !strings.Contains(got, "refused a request with 400") ||
		strings.Contains(got, "\x1b") || strings.Contains(got, "over the network") {
		t.Errorf("%s", got)
	}
}

func TestCollectorJSONAndOnce(t *testing.T) {
	url, out, _, end := startCollector(t, "--json", "--once", "2")
	post(t, url+"/v1/traces", otlp.Protobuf, someSpans(treeSpan(1, 0, "one", 0, 10).Span))
	post(t, url+"/v1/traces", otlp.Protobuf, someSpans(treeSpan(1, 0, "two\u202e", 0, 10).Span))
	waitFor(t, func() bool {
		resp, err := http.Get(url)
		if err == nil {
			_ = resp.Body.Close()
		}
		return err != nil
	})
	if code := end(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	var names []string
	for line := range strings.Lines(out.String()) {
		var span struct {
			Name     string
			Resource map[string]string
		}
		if err := json.Unmarshal([]byte(line), &span); err != nil {
			t.Fatal(err)
		}
		names = append(names, span.Name+" "+span.Resource["service.name"])
	}
	if got := strings.Join(names, ", "); got != "one svc, two\u202e svc" || strings.Contains(out.String(), "\u202e") {
		t.Errorf("%s", got)
	}
}

// What it says of itself fits the terminal, first and last.
func TestCollectorFitsTheTerminal(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var errs syncBuffer
	env := testEnv(t.TempDir())
	env.Stdout, env.Stderr, env.IsTerminal, env.Width = &bytes.Buffer{}, &errs, true, 40
	code := make(chan int, 1)
	go func() { code <- Run(ctx, env, []string{"collector", "--listen", "127.0.0.1:0"}) }()
	waitFor(t, func() bool { return strings.Contains(errs.String(), "ends it") })
	url := regexp.MustCompile(`http://\S+`).FindString(errs.String())
	post(t, url+"/v1/metrics", otlp.JSON, []byte(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m"}]}]}]}`))
	cancel()
	if got := <-code; got != exitOK {
		t.Errorf("exit code %d", got)
	}
	for line := range strings.Lines(errs.String()) {
		if n := columns(strings.TrimSuffix(line, "\n")); n > 40 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if words := strings.Join(strings.Fields(errs.String()), " "); !strings.Contains(words, "received 0 spans of 0 traces, and 1 metric") {
		t.Errorf("%s", errs.String())
	}
}

func TestCollectorRefuses(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--listen", "foo"}, exitUsage, `--listen wants HOST:PORT, like 127.0.0.1:4318, not "foo"`},
		{[]string{"--listen", "127.0.0.1"}, exitUsage, "--listen wants HOST:PORT"},
		{[]string{"--listen", "127.0.0.1:otlp"}, exitUsage, "--listen wants HOST:PORT"},
		{[]string{"--listen", "127.0.0.1:99999"}, exitUsage, "--listen wants HOST:PORT"},
		{[]string{"--listen", ""}, exitUsage, "--listen wants HOST:PORT"},
		{[]string{"--listen", "192.0.2.1:0"}, exitFailed, "'--listen HOST:PORT' takes another address"},
		{[]string{"--once", "-1"}, exitUsage, "--once wants"},
		{[]string{"x"}, exitUsage, "takes no arguments"},
	} {
		code, _, errs := run(t, append([]string{"collector"}, tt.args...)...)
		if code != tt.code || !strings.Contains(errs, tt.want) {
			t.Errorf("%v: exit %d: %s", tt.args, code, errs)
		}
	}
}

// An address that others reach is allowed, and said to be one.
func TestCollectorWarnsOfTheNetwork(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var errs syncBuffer
	env := testEnv(t.TempDir())
	env.Stdout, env.Stderr = &bytes.Buffer{}, &errs
	code := make(chan int, 1)
	go func() { code <- Run(ctx, env, []string{"collector", "--listen", "0.0.0.0:0"}) }()
	waitFor(t, func() bool { return strings.Contains(errs.String(), "over the network") })
	cancel()
	if got := <-code; got != exitOK {
		t.Errorf("exit code %d", got)
	}
}
