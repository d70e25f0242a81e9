package redact

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// pieces are what trips a redactor: halves of secrets, separators, marks.
func pieces() []string {
	list := []string{
		" ", "\n", `\n`, `\\n`, `"`, `\"`, `'`, "`", `\`, ":", "=", ": ", " = ", ":=", "=>", "://", "@", "/", ",", ";", "&", "?", "%3D", "%",
		"-", "--", "-p", "-u ", "$", "${X}", "{", "}", "[", "]", "(", ")", "<", ">", "x", "0", "010", "900101", "1234567", "4111",
		"4111111111111111", "-1234-5678", "password", "PASSWORD", "token", "API_TOKEN", "Authorization", "Bearer ", "Basic ", "Cookie",
		"curl ", "mysql ", "sshpass ", "postgres", "https", "AKIA", "ghp_", "sk-", "eyJ", "-----BEGIN PRIVATE KEY-----",
		"-----END PRIVATE KEY-----", "hunter2hunter2", mixed24, mixed36, "[REDACTED:jwt]", "[REDACTED:", "[REDACTED:env_secret]",
		"…[TRUNCATED:12]", `\u0041`, `\\u0022`, "비밀번호", "é", "\xff", "Q~", ":AA", "str", "user", "sig", "AccountKey", "--password",
		"--user", "secret", "value", "name", "cookie=a", "\x1b[0m", "SG.", "hooks.slack.com/services/", "a=b; c=d",
	}
	for _, c := range canaries() {
		if len(c.secret) < 200 {
			list = append(list, c.before+c.secret+c.after, c.before, c.secret)
		}
	}
	return list
}

func textGen() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b []byte
		for range rapid.IntRange(0, 9).Draw(t, "n") {
			b = append(b, rapid.OneOf(rapid.SampledFrom(pieces()), rapid.StringN(0, 4, 16)).Draw(t, "piece")...)
		}
		return string(b)
	})
}

// valueGen builds any JSON value out of texts.
func valueGen(texts *rapid.Generator[string], depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kind := rapid.IntRange(0, 5).Draw(t, "kind")
		if depth == 0 {
			kind %= 4
		}
		switch kind {
		case 0, 1:
			return texts.Draw(t, "text")
		case 2:
			return rapid.OneOf(rapid.Just[any](nil), rapid.Just[any](true), rapid.Map(rapid.Int64(), func(n int64) any { return n }),
				rapid.Map(rapid.Float64Range(-1e18, 1e18), func(f float64) any { return f })).Draw(t, "scalar")
		case 3:
			inner, _ := json.Marshal(map[string]string{texts.Draw(t, "key"): texts.Draw(t, "text")})
			return string(inner)
		case 4:
			return rapid.SliceOfN(valueGen(texts, depth-1), 0, 4).Draw(t, "list")
		}
		keys := rapid.OneOf(texts, rapid.SampledFrom([]string{"name", "value", "password", "Authorization", "cookies", "cwd", "prompt", "tool_input", "toolCall", "token"}))
		return rapid.MapOfN(keys, valueGen(texts, depth-1), 0, 4).Draw(t, "object")
	})
}

// TestJSONProperty: valid JSON out, and masking twice is masking once.
func TestJSONProperty(t *testing.T) {
	var r *Redactor
	rapid.Check(t, func(t *rapid.T) {
		src, err := json.Marshal(valueGen(textGen(), 3).Draw(t, "value"))
		if err != nil {
			t.Skip(err)
		}
		once := r.JSON(src, Counts{})
		if !json.Valid(once) {
			t.Fatalf("not JSON: %s", once)
		}
		if twice := r.JSON(once, nil); !bytes.Equal(once, twice) {
			t.Fatalf("of %s\nonce  %s\ntwice %s", src, once, twice)
		}
	})
}

func TestTextProperty(t *testing.T) {
	var r *Redactor
	rapid.Check(t, func(t *rapid.T) {
		s, shell := textGen().Draw(t, "text"), rapid.Bool().Draw(t, "shell")
		once := r.Text(s, shell, Counts{})
		if twice := r.Text(once, shell, nil); once != twice {
			t.Fatalf("of %q\nonce  %q\ntwice %q", s, once, twice)
		}
	})
}

// TestUntouched: JSON of ordinary words comes back byte for byte, however it is spaced.
func TestUntouched(t *testing.T) {
	words := rapid.SampledFrom([]string{"alpha", "beta gamma", "file.go:12", "a/b/c.txt", "", "é 한글 😀", "line\nline", `quote " and \ slash`, "v1.2.3", "<b>"})
	var r *Redactor
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.MapOf(rapid.StringMatching(`[a-z]{1,2}`), valueGenPlain(words, 3)).Draw(t, "value")
		src, err := json.MarshalIndent(v, rapid.SampledFrom([]string{"", " "}).Draw(t, "prefix"), rapid.SampledFrom([]string{"", "\t"}).Draw(t, "indent"))
		if err != nil {
			t.Skip(err)
		}
		if out := r.JSON(src, nil); !bytes.Equal(out, src) {
			t.Fatalf("changed\n%s\nto\n%s", src, out)
		}
	})
}

func valueGenPlain(words *rapid.Generator[string], depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
		case kind == 0 && depth > 0:
			return rapid.SliceOfN(valueGenPlain(words, depth-1), 0, 4).Draw(t, "list")
		case kind == 1 && depth > 0:
			return rapid.MapOfN(rapid.StringMatching(`[a-z]{1,2}`), valueGenPlain(words, depth-1), 0, 4).Draw(t, "object")
		case kind == 2:
			return rapid.IntRange(-1000, 1000000).Draw(t, "number")
		}
		return words.Draw(t, "word")
	})
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"tool_input":{"command":"curl -u a:hunter2hunter2 x"},"n":[1,-2.5e3,null]}`))
	f.Add([]byte(`{"a":"\ud83d\ude00 \u0041KIA","headers":[{"name":"Cookie","value":"a=b"}]}`))
	f.Add([]byte(`{"a":"{\"password\":\"x\"}"`))
	f.Add([]byte("\xef\xbb\xbf[\"\x00\xff\"]"))
	for _, p := range pieces() {
		src, _ := json.Marshal(map[string]any{"prompt": p, p: []string{p}})
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		r, _ := New(Options{})
		once := r.JSON(bytes.Clone(src), Counts{})
		if !json.Valid(once) {
			t.Fatalf("of %q: not JSON: %q", src, once)
		}
		if twice := r.JSON(once, nil); !bytes.Equal(once, twice) {
			t.Fatalf("of %q\nonce  %q\ntwice %q", src, once, twice)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, p := range pieces() {
		f.Add(p, true)
		f.Add("x "+p+p, false)
	}
	f.Fuzz(func(t *testing.T, s string, shell bool) {
		var r *Redactor
		once := r.Text(s, shell, Counts{})
		if twice := r.Text(once, shell, nil); once != twice {
			t.Fatalf("of %q\nonce  %q\ntwice %q", s, once, twice)
		}
		Truncate(s, len(s)/2)
	})
}
