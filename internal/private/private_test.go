package private

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"a <private>b</private> c":                        "a [private] c",
		"a <PRIVATE>b <private>c</private> d</Private> e": "a [private] e",
		"a <private>b":  "a [private]",
		"b</private> a": "[private] a",
		"<private>a</private><private>b</private>c":             "[private][private]c",
		"a &lt;private&gt;b&lt;/private&gt; c":                  "a [private] c",
		`a \u003cprivate\u003eb\u003c/private\u003e c`:          "a [private] c",
		`a \\u003cprivate\\u003eb\\u003c\\/private\\u003e c`:    "a [private] c",
		`a <private reason="mine">b</private > c`:               "a [private] c",
		"a < private >b< / private > c":                         "a [private] c",
		"a <private>b</private> c</private> d":                  "[private] d",
		"a &amp;lt;private&amp;gt;b&amp;lt;/private&amp;gt; c":  "a [private] c",
		"a &#60;private&#62;b&#x3C;/private&#x3E; c":            "a [private] c",
		"q=%3Cprivate%3Eb%3C%2Fprivate%3E&c":                    "q=[private]&c",
		"a <private\n why='x'\n>b</private> c":                  "a [private] c",
		`a <private\n why=\"x\">b<\/private> c`:                 "a [private] c",
		"a <private":                                            "a [private]",
		"a <private/>b":                                         "a [private]",
		"a <private-key>b</private-key>":                        "a <private-key>b</private-key>",
		"/private/tmp/x <b> private: x":                         "/private/tmp/x <b> private: x",
		"a private matter, <privateer> and private()":           "a private matter, <privateer> and private()",
		"private <b>c</b>":                                      "private <b>c</b>",
		"":                                                      "",
		"가 <private>나</private> 다":                              "가 [private] 다",
		"<private>" + strings.Repeat("x", 1<<20) + "</private>": "[private]",
	} {
		if got := Text(text); got != want {
			t.Errorf("%.60q: %.60q, want %q", text, got, want)
		}
	}
}

// TestJSON: an agent may have cut a passage into several texts.
func TestJSON(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":"x <private>y</private>","n":1.50,"b":[true,null]}`: `{"a":"x [private]","n":1.50,"b":[true,null]}`,
		`[{"text":"x <private>y"},{"text":"z</private> w"}]`:      `[{"text":"x [private]"},{"text":"[private] w"}]`,
		`{"a":"<private>y","b":"z"}`:                              `{"a":"[private]","b":"[private]"}`,
		`{"a":"b \u003cprivate>y\u003c/private> \u00e9"}`:         `{"a":"b [private] é"}`,
		`{"a":"{\"b\":\"<private>y</private>\"}"}`:                `{"a":"{\"b\":\"[private]\"}"}`,
		`{"a":"no more"}`: `{"a":"no more"}`,
	} {
		if diff := cmp.Diff(want, string(JSON(json.RawMessage(raw)))); diff != "" {
			t.Errorf("%s: %s", raw, diff)
		}
	}
}

// TestPayload: what a payload says it is of stays, and no passage goes from one member of it to another.
func TestPayload(t *testing.T) {
	for raw, want := range map[string]string{
		`{"prompt":"a <private>b","session_id":"s","cwd":"/w"}`:                                                                                 `{"prompt":"a [private]","session_id":"s","cwd":"/w"}`,
		`{"session_id":"s","prompt":[{"type":"text","text":"a <private>b"},{"type":"text","text":"c"},{"type":"text","text":"d</private> e"}]}`: `{"session_id":"s","prompt":[{"type":"text","text":"a [private]"},{"type":"text","text":"[private]"},{"type":"text","text":"[private] e"}]}`,
		`{"toolCall":{"args":{"c":"x <private>y","d":"two words"},"name":"run_command"}}`:                                                       `{"toolCall":{"args":{"c":"x [private]","d":"[private]"},"name":"run_command"}}`,
		`{"a":"b</private>","x":"y"}`:                                      `{"a":"[private]","x":"y"}`,
		`{"a":{"<private>k</private>":"v","n":1}}`:                         `{"a":{"[private]":"v","n":1}}`,
		`{"p":"a \u0026lt;private\u0026gt;b\u0026lt;/private\u0026gt; c"}`: `{"p":"a [private] c"}`,
		`["<private>a","b"]`:                                               `["[private]","[private]"]`,
		`{"p":"\u003c\u0070rivate\u003ea\u003c/private\u003e"}`:            `{"p":"[private]"}`,
		`{"p":"{\"q\":\"\\u003cprivate\\u003ea\\u003c/private\\u003e\"}"}`: `{"p":"{\"q\":\"[private]\"}"}`,
		`{"p":"private"}`:                                                  `{"p":"private"}`,
		`{}`:                                                               `{}`,
	} {
		got, n := Payload(json.RawMessage(raw))
		if diff := cmp.Diff(want, string(got)); diff != "" || (n > 0) != (raw != want) {
			t.Errorf("%s: %d, %s", raw, n, diff)
		}
	}
}

// TestWork: no text costs more than some times what program text does, whatever it repeats.
func TestWork(t *testing.T) {
	cost := func(text string) float64 {
		raw := json.RawMessage(`{"a":` + string(quoted(text)) + `}`)
		best := time.Hour
		for range 5 {
			start := time.Now()
			Payload(raw)
			best = min(best, time.Since(start))
		}
		return float64(best)
	}
	const size = 1 << 19
	fill := func(of string) string { return strings.Repeat(of, size/len(of)+1)[:size] }
	usual := cost(fill("<private>v := fmt.Sprintf(\"%d\", n)</private> return v, nil // private\n"))
	for _, of := range []string{"<private>", "</private>", "<private ", "%3cprivate ", "v", "private", `\\\\\\\\private`, "<private>a</private>", "&lt;private&", "<private\\"} {
		if c := cost(fill(of)); c > 20*usual {
			t.Errorf("%q costs %.0f times what is usual", of, c/usual)
		}
	}
}

func FuzzPayload(f *testing.F) {
	f.Add(`{"a":"x <private>secret</private>"}`)
	f.Add(`[{"text":"\u003cprivate\u003e"},{"text":"</private>"}]`)
	f.Add(`{"a":{"b":"<private x='y'"},"c":"%3Cprivate%3E"}`)
	f.Fuzz(func(t *testing.T, raw string) {
		if !json.Valid([]byte(raw)) {
			return
		}
		for name, out := range map[string]json.RawMessage{"JSON": JSON([]byte(raw)), "Payload": func() json.RawMessage { p, _ := Payload([]byte(raw)); return p }()} {
			if !json.Valid(out) {
				t.Errorf("%s: %q is no JSON", name, out)
			}
			if In(out) {
				t.Errorf("%s: a mark is left in %q", name, out)
			}
		}
		if s := Text(raw); Text(s) != s {
			t.Errorf("%q, again %q", s, Text(s))
		}
	})
}

func BenchmarkPayload(b *testing.B) {
	text := strings.Repeat(`{"tool_name":"Bash","tool_input":{"command":"go test ./... -run TestVerify -v"},"stdout":"ok example.com/private/x 0.4s\n"},`, 20)
	raw := json.RawMessage(`[` + strings.TrimSuffix(text, ",") + `]`)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		Payload(raw)
	}
}
