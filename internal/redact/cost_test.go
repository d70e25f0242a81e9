package redact

import (
	"encoding/json"
	"strconv"
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
		";pwd=", "aA", "a1", "{", "[", "{\"a\":\"", "[\"a\",", "curl -u a:\"", "-u a:'-u a:\"", "-e \"PASSWORD=", "password=\"a b\\n", "\"password\":\"a b ", "password='a 1b ", "password=\"\"\"a ", "<", ">", "/", "$", "&", "…", "user/pw@",
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

// compare holds that twice as much takes about twice as long, and that once takes
// no more than some times what as much program text takes. Other things run too:
// it looks again before it complains.
func compare(t *testing.T, name string, normal, once, twice func(), times float64) {
	t.Helper()
	var ratio, above float64
	for range 20 {
		n, a, b := ofCost(normal), ofCost(once), ofCost(twice)
		if ratio, above = b/a, a/n; (ratio <= 3 || b <= 3*n) && above <= times { // too little time to compare is fine
			return
		}
	}
	t.Errorf("%s: %.0f times the cost of program text; twice the text costs %.1f times as much", name, above, ratio)
}

// TestWorstCase: no text makes the hook slow, however it is made; by the steps
// that the scan counts, and by time.
func TestWorstCase(t *testing.T) {
	var r *Redactor
	const size = 24 << 10
	steps := func(text string) float64 {
		w := &work{}
		r.find(text, field{shell: true}, w)
		return float64(w.steps)
	}
	text := corpus(t, size)
	normal := steps(text)
	for _, unit := range hostileUnits() {
		once, twice := strings.Repeat(unit, size/len(unit)), strings.Repeat(unit, 2*size/len(unit))
		if a, b := steps(once), steps(twice); b > 2.2*a || a > 30*normal {
			t.Errorf("%q: %.0f times the steps of program text; twice the text takes %.1f times as many", unit, a/normal, b/a)
		}
		for _, tail := range []string{"", `\u0041`} {
			compare(t, strconv.Quote(unit), func() { r.Text(text, true, nil) }, func() { r.Text(once+tail, true, nil) }, func() { r.Text(twice+tail, true, nil) }, 25)
		}
	}
}

// TestWorstJSON is the same for what only a payload can be made of.
func TestWorstJSON(t *testing.T) {
	var r *Redactor
	const size = 48 << 10
	text, _ := json.Marshal(map[string]string{"tool_response": corpus(t, size)})
	for _, unit := range []string{
		`"a",`, `"password",`, `"password","a1b2",`, `"DB_PASSWORD","x1b2c3",`, `{"a":"b"},`, `{"name":"password","value":"x1y2z3"},`, `{"value":1},`, `1,`, `"-p",`, `"mysql","-px",`,
		`"-----BEGIN PRIVATE KEY-----",`, `"-----BEGIN PRIVATE KEY-----\nMIIE",`, `"{\"a\":\"b\"}",`, `"[\"{\\\"a\\\":\\\"b\\\"}\"]",`, `"{\"a\":}",`, `4.1e15,`, `"",`, `[],`, `{"password":1},`,
		`"sk-",`, `"\\u0041",`, `"\u0041",`, `[[1]],`,
	} {
		build := func(n int) []byte {
			return []byte(`{"tool_response":[` + strings.Repeat(unit, n/len(unit)) + `0]}`)
		}
		once, twice := build(size), build(2*size)
		compare(t, unit, func() { r.JSON(text, nil) }, func() { r.JSON(once, nil) }, func() { r.JSON(twice, nil) }, 40)
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
