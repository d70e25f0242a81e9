package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

const phrase = "correct horse " + "battery"

// phraseCanaries are passwords of several words, in every form that quotes them.
func phraseCanaries() []canary {
	list := []canary{
		{typ: "field_secret", before: `error: {"password":"`, secret: phrase, after: `"}`},
		{typ: "field_secret", before: `  "password": "`, secret: phrase, after: `",`},
		{typ: "field_secret", before: `12:  "db_password" : "`, secret: phrase, after: `",`},
		{typ: "field_secret", before: `{'user': 'bob', 'password': '`, secret: phrase, after: `'}`},
		{typ: "field_secret", before: `  \"password\": \"`, secret: phrase, after: `\",`},
		{typ: "field_secret", before: `  \\\"password\\\": \\\"`, secret: phrase, after: `\\\",`},
		{typ: "field_secret", before: `{"clientSecret":"`, secret: "Correct Horse " + "Battery", after: `","user":"bob"} x`},
		{typ: "field_secret", before: `x {"password":"`, secret: `the \"old\" barn ` + `door`, after: `"}`},
	}
	shell := []canary{
		{typ: "field_secret", before: `password: "`, secret: phrase, after: `"`},
		{typ: "field_secret", before: `password: '`, secret: phrase, after: `'`},
		{typ: "field_secret", before: `password: \"`, secret: phrase, after: `\"`},
		{typ: "env_secret", before: `password = "`, secret: phrase, after: `"`},
		{typ: "env_secret", before: `password = '`, secret: phrase, after: `'`},
		{typ: "env_secret", before: `db.password="`, secret: "c0rrect h0rse; " + "b@ttery, (x)", after: `"`},
		{typ: "env_secret", before: `password = """`, secret: phrase, after: `"""`},
		{typ: "env_secret", before: `'password' => '`, secret: phrase, after: `',`},
		{typ: "env_secret", before: `password="`, secret: phrase, header: true},
		{typ: "env_secret", before: `docker run -e "DB_PASSWORD=`, secret: phrase, after: `" image`},
		{typ: "cli_password", before: `curl -u me:"`, secret: phrase, after: `" https://h`},
		{typ: "cli_password", before: `curl --user=me:'`, secret: phrase, after: `' https://h`},
		{typ: "cli_password", before: `curl -u 'me:`, secret: phrase, after: `' https://h`},
		{typ: "cli_password", before: `smbclient //h/s -U me%"`, secret: phrase, after: `" x`},
		{typ: "cli_password", before: `tool --password "`, secret: phrase, after: `" x`},
		{typ: "cli_password", before: `tool --password "`, secret: phrase, header: true},
		{typ: "field_secret", before: `<password>`, secret: phrase, after: `</password>`},
	}
	for _, c := range shell {
		c.shell = true
		list = append(list, c)
	}
	return list
}

