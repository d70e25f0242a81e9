package recall

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
	"testing"
	"time"
)

const block = Begin + "\nReference \"data\" <b> & \\ `x`\n\n## Known Failure Patterns\n- [1 day ago] “a”\n" + End

func quoted(t *testing.T, s string, escape bool) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escape)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

func TestStrip(t *testing.T) {
	wrap := "before\n\n<hook_context>" + block + "</hook_context>"
	for name, c := range map[string][2]string{
		"plain":             {"before\n" + block + "\nafter", "before\nafter"},
		"alone":             {block, ""},
		"nothing":           {"before --- after", "before --- after"},
		"twice":             {block + "x" + block + "y", "xy"},
		"no end":            {"before " + Begin + " rest", "before "},
		"an end alone":      {"before " + End, "before " + End},
		"Gemini":            {wrap, "before\n\n"},
		"Gemini, breaks":    {"before\n<hook_context>\n" + block + "\n</hook_context>\nafter", "before\nafter"},
		"Gemini, escaped":   {"before &lt;hook_context&gt;" + html.EscapeString(block) + "&lt;/hook_context&gt; after", "before  after"},
		"Gemini, and other": {"<hook_context>mine\n" + block + "</hook_context>", "<hook_context>mine\n</hook_context>"},
		"JSON":              {quoted(t, "before\n"+block+"\nafter", false), `"before\nafter"`},
		"JSON for HTML":     {quoted(t, wrap, true), `"before\n\n"`},
		"JSON in JSON":      {quoted(t, quoted(t, "b\n"+block+"\na", false), false), `"\"b\\na\""`},
	} {
		if got := Strip(c[0]); got != c[1] {
			t.Errorf("%s: %q, want %q", name, got, c[1])
		}
	}
	if got := Strip(Begin + strings.Repeat("x", maxBlock+5)); got != "xxxxx" {
		t.Errorf("a block without an end took %d of the rest", 5-len(got))
	}
}

func TestStripJSON(t *testing.T) {
	for name, c := range map[string][2]string{
		"a string":             {`{"a":` + quoted(t, "x\n"+block+"\ny", false) + `,"b":1}`, `{"a":"x\ny","b":1}`},
		"no end":               {`{"a":"x ` + Begin + ` rest \" more","b":"` + End + `"}`, `{"a":"x ","b":"` + End + `"}`},
		"over the end":         {`{"a":"` + Begin + `","b":"kept","c":"` + End + `"}`, `{"a":"","b":"kept","c":"` + End + `"}`},
		"a key":                {`{"` + Begin + End + `":1}`, `{"":1}`},
		"two":                  {`["` + Begin + End + `","` + Begin + `1` + End + `x"]`, `["","x"]`},
		"JSON in JSON":         {`{"a":` + quoted(t, `{"p":`+quoted(t, "b "+block+" a", false)+`}`, false) + `}`, `{"a":"{\"p\":\"b  a\"}"}`},
		"wrapped":              {`{"a":` + quoted(t, "p\n\n<hook_context>"+block+"</hook_context>", true) + `}`, `{"a":"p\n\n"}`},
		"wrapped, another's":   {`{"a":"<hook_context>` + Begin + End + `","b":"</hook_context>"}`, `{"a":"<hook_context>","b":"</hook_context>"}`},
		"backslash at the end": {`{"a":"` + Begin + `\\"}`, `{"a":""}`},
	} {
		got := StripJSON([]byte(c[0]))
		if string(got) != c[1] || !json.Valid(got) {
			t.Errorf("%s: %s, want %s", name, got, c[1])
		}
	}
}

// TestWhatAToolDoesStays: nobody hides a command from its record by writing our lines around it.
func TestWhatAToolDoesStays(t *testing.T) {
	input := `{"command":": ` + Begin + `; rm -rf x; : ` + End + `"}`
	text := `{"prompt":"a ` + Begin + ` old ` + End + ` b","tool_input":` + input + `,"again":"` + Begin + `z` + End + `"}`
	want := `{"prompt":"a  b","tool_input":` + input + `,"again":""}`
	if got := StripJSON([]byte(text), nil, []byte(input)); string(got) != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestStripTakesItsTime: a payload full of blocks is one that an agent waits for, so the time may grow with the text, not with its square.
func TestStripTakesItsTime(t *testing.T) {
	const block = Begin + `\nreference data\n` + End
	for name, doc := range map[string]func(n int) (text string, but []string){
		"blocks":           func(n int) (string, []string) { return `{"a":"` + strings.Repeat(block, n) + `"}`, nil },
		"blocks and lines": func(n int) (string, []string) { return `{"a":"` + strings.Repeat(`\n`+block+`\n`, n) + `"}`, nil },
		"wrapped": func(n int) (string, []string) {
			return `{"a":"` + strings.Repeat("<hook_context>"+block+"</hook_context>", n) + `"}`, nil
		},
		"strings": func(n int) (string, []string) { return `{"a":[` + strings.Repeat(`"`+block+`",`, n) + `""]}`, nil },
		"open":    func(n int) (string, []string) { return `{"a":"` + strings.Repeat(Begin, n) + `"}`, nil },
		"before what stays": func(n int) (string, []string) {
			input := `{"command":"` + block + `"}`
			return `{"a":"` + strings.Repeat(block, n) + `","b":` + input + `}`, []string{input}
		},
		"what stays": func(n int) (string, []string) {
			input := `{"command":"` + strings.Repeat(block, n) + `"}`
			return `{"a":"","b":` + input + `}`, []string{input}
		},
	} {
		took := func(n int) time.Duration {
			text, parts := doc(n)
			but := make([][]byte, len(parts))
			for i := range parts {
				but[i] = []byte(parts[i])
			}
			best := time.Hour
			for range 3 {
				begin := time.Now()
				if got := StripJSON([]byte(text), but...); !json.Valid(got) {
					t.Fatalf("%s: not valid any more", name)
				}
				Strip(text)
				best = min(best, time.Since(begin))
			}
			return best
		}
		const few, times = 300, 50 // the square is 2,500 times as much
		if one, all := took(few), took(times*few); all > 20*times*one {
			t.Errorf("%s: %d blocks took %s, %d took %s", name, few, one, times*few, all)
		}
	}
}

func FuzzStrip(f *testing.F) {
	f.Add("a " + block + " b")
	f.Add("<hook_context>" + Begin)
	f.Add(End + Begin + `\`)
	f.Fuzz(func(t *testing.T, s string) {
		if got := Strip(s); len(got) > len(s) {
			t.Errorf("%q became %q", s, got)
		}
		for _, escape := range []bool{false, true} {
			doc := `{"a":` + quoted(t, s, escape) + `,"b":[1,"x"]}`
			got := StripJSON([]byte(doc))
			if !json.Valid(got) || !strings.HasSuffix(string(got), `,"b":[1,"x"]}`) {
				t.Errorf("%s became %s", doc, got)
			}
		}
		StripJSON([]byte(s), []byte(s[:len(s)/2]))
	})
}

func BenchmarkStripNothing(b *testing.B) {
	text := bytes.Repeat([]byte(`{"a":"some text - with -- dashes"},`), 1<<10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		StripJSON(text)
	}
}
