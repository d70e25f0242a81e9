package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestJSON holds what only the structure of a payload tells.
func TestJSON(t *testing.T) {
	pw := "hunter2" + "hunter2"
	gh := "ghp_" + mixed36
	tests := []struct{ name, in, want string }{
		{"authorization", `{"Authorization": "Bearer ` + pw + `"}`, `{"Authorization": "Bearer [REDACTED:bearer]"}`},
		{"authorization without scheme", `{"authorization":"` + pw + `"}`, `{"authorization":"[REDACTED:bearer]"}`},
		{"basic", `{"proxy-authorization":"Basic ` + b64("a:b") + `"}`, `{"proxy-authorization":"Basic [REDACTED:basic_auth]"}`},
		{"go header", `{"Authorization":["Bearer ` + pw + `"]}`, `{"Authorization":["Bearer [REDACTED:bearer]"]}`},
		{"cookie", `{"cookie":"a=` + pw + `"}`, `{"cookie":"[REDACTED:cookie]"}`},
		{"cookies object", `{"cookies":{"sid":"` + pw + `"}}`, `{"cookies":{"sid":"[REDACTED:cookie]"}}`},
		{"cookie jar", `{"cookies":[{"name":"sid","value":"` + pw + `","path":"/"}]}`, `{"cookies":[{"name":"sid","value":"[REDACTED:cookie]","path":"/"}]}`},
		{"header list", `{"headers":[{"name":"Authorization","value":"Bearer ` + pw + `"}]}`, `{"headers":[{"name":"Authorization","value":"Bearer [REDACTED:bearer]"}]}`},
		{"header list, value first", `{"headers":[{"value":"Bearer ` + pw + `","name":"Authorization"},{"value":"x","name":"Host"}]}`, `{"headers":[{"value":"Bearer [REDACTED:bearer]","name":"Authorization"},{"value":"x","name":"Host"}]}`},
		{"env list", `{"env":[{"name":"DB_PASSWORD","value":"` + pw + `"}]}`, `{"env":[{"name":"DB_PASSWORD","value":"[REDACTED:field_secret]"}]}`},
		{"flat headers", `["Host","x","Authorization","Bearer ` + pw + `","Cookie","a=` + pw + `"]`, `["Host","x","Authorization","Bearer [REDACTED:bearer]","Cookie","[REDACTED:cookie]"]`},
		{"names of headers", `{"allow":["Authorization","Content-Type","Cookie","Accept"]}`, `{"allow":["Authorization","Content-Type","Cookie","Accept"]}`},
		{"argv", `{"tool_input":{"args":["--password","` + pw + `","-v"]}}`, `{"tool_input":{"args":["--password","[REDACTED:field_secret]","-v"]}}`},
		{"argv joined", `{"tool_input":{"args":["--password=` + pw + `"]}}`, `{"tool_input":{"args":["--password=[REDACTED:cli_password]"]}}`},
		{"field", `{"a":{"clientSecret":"correct horse"},"passwd" : "x y"}`, `{"a":{"clientSecret":"[REDACTED:field_secret]"},"passwd" : "[REDACTED:field_secret]"}`},
		{"field, nested text", `{"x":"{\"password\":\"` + pw + `\"}"}`, `{"x":"{\"password\":\"[REDACTED:field_secret]\"}"}`},
		{"field with a known token", `{"api_key":"` + gh + `"}`, `{"api_key":"[REDACTED:github_token]"}`},
		{"escaped key", `{"p\u0061ssword":"` + pw + `"}`, `{"p\u0061ssword":"[REDACTED:field_secret]"}`},
		{"escaped value", `{"a":"x \u0067hp_` + mixed36 + `"}`, `{"a":"x [REDACTED:github_token]"}`},
		{"escaped twice", `{"a":"[\"\\u0067hp_` + mixed36 + `\"]"}`, `{"a":"[\"[REDACTED:github_token]\"]"}`},
		{"escaped twice, not JSON", `{"a":"x \\u0067hp_` + mixed36 + `\\n"}`, `{"a":"x [REDACTED:github_token]\\n"}`},
		{"after an encoded line break", `{"a":"x\\n` + gh + `\\ny"}`, `{"a":"x\\n[REDACTED:github_token]\\ny"}`},
		{"duplicate keys", `{"a":"` + gh + `","a":"` + gh + `"}`, `{"a":"[REDACTED:github_token]","a":"[REDACTED:github_token]"}`},
		{"weak token", `{"token":"abc","next_token":"` + mixed24 + `"}`, `{"token":"abc","next_token":"[REDACTED:field_secret]"}`},
		{"token in a path", `{"cwd":"/home/` + gh + `/x"}`, `{"cwd":"/home/[REDACTED:github_token]/x"}`},
		{"identifiers", `{"session_id":"4111111111111111","cwd":"/x/010-1234-5678","toolCall":{"name":"010-1234-5678"},"timestamp":4111111111111111}`, `{"session_id":"4111111111111111","cwd":"/x/010-1234-5678","toolCall":{"name":"010-1234-5678"},"timestamp":4111111111111111}`},
		{"card number", `{"n":4111111111111111,"m":[4111111111111112,1764500000000,-4111111111111111]}`, `{"n":"[REDACTED:card]","m":[4111111111111112,1764500000000,"[REDACTED:card]"]}`},
		{"resident number", `{"n":9001011234568,"ts":1701013123456,"rrn":1701013123456}`, `{"n":"[REDACTED:kr_rrn]","ts":1701013123456,"rrn":"[REDACTED:kr_rrn]"}`},
		{"placeholders", `{"password":"${PW}","secret":"<your-secret>","api_key":"","token":null,"apikey":"xxxx","access_token":"$TOKEN"}`, `{"password":"${PW}","secret":"<your-secret>","api_key":"","token":null,"apikey":"xxxx","access_token":"$TOKEN"}`},
		{"schema", `{"properties":{"password":{"type":"string"}},"required":["username","password","email"]}`, `{"properties":{"password":{"type":"string"}},"required":["username","password","email"]}`},
		{"control characters", "{\"a\":\"x\ty\"}", `{"a":"x\ty"}`},
		{"byte order mark", "\uFEFF" + `{"a":"x"}`, `{"a":"x"}`},
		{"lone surrogate", `{"a":"\ud800 ` + gh + `"}`, `{"a":"` + "\uFFFD" + ` [REDACTED:github_token]"}`},
		{"not shell", `{"other":{"x":"PGPASSWORD=` + pw + ` psql"}}`, `{"other":{"x":"PGPASSWORD=` + pw + ` psql"}}`},
		{"invalid", `{"a":"` + gh + `"`, `"{\"a\":\"[REDACTED:github_token]\""`},
		{"invalid, escaped", `{"a":"\u0067hp_` + mixed36, `"{\"a\":\"[REDACTED:github_token]"`},
		{"empty", ``, `""`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r *Redactor
			out := string(r.JSON([]byte(tt.in), Counts{}))
			if diff := cmp.Diff(tt.want, out); diff != "" {
				t.Errorf("masked (-want +got):\n%s", diff)
			}
			if !json.Valid([]byte(out)) {
				t.Errorf("not JSON: %s", out)
			}
			if again := string(r.JSON([]byte(out), nil)); again != out {
				t.Errorf("twice: %s", again)
			}
		})
	}
}

