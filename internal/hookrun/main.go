package hookrun

import (
	"os"
	"syscall"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/wake"
)

// quiet is how long a stream that stays open may say nothing before its incomplete JSON is taken as it is.
const quiet = 2 * time.Second

// Main runs one hook with the process's own streams. The exit code is 0 whatever happens, and nothing is written to
// stderr: some hosts take either for a deny. The caller must end the process at once afterwards.
func Main(args []string) int {
	start := time.Now()
	home, _ := os.LookupEnv("HOME")
	if home == "" {
		home, _ = os.UserHomeDir() // Windows has another name for it
	}
	dir, _ := syscall.Getwd() // os.Getwd looks at the disk, which may hang
	out := Run(Env{
		Stdin: os.Stdin, Lookup: os.LookupEnv, Home: home, Dir: dir, Managed: config.ManagedPath(),
		Wake: startWorker, Now: time.Now, Start: start, Quiet: quiet,
	}, args)
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = os.Stdout.Write(out) // a host that has gone cannot be told
	}()
	select {
	case <-written:
	case <-time.After(writeTime): // nor one that does not read
	}
	return 0
}

// writeTime bounds the answer's way into the host's pipe.
const writeTime = 2 * time.Second

func startWorker(dataDir, configPath string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	return wake.Start(wake.Options{Exe: exe, DataDir: dataDir, Config: configPath, Getenv: workerEnv})
}

// workerEnv is all that a worker gets of the environment of the hook that happened to start it: a repository's .env may
// have had its say there.
func workerEnv(name string) string {
	if name == "HOME" {
		return os.Getenv(name)
	}
	return ""
}
