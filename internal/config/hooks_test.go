package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/boathook/boathook/hook/canon"
)

func before() []canon.Kind { return []canon.Kind{canon.ToolBefore} }

func TestHooks(t *testing.T) {
	sh := func(line string) []string { return []string{"/bin/sh", "-c", line} }
	for name, tc := range map[string]struct {
		text     string
		want     []Hook
		problems string // parts that the problems have to have, by |
	}{
		"all fields": {
			"[[hooks]]\nname = 'n'\non = ['tool:before', 'prompt:submit']\ntools = ['bash']\nagents = ['claude']\ncommand = ['/x/y', '-v']\ntimeout = 250\nfail = 'closed'\n",
			[]Hook{{Name: "n", On: []canon.Kind{canon.ToolBefore, canon.PromptSubmit}, Tools: []string{"bash"}, Agents: []string{"claude"},
				Command: []string{"/x/y", "-v"}, Timeout: 250 * time.Millisecond, FailClosed: true}}, "",
		},
		"a line for the shell": {"[[hooks]]\ncommand = 'check.py | tail'\n", []Hook{{Name: "check.py", On: before(), Command: sh("check.py | tail")}}, ""},
		"a name in PATH":       {"[[hooks]]\non = 'tool:after'\ncommand = ['judge']\n", []Hook{{Name: "judge", On: []canon.Kind{canon.ToolAfter}, Command: []string{"judge"}}}, ""},
		"home":                 {"[[hooks]]\ncommand = ['~/bin/judge']\n", []Hook{{Name: "judge", On: before(), Command: []string{"HOME/bin/judge"}}}, ""},
		"a relative path":      {"[[hooks]]\ncommand = ['./judge']\n", nil, ":1: hooks.command has a path that is not absolute; the hook is ignored"},
		"relative and closed": {"[[hooks]]\ncommand = ['./judge']\nfail = 'closed'\n",
			[]Hook{{Name: "judge", On: before(), FailClosed: true, Broken: "has a path that is not absolute"}}, "since fail is closed, it denies"},
		"no command, the next counts": {"[[hooks]]\non = ['tool:before']\n[[hooks]]\ncommand = ['b']\n", []Hook{{Name: "b", On: before(), Command: []string{"b"}}}, ":1: hooks.command is missing"},
		"an unknown kind":             {"[[hooks]]\non = ['tool:befor', 'tool:after']\ncommand = ['b']\n", []Hook{{Name: "b", On: []canon.Kind{canon.ToolAfter}, Command: []string{"b"}}}, "did you mean tool:before?"},
		"only an unknown kind":        {"[[hooks]]\non = ['tool:befor']\ncommand = ['b']\n", nil, "the hook is ignored"},
		"unknown kinds, closed": {"[[hooks]]\non = ['tool:befor']\ncommand = ['b']\nfail = 'closed'\n",
			[]Hook{{Name: "b", On: before(), Command: []string{"b"}, FailClosed: true}}, "it is asked at tool:before, too"},
		"tools of a wrong type":   {"[[hooks]]\ntools = 5\ncommand = ['b']\n", nil, "hooks.tools wants a list of texts"},
		"fail is no choice":       {"[[hooks]]\ncommand = ['b']\nfail = 'close'\n", []Hook{{Name: "b", On: before(), Command: []string{"b"}, FailClosed: true}}, "the strict closed is used"},
		"a time limit too long":   {"[[hooks]]\ncommand = ['b']\ntimeout = 60000\n", []Hook{{Name: "b", On: before(), Command: []string{"b"}}}, "milliseconds from 1 to 15000; 5000 is used"},
		"an unknown key":          {"[[hooks]]\ncommand = ['b']\ntoolz = ['bash']\n", []Hook{{Name: "b", On: before(), Command: []string{"b"}}}, "unknown key hooks.toolz (did you mean tools?)"},
		"one bracket":             {"[hooks]\ncommand = ['b']\n", []Hook{{Name: "b", On: before(), Command: []string{"b"}}}, ""},
		"an inline list":          {"hooks = [{ command = ['a'] }, { command = ['b'] }]\n", []Hook{{Name: "a", On: before(), Command: []string{"a"}}, {Name: "b", On: before(), Command: []string{"b"}}}, ""},
		"hook for hooks":          {"[[hook]]\ncommand = ['b']\nfail = 'closed'\n[hook]\ndeadline_ms = 300\n", []Hook{{Name: "b", On: before(), Command: []string{"b"}, FailClosed: true}}, "read as [[hooks]]"},
		"a slip elsewhere":        {"privacy = = \n[[hooks]]\ncommand = ['a']\n[[hooks]]\ncommand = ['b']\nfail = 'closed'\n[guard]\nfail = 'open'\n", []Hook{{Name: "a", On: before(), Command: []string{"a"}}, {Name: "b", On: before(), Command: []string{"b"}, FailClosed: true}}, ":1: privacy"},
		"closed without quotes":   {"[[hooks]]\ncommand = ['a']\nfail = closed\n", []Hook{{Name: "a", On: before(), Command: []string{"a"}, FailClosed: true}}, ""},
		"fail cannot be read":     {"[[hooks]]\ncommand = ['a']\nfail = shut\n", []Hook{{Name: "a", On: before(), Command: []string{"a"}, FailClosed: true}}, "the strict closed is used"},
		"the command cannot":      {"[[hooks]]\ncommand =\nfail = 'closed'\n", []Hook{{Name: "hook", On: before(), FailClosed: true, Broken: "wants a list of words, or a line for the shell"}}, "it denies"},
		"a table with nothing":    {"[[hooks]]\n", nil, "is missing"},
		"two single brackets":     {"[hooks]\ncommand = ['a']\n[hooks]\ncommand = ['b']\n", []Hook{{Name: "a", On: before(), Command: []string{"a"}}, {Name: "b", On: before(), Command: []string{"b"}}}, "read as [[hooks]]"},
		"another case of a table": {"[[Hooks]]\ncommand = ['a']\n", []Hook{{Name: "a", On: before(), Command: []string{"a"}}}, ""},
		"another case of a field": {"[[hooks]]\nCommand = ['a']\nFail = 'closed'\nON = 'tool:after'\n",
			[]Hook{{Name: "a", On: []canon.Kind{canon.ToolAfter}, Command: []string{"a"}, FailClosed: true}}, ""},
		"closed and open":   {"[[hooks]]\ncommand = ['a']\nFail = 'closed'\nfail = 'open'\n", []Hook{{Name: "a", On: before(), Command: []string{"a"}, FailClosed: true}}, ""},
		"open and closed":   {"[[hooks]]\ncommand = ['a']\nFail = 'open'\nfail = 'closed'\n", []Hook{{Name: "a", On: before(), Command: []string{"a"}, FailClosed: true}}, ""},
		"hooks is no table": {"hooks = 'x'\n", nil, "hooks wants tables, [[hooks]]"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{configFile: tc.text}, nil)
			s := p.load(true)
			for i := range tc.want {
				if tc.want[i].Timeout == 0 {
					tc.want[i].Timeout = hookTimeout
				}
				for j, w := range tc.want[i].Command {
					tc.want[i].Command[j] = strings.ReplaceAll(w, "HOME", p.home)
				}
			}
			if diff := cmp.Diff(tc.want, s.Hooks, cmpopts.IgnoreFields(Hook{}, "Source")); diff != "" {
				t.Error(diff)
			}
			all := strings.Join(s.Problems, "\n")
			if !strings.Contains(all, tc.problems) || tc.problems == "" && len(s.Problems) > 0 && name != "closed without quotes" && name != "another case of a table" {
				t.Errorf("problems:\n%s", all)
			}
		})
	}
}