// TestDepth must not overflow a stack, whatever comes in.
func TestDepth(t *testing.T) {
	for _, in := range []string{
		strings.Repeat("[", 1<<20),
		strings.Repeat(`{"a":`, 1<<18),
		strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
		strings.Repeat(`\`, 1<<18),
		`"` + strings.Repeat(`\"{`, 1<<17) + `"`,
	} {
		var r *Redactor
		if out := r.JSON([]byte(in), nil); !json.Valid(out) {
			t.Errorf("%.20s…: not JSON", in)
		}
	}
}

func TestCounts(t *testing.T) {
	got := Counts{}
	r, _ := New(Options{})
	r.JSON([]byte(`{"a":"ghp_`+mixed36+` ghp_`+mixed36+`","b":"{\"password\":\"hunter2hunter2\"}","c":4111111111111111}`), got)
	if diff := cmp.Diff(Counts{"github_token": 2, "field_secret": 1, "card": 1}, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

func TestOptions(t *testing.T) {
	r, errs := New(Options{
		Allow: []string{"ghp_" + mixed36, `010-0000-\d{4}`, "a(b"},
		Patterns: []Pattern{
			{"Staff No", `EMP-\d{5}`}, {"bad", `(`}, {"", `x`}, {"none", ""}, {"greedy", `[A-Z]{8}`},
		},
	})
	if len(errs) != 3 {
		t.Errorf("errors: %v, want 3", errs)
	}
	in := "ghp_" + mixed36 + " 010-0000-1234 010-1234-1234 EMP-12345 REDACTED"
	want := "ghp_" + mixed36 + " 010-0000-1234 [REDACTED:kr_mobile] [REDACTED:staff_no] [REDACTED:greedy]"
	out := r.Text(in, false, nil)
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if again := r.Text(out, false, nil); again != out {
		t.Errorf("twice: %q", again)
	}
}

// TestForgedMark: a secret can't hide in or beside something that looks like a mark.
func TestForgedMark(t *testing.T) {
	var r *Redactor
	for in, want := range map[string]string{
		"password=[REDACTED:jwt]hunter2hunter2": "password=[REDACTED:jwt][REDACTED:env_secret]",
		"[REDACTED:ghp_" + mixed36 + "]":        "[REDACTED:[REDACTED:github_token]]",
		"password=[REDACTED:jwt]":               "password=[REDACTED:jwt]",
	} {
		if got := r.Text(in, true, nil); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
