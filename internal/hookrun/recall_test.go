package hookrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/forhooks"
	"github.com/boathook/boathook/internal/memory/project"
	"github.com/boathook/boathook/internal/memory/recall"
	"github.com/boathook/boathook/internal/memory/sqlite"
	"github.com/boathook/boathook/internal/record"
)

// remembering is a lab whose memory knows how a session solved an incident in l.home/shop.
type remembering struct {
	*lab
	deps Memory
	shop string
}

const withMemory = "memory.enabled = true\nmemory.inject = 'on'\n[memory.retrieval]\ndeadlineMs = 5000\nmaxContextTokens = 900\n"

func newRemembering(t *testing.T, settings string) *remembering {
	t.Helper()
	l := newLab(t, settings)
	l.now = time.Now() // files are as old as they are
	r := &remembering{lab: l, deps: forhooks.Deps, shop: filepath.Join(l.home, "shop")}
	for _, dir := range []string{"shop/.git", "shop/web", "other/.git"} {
		must(t, os.MkdirAll(filepath.Join(l.home, filepath.FromSlash(dir)), 0o700))
	}
	must(t, os.MkdirAll(l.data, 0o700))
	p, err := project.Resolver{}.Of(r.shop)
	must(t, err)
	st, err := sqlite.Open(t.Context(), filepath.Join(l.data, sqlite.FileName))
	must(t, err)
	at := l.now.Add(-72 * time.Hour)
	_, err = st.Write(t.Context(), memory.Batch{
		Sessions: []memory.Session{{ID: "codex/old", Project: p.Key, Agent: "codex", Started: at, Ended: at.Add(time.Hour), Active: at.Add(time.Hour), Outcome: "success"}},
		Messages: []memory.Message{
			{Session: "codex/old", Role: memory.RoleUser, Text: "The widget deployment fails with ERR_WIDGET_CORRUPT", Time: at, Source: memory.FromHook, Origin: "1"},
			{Session: "codex/old", Role: memory.RoleAssistant, Text: "ERR_WIDGET_CORRUPT meant that the widget index was stale; reindexing fixed the deployment", Time: at.Add(3 * time.Minute), Source: memory.FromHook, Origin: "2"},
		},
		ToolCalls: []memory.ToolCall{{
			Session: "codex/old", Tool: "bash", Kind: "shell", Command: "widgetctl reindex --all", Status: memory.StatusSuccess, Output: "ok", Time: at.Add(time.Minute), Source: memory.FromHook, Origin: "3",
		}},
	})
	must(t, err)
	must(t, st.Close())
	return r
}

func (r *remembering) env(stdin string) Env {
	env := r.lab.env(strings.NewReader(stdin))
	env.Memory = r.deps
	return env
}

func (r *remembering) run(agent, event, payload string) string {
	return string(Run(r.env(payload), []string{"--agent", agent, "--event", event, "--config", r.config}).Stdout)
}

// last is the record of the event that came last.
func (r *remembering) last(t *testing.T) record.Record {
	t.Helper()
	all := r.records(t)
	if len(all) == 0 {
		t.Fatal("no record")
	}
	for _, f := range all {
		if f.Agent == "" {
			t.Fatal("a record without an agent")
		}
	}
	files, err := filepath.Glob(filepath.Join(r.data, "spool", "new", "*.json"))
	must(t, err)
	for _, f := range files {
		must(t, os.Remove(f))
	}
	return all[len(all)-1]
}

const incident = "the widget deployment fails again with ERR_WIDGET_CORRUPT"

// recorded is a payload that was recorded of an agent, with another session, directory and prompt in it.
func recorded(t *testing.T, path, session, cwd, prompt string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("../host/" + path))
	must(t, err)
	var doc any
	must(t, json.Unmarshal(text, &doc))
	doc = replaced(doc, session, cwd, prompt)
	out, err := json.Marshal(doc)
	must(t, err)
	return string(out)
}

func replaced(v any, session, cwd, prompt string) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	if m["hook"] == "chat.message" {
		m["directory"] = cwd
	}
	for k, old := range m {
		switch k {
		case "session_id", "sessionId", "sessionID", "conversation_id", "taskId", "trajectory_id":
			m[k] = session
		case "cwd", "directory":
			m[k] = cwd
		case "workspace_roots", "workspaceRoots":
			m[k] = []any{cwd}
		case "prompt", "user_prompt", "message", "text":
			if _, is := old.(string); is {
				m[k] = prompt
				continue
			}
			m[k] = replaced(old, session, cwd, prompt)
		default:
			if list, is := old.([]any); is {
				for i := range list {
					list[i] = replaced(list[i], session, cwd, prompt)
				}
				continue
			}
			m[k] = replaced(old, session, cwd, prompt)
		}
	}
	return m
}

