package hookrun

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/record"
)

// lab is a home with a config, and hooks run in this process.
type lab struct {
	home, config, data string
	now                time.Time
	woken              atomic.Int32
}

func newLab(t *testing.T, settings string) *lab {
	t.Helper()
	home := t.TempDir()
	l := &lab{home: home, config: filepath.Join(home, "config.toml"), data: filepath.Join(home, "data"), now: time.Unix(1_900_000_000, 0)}
	if !strings.Contains(settings, "hook.deadline_ms") {
		settings = "hook.deadline_ms = 12000\n" + settings // the highest, for slow machines
	}
	if err := os.WriteFile(l.config, []byte("data_dir = '"+l.data+"'\n"+settings), 0o600); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *lab) env(stdin io.Reader) Env {
	return Env{
		Stdin: stdin, Lookup: func(string) (string, bool) { return "", false }, Home: l.home, Dir: l.home,
		AccountHome: func() string { return l.home },
		Wake:        func(Worker) error { l.woken.Add(1); return nil }, Now: func() time.Time { return l.now }, Start: l.now, Quiet: time.Minute,
	}
}

func (l *lab) run(agent, event, payload string) string {
	return string(Run(l.env(strings.NewReader(payload)), []string{"--agent", agent, "--event", event, "--config", l.config}).Stdout)
}

