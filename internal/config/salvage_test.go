package config

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

func loadText(t *testing.T, text string) Settings {
	t.Helper()
	return newPlace(t, map[string]string{configFile: text}, nil).load(true)
}

const whole = "[guard]\nendpoint = \"http://g\"\nfail = \"closed\"\n"

func wide16(order binary.AppendByteOrder, mark bool, text string) string {
	if mark {
		text = "\ufeff" + text
	}
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

// TestTheGuardSurvives: whatever is wrong elsewhere in the file, and however its own table is written.
func TestTheGuardSurvives(t *testing.T) {
	pair := "endpoint = \"http://g\"\nfail = \"closed\"\n"
	for name, tc := range map[string]struct {
		text     string
		problems int
	}{
		"a byte order mark":       {"\ufeff" + whole, 0},
		"UTF-16, little":          {wide16(binary.LittleEndian, true, whole), 0},
		"UTF-16, big":             {wide16(binary.BigEndian, true, whole), 0},
		"UTF-16 without a mark":   {wide16(binary.LittleEndian, false, whole), 0},
		"CRLF":                    {strings.ReplaceAll(whole, "\n", "\r\n"), 0},
		"CR":                      {strings.ReplaceAll(whole, "\n", "\r"), 0},
		"no line end":             {strings.TrimSuffix(whole, "\n"), 0},
		"two tables":              {"[guard]\nendpoint = \"http://g\"\n[guard]\nfail = \"closed\"\n", 1},
		"dotted and a table":      {"guard.fail = \"closed\"\n[guard]\nendpoint = \"http://g\"\n", 1},
		"inline and a table":      {"guard = {fail = \"closed\"}\n[guard]\nendpoint = \"http://g\"\n", 1},
		"inline without quotes":   {"guard = { endpoint = http://g, fail = closed }\n", 2},
		"inline, not closed":      {"guard = { endpoint = \"http://g\", fail = \"closed\"\n[redact]\nallow = []\n", 1},
		"a head with one quote":   {"[\"guard\"\n" + pair, 1},
		"a head not closed":       {"[guard\n" + pair, 1},
		"another case":            {"[Guard]\n" + pair, 1},
		"another case of a key":   {"[guard]\nEndpoint = \"http://g\"\nFAIL = \"closed\"\n", 2},
		"a table of tables":       {"[[guard]]\n" + pair, 1},
		"tables of tables":        {"[[guard]]\nendpoint = \"http://g\"\n[[guard]]\nfail = \"closed\"\n", 2},
		"a head, and the rest":    {"[guard] endpoint = \"http://g\"\nfail = \"closed\"\n", 1},
		"a mark in the middle":    {"privacy = \"standard\"\n\ufeff" + whole, 1},
		"an unclosed text":        {"note = \"\"\"what\n" + whole, 1},
		"an unclosed literal":     {"note = '''what\n" + whole, 1},
		"unclosed, closed later":  {"note = \"\"\"what\n" + whole + "[redact]\nallow = [\"\"\"a\"\"\", \"b\"\n", 2},
		"an unclosed list":        {"env_files = [\n" + whole, 1},
		"an unclosed list, known": {"env_files = [\"/a\",\n" + whole, 1},
		"an unclosed table":       {"telemetry.headers = {\n" + whole, 1},
		"65 broken lines":         {strings.Repeat("?\n", 65) + whole, 1},
		"65 broken keys":          {strings.Repeat("a b = c d\n", 65) + whole, 1},
		"broken keys of ours":     {strings.Repeat("privacy = [\n", 200) + whole, maxProblems + 1},
		"Latin-1 in a comment":    {"# caf\xe9\n" + whole, 1},
		"Latin-1 behind a value":  {"[guard]\nendpoint = \"http://g\" # caf\xe9\nfail = \"closed\"\n", 1},
		"NULs":                    {"\x00\x00\x00\x00\n" + whole, 1},
		"YAML's colons":           {"[guard]\nendpoint: \"http://g\"\nfail: closed\n", 2},
		"typographic quotes":      {"[guard]\nendpoint = “http://g”\nfail = ‘closed’\n", 2},
		"a comma behind":          {"[guard]\nendpoint = \"http://g\",\nfail = \"closed\";\n", 2},
		"a no-break space":        {"[guard]\u00a0\nendpoint = \"http://g\"\u00a0\nfail = \"closed\"\n", 1},
		"a head that is none":     {"[!]\nallow = 1\n" + whole, 1},
		"the last value":          {"[guard]\nendpoint = \"http://x\"\nfail = \"open\"\n" + whole, 3},
		"longer than may be":      {whole + strings.Repeat("# "+strings.Repeat("x", 98)+"\n", 11_000), 1},
		"a long line":             {whole + "x = \"" + strings.Repeat("x", maxFile), 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := loadText(t, tc.text)
			if s.Guard.Endpoint != "http://g" || !s.Guard.FailClosed {
				t.Errorf("got %+v", s.Guard)
			}
			if len(s.Problems) != tc.problems {
				t.Errorf("problems %q, want %d", s.Problems, tc.problems)
			}
		})
	}
}