// TestWhatWorkedReachesTheModel, with the payloads that agents were recorded to send.
func TestWhatWorkedReachesTheModel(t *testing.T) {
	for _, tc := range []struct{ agent, event string }{
		{"claude", "UserPromptSubmit"}, {"gemini", "BeforeAgent"}, {"codex", "UserPromptSubmit"}, {"qwen", "UserPromptSubmit"},
		{"copilot", "userPromptSubmitted"}, {"cursor", "beforeSubmitPrompt"}, {"opencode", "chat.message"}, {"amp", "agent.start"},
	} {
		t.Run(tc.agent, func(t *testing.T) {
			files, err := filepath.Glob("../host/" + tc.agent + "/testdata/*/" + tc.event + ".json")
			must(t, err)
			var path string
			for _, f := range files {
				path = strings.TrimPrefix(filepath.ToSlash(f), "../host/")
			}
			if path == "" {
				t.Fatalf("no recording of %s", tc.event)
			}
			r := newRemembering(t, withMemory)
			got := r.run(tc.agent, tc.event, recorded(t, path, "s-new", filepath.Join(r.shop, "web"), incident))
			for _, want := range []string{recall.Begin, recall.End, "widgetctl reindex --all", "Previously Successful Commands", "3 days ago"} {
				if !strings.Contains(got, want) {
					t.Fatalf("no %q in the answer %s", want, got)
				}
			}
			rec := r.last(t)
			if rec.Recall == nil || rec.Recall.Outcome != recall.Injected || len(rec.Recall.Items) == 0 || rec.Recall.Tokens > 900 || rec.Recall.Tokens == 0 {
				t.Fatalf("recall %+v", rec.Recall)
			}
			if text, err := json.Marshal(rec); err != nil || strings.Contains(string(text), "widgetctl") || strings.Contains(string(text), "boathook memory:") {
				t.Errorf("the block is in the record: %s, %v", text, err)
			}
			again := r.run(tc.agent, tc.event, recorded(t, path, "s-new", r.shop, incident))
			if strings.Contains(again, "widgetctl") || r.last(t).Recall.Outcome != recall.Repeated {
				t.Errorf("it is repeated: %s", again)
			}
			elsewhere := r.run(tc.agent, tc.event, recorded(t, path, "s-other", filepath.Join(r.home, "other"), incident))
			if strings.Contains(elsewhere, "widget") || r.last(t).Recall.Outcome != recall.Nothing {
				t.Errorf("another project is told: %s", elsewhere)
			}
		})
	}
}

func prompt(session, cwd, text string) string {
	out, _ := json.Marshal(map[string]any{"session_id": session, "cwd": cwd, "prompt": text, "hook_event_name": "UserPromptSubmit"}) // strings always marshal
	return string(out)
}

// TestMemoryIsNotAsked: off, everything is as without it, byte for byte, and nobody is asked.
func TestMemoryIsNotAsked(t *testing.T) {
	never := func(config.Settings, string) recall.Deps { t.Error("memory is asked"); return recall.Deps{} }
	for name, settings := range map[string]string{
		"off":                 "",
		"not injected":        "memory.enabled = true\nmemory.inject = 'off'\n",
		"not enabled":         "memory.enabled = false\nmemory.inject = 'on'\n",
		"not in this project": "memory.enabled = true\nmemory.inject = 'on'\nmemory.noInjectProjects = ['shop']\n",
		"in other ones":       "memory.enabled = true\nmemory.inject = 'on'\nmemory.injectProjects = ['~/other/*']\n",
		"excluded":            "memory.enabled = true\nmemory.inject = 'on'\nmemory.exclude = ['shop']\n",
	} {
		r := newRemembering(t, settings)
		r.deps = never
		with := r.run("claude", "UserPromptSubmit", prompt("s", r.shop, incident))
		rec := r.last(t)
		r.deps = nil
		without := r.run("claude", "UserPromptSubmit", prompt("s", r.shop, incident))
		if with != without || with != "" || rec.Recall != nil {
			t.Errorf("%s: %q and %q, recall %+v, notes %q", name, with, without, rec.Recall, rec.Notes)
		}
		if _, err := os.Stat(filepath.Join(r.data, recall.Dir)); err == nil {
			t.Errorf("%s: there is a folder", name)
		}
	}
}

