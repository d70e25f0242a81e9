package judge

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/policy"
)

func argvs(c policy.Call) []string {
	var out []string
	for _, cmd := range c.Commands {
		out = append(out, strings.Join(cmd.Argv, " "))
	}
	return out
}

func TestWhereToolsRun(t *testing.T) {
	m := Machine("/home/dev", "", "/home/dev/shop")
	for _, tt := range []struct {
		input, want string
	}{
		{`{"command":"ls"}`, "/home/dev/shop"},
		{`{"command":"ls","directory":"web"}`, "/home/dev/shop/web"},
		{`{"command":"ls","workdir":"/srv"}`, "/srv"},
		{`{"CommandLine":"ls","Cwd":"~/x"}`, "/home/dev/x"},
		{`{"command":"ls","dir_path":"../other"}`, "/home/dev/other"},
	} {
		ev := shellEvent("ls")
		ev.Tool.Input = json.RawMessage(tt.input)
		if c := Read(ev, m); len(c.Commands) != 1 || filepath.ToSlash(c.Commands[0].Dir) != tt.want {
			t.Errorf("%s: %+v", tt.input, c.Commands)
		}
	}
}

func TestTextsOfACall(t *testing.T) {
	ev := func(kind, host, command, input string) canon.Event {
		return canon.Event{Agent: "gemini", Tool: &canon.Tool{Name: "x", HostName: host, Kind: kind, Command: command, Input: json.RawMessage(input)}}
	}
	for _, tt := range []struct {
		name string
		ev   canon.Event
		more []string
		want []string
	}{
		{"a shell's lines are one text", ev("shell", "run_shell_command", "ls\npwd", ""), nil, []string{"ls\npwd"}},
		{"an unknown tool's are read one by one, too", ev("mcp", "srv_x", "echo \"\nrm x\"", ""), nil, []string{"echo \"\nrm x\"", "echo \"", "rm x\""}},
		{"what a broken payload seems to hold", ev("shell", "Bash", "ls", ""), []string{"ls", "rm x"}, []string{"ls", "rm x"}},
		{"what is typed into a shell", ev("shell", "WriteShellStdin", "", `{"id":1,"input":"rm x"}`), nil, []string{"rm x"}},
		{"nothing", ev("read", "read_file", "", `{"path":"x"}`), nil, nil},
	} {
		var got []string
		for _, text := range texts(tt.ev, tt.more) {
			got = append(got, text.text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	many := make([]string, 1000)
	for i := range many {
		many[i] = "echo " + strings.Repeat("x", i)
	}
	if n := len(texts(ev("shell", "Bash", "ls", ""), many)); n > maxTexts+2 {
		t.Errorf("%d texts", n)
	}
}

func TestAnAnswerThatIsTypedIsNoCommand(t *testing.T) {
	ev := canon.Event{Agent: "copilot", Tool: &canon.Tool{Name: "bash", HostName: "write_bash", Kind: "shell", Command: "it's fine"}}
	if _, unsure := ReadAll(ev, Machine("/home/dev", "/w", ""), nil); len(unsure) != 0 {
		t.Errorf("unsure of %v", unsure)
	}
	ev.Tool.HostName = "bash"
	if _, unsure := ReadAll(ev, Machine("/home/dev", "/w", ""), nil); len(unsure) == 0 {
		t.Error("a shell's text that is none passes for sure")
	}
}

func TestDialects(t *testing.T) {
	for _, tt := range []struct {
		goos, agent, tool string
		want              []string
	}{
		{"linux", "gemini", "run_shell_command", []string{""}}, {"darwin", "claude", "PowerShell", []string{"powershell"}},
		{"windows", "gemini", "run_shell_command", []string{"powershell"}}, {"windows", "claude", "Bash", []string{""}},
		{"windows", "cline", "execute_command", []string{"powershell", "cmd"}},
	} {
		if diff := cmp.Diff(tt.want, dialectsOn(tt.goos, tt.agent, tt.tool)); diff != "" {
			t.Errorf("%+v: %s", tt, diff)
		}
	}
}

func TestSplice(t *testing.T) {
	for _, tt := range []struct {
		name, input, want string
	}{
		{"all else stays", "{ \"command\" : \"a b\",\n \"x\":[1, 2.50], \"description\":\"\\u003c\"}", "{ \"command\" : \"c <d>\",\n \"x\":[1, 2.50], \"description\":\"\\u003c\"}"},
		{"another way to write it", `{"command":"a\u0020b"}`, `{"command":"c <d>"}`},
		{"the name decides", `{"note":"a b","command":"a b"}`, `{"note":"a b","command":"c <d>"}`},
		{"it stands there twice", `{"note":"a b","other":"a b"}`, ""},
		{"it does not stand there", `{"command":["a","b"]}`, ""},
		{"no object", `["a b"]`, ""}, {"no JSON", `{"command":"a b"`, ""},
	} {
		got, ok := Splice(json.RawMessage(tt.input), []string{"command"}, "a b", "c <d>")
		if ok != (tt.want != "") || ok && string(got) != tt.want {
			t.Errorf("%s: %s, %t", tt.name, got, ok)
		}
	}
}

func FuzzSplice(f *testing.F) {
	f.Add(`{"command":"a","x":{"command":"a"}}`, "a")
	f.Fuzz(func(t *testing.T, input, old string) {
		if got, ok := Splice(json.RawMessage(input), nil, old, "new"); ok && !json.Valid(got) {
			t.Errorf("%s", got)
		}
	})
}

func TestApply(t *testing.T) {
	for _, tt := range []struct {
		edits []policy.Edit
		want  string
	}{
		{[]policy.Edit{{From: 4, To: 7, Text: "x"}, {From: 0, To: 3, Text: "y"}}, "y x"},
		{[]policy.Edit{{From: 0, To: 4, Text: "x"}, {From: 3, To: 7, Text: "y"}}, ""},
		{[]policy.Edit{{From: 0, To: 8, Text: "x"}}, ""}, {nil, ""},
	} {
		if got, ok := Apply("abc def", tt.edits); ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%+v: %q %t", tt.edits, got, ok)
		}
	}
}

func TestTrust(t *testing.T) {
	dir := t.TempDir()
	path, text := filepath.Join(dir, "my shop", ".boathook", "policy.toml"), []byte("version = 1\n")
	data := filepath.Join(dir, "data")
	if Trusted(data, path, text) {
		t.Error("nobody trusts it yet")
	}
	for _, s := range []string{"old", string(text)} {
		if err := Trust(data, path, []byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := Trust(data, "/other", text); err != nil {
		t.Fatal(err)
	}
	if !Trusted(data, path, text) || Trusted(data, path, []byte("old")) || Trusted(data, path+"x", text) {
		t.Error("another content, or another place")
	}
	if was, err := Untrust(data, path); err != nil || !was || Trusted(data, path, text) || !Trusted(data, "/other", text) {
		t.Errorf("%t %v", was, err)
	}
	if was, err := Untrust(data, path); err != nil || was {
		t.Errorf("%t %v", was, err)
	}
	if err := Trust(data, "/a\nb", text); err == nil {
		t.Error("a line break")
	}
}

func TestCombineSaysWhatIsBroken(t *testing.T) {
	l := Combine(Text{Path: "/p", Layer: policy.UserLayer, There: true, Err: errors.New("no")}, Text{Path: "/q", Layer: policy.UserLayer, There: true, Text: []byte("[")})
	if !l.Broken || len(l.Problems) < 2 || l.Set == nil {
		t.Fatalf("%+v", l)
	}
	if same := Combine(Text{Path: "/r", Layer: policy.UserLayer}); same.Digest != l.Digest || same.Broken {
		t.Errorf("%+v", same)
	}
	if v := l.Set.Judge(Read(shellEvent("rm -rf /"), Machine("/home/dev", "", ""))); v.Action != policy.Deny {
		t.Errorf("the built-in policy does not stand in: %+v", v)
	}
}

func TestMode(t *testing.T) {
	org := []Text{{Layer: policy.Organisation, There: true}}
	for _, tt := range []struct {
		p    config.Policy
		t    []Text
		want string
	}{
		{config.Policy{Mode: "off"}, nil, "off"}, {config.Policy{Mode: "off"}, org, "enforce"}, {config.Policy{Mode: "shadow", Fixed: true}, org, "shadow"},
		{config.Policy{Mode: "off"}, []Text{{Layer: policy.UserLayer, There: true}}, "off"},
	} {
		if got, _ := Mode(tt.p, tt.t); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

func TestDisk(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "there"), filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	d := NewDisk(time.Minute, func(at string) bool { return strings.Contains(at, "stuck") })
	if real, ok := d.Resolve(filepath.Join(dir, "link", "x")); !ok || real != filepath.Join(dir, "there", "x") {
		t.Errorf("a link that leads nowhere yet: %s %t", real, ok)
	}
	if exists, known := d.Exists(filepath.Join(dir, "there")); exists || !known {
		t.Error("it is not there")
	}
	if exists, known := d.Exists(dir); !exists || !known {
		t.Error("it is there")
	}
	if _, known := d.Exists(filepath.Join(dir, "stuck")); known {
		t.Error("what may hang is looked at")
	}
	if _, known := d.Exists("relative"); known {
		t.Error("a relative path is looked at")
	}
	for range maxAsks {
		d.Exists(dir)
	}
	if _, known := d.Exists(dir); known {
		t.Error("there is no end")
	}
	if _, known := NewDisk(0, nil).Exists(dir); known {
		t.Error("no patience, and an answer")
	}
}

// What a model types is read as a shell reads it: the return key is a line's end, and whatever the tool is called.
func TestTyped(t *testing.T) {
	for _, tt := range []struct{ kind, name, input, want string }{
		{"shell", "write_bash", `{"input":"ls{enter}rm -rf /srv{enter}"}`, "rm"},
		{"shell", "write_bash", `{"input":"rm -rf /srv\r"}`, "rm"},
		{"other", "write_stdin", `{"chars":"ls\rrm -rf /srv\r"}`, "rm"},
		{"other", "write_to_terminal", `{"input":"lx\bs; rm -rf /srv\n"}`, "rm"},
		{"mcp", "send_keys", `{"keys":"\u001b[200~rm -rf /srv\u001b[201~\r"}`, "rm"},
		{"other", "write_stdin", `{"chars":"y\r"}`, ""},
		{"other", "write_note", `{"text":"rm -rf /srv"}`, ""},
		{"write", "write_file", `{"text":"rm -rf /srv"}`, ""},
	} {
		ev := canon.Event{Agent: "codex", Tool: &canon.Tool{Name: tt.name, HostName: tt.name, Kind: tt.kind, Input: json.RawMessage(tt.input)}}
		c := Read(ev, Machine("/h", "/w", "/w"))
		got := ""
		for _, e := range c.Effects {
			if e.Kind == policy.Delete && e.Target == "/srv" {
				got = "rm"
			}
		}
		if got != tt.want {
			t.Errorf("%s %s: %+v", tt.name, tt.input, c.Effects)
		}
	}
	ev := shellEvent("ls\rr\x00m -rf /srv")
	if c := Read(ev, Machine("/h", "/w", "/w")); len(c.Effects) == 0 || c.Effects[0].Target != "/srv" {
		t.Errorf("%+v", c.Effects)
	}
}

// PowerShell on Linux and macOS runs the system's own rm.
func TestPowerShellsRm(t *testing.T) {
	for _, command := range []string{"rm -rf /srv", "rm -fr /srv", "rm -Rf /srv", "rm -rfv /srv", "Remove-Item -Recurse /srv"} {
		ev := shellEvent(command)
		ev.Tool.HostName = "PowerShell"
		c := Read(ev, Machine("/h", "/w", "/w"))
		if len(c.Effects) == 0 || c.Effects[0].Target != "/srv" || !slices.Contains(c.Effects[0].Flags, "recursive") {
			t.Errorf("%s: %+v", command, c.Effects)
		}
	}
}

func TestWithInput(t *testing.T) {
	ev := WithInput(shellEvent("ls"), json.RawMessage(`{"command":"rm x"}`), []string{"command"})
	if ev.Tool.Command != "rm x" || ev.Tool.Kind != "shell" || ev.CWD == "" {
		t.Errorf("%+v", ev.Tool)
	}
	if got := argvs(Read(ev, Machine("/home/dev", "", ""))); len(got) != 1 || got[0] != "rm x" {
		t.Errorf("%v", got)
	}
}

// Whatever a text is, judging it ends, and what it could not be told of is no allow without a word.
func TestWhatIsMadeToBeSlowEnds(t *testing.T) {
	m, set := Machine("/home/dev", "", "/home/dev/shop"), allPacks()
	for name, command := range hostile() {
		done := make(chan policy.Call)
		go func() {
			c, _ := ReadAll(shellEvent(command), m, nil)
			set.Judge(c)
			done <- c
		}()
		select {
		case c := <-done:
			if len(c.Commands) > 1<<16 || len(c.Effects) > 1<<17 {
				t.Errorf("%s: %d commands, %d effects", name, len(c.Commands), len(c.Effects))
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: a minute is over", name)
		}
	}
}