// records reads the spool, where nothing drains it.
func (l *lab) records(t *testing.T) []record.Record {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(l.data, "spool", "new", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []record.Record
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		r, err := record.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func (l *lab) only(t *testing.T) record.Record {
	t.Helper()
	all := l.records(t)
	if len(all) != 1 {
		t.Fatalf("%d records, want 1", len(all))
	}
	return all[0]
}

// serveGuard serves one answer and keeps what it was asked.
func serveGuard(t *testing.T, body string) (url string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		*asked = append(*asked, string(text))
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

const rm = `{"session_id":"s1","cwd":"/w","tool_name":"run_shell_command","tool_input":{"command":"rm -rf x"}}`

func TestRecordOfADeny(t *testing.T) {
	url, asked := serveGuard(t, `{"decision":"DENY","reason":"no","matchedRule":"R1"}`)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n")
	if got := l.run("gemini", "BeforeTool", rm); got != `{"decision":"deny","reason":"no","systemMessage":"no"}`+"\n" {
		t.Errorf("answer %s", got)
	}
	r := l.only(t)
	want := record.Decision{Action: canon.Deny, Expressed: canon.Deny, Reason: "no", Rule: "R1", Source: "remote_guard"}
	if diff := cmp.Diff(want, r.Decision); diff != "" {
		t.Error(diff)
	}
	if r.Tool.Command != "rm -rf x" || r.SessionID != "s1" || r.Guard.Outcome != "deny" || l.woken.Load() != 1 || len(r.Tool.InputHash) != 64 {
		t.Errorf("record %+v, woken %d", r, l.woken.Load())
	}
	if len(*asked) != 1 || !strings.Contains((*asked)[0], `"spanId":"`+r.SpanID+`"`) {
		t.Errorf("the guard was asked %q, the span is %s", *asked, r.SpanID)
	}
}

// TestWhatTheGuardIsTold is the wire, for each kind of call: an MCP call with its context, and an Antigravity call.
func TestWhatTheGuardIsTold(t *testing.T) {
	url, asked := serveGuard(t, `{"decision":"ALLOW"}`)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n")
	l.run("gemini", "BeforeTool", `{"tool_name":"mcp_srv_echo","tool_input":{ "t": "hey" },"mcp_context":{"server_name":"srv","command":"node"}}`)
	l.run("antigravity", "PreToolUse", `{"toolCall":{"name":"run_command","args":{"CommandLine":"ls","Cwd":"/w"}}}`)
	want := []string{
		`{"input":{"spanId":"SPAN","toolName":"mcp_srv_echo","toolInput":{"t":"hey"},"rawTextFields":{"toolInput":"{ \"t\": \"hey\" }","mcpContext":"{\"server_name\":\"srv\",\"command\":\"node\"}"}}}` + "\n",
		`{"input":{"spanId":"SPAN","toolName":"run_command","toolInput":{"CommandLine":"ls","Cwd":"/w"},"rawTextFields":{"command":"ls","toolInput":"{\"CommandLine\":\"ls\",\"Cwd\":\"/w\"}"}}}` + "\n",
	}
	var spans []string
	for _, r := range l.records(t) {
		spans = append(spans, r.SpanID, "SPAN")
	}
	got := *asked
	for i := range got {
		got[i] = strings.NewReplacer(spans...).Replace(got[i])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReviewAsks(t *testing.T) {
	url, _ := serveGuard(t, `{"decision":"REVIEW","reason":"look"}`)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\nreview = 'ask'\n")
	if got := l.run("antigravity", "PreToolUse", `{"toolCall":{"name":"run_command","args":{"CommandLine":"x"}}}`); got != `{"decision":"ask","reason":"look"}`+"\n" {
		t.Errorf("antigravity: %s", got)
	}
	if got := l.run("gemini", "BeforeTool", rm); !strings.HasPrefix(got, `{"decision":"deny","reason":"look (needs a person's approval`) {
		t.Errorf("gemini: %s", got)
	}
	for _, r := range l.records(t) {
		if want := map[string]canon.Action{"gemini": canon.Deny, "antigravity": canon.Ask}[r.Agent]; r.Decision.Action != canon.Ask || r.Decision.Expressed != want {
			t.Errorf("%s: %+v", r.Agent, r.Decision)
		}
	}
}

func TestGuardIsAskedOnlyWhereADenyIsPossible(t *testing.T) {
	url, asked := serveGuard(t, `{"decision":"DENY"}`)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n")
	for _, event := range []string{"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd", "BeforeModel"} {
		if got := l.run("gemini", event, rm); got != "{}\n" {
			t.Errorf("%s: %s", event, got)
		}
	}
	for _, event := range []string{"PreInvocation", "PostToolUse", "PostInvocation", "Stop"} {
		if got := l.run("antigravity", event, `{"toolCall":{"name":"run_command","args":{"CommandLine":"rm"}}}`); got != "{}\n" {
			t.Errorf("%s: %s", event, got)
		}
	}
	if len(*asked) != 0 {
		t.Errorf("asked %q", *asked)
	}
	disabled := newLab(t, "[guard]\nendpoint = '"+url+"'\ndisabled = true\n")
	if got := disabled.run("gemini", "BeforeTool", rm); got != "{}\n" || len(*asked) != 0 {
		t.Errorf("disabled: %s, asked %d times", got, len(*asked))
	}
}

func TestOnErrorAppliesToWhatCannotBeDecoded(t *testing.T) {
	l := newLab(t, "[guard]\non_error = 'deny'\n")
	for payload, deny := range map[string]bool{"": true, "garbage": true, "null": true, "{}": true, rm: false} {
		got := l.run("gemini", "BeforeTool", payload)
		if strings.Contains(got, "deny") != deny {
			t.Errorf("%q: %s", payload, got)
		}
	}
	if got := l.run("gemini", "AfterTool", "garbage"); got != "{}\n" {
		t.Errorf("no gate: %s", got)
	}
}

// canary is put together here so that no scanner takes it for a real one.
var canary = "ghp_" + strings.Repeat("aB3", 12)

func TestSecretsStayOffTheDisk(t *testing.T) {
	url, asked := serveGuard(t, `{"decision":"DENY","reason":"you used `+canary+`","matchedRule":"`+canary+`"}`)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n")
	payload := `{"session_id":"s","cwd":"/w/` + canary + `","unknown":{"` + canary + `":["` + canary + `"]},"tool_name":"run_shell_command","tool_input":{"command":"curl -H 'Authorization: token ` + canary + `' x"}}`
	if got := l.run("gemini", "BeforeTool", payload); !strings.Contains(got, canary) {
		t.Errorf("the agent was not told the guard's own words: %s", got)
	}
	if !strings.Contains((*asked)[0], canary) {
		t.Error("the guard was not shown what will run")
	}
	err := filepath.WalkDir(l.data, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), canary) || strings.Contains(path, canary) {
			t.Errorf("%s holds the secret: %s", path, text)
		}
		if info, statErr := d.Info(); statErr != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if r := l.only(t); r.Hook.Redactions["github_token"] == 0 || !strings.Contains(r.Tool.Command, "[REDACTED:") {
		t.Errorf("record %+v", r)
	}
}

func TestMinimalPrivacy(t *testing.T) {
	l := newLab(t, "privacy = 'minimal'\n")
	secrets := []string{"my prompt", "/w/secret-project", "rm -rf things", "mine.txt", "the answer", "what failed", "/t/transcript"}
	for range 2 {
		l.run("gemini", "BeforeAgent", `{"session_id":"s","cwd":"/w/secret-project","transcript_path":"/t/transcript","prompt":"my prompt","prompt_response":"the answer"}`)
	}
	l.run("gemini", "AfterTool", `{"session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"rm -rf things","path":"mine.txt"},"tool_response":{"error":{"message":"what failed"}}}`)
	l.run("gemini", "Notification", `{"session_id":"s","notification_type":"ToolPermission","message":"my prompt","details":{"command":"rm -rf things"}}`)
	all := l.records(t)
	prompts := map[string]int{}
	for _, r := range all {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range secrets {
			if strings.Contains(string(text), s) {
				t.Errorf("%q is kept: %s", s, text)
			}
		}
		if r.SessionID != "s" || r.Raw != nil || r.Hook.Privacy != "minimal" {
			t.Errorf("record %s", text)
		}
		if r.Tool != nil && (r.Tool.Name != "bash" || r.Tool.Status != "error" || !strings.HasPrefix(r.Tool.Command, "hmac:")) {
			t.Errorf("tool %+v", r.Tool)
		}
		if r.Event.Event == canon.PromptSubmit {
			prompts[r.Prompt]++
		}
	}
	if len(all) != 4 || len(prompts) != 1 {
		t.Errorf("%d records, prompts %v: equal prompts must have equal hashes", len(all), prompts)
	}
}

// TestMinimalPrivacyOfWhatIsNotUnderstood: an argument may be anything, and a setting that is in the wrong place too.
func TestMinimalPrivacyOfWhatIsNotUnderstood(t *testing.T) {
	l := newLab(t, "privacy = 'minimal'\n")
	Run(l.env(strings.NewReader(`{"session_id":"s"}`)), []string{
		"--agent", "SECRET agent", "--event", "SECRET event", "--config", l.config, "SECRET \"argument", "--plain",
	})
	r := l.only(t)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"agent label (hidden) is no registered host: read as antigravity", "event (hidden) is not known for antigravity",
		"argument (hidden) is not known", `argument "--plain" is not known`,
	}
	if diff := cmp.Diff(want, r.Notes); diff != "" || strings.Contains(string(text), "SECRET") || !strings.HasPrefix(r.Hook.AgentLabel, "hmac:") {
		t.Errorf("%s\n%s", text, diff)
	}
}

func TestUnquoted(t *testing.T) {
	for note, want := range map[string]string{
		"nothing": "nothing", `a "two words" b "word" c`: `a (hidden) b "word" c`, `open "end of it`: `open (hidden)`, `"a\"b c" d`: `(hidden) d`,
		"`raw text` here": "(hidden) here", `it is""`: `it is""`,
	} {
		if got := unquoted(note); got != want {
			t.Errorf("%s: %s, want %s", note, got, want)
		}
	}
}

func TestEqualInputsHaveEqualHashes(t *testing.T) {
	l := newLab(t, "")
	l.run("gemini", "BeforeTool", `{"tool_name":"x","tool_input":{"a": 1}}`)
	l.run("gemini", "AfterTool", `{"tool_name":"x","tool_input":{"a":1}}`)
	l.run("gemini", "AfterTool", `{"tool_name":"x","tool_input":{"a":2}}`)
	hashes := map[string]int{}
	for _, r := range l.records(t) {
		hashes[r.Tool.InputHash]++
	}
	if len(hashes) != 2 || hashes[""] != 0 {
		t.Errorf("hashes %v", hashes)
	}
}

func TestClockGoingBackwards(t *testing.T) {
	l := newLab(t, "")
	for _, at := range []int64{1_900_000_000, 1_000_000_000, -5_000_000_000, 1 << 47} {
		l.now = time.Unix(at, 0)
		if got := l.run("gemini", "SessionStart", `{}`); got != "{}\n" {
			t.Errorf("%d: %s", at, got)
		}
	}
	ids := []string{}
	for _, r := range l.records(t) {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	if got := slices.Compact(ids); len(got) < 3 {
		t.Errorf("ids %v", got)
	}
}

// stuck is a stream that never says anything and never ends.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { select {} }

func TestStuckStreamIsAnsweredAfterTheQuietTime(t *testing.T) {
	l := newLab(t, "")
	env := l.env(stuck{})
	env.Quiet = time.Millisecond
	if got := string(Run(env, []string{"--agent", "antigravity", "--event", "PreToolUse", "--config", l.config}).Stdout); got != `{"decision":"allow"}`+"\n" {
		t.Errorf("answer %s", got)
	}
	if notes := l.only(t).Notes; !slices.Contains(notes, "payload: the stream stayed open and the JSON incomplete") {
		t.Errorf("notes %q", notes)
	}
}

func TestAPanicLeavesTheAnswerAndARecord(t *testing.T) {
	l := newLab(t, "")
	env := l.env(strings.NewReader(rm))
	env.Lookup = func(string) (string, bool) { panic("boo") }
	// Own wiring asks the environment, and that panics.
	if got := string(Run(env, []string{"--agent", "gemini", "--event", "BeforeTool"}).Stdout); got != "{}\n" {
		t.Errorf("answer %s", got)
	}
	r := &run{env: l.env(strings.NewReader(rm)), args: parseArgs([]string{"--config", l.config}), deadline: make(chan time.Duration, 1)}
	r.host, _ = registry.Lookup("gemini")
	r.work()
	if err := os.RemoveAll(l.data); err != nil {
		t.Fatal(err)
	}
	r.keeping.Store(false)
	func() {
		defer r.recovered()
		panic("boo")
	}()
	if notes := l.only(t).Notes; !slices.Contains(notes, "panic: boo") {
		t.Errorf("notes %q", notes)
	}
}

// TestTheWatchdogDoesNotOpenAClosedGuard: while the guard is asked, what the watchdog would answer is already what no
// verdict means.
func TestTheWatchdogDoesNotOpenAClosedGuard(t *testing.T) {
	asked, hang := make(chan struct{}, 1), make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked <- struct{}{}; <-hang }))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(hang) })
	for closed, want := range map[bool]string{false: "{}\n", true: `{"decision":"deny","reason":"boathook: the guard gave no verdict (timeout) and guard.fail is closed","systemMessage":"boathook: the guard gave no verdict (timeout) and guard.fail is closed"}` + "\n"} {
		r := &run{env: newLab(t, "").env(strings.NewReader(""))}
		r.host, _ = registry.Lookup("gemini")
		r.event, _ = r.host.Event("BeforeTool")
		r.settings.Guard = config.Guard{Endpoint: s.URL, Timeout: time.Minute, FailClosed: closed}
		c := r.decode([]byte(rm))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); r.judge(ctx, &c) }()
		<-asked
		if got := string(r.answer().Stdout); got != want {
			t.Errorf("closed %v: %s", closed, got)
		}
		cancel()
		<-ended
	}
}