// TestPhraseNesting puts them into JSON in JSON in JSON, whole and cut at both ends.
func TestPhraseNesting(t *testing.T) {
	var r *Redactor
	for _, c := range phraseCanaries() {
		inner := "a line\n" + c.before + c.secret + c.after + "\nand more=1"
		for depth := range 5 {
			cut := ""
			if depth > 0 {
				cut = inner[1 : len(inner)-1]
			}
			for _, text := range []string{inner, cut} {
				if text == "" || text == cut && c.header && c.typ == "cli_password" {
					continue
				}
				src, err := json.Marshal(map[string]any{"tool_response": map[string]any{"content": []string{text}}})
				if err != nil {
					t.Fatal(err)
				}
				out := r.JSON(src, Counts{})
				requireGone(t, out, canary{typ: c.typ, secret: strings.ReplaceAll(c.secret, `\`, "\n")})
				if !strings.Contains(string(out), "and more") && !(c.header && depth > maxNested) {
					t.Errorf("%d deep: too much of %s is gone: %s", depth, src, out)
				}
				if again := r.JSON(out, nil); string(again) != string(out) {
					t.Errorf("masking twice gives\n%s\nonce gave\n%s", again, out)
				}
			}
			wrapped, err := json.Marshal(map[string]any{"text": inner})
			if err != nil {
				t.Fatal(err)
			}
			inner = string(wrapped)
		}
	}
}

// TestTextThatIsJSON: a reason or a note that is JSON is masked as a payload is.
func TestTextThatIsJSON(t *testing.T) {
	var r *Redactor
	for in, want := range map[string]string{
		`{"password":"x y"}`:                           `{"password":"[REDACTED:field_secret]"}`,
		` {"a":[{"password": "the key of a name"}]} `:  ` {"a":[{"password": "[REDACTED:field_secret]"}]} `,
		`{"a":"{\"password\":\"x y\"}","n":31415926}`:  `{"a":"{\"password\":\"[REDACTED:field_secret]\"}","n":31415926}`,
		`{"a": 1, "b": [true, "x y"], "token": "a b"}`: `{"a": 1, "b": [true, "x y"], "token": "a b"}`,
		"[\"a\tb\", {\"c\": \"\xff\"}]":                "[\"a\tb\", {\"c\": \"\xff\"}]",
		`{"password":"x y"`:                            `{"password":"x y"`,
		`[the "password": "x y"]`:                      `[the "password": "x y"]`,
		`{"password":"Mot de passe, de 8","user":"b"}`: `{"password":"[REDACTED:field_secret]","user":"b"}`,
	} {
		for _, shell := range []bool{true, false} {
			if out := r.Text(in, shell, Counts{}); out != want {
				t.Errorf("%s: got %s, want %s", in, out, want)
			}
		}
	}
}

// TestNoPhrase are quoted texts behind the names of secrets that are for people, or are program text.
func TestNoPhrase(t *testing.T) {
	var r *Redactor
	for _, in := range []string{
		`x {"password": "Enter your password"}`, `x {"password":"must be 8 characters or more"}`, `"password": "Your password",`, `  "password": "Mot de passe",`, `  "password": "Contraseña incorrecta",`,
		`password: "the old barn"`, `password: "can't be blank"`, `{"password": "Wrong one."} x`, `'password' => 'is required',`, `password = "my test password"`, `secret: "client secret"`, `{"password":"${A} ${B}"} x`,
		`password: "{{ a }} {{ b }}"`, `password = "%s and %s"`, `"password: " + a1 + " of " + b1`, `"password=" , x1, "y z"`, `"password": " or so"`, `x("password:" in y1 and z == "a1 b")`, `<password>of the user</password>`,
		`curl -u me:"$PASSWORD" h`, `curl -u me:"${A} b" h`, `font: -apple-system,x,'Segoe UI' https://h`, `"password":"\u4ee4 \u724c"`, `"password": "비밀번호는 8자 이상이어야 합니다"`, `docker run -e "PASSWORD_FILE=/a b" x`, `sh -c "PASSWORD=$X psql -h db"`,
		`password: "` + strings.Repeat("word ", 40) + `"`,
	} {
		if out := r.Text(in, true, nil); out != in {
			t.Errorf("%s: got %s", in, out)
		}
	}
}

// TestPhraseEnds: an unclosed quote takes no more than its line, also where the line breaks are escaped.
func TestPhraseEnds(t *testing.T) {
	var r *Redactor
	for in, want := range map[string]string{
		"password=\"correct horse\nuser=bob":          "password=\"[REDACTED:env_secret]\nuser=bob",
		`x {\"t\":\"password='correct horse\nu=b`:     `x {\"t\":\"password='[REDACTED:env_secret]\nu=b`,
		`password=\"correct horse\\nuser=\"bob\"`:     `password=\"[REDACTED:env_secret]\\nuser=\"bob\"`,
		`sh -c "PGPASSWORD=abc1 psql -h db -c 'x y'"`: `sh -c "PGPASSWORD=[REDACTED:env_secret] psql -h db -c 'x y'"`,
	} {
		if out := r.Text(in, true, Counts{}); out != want {
			t.Errorf("%s: got %s, want %s", in, out, want)
		}
	}
}
