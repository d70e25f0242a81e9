package hookrun

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/host/payload"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/wake"
)

// Main runs one hook with the process's own streams. The exit code is 0 whatever happens, and nothing is written to
// stderr, since some hosts take either for a deny; only where it is a deny, and an agent knows no other, they are used. The
// caller must end the process at once afterwards. Memory says who is asked for what was done before; nil is nobody.
func Main(args []string, memory Memory) int {
	start := time.Now()
	home, _ := os.LookupEnv("HOME")
	if home == "" {
		home, _ = os.UserHomeDir() // Windows has another name for it
	}
	dir, _ := syscall.Getwd() // os.Getwd looks at the disk, which may hang
	exe, exeErr := os.Executable()
	out := Run(Env{
		Stdin: os.Stdin, Lookup: os.LookupEnv, Home: home, Dir: dir, Managed: config.ManagedPath(),
		Wake:  func(w Worker) error { return startWorker(w, exe, exeErr) },
		Yield: ownfile.Yield, Memory: memory, Environ: os.Environ, Exe: exe, Now: time.Now, Start: start, Quiet: payload.Quiet,
	}, args)
	signal.Ignore(syscall.SIGPIPE) // the runtime would end the process with the host's end of the pipe, before the flush
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = os.Stdout.Write(out.Stdout) // a host that has gone cannot be told
		if len(out.Stderr) > 0 {
			_, _ = os.Stderr.Write(out.Stderr)
		}
	}()
	select {
	case <-written:
	case <-time.After(writeTime): // nor one that does not read
	}
	if out.Flush > 0 {
		if exeErr == nil {
			_ = wake.Drain(workerOptions(out.Worker, exe), out.Flush) // what is not sent now is sent when the next worker runs
		}
	}
	return out.Exit
}

// writeTime bounds the answer's way into the host's pipe.
const writeTime = 2 * time.Second

func startWorker(w Worker, exe string, err error) error {
	if err != nil {
		return err
	}
	return wake.Start(workerOptions(w, exe))
}

func workerOptions(w Worker, exe string) wake.Options {
	o := wake.Options{Exe: exe, DataDir: w.DataDir, Config: w.Config, NoConfig: w.Config == "", Getenv: homeAlone}
	if w.Environment {
		o.Getenv, o.Pass = os.Getenv, Passed(w.DSNEnv)
	}
	return o
}

// homeAlone is all that a worker gets of the environment of the hook that happened to start it: a repository's .env may
// have had its say there.
func homeAlone(name string) string {
	if name == "HOME" {
		return os.Getenv(name)
	}
	return ""
}

// Passed names what a worker gets where the environment has a say in the settings, so that it has the hook's: the
// variables of the keys, of memory's connection string, of the places, and of proxies and certificates.
func Passed(dsnEnv string) []string {
	out := []string{
		"XDG_CONFIG_HOME", "XDG_DATA_HOME", "SSL_CERT_FILE", "SSL_CERT_DIR",
		dsnEnv, "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
	}
	for _, k := range config.Keys() {
		for _, name := range k.Env {
			out = append(out, name.Name)
		}
	}
	return out
}
