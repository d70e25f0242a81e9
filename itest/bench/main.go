// Command bench measures what one hook costs: the processes of boathook, of the smallest Go program and of a hook in Node.js,
// in interleaved rounds of one run, so that whatever else the machine does falls on all of them alike.
//
//	go run ./bench [-rounds 60]
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/procs"
)

// sizes are those of the payloads, from the usual one to one with a big file in it.
var sizes = []size{{"2 KB", 2_000}, {"200 KB", 200_000}, {"5 MB", 5_000_000}}

type size struct {
	name  string
	bytes int
}

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 60, "how often each process runs at 2 KB and 200 KB; a third of that at 5 MB")
	flag.Parse()
	if err := run(max(*rounds, 3)); err != nil {
		log.Fatal("bench: ", err)
	}
}

func run(rounds int) error {
	dir, err := os.MkdirTemp("", "boathook-bench-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer build.Cleanup()
	defer func() { _ = os.RemoveAll(dir) }() // in the system's temporary folder
	programs, err := prepare(dir)
	if err != nil {
		return err
	}
	defer func() {
		if err := procs.End(filepath.Join(dir, "bin")); err != nil {
			log.Print("bench: ", err)
		}
	}()
	results, err := measure(programs, rounds)
	if err != nil {
		return err
	}
	return report(os.Stdout, programs, results)
}

// program is one of the contestants.
type program struct {
	name string
	args []string
	env  []string
}

// prepare builds the contestants. The first is the unit that the others are measured in.
func prepare(dir string) ([]program, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("node is what boathook is compared with: %w", err)
	}
	root, err := build.Root()
	if err != nil {
		return nil, err
	}
	env := []string{"HOME=" + filepath.Join(dir, "home"), "PATH=" + os.Getenv("PATH")}
	boathook, err := install(dir, env)
	if err != nil {
		return nil, err
	}
	return []program{
		{name: "Go hello-world", env: env, args: []string{build.Fixture(fatal{}, "hello")}},
		{name: "boathook hook", env: env, args: boathook},
		{name: "Node.js hook", env: env, args: []string{node, filepath.Join(root, "itest", "bench", "nodehook.js")}},
	}, nil
}

// install installs a boathook of our own in a throw-away home and returns the command that an agent would run there.
func install(dir string, env []string) ([]string, error) {
	bin, home := filepath.Join(dir, "bin", "boathook"), filepath.Join(dir, "home")
	b, err := os.ReadFile(build.Boathook(fatal{}))
	if err != nil {
		return nil, fmt.Errorf("read boathook: %w", err)
	}
	for _, d := range []string{filepath.Dir(bin), filepath.Join(home, ".gemini")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, fmt.Errorf("make a folder: %w", err)
		}
	}
	if err := os.WriteFile(bin, b, 0o755); err != nil {
		return nil, fmt.Errorf("copy boathook: %w", err)
	}
	cmd := exec.Command(bin, "install", "gemini", "--yes")
	cmd.Env, cmd.Dir = env, home
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("install boathook: %w\n%s", err, out)
	}
	config := filepath.Join(home, ".config", "boathook", "config.toml")
	return []string{bin, "hook", "--agent", "gemini", "--event", "BeforeTool", "--config", config}, nil
}

// fatal is the part of a test that build needs, for a program.
type fatal struct{}

func (fatal) Helper() {}

func (fatal) Fatal(args ...any) { log.Fatal(args...) }
