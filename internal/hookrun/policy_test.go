package hookrun

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/internal/pending"
	"github.com/boathook/boathook/policy"
)

// Payloads of several agents with the same command.
func geminiShell(command string) string {
	return `{"session_id":"s1","cwd":"/w","tool_name":"run_shell_command","tool_input":{"command":` + quote(command) + `,"description":"d"}}`
}

func claudeShell(command string) string {
	return `{"session_id":"s1","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":` + quote(command) + `},"tool_use_id":"t1"}`
}

func quote(s string) string {
	b, _ := json.Marshal(s) // texts always marshal
	return string(b)
}

func policyFile(t *testing.T, l *lab, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(l.home, "policy.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// noFish is a policy with one rule of its own.
const noFish = `version = 1
[[rules]]
id = "no-fish"
action = "ACTION"
reason = "Fish is off the menu."
advice = "Use cheese."
[rules.when]
command = "fish"
`

func fishPolicy(action string) string { return strings.Replace(noFish, "ACTION", action, 1) }

func TestTheLocalPolicyAnswersInTheAgentsWords(t *testing.T) {
	tests := []struct {
		agent, event, payload string
		want                  string
	}{
		{"gemini", "BeforeTool", geminiShell("rm -rf ~"), `"decision":"deny"`},
		{"gemini", "BeforeTool", geminiShell("X=rm; $X -rf /"), `"decision":"deny"`},
		{"gemini", "BeforeTool", geminiShell("git status"), "{}"},
		{"gemini", "BeforeTool", geminiShell("git commit -m 'rm -rf / is bad'"), "{}"},
		{"claude", "PreToolUse", claudeShell("rm -rf ~"), `"permissionDecision":"deny"`},
		{"claude", "PreToolUse", claudeShell("git reset --hard"), `"permissionDecision":"ask"`},
		{"claude", "PreToolUse", claudeShell("ls"), ""},
		{"antigravity", "PreToolUse", `{"conversationId":"c","workspacePaths":["/w"],"stepIdx":1,"toolCall":{"name":"run_command","args":{"CommandLine":"rm -rf ~","Cwd":"/w"}}}`, `"decision":"deny"`},
		{"codex", "PreToolUse", claudeShell("rm -rf ~"), `"permissionDecision":"deny"`},
		{"cursor", "preToolUse", `{"conversation_id":"c","tool_name":"Shell","tool_input":{"command":"rm -rf ~"},"session_id":"s1","workspace_roots":["/w"]}`, `"permission":"deny"`},
		// A tool that nobody knows, and one that runs elsewhere by its own argument.
		{"gemini", "BeforeTool", `{"session_id":"s","cwd":"/w","tool_name":"mcp_srv_exec","tool_input":{"command":"rm -rf ~"},"mcp_context":{"server_name":"srv"}}`, `"decision":"deny"`},
		// Every value of a key that is there twice is judged, each for itself.
		{"gemini", "BeforeTool", `{"cwd":"/w","tool_name":"run_shell_command","tool_input":{"command":"rm -rf ~","command":"ls"}}`, `"decision":"deny"`},
		{"gemini", "BeforeTool", `{"cwd":"/w","tool_name":"run_shell_command","tool_input":{"command":"echo \"","command":"rm -rf ~ #\""}}`, `"decision":"deny"`},
		// So is what a broken payload seems to hold.
		{"gemini", "BeforeTool", `{"cwd":"/w","tool_name":"run_shell_command","tool_input":{"command":"rm -rf ~"`, `"decision":"deny"`},
		{"gemini", "BeforeTool", `garbage "command": "rm -rf ~" garbage`, `"decision":"deny"`},
		{"gemini", "BeforeTool", `garbage`, "{}"},
		// Not at an event that stops nothing.
		{"gemini", "AfterTool", geminiShell("rm -rf ~"), "{}"},
	}
	for _, tt := range tests {
		t.Run(tt.agent+" "+tt.payload, func(t *testing.T) {
			l := newLab(t, "")
			got := strings.TrimSpace(l.run(tt.agent, tt.event, tt.payload))
			if tt.want == "{}" || tt.want == "" {
				if got != tt.want {
					t.Errorf("answer %s, want %q", got, tt.want)
				}
				return
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("answer %s, want %s", got, tt.want)
			}
			r := l.only(t)
			if r.Decision.Source != policySource || r.Policy == nil || r.Policy.Digest == "" || len(r.Policy.Effects) == 0 {
				t.Errorf("record %+v %+v", r.Decision, r.Policy)
			}
		})
	}
}

func TestAPolicyOfTheUsers(t *testing.T) {
	for _, tt := range []struct{ action, want, decision string }{
		{"deny", `"decision":"deny"`, "deny"}, {"ask", `"decision":"deny"`, "ask"}, {"warn", "{}", "allow"}, {"allow", "{}", "allow"},
	} {
		l := newLab(t, "")
		policyFile(t, l, fishPolicy(tt.action))
		got := l.run("gemini", "BeforeTool", geminiShell("fish and chips"))
		r := l.only(t)
		if !strings.Contains(got, tt.want) || string(r.Decision.Action) != tt.decision {
			t.Errorf("%s: answer %s, %+v", tt.action, got, r.Decision)
		}
		if tt.action == "deny" && (r.Decision.Rule != "no-fish" || r.Decision.Layer != "user" || !strings.Contains(got, "Fish is off the menu. Use cheese.")) {
			t.Errorf("%+v %s", r.Decision, got)
		}
	}
}

func TestShadowAndOffStopNothing(t *testing.T) {
	for mode, wants := range map[string]bool{"shadow": true, "off": false} {
		l := newLab(t, "policy.mode = '"+mode+"'\n")
		if got := l.run("gemini", "BeforeTool", geminiShell("rm -rf ~")); got != "{}\n" {
			t.Errorf("%s: %s", mode, got)
		}
		r := l.only(t)
		if has := r.Policy != nil; has != wants || has && (!r.Policy.Shadow || r.Policy.Action != "deny") {
			t.Errorf("%s: %+v", mode, r.Policy)
		}
		if files, err := os.ReadDir(filepath.Join(l.data, "pending")); err == nil && len(files) > 0 {
			t.Errorf("%s: something can be lifted", mode)
		}
	}
}

func TestModeThatIsNoneIsEnforced(t *testing.T) {
	l := newLab(t, "policy.mode = 'of'\n")
	if got := l.run("gemini", "BeforeTool", geminiShell("rm -rf ~")); !strings.Contains(got, "deny") {
		t.Error(got)
	}
}

func TestABrokenPolicyIsLoudAndTheBuiltInOneStandsIn(t *testing.T) {
	l := newLab(t, "")
	policyFile(t, l, "version = 1\npacks = [")
	if got := l.run("gemini", "BeforeTool", geminiShell("rm -rf ~")); !strings.Contains(got, "deny") {
		t.Error(got)
	}
	l.run("gemini", "BeforeTool", geminiShell("ls"))
	l.run("gemini", "SessionStart", `{"session_id":"s1","cwd":"/w","source":"startup"}`)
	for _, r := range l.records(t) {
		if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "policy.toml") {
			t.Errorf("%s: notes %q", r.HostEvent, notes)
		}
		if r.Tool != nil && len(r.Policy.Problems) == 0 {
			t.Errorf("%+v", r.Policy)
		}
	}
}

func TestAPolicyThatEveryUserMayWriteDoesNotCount(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("modes")
	}
	l := newLab(t, "")
	policyFile(t, l, fishPolicy("deny"))
	if err := os.Chmod(filepath.Join(l.home, "policy.toml"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := l.run("gemini", "BeforeTool", geminiShell("fish")); got != "{}\n" {
		t.Error(got)
	}
	if notes := strings.Join(l.only(t).Notes, "\n"); !strings.Contains(notes, "every user may write it") {
		t.Error(notes)
	}
}

func TestAProjectsPolicyCountsOnceItIsTrusted(t *testing.T) {
	l := newLab(t, "")
	project := filepath.Join(l.home, "shop")
	if err := os.MkdirAll(filepath.Join(project, ".boathook"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := []byte(fishPolicy("deny"))
	if err := os.WriteFile(judge.ProjectFile(project), text, 0o600); err != nil {
		t.Fatal(err)
	}
	call := strings.Replace(geminiShell("fish"), `"/w"`, quote(project), 1)
	if got := l.run("gemini", "BeforeTool", call); got != "{}\n" {
		t.Errorf("before: %s", got)
	}
	l.run("gemini", "SessionStart", `{"session_id":"s1","cwd":`+quote(project)+`,"source":"startup"}`)
	said := 0
	for _, r := range l.records(t) {
		said += strings.Count(strings.Join(r.Notes, "\n"), "nobody trusts it")
	}
	if said != 1 {
		t.Errorf("said %d times that it is not trusted", said)
	}
	if err := judge.Trust(l.data, judge.ProjectFile(project), text); err != nil {
		t.Fatal(err)
	}
	if got := l.run("gemini", "BeforeTool", call); !strings.Contains(got, "boathook: the project's policy says: Fish is off the menu.") {
		t.Errorf("trusted: %s", got)
	}
	if err := os.WriteFile(judge.ProjectFile(project), append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := l.run("gemini", "BeforeTool", call); got != "{}\n" {
		t.Errorf("changed: %s", got)
	}
}

func TestTheGuardIsNotAskedAboutWhatTheLocalPolicyDenies(t *testing.T) {
	url, asked := serveGuard(t, `{"decision":"ALLOW"}`)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n")
	if got := l.run("gemini", "BeforeTool", geminiShell("rm -rf ~")); !strings.Contains(got, "deny") {
		t.Error(got)
	}
	if len(*asked) != 0 || l.only(t).Guard != nil {
		t.Errorf("asked %v", *asked)
	}
	l.run("gemini", "BeforeTool", geminiShell("ls"))
	if len(*asked) != 1 {
		t.Errorf("asked %v", *asked)
	}
}

func TestTheStrictestOfPolicyAndGuardCounts(t *testing.T) {
	url, _ := serveGuard(t, `{"decision":"DENY","reason":"no","matchedRule":"R1"}`)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n")
	l.run("claude", "PreToolUse", claudeShell("git reset --hard"))
	if d := l.only(t).Decision; d.Rule != "R1" || d.Action != canon.Deny {
		t.Errorf("%+v", d)
	}
}

func TestGeminiAsksWhereAPersonAlwaysIs(t *testing.T) {
	for settings, want := range map[string]string{"": `"decision":"deny"`, "policy.interactive = ['gemini']\n": `"decision":"ask"`} {
		l := newLab(t, settings)
		if got := l.run("gemini", "BeforeTool", geminiShell("git reset --hard")); !strings.Contains(got, want) {
			t.Errorf("%q: %s", settings, got)
		}
	}
}

func TestMinimalKeepsNoTarget(t *testing.T) {
	l := newLab(t, "privacy = 'minimal'\n")
	l.run("gemini", "BeforeTool", geminiShell("rm -rf ~/canary-4711"))
	l.run("gemini", "BeforeTool", geminiShell("rm -rf ~"))
	text, _ := json.Marshal(l.records(t))
	if strings.Contains(string(text), "canary-4711") || strings.Contains(string(text), l.home) || !strings.Contains(string(text), "hmac:") {
		t.Errorf("%s", text)
	}
	entries, err := pending.Store{Dir: l.data, Now: func() time.Time { return l.now }}.List()
	if err != nil || len(entries) == 0 || entries[0].What != "" || entries[0].CWD != "" {
		t.Errorf("%+v %v", entries, err)
	}
}

func (l *lab) pending() pending.Store {
	return pending.Store{Dir: l.data, Now: func() time.Time { return l.now }}
}

func TestAllowedOnceIsOnce(t *testing.T) {
	l := newLab(t, "")
	first := l.run("gemini", "BeforeTool", geminiShell("rm -rf /srv"))
	entries, err := l.pending().List()
	if err != nil || len(entries) != 1 {
		t.Fatalf("%+v %v", entries, err)
	}
	e := entries[0]
	if strings.Contains(first, e.Code) || !strings.Contains(first, "boathook pending") || e.What != "rm -rf /srv" || e.Agent != "gemini" {
		t.Errorf("%s %+v", first, e)
	}
	text, _ := json.Marshal(l.records(t))
	if strings.Contains(string(text), e.Code) {
		t.Error("the record has the code")
	}
	if _, err := l.pending().Allow(e.Code, time.Minute); err != nil {
		t.Fatal(err)
	}
	if got := l.run("claude", "PreToolUse", claudeShell("rm -rf /srv")); !strings.Contains(got, "deny") {
		t.Errorf("another agent: %s", got)
	}
	if got := l.run("gemini", "BeforeTool", geminiShell("rm -rf /srv /usr")); !strings.Contains(got, "deny") {
		t.Errorf("another call: %s", got)
	}
	again := strings.Replace(geminiShell("rm -rf /srv"), `"description":"d"`, `"description":"in other words"`, 1)
	if got := l.run("gemini", "BeforeTool", again); got != "{}\n" {
		t.Errorf("lifted: %s", got)
	}
	if got := l.run("gemini", "BeforeTool", geminiShell("rm -rf /srv")); !strings.Contains(got, "deny") {
		t.Errorf("a second time: %s", got)
	}
	lifted := 0
	for _, r := range l.records(t) {
		if r.Policy.AllowedOnce {
			lifted++
		}
	}
	if lifted != 1 {
		t.Errorf("%d records say so", lifted)
	}
}

func TestALiftedCallExpires(t *testing.T) {
	l := newLab(t, "")
	l.run("gemini", "BeforeTool", geminiShell("rm -rf /srv"))
	entries, _ := l.pending().List()
	if _, err := l.pending().Allow(entries[0].Code, time.Minute); err != nil {
		t.Fatal(err)
	}
	l.now = l.now.Add(2 * time.Minute)
	if got := l.run("gemini", "BeforeTool", geminiShell("rm -rf /srv")); !strings.Contains(got, "deny") {
		t.Error(got)
	}
}

// What touches the guard is not lifted by lifting what stands beside it.
func TestNoCallThatTouchesTheGuardIsLifted(t *testing.T) {
	for _, command := range []string{"rm -rf ~", "boathook off", "rm -rf /srv; boathook off", "rm -rf /srv; echo x > ~/.claude/settings.json", "boathook uninstall || rm -rf ~/x"} {
		l := newLab(t, "")
		if got := l.run("gemini", "BeforeTool", geminiShell(command)); !strings.Contains(got, "deny") || strings.Contains(got, "boathook pending") {
			t.Errorf("%s: %s", command, got)
		}
		entries, err := l.pending().List()
		if err != nil || len(entries) != 1 || !entries[0].Locked || !l.only(t).Decision.Locked {
			t.Errorf("%s: %+v %v", command, entries, err)
			continue
		}
		if _, err := l.pending().Allow(entries[0].Code, time.Minute); !errors.Is(err, pending.ErrLocked) {
			t.Errorf("%s: lifted: %v", command, err)
		}
	}
}

// Of many that make the lifted call at once, one passes.
func TestOneOfManyPasses(t *testing.T) {
	l := newLab(t, "")
	l.run("gemini", "BeforeTool", geminiShell("rm -rf /srv"))
	entries, _ := l.pending().List()
	if _, err := l.pending().Allow(entries[0].Code, time.Minute); err != nil {
		t.Fatal(err)
	}
	const many = 200
	var passed, denied int
	var mu sync.Mutex
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			got := l.run("gemini", "BeforeTool", geminiShell("rm -rf /srv"))
			mu.Lock()
			defer mu.Unlock()
			if got == "{}\n" {
				passed++
			} else if strings.Contains(got, "deny") {
				denied++
			}
		})
	}
	all.Wait()
	if passed != 1 || denied != many-1 {
		t.Errorf("%d passed, %d were denied", passed, denied)
	}
}

func TestTheFifthTimeIsFirmer(t *testing.T) {
	l := newLab(t, "")
	for i := range 6 {
		got := l.run("gemini", "BeforeTool", geminiShell("rm -rf /srv"))
		if firm := strings.Contains(got, "Stop: do not try it again"); firm != (i >= 4) {
			t.Errorf("time %d: %s", i+1, got)
		}
	}
	other := strings.Replace(geminiShell("rm -rf /srv"), `"s1"`, `"s2"`, 1)
	if got := l.run("gemini", "BeforeTool", other); strings.Contains(got, "Stop:") {
		t.Errorf("another session: %s", got)
	}
	marks := 0
	for _, r := range l.records(t) {
		if r.Decision.Mark == "loop" && r.Policy.Loop >= 5 && strings.Contains(strings.Join(r.Notes, ""), "loop: ") {
			marks++
		}
	}
	if marks != 2 {
		t.Errorf("%d records are marked", marks)
	}
}

const rewriting = `version = 1
[[rules]]
id = "soft"
action = "rewrite"
reason = "Forced pushes go with a lease."
[rules.when]
command = "fish"
[rules.rewrite]
program = "PROGRAM"
`

func TestARewriteIsJudgedAgain(t *testing.T) {
	policyText := func(program string) string { return strings.Replace(rewriting, "PROGRAM", program, 1) }
	l := newLab(t, "")
	policyFile(t, l, policyText("cheese"))
	got := l.run("gemini", "BeforeTool", geminiShell("fish --now && ls"))
	if !strings.Contains(got, `"tool_input":{"command":"cheese --now && ls","description":"d"}`) {
		t.Fatalf("not rewritten: %s", got)
	}
	if r := l.only(t); !r.Policy.Rewritten || r.Decision.Rule != "soft" {
		t.Errorf("%+v %+v", r.Policy, r.Decision)
	}
}

func TestAUsersHookCannotRewriteWhatThePolicyStops(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("needs a shell")
	}
	for input, want := range map[string]string{
		`{"command":"rm -rf ~"}`: `"decision":"deny"`,
		`{"command":"ls -l"}`:    `"tool_input":{"command":"ls -l"}`,
	} {
		l := newLab(t, "[[hooks]]\nname = 'h'\ncommand = ['/bin/sh', '-c', '''echo '{\"input\":"+input+"}' ''']\n")
		env := l.env(strings.NewReader(geminiShell("ls")))
		env.Environ = func() []string { return []string{"PATH=/bin:/usr/bin"} }
		got := string(Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config}).Stdout)
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s", input, got)
		}
	}
}