// TestADeniedPromptIsToldNothing, and what it was not told another prompt is.
func TestADeniedPromptIsToldNothing(t *testing.T) {
	r := newRemembering(t, withMemory+"[[hooks]]\nname = 'no'\non = ['prompt:submit']\ncommand = ['sh', '-c', 'grep -q forbidden && echo \"{\\\"action\\\":\\\"deny\\\",\\\"reason\\\":\\\"no\\\"}\"; exit 0']\ntimeout_ms = 10000\n")
	got := r.run("claude", "UserPromptSubmit", prompt("s", r.shop, "forbidden "+incident))
	if rec := r.last(t); strings.Contains(got, "widgetctl") || !strings.Contains(got, "block") || rec.Recall == nil || rec.Recall.Outcome != recall.Nothing {
		t.Errorf("%s: %+v", got, rec.Recall)
	}
	if got := r.run("claude", "UserPromptSubmit", prompt("s", r.shop, incident)); !strings.Contains(got, "widgetctl") {
		t.Errorf("%s", got)
	}
}

// TestWithTheContextOfHooks: both reach the model, and the record has that of the hook.
func TestWithTheContextOfHooks(t *testing.T) {
	r := newRemembering(t, withMemory+"[[hooks]]\nname = 'mine'\non = ['prompt:submit']\ncommand = ['sh', '-c', 'cat >/dev/null; echo \"{\\\"context\\\":\\\"the user likes tea\\\"}\"']\ntimeout_ms = 10000\n")
	got := r.run("gemini", "BeforeAgent", prompt("s", r.shop, incident))
	if !strings.Contains(got, `the user likes tea\n`+recall.Begin) || !strings.Contains(got, "widgetctl") {
		t.Errorf("%s", got)
	}
	if rec := r.last(t); rec.Decision.Context != "the user likes tea" || rec.Recall.Outcome != recall.Injected {
		t.Errorf("%+v %+v", rec.Decision, rec.Recall)
	}
}

// TestAtTheNextEventThatCan: Cline's prompts cannot be answered with text, its tools' results can.
func TestAtTheNextEventThatCan(t *testing.T) {
	r := newRemembering(t, withMemory)
	task := func(extra string) string {
		return `{"taskId":"t1","clineVersion":"x","workspaceRoots":["` + r.shop + `"],` + extra + `}`
	}
	got := r.run("cline", "UserPromptSubmit", task(`"userPromptSubmit":{"prompt":"`+incident+`"}`))
	if rec := r.last(t); strings.Contains(got, "widget") || rec.Recall == nil || rec.Recall.Outcome != recall.Waiting {
		t.Fatalf("%s: %+v, prompt %q, session %q", got, rec.Recall, rec.Prompt, rec.SessionID)
	}
	tool := task(`"preToolUse":{"toolName":"read_file","parameters":{"path":"README.md"}}`)
	got = r.run("cline", "PreToolUse", tool)
	if rec := r.last(t); !strings.Contains(got, "widgetctl reindex") || rec.Recall == nil || rec.Recall.Outcome != recall.Injected {
		t.Fatalf("%s: %+v, notes %q", got, rec.Recall, rec.Notes)
	}
	got = r.run("cline", "PreToolUse", tool)
	if rec := r.last(t); strings.Contains(got, "widgetctl") || rec.Recall != nil {
		t.Errorf("%s: %+v", got, rec.Recall)
	}
	minimal := newRemembering(t, "privacy = 'minimal'\n"+withMemory)
	r = minimal
	_ = r.run("cline", "UserPromptSubmit", task(`"userPromptSubmit":{"prompt":"`+incident+`"}`))
	if files, _ := filepath.Glob(filepath.Join(r.data, recall.Dir, "*")); len(files) > 0 {
		t.Errorf("minimal privacy keeps %q", files)
	}
}

