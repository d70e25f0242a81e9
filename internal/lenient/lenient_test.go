package lenient

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for _, tc := range []struct {
		name, in, want string // want is the text at tool_input.command
		problems       []string
	}{
		{"plain", `{"tool_input":{"command":"ls"}}`, "ls", nil},
		{"byte order mark", "\ufeff" + `{"tool_input":{"command":"ls"}}`, "ls", []string{"payload: byte order mark"}},
		{"UTF-16 without a mark", "{\x00\"\x00t\x00o\x00o\x00l\x00_\x00i\x00n\x00p\x00u\x00t\x00\"\x00:\x00{\x00\"\x00c\x00o\x00m\x00m\x00a\x00n\x00d\x00\"\x00:\x00\"\x00\x60\x22l\x00s\x00\"\x00}\x00}\x00", "\u2260ls", []string{"payload: UTF-16 or UTF-32"}},
		{"truncated in the command", `{"tool_input":{"command":"rm -rf /`, "rm -rf /", []string{"payload: truncated"}},
		{"truncated in an escape", `{"tool_input":{"command":"rm\u00`, "rm\ufffd", []string{"payload: truncated"}},
		{"truncated after the command", `{"tool_input":{"command":"rm","x":`, "rm", []string{"payload: truncated"}},
		{"text after", `{"tool_input":{"command":"rm"}} and more`, "rm", []string{"payload: text after the JSON object"}},
		{"text before", `INFO {"tool_input":{"command":"rm"}}`, "rm", []string{"payload: text before the JSON object"}},
		{"deep nesting before", `{"x":` + deep + `,"tool_input":{"command":"rm"}}`, "rm", nil},
		{"unclosed deep nesting after", `{"tool_input":{"command":"rm"},"x":` + strings.Repeat("[", 100_000), "rm", []string{"payload: truncated"}},
		{"duplicate keys", `{"tool_input":{"command":"ls","command":"rm"}}`, "rm", nil},
		{"escapes", `{"tool_input":{"comm\u0061nd":"\u0072m \"x\" \ud83d\ude00\/"}}`, "rm \"x\" 😀/", nil},
		{"lone surrogates", `{"tool_input":{"command":"rm \ud800 \udc00x"}}`, "rm \ufffd \ufffdx", nil},
		{"invalid UTF-8", "{\"tool_input\":{\"command\":\"rm \xff\"}}", "rm \ufffd", []string{"payload: invalid UTF-8"}},
		{"a number", `{"tool_input":{"command":1e999999}}`, "1e999999", nil},
		{"a list", `{"tool_input":{"command":["rm","-rf"]}}`, `["rm","-rf"]`, nil},
		{"null", `null`, "", []string{"payload: not a JSON object"}},
		{"empty", " \n", "", []string{"payload: empty"}},
		{"garbage", "\x01\x02", "", []string{"payload: not a JSON object"}},
		{"a missing value before", `{"x":,"tool_input":{"command":"rm"}}`, "rm", nil},
		{"a comment before", `{"a":1,/* x */ "tool_input":{"command":"rm"}}`, "rm", nil},
		{"odd blanks before", "{\"a\":1,\v\u00a0\"tool_input\":{\"command\":\"rm\"}}", "rm", nil},
		{"names in single quotes", `{'tool_input':{'command':"rm"}}`, "rm", nil},
		{"names without quotes", `{tool_input:{/*x*/command:"rm"}}`, "rm", nil},
		{"a value without a name", `{{"x":1},["y"],"z","tool_input":{"command":"rm"}}`, "rm", nil},
		{"an empty object before", `{}{"tool_input":{"command":"rm"}}`, "rm", []string{"payload: text after the JSON object"}},
		{"three objects", `{"a":1} {"tool_input":{"command":"rm"}} {"b":2}`, "rm", []string{"payload: text after the JSON object"}},
		{"an object in the text before", `log {x} {"tool_input":{"command":"rm"}}`, "rm", []string{"payload: text before the JSON object", "payload: text after the JSON object"}},
		{"blanks", " { \"tool_input\" :\t{ \"command\" :\n\"rm\" , } }", "rm", nil},
		{"in an array", `[{"tool_input":{"command":"rm"}}]`, "rm", []string{"payload: text before the JSON object", "payload: text after the JSON object"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := Parse([]byte(tc.in))
			got := p.Value.Members().Get("tool_input").Members().Text("command")
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.problems, p.Problems); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseUTF16(t *testing.T) {
	for _, big := range []bool{true, false} {
		var in []byte
		for _, u := range []uint16{0xfeff, '{', '"', 'a', '"', ':', '1', '}'} {
			if big {
				in = append(in, byte(u>>8), byte(u))
			} else {
				in = append(in, byte(u), byte(u>>8))
			}
		}
		v := Parse(in).Value
		if got := v.Members().Text("a"); got != "1" {
			t.Errorf("big-endian %v: a = %q", big, got)
		}
	}
}

func TestAllFindsEveryDuplicate(t *testing.T) {
	v := Parse([]byte(`{"command":"rm","x":1,"command":"ls"}`)).Value
	var got []string
	for _, at := range v.Members().All("command") {
		got = append(got, at.Text())
	}
	if diff := cmp.Diff([]string{"rm", "ls"}, got); diff != "" {
		t.Error(diff)
	}
}

// Comments are no JSON, and no way to hide a command.
func TestFindBehindComments(t *testing.T) {
	for _, text := range []string{
		`{"command": /* x */ "rm" // y`, "{\"command\" // it's a \" quote\n : \"rm\"}", `{/* " */ "command" /* : */ : "rm"}`,
		"{\"a\": 1, // \"\n\"command\":\"rm\"}",
	} {
		if got := Find([]byte(text), []string{"command"}); len(got) != 1 || got[0] != "rm" {
			t.Errorf("%s: %q", text, got)
		}
	}
	if got := Find([]byte(`{"text":"\"command\":\"rm\"","list":["command","rm"]}`), []string{"command"}); len(got) != 0 {
		t.Errorf("text and a list: %q", got)
	}
}

func TestFind(t *testing.T) {
	text := `{"command":"a","x":[{"Command":"no","command":{"b":1}}],"s":"\"command\":\"no\""},"command":"c" "command" : "d", command:"no"`
	got := Find([]byte(text), []string{"command", "CommandLine"})
	if diff := cmp.Diff([]string{"a", `{"b":1}`, "c", "d"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSound(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":[1,{"b":2}]}`: true, ` {"a":1} `: true, `{"a":1,"a":2}`: true, `{"a":1}{}`: false, `{"a":,}`: false, `{'a':1}`: false,
		`{"a":1}x`: false, `[1]`: false, `null`: false, ``: false, "{\"a\":\"\xff\"}": false, `{"a":1`: false, "\ufeff{}": false,
	} {
		if got := Parse([]byte(text)).Sound(); got != want {
			t.Errorf("%q: sound %v", text, got)
		}
	}
}

func TestElems(t *testing.T) {
	v := Parse([]byte(`{"a":[1, "x" ,{"b":2},[],]}`)).Value
	var got []string
	for _, e := range v.Members().Get("a").Elems() {
		got = append(got, string(e.Raw()))
	}
	if diff := cmp.Diff([]string{"1", `"x"`, `{"b":2}`, "[]"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestClean(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"compacts", "{ \"a\" : [ 1 , \"x y\" ] }", `{"a":[1,"x y"]}`},
		{"closes", `{"a":{"b":[1,"x`, `{"a":{"b":[1,"x"]}}`},
		{"fills a missing value", `{"a":`, `{"a":null}`},
		{"fills a value missing before a brace", `{"a":}`, `{"a":null}`},
		{"quotes what is no JSON", `{"a":NaN,b:01}`, `{"a":"NaN","b":"01"}`},
		{"mends lone surrogates", `{"a":"\ud800x"}`, "{\"a\":\"\ufffdx\"}"},
		{"mends control bytes", "{\"a\":\"x\ny\"}", `{"a":"x\ny"}`},
		{"keeps duplicates", `{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{"keeps big numbers", `{"a":1e999999}`, `{"a":1e999999}`},
		{"drops trailing commas", `{"a":[1,],}`, `{"a":[1]}`},
		{"stops at the end", `{"a":1}}`, `{"a":1}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := Parse([]byte(tc.in)).Value
			if diff := cmp.Diff(tc.want, string(v.Clean())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCleanBoundsDepth(t *testing.T) {
	v := Parse([]byte(`{"x":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `,"y":1}`)).Value
	got := v.Clean()
	if !json.Valid(got) || !bytes.Contains(got, []byte("[NESTED:")) || !bytes.HasSuffix(got, []byte(`,"y":1}`)) {
		t.Errorf("got %.80s … %s", got, got[len(got)-20:])
	}
}

func TestScannerAgreesWhateverThePieces(t *testing.T) {
	text := []byte(`x{"a":"}\"{[\\","b":[{}]} `)
	want := bytes.LastIndexByte(text, '}')
	for size := 1; size <= len(text); size++ {
		var s Scanner
		done := -1
		for i := 0; i < len(text) && done < 0; i += size {
			if s.Feed(text[i:min(i+size, len(text))]) {
				done = i
			}
		}
		if done < 0 || done > want || done+size <= want {
			t.Errorf("pieces of %d: complete at %d, want within the piece that holds %d", size, done, want)
		}
	}
}

func FuzzLenient(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":"c"}]}`, `{"a":`, "\ufeff{}", `{"a":"\ud800"}`, `{a:b,}`, "[[[", `"x`, `{"a":"\`, "{\"\x00\":\xff}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v := Parse(in).Value
		clean := v.Clean()
		if v.Kind() != Missing && !json.Valid(clean) {
			t.Fatalf("Clean(%q) = %q is not valid JSON", in, clean)
		}
		for _, m := range v.Members() {
			m.Value.Text()
			m.Value.Elems()
		}
		if !json.Valid(in) || bytes.TrimSpace(in)[0] != '{' {
			return
		}
		var want, got any
		if json.Unmarshal(in, &want) == nil && json.Unmarshal(clean, &got) == nil && !bytes.Contains(clean, []byte("[NESTED:")) {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("Clean changed %q:\n%s", in, diff)
			}
		}
	})
}

func BenchmarkParseAndClean(b *testing.B) {
	in := []byte(`{"tool_name":"write_file","tool_input":{"content":"` + strings.Repeat(`line of source code\n`, 50_000) + `"}}`)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		v := Parse(in).Value
		v.Members().Get("tool_input").Clean()
	}
}