// What takes for ever is no allow, and no more than its part of the time.
func TestWhatCouldNotBeJudgedIsAsked(t *testing.T) {
	old := judgeTime
	judgeTime = time.Nanosecond
	defer func() { judgeTime = old }()
	l := newLab(t, "")
	got := l.run("gemini", "BeforeTool", geminiShell(strings.Repeat("a | ", 20_000)+"ls")) // far longer than that
	if r := l.only(t); r.Decision.Source != "policy_failed" || r.Decision.Action != canon.Ask || !strings.Contains(got, "could not be judged in time") {
		t.Errorf("%s %+v", got, r.Decision)
	}
}

func TestADiskThatHangsLeavesTheBuiltInPolicy(t *testing.T) {
	old := diskTime
	diskTime = 10 * time.Millisecond
	defer func() { diskTime = old }()
	l := newLab(t, "")
	r := &run{env: l.env(nil), args: arguments{agent: "gemini", event: "BeforeTool", config: l.config}}
	r.named()
	r.settings = config.Load(r.request())
	organisation := reading{judge.Text{Path: "/etc/boathook/policy.toml", Layer: policy.Organisation}, make(chan judge.Text, 1)}
	organisation.read <- judge.Text{Path: organisation.text.Path, Layer: policy.Organisation, There: true, Text: []byte(fishPolicy("deny"))}
	users := reading{judge.Text{Path: "/h/policy.toml", Layer: policy.UserLayer}, make(chan judge.Text)}
	p := r.loadPolicies(&call{}, []reading{users, organisation})
	if p == nil || !p.Broken || !strings.Contains(strings.Join(r.notes, ""), "the disk hangs") {
		t.Fatalf("%+v %v", p, r.notes)
	}
	fish := canon.Event{Agent: "gemini", Event: canon.ToolBefore, Tool: &canon.Tool{Name: "bash", HostName: "run_shell_command", Kind: "shell", Command: "fish"}}
	if v := p.Set.Judge(judge.Read(fish, p.machine)); v.Layer != policy.Organisation {
		t.Errorf("the user's disk took the administrator's policy away: %+v", v)
	}
	r.settings.Policy.Mode = "off"
	if p := r.loadPolicies(&call{}, []reading{{organisation.text, make(chan judge.Text)}}); p == nil || p.shadow {
		t.Error("an administrator's policy that hangs was switched off")
	}
	ev := canon.Event{Agent: "gemini", Event: canon.ToolBefore, Tool: &canon.Tool{Name: "bash", HostName: "run_shell_command", Kind: "shell", Command: "rm -rf /"}}
	if v := p.Set.Judge(judge.Read(ev, p.machine)); v.Action != "deny" {
		t.Errorf("%+v", v)
	}
}

func TestTheAdministratorsPolicyIsNotSwitchedOff(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, whose the file has to be")
	}
	l := newLab(t, "policy.mode = 'off'\n")
	managed := filepath.Join(l.home, "etc", "config.toml")
	if err := os.MkdirAll(filepath.Dir(managed), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(managed), "policy.toml"), []byte(fishPolicy("deny")), 0o644); err != nil {
		t.Fatal(err)
	}
	env := l.env(strings.NewReader(geminiShell("fish")))
	env.Managed = managed
	got := string(Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config}).Stdout)
	r := l.only(t)
	if !strings.Contains(got, "Fish is off the menu") || r.Decision.Layer != "organisation" || !strings.Contains(strings.Join(r.Notes, ""), "policy.mode") {
		t.Errorf("%s %+v %v", got, r.Decision, r.Notes)
	}
	entries, _ := l.pending().List()
	if len(entries) != 1 || !entries[0].Locked || strings.Contains(got, "boathook pending") {
		t.Errorf("%+v", entries)
	}
	if _, err := l.pending().Allow(entries[0].Code, time.Minute); !errors.Is(err, pending.ErrLocked) {
		t.Errorf("lifted: %v", err)
	}
}
