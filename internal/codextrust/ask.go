package codextrust

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Answer is what a Codex says of a file of hooks.
type Answer struct {
	Version string
	// Hashes are by key, as if the file were source.
	Hashes map[string]string
	// Problems are what it found wrong.
	Problems []string
}

// Ask has the program codex list the hooks of a text of hooks.json, through its app server. It is given a directory of its own for
// everything, so that nothing of the user's is read or written.
func Ask(ctx context.Context, program, path, source string, hooks []byte) (answer Answer, err error) {
	dir, err := os.MkdirTemp("", "boathook-codex-")
	if err != nil {
		return Answer{}, fmt.Errorf("make a directory for codex: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return Answer{}, fmt.Errorf("make a directory for codex: %w", err)
	}
	home := filepath.Join(dir, ".codex")
	err = errors.Join(os.Mkdir(home, 0o700), os.WriteFile(filepath.Join(home, "hooks.json"), hooks, 0o600))
	if err != nil {
		return Answer{}, fmt.Errorf("make a directory for codex: %w", err)
	}
	cmd := exec.CommandContext(ctx, program, "app-server")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + path, "HOME=" + dir, "CODEX_HOME=" + home, "TMPDIR=" + dir, "TERM=dumb"}
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return Answer{}, fmt.Errorf("start codex: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Answer{}, fmt.Errorf("start codex: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return Answer{}, fmt.Errorf("start codex: %w", err)
	}
	answer, err = converse(in, out, dir, home, source)
	_ = in.Close()
	_ = cmd.Cancel() // the answer is there: what it still does is of no use
	_ = cmd.Wait()
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("ask codex for its hooks: it did not answer in time: %w", ctx.Err())
	}
	return answer, err
}

// most is how much of an answer is read.
const most = 8 << 20

func converse(in io.Writer, out io.Reader, dir, home, source string) (Answer, error) {
	c := client{in: json.NewEncoder(in), out: bufio.NewScanner(io.LimitReader(out, most))}
	c.out.Buffer(nil, most)
	var hello struct{ UserAgent string }
	err := c.call("initialize", map[string]any{
		"clientInfo":   map[string]any{"name": "boathook", "title": "boathook", "version": "1"},
		"capabilities": map[string]any{"experimentalApi": true},
	}, &hello)
	if err == nil {
		err = c.in.Encode(map[string]any{"method": "initialized"})
	}
	var list struct {
		Data []struct {
			Hooks            []struct{ Key, CurrentHash string }
			Warnings, Errors []json.RawMessage
		}
	}
	if err == nil {
		err = c.call("hooks/list", map[string]any{"cwds": []string{dir}}, &list)
	}
	if err != nil {
		return Answer{}, fmt.Errorf("ask codex for its hooks: %w", err)
	}
	answer := Answer{Version: regexp.MustCompile(`\d+\.\d+\.\d+[\w.-]*`).FindString(hello.UserAgent), Hashes: map[string]string{}}
	for _, d := range list.Data {
		for _, h := range d.Hooks {
			if rest, ours := strings.CutPrefix(h.Key, filepath.Join(home, "hooks.json")); ours {
				answer.Hashes[source+rest] = h.CurrentHash
			}
		}
		for _, text := range append(d.Warnings, d.Errors...) {
			answer.Problems = append(answer.Problems, strings.ReplaceAll(string(text), home, filepath.Dir(source)))
		}
	}
	return answer, nil
}

// client speaks JSON-RPC as Codex does: one object a line, without the version.
type client struct {
	in  *json.Encoder
	out *bufio.Scanner
	n   int
}

func (c *client) call(method string, params, result any) error {
	c.n++
	if err := c.in.Encode(map[string]any{"id": c.n, "method": method, "params": params}); err != nil {
		return err
	}
	for c.out.Scan() {
		var m struct {
			ID     any
			Method string
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if json.Unmarshal(c.out.Bytes(), &m) != nil || m.Method != "" || m.ID != float64(c.n) {
			continue // a notice, or a line that is none of ours
		}
		if m.Error != nil {
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return json.Unmarshal(m.Result, result)
	}
	return errors.Join(c.out.Err(), fmt.Errorf("%s: no answer", method))
}