// slow is a stream that says its text byte by byte.
type slow struct {
	text string
	wait time.Duration
}

func (s *slow) Read(b []byte) (int, error) {
	if s.text == "" {
		select {}
	}
	time.Sleep(s.wait)
	n := copy(b[:1], s.text)
	s.text = s.text[n:]
	return n, nil
}

// TestClosedStaysClosedBeforeTheVerdict: whatever keeps a call from being judged, a closed guard denies it and a record
// says so.
func TestClosedStaysClosedBeforeTheVerdict(t *testing.T) {
	for name, tc := range map[string]struct {
		settings string
		stdin    io.Reader
		note     string
	}{
		"a stream that drips":    {"hook.deadline_ms = 3000\n[guard]\nendpoint = 'http://127.0.0.1:1/'\nfail = 'closed'\n", &slow{rm, 100 * time.Millisecond}, "too slow"},
		"on_error, garbage":      {"[guard]\non_error = 'deny'\n", strings.NewReader("?"), "not a JSON object"},
		"a missing value":        {"[guard]\non_error = 'deny'\n", strings.NewReader(`{"tool_name":"run_shell_command"},"tool_input":{"command":"rm"}}`), "text after"},
		"no guard but closed":    {"[guard]\nfail = 'closed'\n", strings.NewReader(rm), ""},
		"the guard is not there": {"[guard]\nendpoint = 'http://127.0.0.1:1/'\nfail = 'closed'\n", strings.NewReader(rm), ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, tc.settings)
			env := l.env(tc.stdin)
			env.Now, env.Start = time.Now, time.Now()
			if got := string(Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config}).Stdout); !strings.Contains(got, `"deny"`) {
				t.Errorf("answer %s", got)
			}
			r := l.only(t)
			if tc.note != "" && !strings.Contains(strings.Join(r.Notes, "\n"), tc.note) || r.Decision.Action != canon.Deny {
				t.Errorf("notes %q, decision %+v", r.Notes, r.Decision)
			}
		})
	}
}

