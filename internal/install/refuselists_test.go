//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that its agent would drop is left as it is, and the reason is given; Look says it, too.
func TestDroppedFilesAreRefused(t *testing.T) {
	tests := []struct{ agent, file, content, want string }{
		{"claude", ".claude/settings.json", "{\n  // mine\n}", "settings.json: line 2:3: a comment or a trailing comma"},
		{"claude", ".claude/settings.json", `{"hooks":{"Stop":[],}}`, "a trailing comma"},
		{"claude", ".claude/settings.json", `{"hooks":{"Stop":[`, "unexpected end"},
		{"claude", ".claude/settings.json", `{"hooks":{"Stop":{}}}`, "hooks.Stop is no list"},
		{"claude", ".claude/settings.json", `{"hooks":[]}`, `"hooks" is no object`},
		{"claude", ".claude/settings.json", `{"hooks":{"Stop":[{"type":"command","command":"x"}]}}`, `hooks.Stop[0] is no group`},
		{"claude", ".claude/settings.json", `{"hooks":{"Stop":[{"hooks":[{"type":"shell","command":"x"}]}]}}`, `hooks.Stop[0] has hooks[0], which has the type "shell"`},
		{"claude", ".claude/settings.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":-1}]}]}}`, "a timeout that is no number above 0"},
		{"claude", ".claude/settings.json", `{"permissions":{"allow":"Bash"}}`, "permissions.allow is no list"},
		{"claude", ".claude/settings.json", `{"permissions":{"deny":[1]}}`, "permissions.deny has a rule that is no text"},
		{"claude", ".claude/settings.json", `{"env":[]}`, `"env" is no object`},
		{"codex", ".codex/hooks.json", `{"hooks":{},"version":1}`, `it has "version", and nothing but`},
		{"codex", ".codex/hooks.json", `{"Stop":[]}`, `it has "Stop"`},
		{"codex", ".codex/hooks.json", `{"hooks":{"Stop":[{"hooks":[{"type":"http","url":"x"}]}]}}`, `the type "http"`},
		{"codex", ".codex/hooks.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":1.5}]}]}}`, "no whole number"},
		{"codex", ".codex/hooks.json", "\xef\xbb\xbf{}", "byte order mark"},
		{"cursor", ".cursor/hooks.json", `{"hooks":{"stop":[{"command":"x"}]}}`, `no "version": 1`},
		{"cursor", ".cursor/hooks.json", `{"version":"1","hooks":{}}`, `"version" is "1"`},
		{"cursor", ".cursor/hooks.json", `{"version":1,"hooks":{"preToolCall":[]}}`, "hooks.preToolCall is no event that Cursor has"},
		{"cursor", ".cursor/hooks.json", "{\"version\":1,\"hooks\":{\"stop\":[{\"command\":\"curl http://x\"}]}}", `"//" or "/*", which Cursor takes for a comment`},
		{"cursor", ".cursor/hooks.json", `{"version":1,"hooks":{"stop":[{"command":"x","timeout":0}]}}`, "a timeout that is no number"},
		{"cursor", ".cursor/hooks.json", `{"version":1,"hooks":{},}`, "a trailing comma"},
		{"windsurf", ".codeium/windsurf/hooks.json", "{// c\n}", "a comment"},
		{"windsurf", ".codeium/windsurf/hooks.json", `{"hooks":{"pre_run_command":"x"}}`, "hooks.pre_run_command is no list"},
		{"copilot", ".copilot/hooks/boathook.json", `{"version":1,"hooks":[]}`, `"hooks" is no object`},
		{"qwen", ".qwen/settings.json", "{ // fine\n \"a\": [1,],\n}", "settings.json: line 2:10: a trailing comma"},
		{"qwen", ".qwen/settings.json", `{"hooks":{"Stop":"x"}}`, `the value of "Stop" is no array`},
		{"qwen", ".qwen/settings.json", `{"a":1,"a":2}`, `the key "a" is there twice`},
	}
	found := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.agent+" "+tt.want, func(t *testing.T) {
			env := world(t)
			put(t, filepath.Join(env.Home, tt.file), tt.content, 0o644)
			before := tree(t, env.Home)
			_, err := PlanInstall(env, Request{Agents: []string{tt.agent}})
			wantRefused(t, err, tt.want)
			same(t, before, tree(t, env.Home))
			if found[tt.agent] {
				return
			}
			found[tt.agent] = true
			// Found and not named, it keeps no other agent from being installed.
			p := install(t, env, Request{Agents: []string{tt.agent, "gemini"}, Found: true})
			if len(p.Failures) != 1 || !strings.Contains(p.Failures[0], tt.want) || !exists(geminiExtension(env)) {
				t.Errorf("%q", p.Failures)
			}
			if got := text(t, filepath.Join(env.Home, tt.file)); got != tt.content {
				t.Errorf("it is %q", got)
			}
			uninstall(t, env, Request{Purge: true})
			same(t, before, tree(t, env.Home))
		})
	}
}