// TestHookSource: a person finds the table by its line.
func TestHookSource(t *testing.T) {
	p := newPlace(t, map[string]string{configFile: "privacy = 'standard'\n[[hooks]]\ncommand = ['a']\n\n[[hooks]]\ncommand = ['b']\n"}, nil)
	s := p.load(true)
	if len(s.Hooks) != 2 || !strings.HasSuffix(s.Hooks[0].Source, "config.toml:2") || !strings.HasSuffix(s.Hooks[1].Source, "config.toml:5") {
		t.Errorf("%+v", s.Hooks)
	}
}

// TestHooksOfAFileThatAllMayWrite are not run; one that fails closed denies.
func TestHooksOfAFileThatAllMayWrite(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mode says nothing there")
	}
	for mode, want := range map[os.FileMode]int{0o600: 1, 0o644: 1, 0o664: 1, 0o666: 0, 0o602: 0} {
		p := newPlace(t, map[string]string{configFile: "[[hooks]]\ncommand = ['a']\n"}, nil)
		if err := os.Chmod(filepath.Join(p.home, configFile), mode); err != nil {
			t.Fatal(err)
		}
		if s := p.load(true); len(s.Hooks) != want || (want == 0) != strings.Contains(strings.Join(s.Problems, ""), "every user may write it") {
			t.Errorf("%o: %d hooks, %q", mode, len(s.Hooks), s.Problems)
		}
		p = newPlace(t, map[string]string{configFile: "[[hooks]]\ncommand = ['a']\n[[hooks]]\ncommand = ['b']\nfail = 'closed'\n"}, nil)
		if err := os.Chmod(filepath.Join(p.home, configFile), mode); err != nil {
			t.Fatal(err)
		}
		s := p.load(true)
		if last := s.Hooks[len(s.Hooks)-1]; len(s.Hooks) != want+1 || last.Name != "b" || (want == 0) != (last.Broken != "") {
			t.Errorf("%o: %+v", mode, s.Hooks)
		}
	}
}

// TestHooksOfAChosenFile: where the environment chose the config, a repository's .env may have: nothing of it is run.
func TestHooksOfAChosenFile(t *testing.T) {
	const text = "[[hooks]]\ncommand = ['a']\n"
	p := newPlace(t, map[string]string{configFile: text, "evil/boathook/config.toml": text}, nil)
	load := func(account string, vars map[string]string, path string) Settings {
		return Load(Request{
			Home: p.home, Path: path, Env: place{p.home, vars}.env, AccountHome: func() string { return account },
		})
	}
	evil := map[string]string{"XDG_CONFIG_HOME": filepath.Join(p.home, "evil")}
	for _, tc := range []struct {
		name string
		s    Settings
		want int
	}{
		{"the account's own", load(p.home, nil, ""), 1},
		{"XDG_CONFIG_HOME", load(p.home, evil, ""), 0},
		{"HOME", load("/elsewhere", nil, ""), 0},
		{"no account known", load("", nil, ""), 0},
		{"--config", load("/elsewhere", evil, filepath.Join(p.home, configFile)), 1},
	} {
		if len(tc.s.Hooks) != tc.want || tc.want == 0 && !strings.Contains(strings.Join(tc.s.Problems, ""), "[[hooks]] are not run") {
			t.Errorf("%s: %d hooks, %q", tc.name, len(tc.s.Hooks), tc.s.Problems)
		}
	}
}
