package hookrun

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/internal/machinekey"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/policy"
)

// A person has seen one command line; what comes along with it is not lifted.
func TestWhatComesAlongIsNotLifted(t *testing.T) {
	const once = "rm -rf /srv"
	for name, payload := range map[string]string{
		"behind it":            geminiShell(once) + ` {"command":"rm -rf /etc"}`,
		"cut off":              strings.TrimSuffix(geminiShell(once), "}"),
		"a second input":       strings.TrimSuffix(geminiShell(once), "}") + `,"tool_input":{"command":"rm -rf /etc"}}`,
		"a first input":        strings.Replace(geminiShell(once), `"tool_input"`, `"tool_input":{"command":"rm -rf /etc"},"tool_input"`, 1),
		"a second value":       strings.Replace(geminiShell(once), `"description"`, `"command":"rm -rf /etc","description"`, 1),
		"an argument more":     strings.Replace(geminiShell(once), `"description"`, `"dir_path":"/","description"`, 1),
		"another spelling":     geminiShell("rm  -rf /srv"),
		"an input of no names": strings.Replace(geminiShell(once), `{"command":"rm -rf /srv","description":"d"}`, `"rm -rf /srv"`, 1),
	} {
		l := newLab(t, "")
		l.run("gemini", "BeforeTool", geminiShell(once))
		entries, err := l.pending().List()
		if err != nil || len(entries) != 1 {
			t.Fatalf("%+v %v", entries, err)
		}
		if _, err := l.pending().Allow(entries[0].Code, time.Minute); err != nil {
			t.Fatal(err)
		}
		if got := l.run("gemini", "BeforeTool", payload); !strings.Contains(got, "deny") {
			t.Errorf("%s: %s", name, got)
		}
		if got := l.run("gemini", "BeforeTool", geminiShell(once)); got != "{}\n" {
			t.Errorf("%s has used it up: %s", name, got)
		}
	}
}

// Whichever rule decides: where one speaks against a call that nobody lifts, nobody does.
func TestWhatAlsoTouchesTheGuardIsNotLifted(t *testing.T) {
	for _, command := range []string{"rm -rf /usr/lib; boathook off", "boathook off; rm -rf /usr/lib", "mkfs.ext4 /dev/sda1 && rm -f ~/.config/boathook/policy.toml"} {
		l := newLab(t, "")
		got := l.run("gemini", "BeforeTool", geminiShell(command))
		entries, err := l.pending().List()
		if err != nil || len(entries) != 1 || !entries[0].Locked || strings.Contains(got, "boathook pending") {
			t.Errorf("%s: %+v %v %s", command, entries, err, got)
		}
	}
}

// A lifted call runs as it is: not where an administrator's rule gives it another form.
func TestAnAdministratorsRewriteIsNotLifted(t *testing.T) {
	l := newLab(t, "")
	r := &run{env: l.env(nil), args: arguments{agent: "gemini", event: "BeforeTool", config: l.config}}
	r.named()
	const rules = "version = 1\n[[rules]]\nid = \"rm-to-mv\"\naction = \"rewrite\"\nreason = \"x\"\n[rules.when]\ncommand = \"fish\"\n[rules.rewrite]\nprogram = \"shred\"\n"
	organisation := judge.Combine(judge.Text{Path: "o.toml", Layer: policy.Organisation, There: true, Text: []byte(rules)})
	if organisation.Broken {
		t.Fatalf("%+v", organisation.Problems)
	}
	c := r.decode([]byte(geminiShell("fish /etc/passwd")))
	c.policies = &policies{Layers: organisation, machine: r.machine(&c)}
	read, v, ok := r.ask1(c.policies, c.Event, nil)
	if !ok || v.Action != policy.Rewrite {
		t.Fatalf("%+v", v)
	}
	c.policy = evidence(read.call, v, organisation, nil)
	if d := r.rewritten(&c, read.call, v); !d.Locked {
		t.Errorf("%+v", d)
	}
}

// A payload that is made to be slow to read is not let through when the time is over.
func TestASlowPayloadIsNotLetThrough(t *testing.T) {
	l := newLab(t, "hook.deadline_ms = 100\n")
	payload := `{"tool_name":"run_shell_command","tool_input":` + strings.Repeat(`{"command":`, 200_000) + `"rm -rf /"` + strings.Repeat("}", 200_000) + "}"
	if got := l.run("gemini", "BeforeTool", payload); !strings.Contains(got, `"decision":"deny"`) {
		t.Errorf("answer %s", got)
	}
}

// A project's policy is named by its path, which in minimal privacy nothing else says.
func TestMinimalHidesTheProjectInProblems(t *testing.T) {
	rec := record.Record{
		Event:  canon.Event{Project: "/home/u/secret", CWD: "/home/u/secret/sub"},
		Notes:  []string{"policy: /home/u/secret/.boathook/policy.toml:3: rules.id x"},
		Policy: &record.Policy{Problems: []string{"/home/u/secret/.boathook/policy.toml:3: rules.id x"}},
	}
	minimize(&rec, machinekey.Key("k"))
	text, err := json.Marshal(rec)
	if err != nil || strings.Contains(string(text), "secret") || !strings.Contains(string(text), "{project}/.boathook/policy.toml:3") {
		t.Errorf("%s %v", text, err)
	}
}