// TestAChoiceThatCannotBeReadIsStrict: fail is written, so that its author wanted more than the default.
func TestAChoiceThatCannotBeReadIsStrict(t *testing.T) {
	for name, text := range map[string]string{
		"no value": "[guard]\nfail =\n", "no equals sign": "[guard]\nfail closed\n", "a word alone": "[guard]\nfail\n",
		"a list": "[guard]\nfail = [\n", "an open text": "[guard]\nfail = \"\"\"\n", "a comment": "[guard]\nfail = # closed\n",
		"the second one": "[guard]\nfail = \"open\"\nfail = \n", "inline": "guard = { fail = }\n",
		"an unreadable table": "[gu@rd]\nfail = \"open\"\n", "in an open text": "x = \"\"\"\n[guard]\nfail = {\n",
	} {
		s := loadText(t, text)
		if !s.Guard.FailClosed || len(s.Problems) == 0 {
			t.Errorf("%s: %+v, problems %q", name, s.Guard, s.Problems)
		}
	}
	s := loadText(t, "[guard]\nendpoint = \"http://g\"\nendpoint = [\n")
	if s.Guard.Endpoint != "http://g" || len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "config.toml:3: guard.endpoint ") {
		t.Errorf("got %+v, problems %q", s.Guard, s.Problems)
	}
}

func TestSalvageReadsLongValues(t *testing.T) {
	text := "?\n[redact]\nallow = [ # first\n  \"a\", # one ]\n  'b',\n]\n[redact.patterns]\n\"x.y\" = '''E-\\d'''\nz = \"\"\"\n=\"\"\"\n" +
		"[telemetry]\nheaders = { \"X-Foo\" = \"1\", b = two }\n" + whole
	s := loadText(t, text)
	got := fmt.Sprint(s.Redact.Allow, s.Redact.Patterns, s.Telemetry.Headers, s.Guard.FailClosed)
	if want := `[a b] map[x.y:E-\d z:=] map[X-Foo:1 b:two] true`; got != want {
		t.Errorf("got %s, want %s; %q", got, want, s.Problems)
	}
}

// TestProblemsNeverQuoteValues: they end up in records, and a value may be a secret in the wrong place.
func TestProblemsNeverQuoteValues(t *testing.T) {
	const secret = "s3cr3t/+=="
	q := "\"" + secret + "\""
	for _, text := range []string{
		secret, secret + "\n" + secret, "[" + secret + "]\n", "[" + secret, q + " = 1\n", "\"" + secret + " = 1\n", "a = " + secret + "\n",
		"data_dir = " + q, "data_dir = 7\n", "privacy = " + q, "[guard]\nfail = " + secret, "[guard]\nendpoint = [" + q + "]",
		"[guard]\ntimeout_ms = " + q, "[guard]\ntimeout_ms = 99887766\n", "[guard]\ndisabled = " + q, "guard = " + q,
		"[telemetry]\nheaders = \"s3cr3t\"", "[telemetry]\nheaders = '{\"a\": " + secret + "'", "[telemetry.headers]\n" + q + " = 1\n",
		"[redact]\nallow = " + q, "[redact]\nallow = [" + secret + "\n", "[redact]\npatterns = {" + secret + "}", "env_files = [" + q + "]\n",
		"token \"" + secret, "[guard]\ntoken \"" + secret, "x = \"\"\"\n" + secret, "[guard." + q + "]\na = 1\n", "[guard]\n" + q + " = 1\n[guard]\n",
	} {
		s := loadText(t, text)
		if len(s.Problems) == 0 {
			t.Errorf("%q: no problem", text)
		}
		for _, p := range s.Problems {
			if strings.Contains(p, "s3cr3t") || strings.Contains(p, "99887766") {
				t.Errorf("%q: %s", text, p)
			}
		}
	}
	p := newPlace(t, map[string]string{ownEnv: secret + "\nexport " + secret + "\n"}, nil)
	if s := p.load(false); len(s.Problems) != 2 || strings.Contains(strings.Join(s.Problems, ""), "s3cr3t") {
		t.Errorf("%q", s.Problems)
	}
}