func TestTheWatchdogLeavesARecord(t *testing.T) {
	l := newLab(t, "hook.deadline_ms = 100\n[guard]\nfail = 'closed'\n")
	r := &run{env: l.env(stuck{}), args: parseArgs([]string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config}), deadline: make(chan time.Duration, 1)}
	r.host, _ = registry.Lookup("gemini")
	r.event, _ = r.host.Event("BeforeTool")
	r.settings = config.Load(config.Request{Path: l.config, Home: l.home, AccountHome: func() string { return l.home }})
	r.expectTheWorst()
	r.keepLate()
	rec := l.only(t)
	if rec.Decision.Action != canon.Deny || rec.HostEvent != "BeforeTool" || !strings.Contains(rec.Notes[0], "watchdog") {
		t.Errorf("record %+v", rec)
	}
	r.keep(r.decode([]byte(rm)))
	l.only(t) // whoever comes second writes nothing
}

// TestLargeRecordsLoseTheirContentNotThemselves: the reader's limit is the writer's too.
func TestLargeRecordsLoseTheirContentNotThemselves(t *testing.T) {
	large := json.RawMessage(`"` + strings.Repeat("x", maxRecord/2) + `"`)
	rec := record.Record{V: record.Version, Event: canon.Event{
		ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", SessionID: "s", Prompt: "p", Raw: large,
		Tool: &canon.Tool{Name: "bash", HostName: "run_shell_command", Kind: "shell", Output: large, InputHash: "h", Command: "c"},
	}}
	got, err := record.Parse((&run{}).encode(rec))
	if err != nil {
		t.Fatal(err)
	}
	want := rec
	want.Raw, want.Prompt = nil, ""
	want.Tool = &canon.Tool{Name: "bash", HostName: "run_shell_command", Kind: "shell", InputHash: "h"}
	want.Notes = []string{"payload: the record would be larger than 32 MiB, the content is not kept"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAWorkerThatCannotStartChangesNothing(t *testing.T) {
	l := newLab(t, "")
	env := l.env(strings.NewReader(rm))
	env.Wake = func(Worker) error { return errors.New("no processes left") }
	if got := string(Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config}).Stdout); got != "{}\n" {
		t.Errorf("answer %s", got)
	}
	l.only(t)
}

