package redact

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// hostileUnits are what a text repeats to make a scanner go over the same bytes
// again and again.
func hostileUnits() []string {
	return []string{
		"password=", "password=\"", "password: ", "password=$", "\"password\":\"", "password=(", "pwd=", "pwd: ", "a:", "a=", "d=", "d:", "://", "a://b:c",
		"redis://a:", "redis://a", "https://a:b", "@", "a/b@", "a/b@//", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nMIIE\n",
		"-----BEGIN ", "-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY----------END ", "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----",
		"Private-Lines: 1", "-----BEGIN PRIVATE KEY-----Proc-Type: ", "-p ", "--password ", "--password \"", "--password '--password \"", "curl -u a", "mysql -p",
		"curl ", "-u a ", "eyJ", "eyJaaaaaaaa.", "eyJ.", "eyJ-", "eyJaaaaaaaa.a.", "Bearer ", "Basic ", "Cookie: ", "Authorization: ", "<password>", "password>",
		"password is ", "ENV password ", "token a1 ", "TOKEN a1b2 ", "login password a1b2c3d ", "key ", "1", "1-", "010-", "1 ", "1.", "900101 ", "4111 ", "4111-",
		"[REDACTED:", "[REDACTED:jwt]", "password=[REDACTED:jwt]", `\`, `\u0041`, `\\u0041`, `\"`, `\x0`, "%3D", "%", "-", "--", "_", "ghp_", "aghp_",
		"AKIA" + "IOSFODNN7EXAMPLE ", "AKIA", "aAKIA", "\x1b[", "[0m", "비밀번호", "비밀번호는 a ", "\u00a0", "\u2013", "０１０", "{\"a\":", "=", "=3D", ":", "'", "\"", "\n", "`",
		"Authorization: Digest ", "01012345678 ", "cookie: a=", "…[TRUNCATED:1]", "?token=", "sk-", "sk-proj-", "aB1sk-", "xapp-", "pypi-", "PMAK-", "ya29.", "SG.",
		"SG.a-", "1//0", "8Q~", "a1b8Q~", "Proc-Type:", "hooks.slack.com/services/", ":AA", "12345678:AA", "value=\"", "key=\"password\" value=\"", "X-A-Token: ",
		";pwd=", "aA", "a1", "{", "[", "{\"a\":\"", "[\"a\",", "<", ">", "/", "$", "&", "…", "user/pw@",
	}
}

