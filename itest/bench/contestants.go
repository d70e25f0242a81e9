package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/boathook/boathook/itest/build"
)

// program is one of the contestants.
type program struct {
	name string
	args []string
	env  []string
	// small ones run with the usual payload alone.
	small bool
	// system ones are not ours to write anew.
	system bool
	// payload makes one of about so many bytes, answer is what is printed where nothing is objected to.
	payload func(n int) []byte
	answer  string
}

// The contestants' places. The first is the unit that all are measured in. From other on there are those of the agents beside
// Gemini CLI, and behind them the first release, which is missing where there is no history.
const (
	hello = iota
	ours
	node
	holed
	sdk
	packed
	other
)

// first is the place of the first release.
func first() int { return other + len(hosts()) }

func prepare(dir string) ([]program, error) {
	nodejs, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("node is what boathook is compared with: %w", err)
	}
	root, err := build.Root()
	if err != nil {
		return nil, err
	}
	now := build.Boathook(fatal{})
	boathook, err := install(filepath.Join(dir, "now"), now, "boathook hook", "")
	if err != nil {
		return nil, err
	}
	endpoint, err := blackHole()
	if err != nil {
		return nil, err
	}
	hanging, err := install(filepath.Join(dir, "holed"), now, "… collector hangs", endpoint)
	if err != nil {
		return nil, err
	}
	hanging.small = true
	strict, err := allPacks(root, filepath.Join(dir, "packed"), now)
	if err != nil {
		return nil, err
	}
	programs := []program{
		hello: {name: "Go hello-world", env: boathook.env, args: []string{build.Fixture(fatal{}, "hello")}},
		ours:  boathook,
		node:  {name: "Node.js hook", system: true, env: boathook.env, args: []string{nodejs, filepath.Join(root, "itest", "bench", "nodehook.js")}},
		holed: hanging,
		sdk: {
			name: "hook of the Go SDK", env: boathook.env, small: true,
			args: []string{build.Example(fatal{}, "judge"), "--agent", "gemini", "--event", "BeforeTool"},
		},
		packed: strict,
	}
	for i := range programs {
		programs[i].payload, programs[i].answer = payload, "{}"
	}
	programs[packed] = strict
	return withHistory(append(programs, others(boathook)...), root, dir)
}

// withHistory adds the first release, where there is a history to build it from.
func withHistory(programs []program, root, dir string) ([]program, error) {
	old, err := firstRelease(root, filepath.Join(dir, "history"))
	if err != nil {
		log.Printf("no comparison with the first release: %v", err)
		return programs, nil
	}
	before, err := install(filepath.Join(dir, "first"), old, "… as first released", "")
	if err != nil {
		return nil, err
	}
	before.small, before.payload, before.answer = true, payload, "{}"
	return append(programs, before), nil
}

// install installs a boathook in a throw-away home, with an endpoint for telemetry where one is given, and is the command
// that an agent would run there.
func install(dir, executable, name, endpoint string) (program, error) {
	bin, home := filepath.Join(dir, "bin", "boathook"), filepath.Join(dir, "home")
	b, err := os.ReadFile(executable)
	if err != nil {
		return program{}, fmt.Errorf("read boathook: %w", err)
	}
	for _, d := range []string{filepath.Dir(bin), filepath.Join(home, ".gemini")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return program{}, fmt.Errorf("make a folder: %w", err)
		}
	}
	if err := os.WriteFile(bin, b, 0o755); err != nil {
		return program{}, fmt.Errorf("copy boathook: %w", err)
	}
	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	cmd := exec.Command(bin, "install", "gemini", "--yes")
	cmd.Env, cmd.Dir = env, home
	if endpoint != "" {
		cmd.Env = append(cmd.Env, "OTEL_EXPORTER_OTLP_ENDPOINT="+endpoint)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return program{}, fmt.Errorf("install boathook: %w\n%s", err, out)
	}
	config := filepath.Join(home, ".config", "boathook", "config.toml")
	return program{name: name, env: env, args: []string{bin, "hook", "--agent", "gemini", "--event", "BeforeTool", "--config", config}}, nil
}

// allPacks is a boathook whose user has all packs in force. Its session works in a project, where none of them objects.
func allPacks(root, dir, executable string) (program, error) {
	p, err := install(dir, executable, "… with all packs", "")
	if err != nil {
		return program{}, err
	}
	files, err := filepath.Glob(filepath.Join(root, "policy", "packs", "*.toml"))
	if err != nil || len(files) == 0 {
		return program{}, fmt.Errorf("find the packs: %w", errors.Join(err, fs.ErrNotExist))
	}
	names := make([]string, 0, len(files))
	for _, f := range files {
		names = append(names, strconv.Quote(strings.TrimSuffix(filepath.Base(f), ".toml")))
	}
	project := filepath.Join(dir, "shop")
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
		return program{}, fmt.Errorf("make a project: %w", err)
	}
	file := filepath.Join(dir, "home", ".config", "boathook", "policy.toml")
	if err := os.WriteFile(file, []byte("version = 1\npacks = ["+strings.Join(names, ", ")+"]\n"), 0o600); err != nil {
		return program{}, fmt.Errorf("write a policy: %w", err)
	}
	p.small, p.answer = true, "{}"
	p.payload = func(n int) []byte {
		return bytes.Replace(payload(n), []byte(`"cwd":"/"`), []byte(`"cwd":`+strconv.Quote(project)), 1)
	}
	return p, nil
}

// blackHole is the URL of a server that accepts and never answers. It lives as long as this process.
func blackHole() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("open a black hole: %w", err)
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(io.Discard, conn) }() // it ends with the sender's patience
		}
	}()
	return "http://" + l.Addr().String(), nil
}

// firstCommit is the commit of the first release: recording and guard, no telemetry.
const firstCommit = "455f5f0"

// firstRelease builds the program of that commit, from the history of this repository.
func firstRelease(root, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make a folder: %w", err)
	}
	archive := filepath.Join(dir, "first.tar")
	for _, step := range [][]string{
		{root, "git", "cat-file", "-e", firstCommit + "^{commit}"},
		{root, "git", "archive", "-o", archive, firstCommit},
		{dir, "tar", "-xf", archive},
		{dir, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", "boathook", "."},
	} {
		cmd := exec.Command(step[1], step[2:]...)
		cmd.Dir, cmd.Env = step[0], append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s %s: %w (is the history shallow?) %s", step[1], step[2], err, out)
		}
	}
	return filepath.Join(dir, "boathook"), nil
}
