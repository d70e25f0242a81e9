//go:build unix

package install

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// everyAgent is all that can be installed but for plugins.
var everyAgent = Request{Agents: []string{"gemini", "antigravity", "claude", "codex", "copilot", "cursor", "windsurf", "cline", "qwen"}}

// homes are such as people have: the files of their agents, as other tools and hands left them.
func homes() map[string]map[string]string {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	formatter := `{"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "jq -r .tool_input.file_path | xargs gofmt -w", "timeout": 10}]}`
	return map[string]map[string]string{
		"nothing": {},
		"empty files": {
			".claude/settings.json": "", ".codex/hooks.json": "", ".cursor/hooks.json": "", ".codeium/windsurf/hooks.json": "", ".qwen/settings.json": "\n",
		},
		"empty objects": {
			".claude/settings.json": "{}", ".codex/hooks.json": "{\n}\n", ".cursor/hooks.json": "{ }", ".codeium/windsurf/hooks.json": "{}\n\n", ".qwen/settings.json": "{\r\n}",
		},
		"a formatter and a notifier": {
			".claude/settings.json": "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      " + formatter + "\n    ],\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"notify-send done\" }\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
			".codex/hooks.json":     `{"description":"mine","hooks":{"Stop":[{"hooks":[{"type":"command","command":"notify-send done","timeout":5}]}]}}`,
			".codex/config.toml":    "model = \"gpt\" # mine\n",
		},
		"permissions and environment": {
			".claude/settings.json": "{\n\t\"env\": {\"HTTPS_PROXY\": \"http://proxy:3128\"},\n\t\"permissions\": {\n\t\t\"allow\": [\"Bash(go test:*)\", \"Read(~/src/**)\"],\n\t\t\"deny\": [\"Bash(curl:*)\"],\n\t\t\"defaultMode\": \"acceptEdits\"\n\t},\n\t\"statusLine\": {\"type\": \"command\", \"command\": \"~/.claude/status.sh\"}\n}",
		},
		"another guard in every agent": {
			".claude/settings.json":        `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/opt/guard --claude","onFailure":"block"}]}],"SessionStart":[{"hooks":[{"type":"http","url":"http://localhost:1"}]}]}}`,
			".codex/hooks.json":            "{\n    \"hooks\": {\n        \"PreToolUse\": [ { \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"/opt/guard\" } ] } ]\n    }\n}\n",
			".copilot/hooks/guard.json":    `{"version":1,"hooks":{"preToolUse":[{"type":"command","command":"/opt/guard"}]}}`,
			".cursor/hooks.json":           "{\n  \"version\": 1,\n  \"hooks\": {\n    \"beforeShellExecution\": [ { \"command\": \"/opt/guard\", \"failClosed\": true } ],\n    \"preToolUse\": []\n  }\n}\n",
			".codeium/windsurf/hooks.json": `{"hooks":{"pre_run_command":[{"command":"/opt/guard","show_output":true}]}}`,
			".cline/hooks/PreToolUse":      "#!/bin/bash\nexec /opt/guard\n",
			".qwen/settings.json":          "{\n  \"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"sequential\": true, \"hooks\": [{\"type\": \"command\", \"command\": \"/opt/guard\"}]}]}\n}\n",
		},
		"comments where they are legal": {
			".cursor/hooks.json":  "// hooks\n{\n  /* since 1.7 */ \"version\": 1,\n  \"hooks\": {\n    // nothing yet\n  }\n}\n",
			".qwen/settings.json": "{\n  // mine\n  \"hooks\": { /* none */ },\n  \"ui\": { \"theme\": \"x\" } // last\n}\n// end",
		},
		"odd indents": {
			".claude/settings.json": "{\n   \"hooks\":\n   {\n       \"Stop\" :\n       [\n ]\n   }\n ,\n\t\"z\":1}",
			".codex/hooks.json":     "   {\"hooks\"   :{ \"Stop\":[\n\n]  }\n      }",
			".cursor/hooks.json":    "{\n\t\t\"hooks\":{},\n\"version\":2\n}",
		},
		"CRLF": {
			".claude/settings.json": crlf("{\n  \"hooks\": {\n    \"PostToolUse\": [\n      " + formatter + "\n    ]\n  }\n}\n"),
			".codex/hooks.json":     crlf("{\n  \"hooks\": {}\n}\n"), ".qwen/settings.json": crlf("{ // mine\n  \"a\": 1\n}\n"),
			".cursor/hooks.json": crlf("{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n    ]\n  }\n}"),
		},
		"byte order marks": {
			".claude/settings.json": "\xef\xbb\xbf{\n  \"model\": \"opus\"\n}", ".qwen/settings.json": "\xef\xbb\xbf// mine\n{\"a\": 1}",
		},
		"events that we don't know": {
			".claude/settings.json": `{"hooks":{"BeforeTea":{"a":1},"Stop":[{"hooks":[{"type":"command","command":"x","later":true}]}]}}`,
			".codex/hooks.json":     `{"hooks":{"PostToolUseFailure":[{"hooks":[{"type":"command","command":"x","unknown":1}]}]}}`,
			".qwen/settings.json":   `{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"gemini's"}]}]}}`,
		},
		"scripts of every name": {
			".cline/hooks/PreToolUse": "#!/bin/sh\n", ".cline/hooks/pretooluse.SH": "#!/bin/sh\n", ".cline/hooks/PostToolUse.py": "#!/usr/bin/python3\n",
			".cline/hooks/taskstart": "x", ".cline/hooks/README.md": "mine", ".cline/hooks/lib/x": "y",
		},
		"huge": {
			".claude/settings.json": "{\n  \"env\": {" + long(`"V%d": "%d"`) + "},\n  \"hooks\": {\n    \"Stop\": [" + long(`{"hooks":[{"type":"command","command":"x %d %d"}]}`) + "]\n  }\n}\n",
		},
	}
}