func TestMissingConfigWritesNothing(t *testing.T) {
	l := newLab(t, "")
	if err := os.Remove(l.config); err != nil {
		t.Fatal(err)
	}
	if got := l.run("gemini", "BeforeTool", rm); got != "{}\n" {
		t.Errorf("answer %s", got)
	}
	if left, err := os.ReadDir(l.home); err != nil || len(left) != 0 {
		t.Errorf("left %v (%v)", left, err)
	}
}

// TestManagedSettingsSurviveThePurge: a user who deletes their own config does not get rid of the administrator's guard.
func TestManagedSettingsSurviveThePurge(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED LOUDLY: only root can own a managed file")
	}
	url, _ := serveGuard(t, `{"decision":"DENY"}`)
	l := newLab(t, "")
	managed := filepath.Join(l.home, "managed.toml")
	if err := os.WriteFile(managed, []byte("[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(l.config); err != nil {
		t.Fatal(err)
	}
	env := l.env(strings.NewReader(rm))
	env.Managed = managed
	if got := string(Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config}).Stdout); !strings.Contains(got, `"deny"`) {
		t.Errorf("answer %s", got)
	}
}

func TestClosedWithoutAGuardDenies(t *testing.T) {
	l := newLab(t, "[guard]\nendpiont = 'http://g'\nfail = 'closed'\n")
	if got := l.run("gemini", "BeforeTool", rm); !strings.Contains(got, "no_endpoint") {
		t.Errorf("answer %s", got)
	}
	if got := l.run("gemini", "AfterTool", rm); got != "{}\n" {
		t.Errorf("no gate: %s", got)
	}
}