// ofCost is the best of a few times, in nanoseconds.
func ofCost(f func()) float64 {
	best := time.Duration(1 << 62)
	for range 3 {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return float64(max(best, 50*time.Microsecond))
}

// TestWorstCase: no text makes the hook slow, however it is made. Twice as much
// takes about twice as long, and a byte takes no more than some times what a byte
// of program text takes.
func TestWorstCase(t *testing.T) {
	var r *Redactor
	const size = 24 << 10
	text := corpus(t, size)
	normal := ofCost(func() { r.Text(text, true, nil) })
	for _, unit := range hostileUnits() {
		for _, tail := range []string{"", `\u0041`} {
			once := strings.Repeat(unit, size/len(unit)) + tail
			twice := strings.Repeat(unit, 2*size/len(unit)) + tail
			a, b := ofCost(func() { r.Text(once, true, nil) }), ofCost(func() { r.Text(twice, true, nil) })
			if testing.Verbose() && a > 5*normal {
				t.Logf("%q: %.1f times the cost of program text, twice of it %.1f", unit, a/normal, b/a)
			}
			for n := 0; n < 3 && b > 3*a; n++ { // something else ran
				a, b = max(a, ofCost(func() { r.Text(once, true, nil) })), min(b, ofCost(func() { r.Text(twice, true, nil) }))
			}
			if b > 3*a {
				t.Errorf("%q: twice the text costs %.1f times as much", unit, b/a)
			}
			if a > 20*normal {
				t.Errorf("%q: %.0f times the cost of program text", unit, a/normal)
			}
		}
	}
}

// TestWorstJSON is the same for what only a payload can be made of.
func TestWorstJSON(t *testing.T) {
	var r *Redactor
	const size = 24 << 10
	text, _ := json.Marshal(map[string]string{"tool_response": corpus(t, size)})
	normal := ofCost(func() { r.JSON(text, nil) })
	for _, unit := range []string{
		`"a",`, `"password",`, `"password","a1b2",`, `"DB_PASSWORD","x1b2c3",`, `{"a":"b"},`, `{"name":"password","value":"x1y2z3"},`, `{"value":1},`, `1,`, `"-p",`, `"mysql","-px",`,
		`"-----BEGIN PRIVATE KEY-----",`, `"-----BEGIN PRIVATE KEY-----\nMIIE",`, `"{\"a\":\"b\"}",`, `"[\"{\\\"a\\\":\\\"b\\\"}\"]",`, `"{\"a\":}",`, `4.1e15,`, `"",`, `[],`, `{"password":1},`,
		`"sk-",`, `"\\u0041",`, `"\u0041",`, `[[1],`,
	} {
		build := func(n int) []byte {
			body := strings.Repeat(unit, n/len(unit))
			return []byte(`{"tool_response":[` + strings.ReplaceAll(body, "[[1],", "[[1]],") + `0]}`)
		}
		once, twice := build(size), build(2*size)
		a, b := ofCost(func() { r.JSON(once, nil) }), ofCost(func() { r.JSON(twice, nil) })
		if testing.Verbose() && a > 5*normal {
			t.Logf("%s: %.1f times the cost of program text, twice of it %.1f", unit, a/normal, b/a)
		}
		for n := 0; n < 3 && b > 3*a; n++ {
			a, b = max(a, ofCost(func() { r.JSON(once, nil) })), min(b, ofCost(func() { r.JSON(twice, nil) }))
		}
		if b > 3*a {
			t.Errorf("%s: twice as many cost %.1f times as much", unit, b/a)
		}
		if a > 40*normal {
			t.Errorf("%s: %.0f times the cost of program text", unit, a/normal)
		}
	}
}

// TestBudget: a call that costs too much keeps what it masked, and nothing that it
// hasn't looked at.
func TestBudget(t *testing.T) {
	var r *Redactor
	in := `{"tool_input":["ghp_` + mixed36 + `","` + strings.Repeat("password=", 2000) + `","ghp_` + mixed36 + `","plain"],"pw` + mixed24 + `":4111111111111111,"password":"` + mixed24 + `"}`
	counts := Counts{}
	out := string(r.json([]byte(in), counts, 4000))
	if !strings.HasPrefix(out, `{"tool_input":["[REDACTED:github_token]",`) || !strings.Contains(out, `"[UNSCANNED:40]","[UNSCANNED:5]"],"[UNSCANNED:26]":"[REDACTED:card]","[UNSCANNED:8]":"[UNSCANNED:24]"}`) {
		t.Errorf("%.300s … %s", out, out[max(0, len(out)-300):])
	}
	if strings.Contains(out, mixed24[:8]) || strings.Contains(out, mixed36[:8]) || !json.Valid([]byte(out)) || counts["github_token"] != 1 {
		t.Errorf("left: %s, %v", out, counts)
	}
	if again := string(r.JSON([]byte(`{"password":"[UNSCANNED:40]"}`), nil)); again != `{"password":"[UNSCANNED:40]"}` {
		t.Errorf("the note is masked: %s", again)
	}
	w := &work{budget: maxSteps}
	text := corpus(t, 1<<20)
	r.find(text, field{shell: true}, w)
	if perByte := float64(w.steps) / float64(len(text)); perByte > 6 || maxSteps/perByte < 16<<20 {
		t.Errorf("%.1f steps for a byte of program text: the budget is for %.0f MiB", perByte, maxSteps/perByte/(1<<20))
	} else {
		t.Logf("%.1f steps for a byte of program text", perByte)
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
