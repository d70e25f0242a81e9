package hookrun

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/audit"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/host/registry"
)

// audited reads the audit log.
func (l *lab) audited(t *testing.T) (entries []audit.Entry, text string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(l.data, audit.File))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var e audit.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		entries = append(entries, e)
	}
	return entries, string(data)
}

func TestAuditLog(t *testing.T) {
	url, _ := serveGuard(t, `{"decision":"DENY","reason":"you used `+canary+`","matchedRule":"r1"}`)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n[audit]\nenabled = true\n")
	env := l.env(strings.NewReader(`{"session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"echo ` + canary + `"},"` + canary + `":1}`))
	got := string(Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config, "--token=" + canary}).Stdout)
	entries, text := l.audited(t)
	if len(entries) != 1 || strings.Contains(text, canary) {
		t.Fatalf("%d lines: %s", len(entries), text)
	}
	e, r := entries[0], l.only(t)
	if e.Event.ID != r.ID || !e.Time.Equal(r.Time) || e.PID != os.Getpid() || e.Version != r.Hook.Version || e.PayloadBytes != r.Hook.PayloadBytes {
		t.Errorf("%s", text)
	}
	if strings.Join(e.Argv[:7], " ") != "hook --agent gemini --event BeforeTool --config "+l.config || !strings.HasPrefix(e.Argv[7], "--token=[REDACTED") {
		t.Errorf("arguments %q", e.Argv)
	}
	if !strings.Contains(string(e.Payload), `"session_id":"s"`) || e.Event.Tool.Name != "bash" || e.Event.Raw != nil {
		t.Errorf("payload %s, event %+v", e.Payload, e.Event)
	}
	if e.Guard.Outcome != "deny" || e.Decision.Rule != "r1" || !strings.Contains(e.Answer, `"decision":"deny"`) || e.AnswerBytes != len(got) {
		t.Errorf("guard %+v, decision %+v, answer %s of %d bytes", e.Guard, e.Decision, e.Answer, e.AnswerBytes)
	}
	for _, name := range []string{"config", "read", "decode", "guard", "redact", "spool", "total"} {
		if _, ok := e.Times[name]; !ok {
			t.Errorf("no time of %s: %v", name, e.Times)
		}
	}
	l.run("gemini", "BeforeTool", `broken {"command":"`+canary+`"`)
	entries, text = l.audited(t)
	if len(entries) != 2 || !strings.HasPrefix(entries[1].PayloadText, "broken ") || entries[1].Payload != nil || strings.Contains(text, canary) {
		t.Errorf("%s", text)
	}
}

func TestAuditLogInMinimalPrivacy(t *testing.T) {
	url, _ := serveGuard(t, `{"decision":"DENY","reason":"because of the plan"}`)
	l := newLab(t, "privacy = 'minimal'\n[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n[audit]\nenabled = true\n")
	env := l.env(strings.NewReader(`{"session_id":"s","cwd":"/w/the plan","tool_name":"run_shell_command","tool_input":{"command":"the plan"}}`))
	Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config, "two words"})
	l.run("gemini", "BeforeTool", `broken, the plan`)
	entries, text := l.audited(t)
	if argv := entries[0].Argv; strings.Contains(text, "the plan") || argv[len(argv)-1] != "(hidden)" {
		t.Errorf("contents are kept: %s", text)
	}
	if len(entries) != 2 || entries[0].Event.SessionID != "s" || entries[0].AnswerBytes == 0 || entries[0].Answer != "" || entries[0].Payload != nil {
		t.Errorf("%s", text)
	}
}

// TestAuditLogIsTheUsersChoice: off by default; PINTA_GEMINI_DEBUG counts as any variable does.
func TestAuditLogIsTheUsersChoice(t *testing.T) {
	for _, tc := range []struct {
		name, settings string
		wired, written bool
	}{
		{"default", "", true, false},
		{"an agent's environment", "", true, false},
		{"a trusted environment", "environment = 'trusted'\n", true, true},
		{"a user's own wiring", "", false, true},
	} {
		l := newLab(t, tc.settings)
		env := l.env(strings.NewReader(`{}`))
		env.Lookup = func(name string) (string, bool) {
			v, ok := map[string]string{"PINTA_GEMINI_DEBUG": "1", "GEMINI_PLUGIN_DATA": l.data}[name]
			return v, ok && tc.name != "default"
		}
		args := []string{"--agent", "gemini", "--event", "SessionStart"}
		if tc.wired {
			args = append(args, "--config", l.config)
		}
		Run(env, args)
		if _, err := os.Stat(filepath.Join(l.data, audit.File)); (err == nil) != tc.written {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// TestALargePayloadIsCutInTheAuditLog: the record has all of it.
func TestALargePayloadIsCutInTheAuditLog(t *testing.T) {
	l := newLab(t, "[audit]\nenabled = true\n")
	l.run("gemini", "AfterTool", `{"session_id":"s","tool_name":"read_file","tool_response":{"llmContent":["text"`+strings.Repeat(`,"text"`, 200<<10)+`]}}`)
	entries, text := l.audited(t)
	if len(entries) != 1 || !entries[0].Cut || len(text) > audit.MaxLine || !strings.Contains(entries[0].PayloadText, `"text","text"`) || entries[0].Event.Tool.Name != "read_file" {
		t.Errorf("%d lines, %d bytes", len(entries), len(text))
	}
	if r := l.only(t); len(r.Raw) < 1<<20 {
		t.Errorf("the record has %d bytes", len(r.Raw))
	}
}

// TestTheWatchdogIsInTheAuditLog: also of a run that hung there is a line.
func TestTheWatchdogIsInTheAuditLog(t *testing.T) {
	l := newLab(t, "[audit]\nenabled = true\n")
	r := &run{env: l.env(stuck{}), args: parseArgs([]string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config})}
	r.host, _ = registry.Lookup("gemini")
	r.event, _ = r.host.Event("BeforeTool")
	r.settings = config.Load(config.Request{Path: l.config, Home: l.home, AccountHome: func() string { return l.home }})
	r.decide(allowed())
	r.keepLate()
	entries, text := l.audited(t)
	if len(entries) != 1 || entries[0].Event.ID != l.only(t).ID || !strings.Contains(entries[0].Notes[0], "watchdog") {
		t.Errorf("%s", text)
	}
}

// TestTheWatchdogKeepsNoContent: what an argument holds is masked in its record too, and hidden in minimal privacy.
func TestTheWatchdogKeepsNoContent(t *testing.T) {
	for _, settings := range []string{"", "privacy = 'minimal'\n"} {
		l := newLab(t, settings+"[audit]\nenabled = true\n")
		event := "the plan " + canary
		r := &run{env: l.env(stuck{}), args: parseArgs([]string{"--agent", "gemini", "--event", event, "--config", l.config})}
		r.host, _ = registry.Lookup("gemini")
		r.event, _ = r.host.Event(event)
		r.settings = config.Load(config.Request{Path: l.config, Home: l.home, AccountHome: func() string { return l.home }})
		r.decide(allowed())
		r.keepLate()
		_, text := l.audited(t)
		name := l.only(t).HostEvent
		if strings.Contains(name+text, canary) || strings.Contains(name+text, "the plan") != (settings == "") {
			t.Errorf("%q: event %q, log %s", settings, name, text)
		}
	}
}
