// Package execrun is `boathook exec -- PROGRAM`: one process for one hook event of an agent that somebody wired to a program
// of their own. The program gets the canonical event and gives the canonical decision; the agent gets its own words. No
// config is read and nothing is kept. main calls it before any command line framework is built. It must not import
// database/sql, net/http, or what a hook that only asks one program has no use for.
package execrun

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/payload"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/internal/userhook"
	"github.com/boathook/boathook/internal/wake"
)

// Env is what a run takes from its process.
type Env struct {
	Stdin   io.Reader
	Lookup  paths.Lookup
	Environ []string
	// AccountHome finds the account's home without the environment; nil is the system's way.
	AccountHome func() string
	Dir         string
	// Stamp gives an event its id, time and span.
	Stamp func(*canon.Event)
	// Quiet is how long an open stream may say nothing.
	Quiet time.Duration
}

// readTime bounds the reading of the payload.
const readTime = 5 * time.Second

// Run answers one event. It never fails: what cannot be understood or asked is no objection, or a deny with --fail closed.
func Run(env Env, args []string) (r host.Reply) {
	a := parse(args)
	text, _ := payload.Read(env.Stdin, env.Quiet, readTime)
	p := lenient.Parse(text)
	h, ev, ok := registry.Wired(a.agent, a.event, env.Lookup, p.Value)
	if !ok {
		return host.Reply{} // nothing is the only answer that no agent takes for a deny
	}
	say := func(d canon.Decision) host.Reply {
		said, _ := h.Express(ev, d)
		return h.Encode(ev, said)
	}
	defer func() {
		if v := recover(); v != nil {
			r = say(failed(a, ev, fmt.Sprintf("panic: %v", v)))
		}
	}()
	return say(judge(env, a, h, ev, p))
}

func judge(env Env, a arguments, h *host.Host, ev host.Event, p lenient.Payload) canon.Decision {
	if len(a.command) == 0 {
		return failed(a, ev, "there is no program to ask")
	}
	e := h.Decode(ev, p.Value, host.Env{Dir: env.Dir})
	env.Stamp(&e)
	wake.Seal() // else a child of the program could hold the agent's pipes open
	result := userhook.Run(context.Background(), userhook.Program{Command: a.command, Env: environ(env, a), Timeout: a.timeout}, userhook.Event(e))
	d := result.Decision
	if e.Tool == nil {
		d.Input = nil
	}
	switch {
	case result.Failed == "" && p.Sound():
		return d
	case result.Failed == "":
		result.Failed = "the payload is not one sound JSON object"
	}
	if stricter := failed(a, ev, result.Failed); stricter.Action.Strictness() > d.Action.Strictness() {
		return stricter
	}
	return d
}

// environ is the program's environment: without what makes an interpreter run other code, as of [[hooks]]. HOME is the account's,
// since interpreters run what they find there.
func environ(env Env, a arguments) []string {
	if a.trusted {
		return env.Environ
	}
	find := env.AccountHome
	if find == nil {
		find = paths.AccountHome
	}
	out := userhook.Environ(env.Environ)
	if home := find(); filepath.IsAbs(home) && runtime.GOOS != "windows" {
		out = append(out, "HOME="+home) // of two the last counts
	}
	return out
}

// failed is what no answer means. A deny is only for what has not happened yet.
func failed(a arguments, ev host.Event, why string) canon.Decision {
	if !a.closed || !ev.Can.Deny {
		return canon.Decision{}
	}
	return canon.Decision{Action: canon.Deny, Reason: "boathook exec: the program gave no answer (" + why + ") and --fail is closed"}
}

// Main runs with the process's own streams and returns the exit code. The caller must end the process at once afterwards.
func Main(args []string, stamp func(*canon.Event, time.Time)) int {
	dir, _ := syscall.Getwd() // os.Getwd looks at the disk, which may hang
	r := Run(Env{
		Stdin: os.Stdin, Lookup: os.LookupEnv, Environ: os.Environ(), Dir: dir, Quiet: payload.Quiet,
		Stamp: func(e *canon.Event) { stamp(e, time.Now()) },
	}, args)
	signal.Ignore(syscall.SIGPIPE)
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = os.Stdout.Write(r.Stdout) // a host that has gone cannot be told
		_, _ = os.Stderr.Write(r.Stderr)
	}()
	select {
	case <-written:
	case <-time.After(writeTime): // nor one that does not read
	}
	return r.Exit
}

// writeTime bounds the answer's way into the host's pipe.
const writeTime = 2 * time.Second