func TestReview(t *testing.T) {
	r := newRemembering(t, strings.Replace(withMemory, "'on'", "'review'", 1))
	got := r.run("claude", "UserPromptSubmit", prompt("s", r.shop, incident))
	if rec := r.last(t); got != "" || rec.Recall.Outcome != recall.Held {
		t.Fatalf("%s: %+v", got, rec.Recall)
	}
	held, err := recall.Pending(r.data, r.now)
	must(t, err)
	if len(held) != 1 || !strings.Contains(held[0].Block, "widgetctl") || held[0].Asked != incident || held[0].Project != "shop" || held[0].Approved {
		t.Fatalf("%+v", held)
	}
	files, err := filepath.Glob(filepath.Join(r.data, recall.Dir, "pending", "*"))
	must(t, err)
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f, info.Mode(), err)
		}
	}
	if err := recall.Approve(r.data, "NOSUCH"); !errors.Is(err, recall.ErrNoReview) {
		t.Errorf("%v", err)
	}
	after := `{"session_id":"s","cwd":"` + r.shop + `","tool_name":"Read","tool_input":{},"tool_response":{},"tool_use_id":"u"}`
	if got := r.run("claude", "PostToolUse", after); strings.Contains(got, "widgetctl") {
		t.Errorf("told before anybody approved it: %s", got)
	}
	must(t, recall.Approve(r.data, strings.ToLower(held[0].Code)))
	_ = r.last(t)
	got = r.run("claude", "PostToolUse", after)
	if rec := r.last(t); !strings.Contains(got, "widgetctl") || rec.Recall == nil || rec.Recall.Outcome != recall.Injected {
		t.Errorf("%s: %+v", got, rec.Recall)
	}
	if got := r.run("claude", "PostToolUse", after); strings.Contains(got, "widgetctl") {
		t.Errorf("told twice: %s", got)
	}
	_ = r.run("claude", "UserPromptSubmit", prompt("s2", r.shop, incident))
	held, err = recall.Pending(r.data, r.now)
	must(t, err)
	if len(held) != 1 {
		t.Fatalf("%+v", held)
	}
	must(t, recall.Reject(r.data, held[0].Code))
	if again, _ := recall.Pending(r.data, r.now); len(again) != 0 {
		t.Errorf("%+v", again)
	}
}

// TestOwnWordsAreNotKept: what memory told comes back in later payloads.
func TestOwnWordsAreNotKept(t *testing.T) {
	r := newRemembering(t, withMemory+"[audit]\nenabled = true\n")
	block := recall.Begin + "\nold \"stuff\"\n" + recall.End
	text, err := json.Marshal(map[string]any{
		"session_id": "s", "cwd": r.shop, "prompt": "do it\n\n<hook_context>" + block + "</hook_context>", "prompt_response": "done", "more": map[string]any{"deep": []any{block}},
	})
	must(t, err)
	_ = r.run("gemini", "AfterAgent", string(text))
	rec := r.last(t)
	kept, err := json.Marshal(rec)
	must(t, err)
	if strings.Contains(string(kept), "stuff") || strings.Contains(string(kept), "boathook memory") || rec.Prompt != "do it\n\n" || rec.Response != "done" {
		t.Errorf("%s", kept)
	}
	log, err := os.ReadFile(filepath.Join(r.data, "invocations.jsonl"))
	if must(t, err); strings.Contains(string(log), "stuff") {
		t.Errorf("%s", log)
	}
	_ = r.run("gemini", "AfterAgent", strings.TrimSuffix(string(text), "}")) // broken
	log, err = os.ReadFile(filepath.Join(r.data, "invocations.jsonl"))
	if must(t, err); strings.Contains(string(log), "stuff") {
		t.Errorf("broken: %s", log)
	}
	_ = r.last(t)
	command := "true " + recall.Begin + "; rm -rf build; true " + recall.End
	input, err := json.Marshal(map[string]any{"session_id": "s", "cwd": r.shop, "tool_name": "run_shell_command", "tool_input": map[string]any{"command": command}})
	must(t, err)
	_ = r.run("gemini", "BeforeTool", string(input))
	if rec := r.last(t); rec.Tool.Command != command {
		t.Errorf("a command hides in our lines: %q", rec.Tool.Command)
	}
}

func TestMinimalPrivacyKeepsNoIDs(t *testing.T) {
	r := newRemembering(t, "privacy = 'minimal'\n"+withMemory)
	got := r.run("claude", "UserPromptSubmit", prompt("s", r.shop, incident))
	if rec := r.last(t); !strings.Contains(got, "widgetctl") || rec.Recall.Outcome != recall.Injected || rec.Recall.Items != nil {
		t.Errorf("%s: %+v", got, rec.Recall)
	}
}