func TestProblemsNameTheLine(t *testing.T) {
	text := "privacy = \"min\"\n\n[guard]\n# timeout_ms = 1\ntimeout_ms = 0\ndisabled = \"maybe\"\nx = \"\"\"\nfail = \"open\"\"\"\"\n[hook]\ndeadline_ms = 1\n[other]\n"
	s := loadText(t, text)
	want := []string{"7: unknown key guard.x", "11: unknown key other", "1: privacy", "6: guard.disabled", "5: guard.timeout_ms", "10: hook.deadline_ms"}
	if len(s.Problems) != len(want) {
		t.Fatalf("problems %q", s.Problems)
	}
	for i, w := range want {
		if !strings.Contains(s.Problems[i], "config.toml:"+w) {
			t.Errorf("problem %q, want %q in it", s.Problems[i], w)
		}
	}
}

// TestHostileSizes: what repeats without end is neither read again and again nor told again and again.
func TestHostileSizes(t *testing.T) {
	for _, unit := range []string{
		"?\n", "allow = [\n", "x = \"\"\"\n", "x = {\n", "[guard\n", "[[guard]]\n", "[guard] ", "fail = x\n", "a.", "[redact]\npatterns = {\n",
		"{", "\"", "a=1,", "[", "[a]\n", "headers = {a=1,",
	} {
		f := parseFile("f", strings.Repeat(unit, maxFile/8/len(unit)), false)
		if len(f.problems) > maxProblems+1 {
			t.Errorf("%q: %d problems", unit, len(f.problems))
		}
		s := newScanner(strings.Repeat(unit, 1000))
		for s.next() {
		}
		if s.budget < 0 {
			t.Errorf("%q: beyond the budget", unit)
		}
	}
}

func TestEnvFilesOfOtherEditors(t *testing.T) {
	text := "PINTA_GUARD_ENDPOINT=http://g\nexport\tPINTA_RELAY_TOKEN=t\n"
	for name, written := range map[string]string{
		"UTF-16": wide16(binary.LittleEndian, true, text), "CR": strings.ReplaceAll(text, "\n", "\r"), "a mark": "\ufeff" + text,
	} {
		s := newPlace(t, map[string]string{configFile: "", ownEnv: written}, nil).load(true)
		if s.Guard.Endpoint != "http://g" || s.Guard.Token != "t" || len(s.Problems) != 0 {
			t.Errorf("%s: %+v, %q", name, s.Guard, s.Problems)
		}
	}
	s := newPlace(t, map[string]string{configFile: "", ownEnv: text + strings.Repeat("# x\n", maxFile/4)}, nil).load(true)
	if s.Guard.Endpoint != "http://g" || len(s.Problems) != 1 {
		t.Errorf("cut: %+v, %q", s.Guard, s.Problems)
	}
	s = newPlace(t, map[string]string{configFile: "env_files = [\"boathook.env\"]\n"}, nil).load(true)
	if len(s.Problems) != 1 || !strings.Contains(s.Problems[0], filepath.Base(configFile)+":1: env_files") {
		t.Errorf("a relative env file: %q", s.Problems)
	}
}