func TestGuardIsDisabledByTheEnvironmentOnlyInAUsersOwnWiring(t *testing.T) {
	url, asked := serveGuard(t, `{"decision":"DENY"}`)
	vars := map[string]string{"PINTA_GUARD_ENDPOINT": url, "PINTA_GUARD_DISABLED": "1", "PINTA_GUARD_TIMEOUT_MS": "15000"}
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n")
	env := func() Env {
		e := l.env(strings.NewReader(rm))
		e.Lookup = func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
		return e
	}
	if got := string(Run(env(), []string{"--agent", "gemini", "--event", "BeforeTool"}).Stdout); got != "{}\n" || len(*asked) != 0 {
		t.Errorf("own wiring: %s, asked %d times", got, len(*asked))
	}
	if got := string(Run(env(), []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config}).Stdout); !strings.Contains(got, `"deny"`) {
		t.Errorf("installed: %s", got)
	}
	delete(vars, "PINTA_GUARD_DISABLED")
	if got := string(Run(env(), []string{"--agent", "gemini", "--event", "BeforeTool"}).Stdout); !strings.Contains(got, `"deny"`) {
		t.Errorf("own wiring, not disabled: %s", got)
	}
}

func TestParseArgs(t *testing.T) {
	got := parseArgs([]string{"--agent=agy", "stray", "--event", "Stop", "--nope=1", "--config"})
	if got.agent != "agy" || got.event != "Stop" || got.config != "" || !slices.Equal(got.unknown, []string{"stray", "--nope=1"}) {
		t.Errorf("got %+v", got)
	}
}
