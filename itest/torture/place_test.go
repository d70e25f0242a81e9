package torture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	hostileCall  = `{"session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"` + hostile + `"}}`
	harmlessCall = `{"session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"ls"}}`
)

// TestBrokenFiles: what is broken in a settings file must take neither the guard nor the record with it.
func TestBrokenFiles(t *testing.T) {
	for name, tc := range map[string]struct{ config, env, note string }{
		"config with a broken line":   {"what is this\n%s", "", "config.toml:1"},
		"config with a broken table":  {"%s\n[spool\nmax_mb = 5\n", "", "config.toml"},
		"config with wrong types":     {"%s\n[hook]\ndeadline_ms = \"soon\"\n", "", "hook.deadline_ms"},
		"config with an unknown key":  {"%s\n[hook]\ncolour = 1\n", "", "unknown key hook.colour"},
		"env file with a broken line": {"%s", "not a pair\n=\n\x00\xff\n", "boathook.env:1"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "")
			good := fmt.Sprintf("data_dir = %q\n[guard]\nendpoint = %q\ntimeout_ms = 15000\n", b.data, b.guard.URL())
			b.write(t, b.config, fmt.Sprintf(tc.config, good))
			if tc.env != "" {
				b.write(t, filepath.Join(filepath.Dir(b.config), "boathook.env"), tc.env)
			}
			if got := answer(t, b.hook("gemini", "BeforeTool"), strings.NewReader(hostileCall)); got != denyGemini {
				t.Errorf("answer %s", got)
			}
			if all := b.records(t); len(all) != 1 || !has(all[0].Notes, tc.note) {
				t.Errorf("records %+v, want one with note %q", all, tc.note)
			}
		})
	}
}

// TestHomes: with an installed hook the home matters to nothing; without a config there is nowhere to keep a record, and
// the answer comes all the same.
func TestHomes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, env := range map[string][]string{
		"missing": {}, "empty": {"HOME="}, "relative": {"HOME=here"}, "a file": {"HOME=" + file}, "nowhere": {"HOME=/nonexistent/home"},
		"unwritable": {"HOME=/proc"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "")
			installed := b.hook("gemini", "BeforeTool")
			installed.Env = env
			if got := answer(t, installed, strings.NewReader(hostileCall)); got != denyGemini {
				t.Errorf("installed: answer %s", got)
			}
			if n := len(b.records(t)); n != 1 {
				t.Errorf("installed: %d records", n)
			}
			wired := b.hook("gemini", "BeforeTool")
			wired.Args = wired.Args[:6] // without --config
			wired.Env = append([]string{"PINTA_GUARD_ENDPOINT=" + b.guard.URL(), "PINTA_GUARD_TIMEOUT_MS=15000"}, env...)
			if got := answer(t, wired, strings.NewReader(hostileCall)); got != denyGemini {
				t.Errorf("own wiring: answer %s", got)
			}
		})
	}
}

// TestOddCalls: agents and events that nobody knows, and command lines that nobody would write.
func TestOddCalls(t *testing.T) {
	b := newBench(t, "")
	for name, tc := range map[string]struct {
		args       []string
		want, note string
	}{
		"an unknown agent":    {[]string{"--agent", "martian", "--event", "PreToolUse"}, `{"decision":"allow"}`, `agent label "martian"`},
		"an unknown event":    {[]string{"--agent", "gemini", "--event", "BeforeLunch"}, "{}", `event "BeforeLunch"`},
		"a silent event":      {[]string{"--agent", "gemini", "--event", "BeforeToolSelection"}, "", ""},
		"an unknown argument": {[]string{"--agent", "gemini", "--event", "AfterTool", "--frobnicate"}, "{}", "--frobnicate"},
		"joined arguments":    {[]string{"--agent=agy", "--event=PreToolUse"}, `{"decision":"allow"}`, ""},
		"no event":            {[]string{"--agent", "gemini", "--event"}, "{}", `event ""`},
		"nothing":             {nil, "", "no --agent"},
	} {
		t.Run(name, func(t *testing.T) {
			before := len(b.records(t))
			cmd := b.hook("", "")
			cmd.Args = append([]string{b.bin, "hook", "--config", b.config}, tc.args...)
			if got := answer(t, cmd, strings.NewReader(harmlessCall)); got != tc.want {
				t.Errorf("answer %q, want %q", got, tc.want)
			}
			all := b.records(t)
			if len(all) != before+1 {
				t.Fatalf("%d new records", len(all)-before)
			}
			if last := all[before]; tc.note != "" && !has(last.Notes, tc.note) {
				t.Errorf("notes %q, want %q", last.Notes, tc.note)
			}
		})
	}
}

// TestPurgedConfig: an agent that still runs with the old hooks must not bring the files of a purged install back.
func TestPurgedConfig(t *testing.T) {
	b := newBench(t, "")
	if err := os.RemoveAll(filepath.Dir(b.config)); err != nil {
		t.Fatal(err)
	}
	if got := answer(t, b.hook("gemini", "BeforeTool"), strings.NewReader(hostileCall)); got != "{}" {
		t.Errorf("answer %s", got)
	}
	left, err := os.ReadDir(b.home)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if e.Name() != ".config" {
			t.Errorf("%s was made", e.Name())
		}
	}
}
