// Package otelcol runs a real OpenTelemetry Collector for the integration tests, built from its modules. It hands on what
// it receives to a Recorder of the test, one by one and without a queue of its own: it acknowledges a request when the
// recorder has it, and what the recorder has is the collector's output. Only tests and the bench import it.
package otelcol

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// TB is what of a test is needed here; a program that is no test can bring its own.
type TB interface {
	Helper()
	Fatal(args ...any)
	Cleanup(func())
	TempDir() string
}

// Options says what a collector is like.
type Options struct {
	// Recorder gets all that the collector receives; without one it is dropped.
	Recorder *Recorder
	// TLS makes it speak TLS alone, and ask for a client's certificate.
	TLS *Certificates
}

// Collector is one collector on a loopback address, which it keeps over restarts. It is for one goroutine.
type Collector struct {
	tb      TB
	o       Options
	program string
	dir     string
	addr    string
	cmd     *exec.Cmd
	ended   chan struct{}
	log     *lockedBuffer
}

// New makes a collector that does not run yet.
func New(tb TB, o Options) *Collector {
	tb.Helper()
	program, err := Program()
	if err != nil {
		tb.Fatal("the tests send to a real collector: ", err)
	}
	addr, err := freeAddr()
	if err != nil {
		tb.Fatal(err)
	}
	c := &Collector{tb: tb, o: o, program: program, dir: tb.TempDir(), addr: addr, log: &lockedBuffer{}}
	tb.Cleanup(c.Kill)
	return c
}

// Start makes a collector and starts it.
func Start(tb TB, o Options) *Collector {
	tb.Helper()
	c := New(tb, o)
	c.Start()
	return c
}

// URL is the base URL of the receiver; Traces that of the signal.
func (c *Collector) URL() string {
	if c.o.TLS != nil {
		return "https://" + c.addr
	}
	return "http://" + c.addr
}

// Traces is the endpoint for spans.
func (c *Collector) Traces() string { return c.URL() + "/v1/traces" }

// Log is what the collector wrote.
func (c *Collector) Log() string { return c.log.String() }

// PID is the process's id.
func (c *Collector) PID() int { return c.cmd.Process.Pid }

// Start starts the process and returns when it accepts connections.
func (c *Collector) Start() {
	c.tb.Helper()
	config := filepath.Join(c.dir, "config.yaml")
	if err := os.WriteFile(config, []byte(c.config()), 0o600); err != nil {
		c.tb.Fatal(err)
	}
	cmd := exec.Command(c.program, "--config", "file:"+config)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.dir}
	cmd.Stdout, cmd.Stderr = c.log, c.log
	if err := cmd.Start(); err != nil {
		c.tb.Fatal(err)
	}
	c.cmd, c.ended = cmd, make(chan struct{})
	go func() {
		defer close(c.ended)
		_ = cmd.Wait() // it is killed, mostly
	}()
	if err := c.waitListening(); err != nil {
		c.tb.Fatal(fmt.Errorf("%w; it said:\n%s", err, c.Log()))
	}
}

func (c *Collector) waitListening() error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		select {
		case <-c.ended:
			return errors.New("the collector ended")
		default:
		}
		if conn, err := net.Dial("tcp", c.addr); err == nil {
			return conn.Close()
		}
	}
	return errors.New("the collector does not listen")
}

// Stop asks the process to end and returns when it has.
func (c *Collector) Stop() { c.end(syscall.SIGTERM) }

// Kill ends the process where it stands and returns when it is gone.
func (c *Collector) Kill() { c.end(syscall.SIGKILL) }

func (c *Collector) end(sig syscall.Signal) {
	if c.cmd == nil {
		return
	}
	_ = c.cmd.Process.Signal(sig) // it may be gone already
	select {
	case <-c.ended:
	case <-time.After(30 * time.Second):
		_ = c.cmd.Process.Kill()
		<-c.ended
	}
}

// config is without a queue and without retries: what the collector acknowledges has arrived.
func (c *Collector) config() string {
	exporter, extra := "nop", "    {}"
	if c.o.Recorder != nil {
		exporter = "otlp_http"
		extra = strings.Join([]string{
			"    endpoint: " + c.o.Recorder.URL(), "    encoding: json", "    compression: none",
			"    sending_queue: {enabled: false}", "    retry_on_failure: {enabled: false}",
		}, "\n")
	}
	tls := ""
	if t := c.o.TLS; t != nil {
		tls = fmt.Sprintf("\n        tls: {cert_file: %q, key_file: %q, client_ca_file: %q}", t.ServerCert, t.ServerKey, t.CA)
	}
	pipeline := "{receivers: [otlp], exporters: [" + exporter + "]}"
	return strings.Join([]string{
		"receivers:", "  otlp:", "    protocols:", "      http:", "        endpoint: " + c.addr + tls,
		"exporters:", "  " + exporter + ":", extra,
		"service:", "  telemetry:", "    metrics: {level: none}", "    logs: {level: warn}",
		"  pipelines:", "    traces: " + pipeline, "    metrics: " + pipeline, "",
	}, "\n")
}

func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	return l.Addr().String(), l.Close()
}

// lockedBuffer is written by the process and read by the test.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