// TestMemoryIsBroken: the answer is the neutral one, in time, and the record says why.
func TestMemoryIsBroken(t *testing.T) {
	never := make(chan struct{})
	defer close(never)
	open := func(f func(context.Context) (memory.Store, error)) Memory {
		return func(config.Settings, string) recall.Deps { return recall.Deps{Open: f} }
	}
	quick := strings.Replace(withMemory, "5000", "60", 1)
	for name, tc := range map[string]struct {
		settings string
		deps     Memory
		plant    func(t *testing.T, r *remembering)
		outcome  string
	}{
		"missing":   {withMemory, open(func(context.Context) (memory.Store, error) { return nil, fs.ErrNotExist }), nil, recall.Nothing},
		"hangs":     {quick, open(func(context.Context) (memory.Store, error) { <-never; return nil, nil }), nil, recall.Late},
		"panics":    {withMemory, func(config.Settings, string) recall.Deps { panic("bang") }, nil, recall.Failed},
		"not there": {withMemory, nil, func(t *testing.T, r *remembering) { must(t, os.Remove(filepath.Join(r.data, sqlite.FileName))) }, recall.Nothing},
		"garbage": {withMemory, nil, func(t *testing.T, r *remembering) {
			must(t, os.WriteFile(filepath.Join(r.data, sqlite.FileName), []byte(strings.Repeat("garbage ", 4096)), 0o600))
		}, recall.Failed},
		"a folder": {withMemory, nil, func(t *testing.T, r *remembering) {
			must(t, os.Remove(filepath.Join(r.data, sqlite.FileName)))
			must(t, os.Mkdir(filepath.Join(r.data, sqlite.FileName), 0o700))
		}, recall.Failed},
		"cannot note": {withMemory, nil, func(t *testing.T, r *remembering) {
			must(t, os.WriteFile(filepath.Join(r.data, recall.Dir), nil, 0o600))
		}, recall.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRemembering(t, tc.settings)
			if tc.deps != nil {
				r.deps = tc.deps
			}
			if tc.plant != nil {
				tc.plant(t, r)
			}
			got := r.run("gemini", "BeforeAgent", prompt("s", r.shop, incident))
			if rec := r.last(t); got != "{}\n" || rec.Recall == nil || rec.Recall.Outcome != tc.outcome || rec.Prompt != incident || rec.Decision.Action != canon.Allow {
				t.Errorf("%s: %+v", got, rec.Recall)
			}
		})
	}
}

// TestAWriterKeepsNobodyWaiting: the worker is in the middle of a transaction.
func TestAWriterKeepsNobodyWaiting(t *testing.T) {
	r := newRemembering(t, withMemory)
	st, err := sqlite.Open(t.Context(), filepath.Join(r.data, sqlite.FileName))
	must(t, err)
	defer func() { _ = st.Close() }()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			b := memory.Batch{Sessions: []memory.Session{{ID: "claude/w", Project: "pw", Agent: "claude", Active: r.now}}}
			for j := range 50 {
				b.Messages = append(b.Messages, memory.Message{Session: "claude/w", Role: memory.RoleUser, Text: fmt.Sprintf("widget %d %d", i, j), Time: r.now, Source: memory.FromHook, Origin: fmt.Sprint(i, j)})
			}
			_, _ = st.Write(context.Background(), b)
		}
	}()
	for i := range 10 {
		if got := r.run("claude", "UserPromptSubmit", prompt(fmt.Sprintf("s%d", i), r.shop, incident)); !strings.Contains(got, "widgetctl") {
			t.Errorf("%s: %+v", got, r.last(t).Recall)
		}
	}
	close(stop)
	<-stopped
}

// TestTwoHundredHooks at once: of one session each item is told once, of many sessions each is told.
func TestTwoHundredHooks(t *testing.T) {
	old := claimTime
	claimTime = time.Minute
	defer func() { claimTime = old }()
	r := newRemembering(t, withMemory)
	var mu sync.Mutex
	told := map[string]int{}
	var all sync.WaitGroup
	for i := range 200 {
		session := "one"
		if i%2 == 0 {
			session = fmt.Sprintf("s%d", i)
		}
		all.Go(func() {
			got := r.run("claude", "UserPromptSubmit", prompt(session, r.shop, incident))
			mu.Lock()
			defer mu.Unlock()
			told[session] += strings.Count(got, "widgetctl reindex --all")
		})
	}
	all.Wait()
	outcomes := map[string]int{}
	for _, rec := range r.records(t) {
		outcomes[rec.Recall.Outcome+" "+rec.Recall.Reason]++
	}
	for session, n := range told {
		if n > 1 || n == 0 && outcomes["deadline "] == 0 {
			t.Errorf("session %s was told %d times; outcomes %v", session, n, outcomes)
		}
	}
	if known := outcomes["injected "] + outcomes["repeated "] + outcomes["deadline "]; known != 200 || outcomes["injected "] == 0 || len(told) != 101 {
		t.Errorf("%d sessions, outcomes %v", len(told), outcomes)
	}
}