func long(format string) string {
	var parts []string
	for i := range 3000 {
		parts = append(parts, fmt.Sprintf(format, i, i))
	}
	return strings.Join(parts, ",\n")
}

// furnish writes a home's files, some of them nobody else's and some that can't be written to.
func furnish(t *testing.T, env Env, files map[string]string) {
	t.Helper()
	modes := []fs.FileMode{0o644, 0o600, 0o444, 0o640}
	i := 0
	for name, content := range files {
		i++
		put(t, filepath.Join(env.Home, name), content, modes[i%len(modes)])
	}
}

// Whatever other tools and hands left in a home, an uninstall gives back the same bytes and modes.
func TestHomesComeBack(t *testing.T) {
	for name, files := range homes() {
		for _, events := range [][]string{nil, {"all"}} {
			if len(events) > 0 && name != "another guard in every agent" {
				continue // to know it of one is enough
			}
			t.Run(fmt.Sprint(name, events), func(t *testing.T) {
				env := world(t)
				furnish(t, env, files)
				before := tree(t, env.Home)
				req := everyAgent
				req.Events = events
				install(t, env, req)
				if p, err := PlanInstall(env, everyAgent); err != nil || !p.Empty() {
					t.Errorf("a second install changes %v, %v", p.Lines(true), err)
				}
				places, err := Look(env)
				if err != nil || len(places) != len(everyAgent.Agents) {
					t.Errorf("%d places, %v", len(places), err)
				}
				for _, in := range places {
					if len(in.Faults) > 0 || in.NotRun != "" || in.Program != env.Exe || in.Config == "" {
						t.Errorf("%s: %+v", in.Agent, in)
					}
				}
				if doubles, _ := Doubles(env, t.TempDir()); len(doubles) > 0 {
					t.Errorf("doubles: %q", doubles)
				}
				uninstall(t, env, Request{Purge: true})
				same(t, before, tree(t, env.Home))
			})
		}
	}
}

// Without the manifest uninstall goes by what it finds: nothing of ours is left, and nothing of others is touched.
func TestHomesWithoutAManifest(t *testing.T) {
	for name, files := range homes() {
		t.Run(name, func(t *testing.T) {
			env := world(t)
			furnish(t, env, files)
			install(t, env, everyAgent)
			if err := os.RemoveAll(installDir(env)); err != nil {
				t.Fatal(err)
			}
			uninstall(t, env, Request{})
			places, err := Look(env)
			if err != nil || len(places) > 0 {
				t.Errorf("%+v, %v", places, err)
			}
			for file, content := range files {
				if commands := len(theirCommands(content)); commands != len(theirCommands(text(t, filepath.Join(env.Home, file)))) {
					t.Errorf("%s was %q, is %q", file, content, text(t, filepath.Join(env.Home, file)))
				}
			}
		})
	}
}

func theirCommands(content string) (out []string) {
	commands([]byte(content), func(_, command string) { out = append(out, command) })
	return out
}

// A dotfile that is a link stays one, and what it leads to comes back.
func TestLinkedDotfiles(t *testing.T) {
	env := world(t)
	for file, content := range homes()["another guard in every agent"] {
		put(t, filepath.Join(env.Home, "dotfiles", file), content, 0o644)
		if strings.HasPrefix(file, ".cline") {
			put(t, filepath.Join(env.Home, file), content, 0o644) // Cline runs no links
			continue
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(env.Home, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(env.Home, "dotfiles", file), filepath.Join(env.Home, file)); err != nil {
			t.Fatal(err)
		}
	}
	before := tree(t, env.Home)
	install(t, env, everyAgent)
	for _, file := range []string{".claude/settings.json", ".cursor/hooks.json"} {
		if info, err := os.Lstat(filepath.Join(env.Home, file)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more (%v)", file, err)
		}
		if !strings.Contains(text(t, filepath.Join(env.Home, "dotfiles", file)), " hook --agent ") {
			t.Errorf("%s was not written", file)
		}
	}
	uninstall(t, env, Request{Purge: true})
	same(t, before, tree(t, env.Home))
}

// What the user does to a file in between stays, with everything around it.
func TestEditsInBetweenStay(t *testing.T) {
	env := world(t)
	furnish(t, env, homes()["another guard in every agent"])
	want := map[string]string{}
	edits := map[string][2]string{
		".claude/settings.json":        {`/opt/guard --claude`, `/opt/guard --claude --strict`},
		".codex/hooks.json":            {`"matcher": "Bash"`, `"matcher": "Bash|apply_patch"`},
		".cursor/hooks.json":           {`"failClosed": true`, `"failClosed": false, "timeout": 9`},
		".codeium/windsurf/hooks.json": {`"show_output":true`, `"show_output":false`},
		".qwen/settings.json":          {`"sequential": true, `, ``},
	}
	for file, e := range edits {
		was := text(t, filepath.Join(env.Home, file))
		if want[file] = strings.Replace(was, e[0], e[1], 1); want[file] == was {
			t.Fatalf("%s has no %s", file, e[0])
		}
	}
	install(t, env, everyAgent)
	for file, e := range edits {
		edit(t, filepath.Join(env.Home, file), e[0], e[1])
	}
	install(t, env, Request{Agents: everyAgent.Agents, Events: []string{"all"}})
	uninstall(t, env, Request{})
	for file, text := range want {
		if got, err := os.ReadFile(filepath.Join(env.Home, file)); err != nil || string(got) != text {
			t.Errorf("%s is\n%s\nwant\n%s\n(%v)", file, got, text, err)
		}
	}
}
