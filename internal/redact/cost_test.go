package redact

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestWorstCase: no text makes the hook slow, however it is made. One string is
// at most MaxString long; a payload can hold many.
func TestWorstCase(t *testing.T) {
	var r *Redactor
	for _, unit := range []string{
		"password=", "password=\"", "password: ", "password=$", "\"password\":\"", "password=(", "a:", "a=", "://", "a://b:c", "redis://a:", "@",
		"-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nMIIE\n", "-p ", "--password ", "--password \"", "curl -u a", "mysql -p", "eyJ",
		"eyJaaaaaaaa.", "Bearer ", "Cookie: ", "Authorization: ", "<password>", "password is ", "ENV password ", "1", "1-", "010-", "1 ", "[REDACTED:",
		"[REDACTED:jwt]", "password=[REDACTED:jwt]", `\`, `\u0041`, `\\u0041`, "%3D", "-", "ghp_", "AKIA" + "IOSFODNN7EXAMPLE ", "\x1b[", "비밀번호", "{\"a\":",
		"Authorization: Digest ", "01012345678 ", "cookie: a=", "…[TRUNCATED:1]", "?token=", "eyJ-", "sk-proj-", "xapp-", "SG.a-", "8Q~", "a1b8Q~", "Proc-Type:", "hooks.slack.com/services/", ":AA", "\"", "'", "\n",
	} {
		text := strings.Repeat(unit, MaxString/len(unit))
		src, _ := json.Marshal(map[string]string{"prompt": text})
		start := time.Now()
		r.JSON(src, Counts{})
		r.JSON([]byte(text), Counts{})
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%q: %v for 100 KiB", unit, d)
		} else if testing.Verbose() && d > 20*time.Millisecond {
			t.Logf("%q: %v", unit, d)
		}
	}
}

// TestLongSecrets: what is longer than any window is masked to its end.
func TestLongSecrets(t *testing.T) {
	var r *Redactor
	long := strings.Repeat(mixed36, 600)
	for _, before := range []string{"PASSWORD=", "password: '", "x --password ", "ghp_", "glpat-", "sk-ant-", "Authorization: Bearer ", "Cookie: a=", "?api_key=",
		"eyJ" + "hbGciOiJIUzI1NiJ9.", "-----BEGIN PRIVATE KEY-----\n", `{"password":"`, "AccountKey="} {
		out := r.Text(before+long+"' x", true, nil)
		if strings.Contains(out, mixed36[:8]) || !strings.HasSuffix(out, " x") && !strings.HasPrefix(before, "Cookie") && before[0] != '-' {
			t.Errorf("%s: %d bytes left: %.60s", before, len(out), out)
		}
	}
}

// TestCleanCorpus scans as much program text as an agent reads in a while.
func TestCleanCorpus(t *testing.T) {
	text := corpus(t, 200<<10)
	text = text[:strings.LastIndexByte(text, '\n')]
	counts := Counts{}
	var r *Redactor
	if r.Text(text, true, counts) != text {
		t.Errorf("hits in clean text: %v", counts)
	}
}