// A path with what Cursor takes for a comment would break its file.
func TestCursorTakesNoCommentInAPath(t *testing.T) {
	env := world(t)
	env.Exe = filepath.Join(env.Home, "a*b", "boathook")
	put(t, env.Exe, "", 0o755)
	install(t, env, Request{Agents: []string{"cursor"}})
	uninstall(t, env, Request{})
	env.Exe = filepath.Join(env.Home, "*", "boathook") // …/*/boathook
	put(t, env.Exe, "", 0o755)
	_, err := PlanInstall(env, Request{Agents: []string{"cursor"}})
	wantRefused(t, err, "is nothing that Cursor takes")
}

// Our entries are found again wherever a user put them, and go back to where they belong.
func TestStrayEntries(t *testing.T) {
	env := world(t)
	install(t, env, Request{Agents: []string{"claude"}})
	path := filepath.Join(env.Home, ".claude", "settings.json")
	whole := text(t, path)
	list, _ := claudeList().entries([]byte(whole))
	stop := string(compact(list["Stop"]))
	handler := string(compact(list["Stop"].(map[string]any)["hooks"].([]any)[0]))
	for name, content := range map[string]string{
		"twice":                     strings.Replace(whole, `"Stop": [`, `"Stop": [`+stop+`,`, 1),
		"among the user's":          `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"theirs"},` + handler + `]}]}}`,
		"with the user's in ours":   strings.Replace(whole, handler, handler+`,{"type":"command","command":"theirs"}`, 1),
		"with another kind's":       `{"hooks":{"Stop":[{"hooks":[` + handler + `,{"type":"http","url":"http://localhost:1"}]}]}}`,
		"at another event":          `{"hooks":{"SessionEnd":[` + stop + `]}}`,
		"with a timeout of his own": strings.Replace(whole, `"timeout": 60`, `"timeout": 7`, 1),
	} {
		put(t, path, content, 0o644)
		places, err := Look(env)
		if err != nil || len(places) != 1 || name != "with the user's in ours" && len(places[0].Faults) == 0 {
			t.Errorf("%s: %+v, %v", name, places, err)
		}
		install(t, env, Request{Agents: []string{"claude"}, Events: []string{"default"}})
		if places, err = Look(env); err != nil || len(places) != 1 || len(places[0].Faults) > 0 {
			t.Errorf("%s, installed again: %+v, %v", name, places, err)
		}
		theirs := strings.Count(content, `"theirs"`) + strings.Count(content, `"http"`)
		if got := text(t, path); strings.Count(got, `"theirs"`)+strings.Count(got, `"http"`) != theirs {
			t.Errorf("%s became %s", name, got)
		}
		uninstall(t, env, Request{})
		data, _ := os.ReadFile(path)
		if strings.Contains(string(data), "boathook") || strings.Count(string(data), `"theirs"`)+strings.Count(string(data), `"http"`) != theirs {
			t.Errorf("%s: %s is left", name, data)
		}
		_ = os.Remove(path)
		install(t, env, Request{Agents: []string{"claude"}})
	}
}

// What no agent among those named hears is no silence: who asked for it would believe that it is so.
func TestUnheardIsRefused(t *testing.T) {
	env := world(t)
	for want, req := range map[string]Request{
		"--on-failure: it is for claude alone": {Agents: []string{"gemini", "codex"}, OnFailure: Block},
		"--trust: it is for codex alone":       {Agents: []string{"claude"}, Trust: true, Found: true},
	} {
		_, err := PlanInstall(env, req)
		wantRefused(t, err, want)
	}
	for _, req := range []Request{{Agents: []string{"gemini", "claude"}, OnFailure: Block}, {Agents: []string{"codex"}, Trust: true}} {
		if _, err := PlanInstall(env, req); err != nil {
			t.Error(err)
		}
	}
}

// A file in which nothing stands is no reason to refuse.
func TestBlankFiles(t *testing.T) {
	for id, l := range lists() {
		env := world(t)
		path := l.path(l.dir(env))
		put(t, path, " \n\n", 0o644)
		before := tree(t, env.Home)
		install(t, env, Request{Agents: []string{id}})
		if why := l.dropped([]byte(text(t, path))); why != "" {
			t.Errorf("%s: %s", id, why)
		}
		uninstall(t, env, Request{Purge: true})
		same(t, before, tree(t, env.Home))
	}
}
