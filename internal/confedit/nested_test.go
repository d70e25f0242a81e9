package confedit

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

func TestAppend(t *testing.T) {
	const value = `{"matcher":"*","hooks":[{"command":"x"}]}`
	for _, tt := range []struct{ name, src, want string }{
		{"blank", "", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"matcher\": \"*\",\n        \"hooks\": [\n          {\n            \"command\": \"x\"\n          }\n        ]\n      }\n    ]\n  }\n}\n"},
		{"one line", `{"a":1}`, `{"a":1,"hooks":{"Stop":[{"matcher":"*","hooks":[{"command":"x"}]}]}}`},
		{"empty on one line", `{"hooks":{}}`, `{"hooks":{"Stop":[{"matcher":"*","hooks":[{"command":"x"}]}]}}`},
		{"empty list on one line", `{"hooks":{"Stop":[]}}`, `{"hooks":{"Stop":[{"matcher":"*","hooks":[{"command":"x"}]}]}}`},
		{"empty, tabs", "{\n\t\"hooks\": {}\n}", "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"matcher\": \"*\",\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"command\": \"x\"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}"},
		{"behind others", "{\n \"hooks\": {\n  \"Stop\": [\n   {\"hooks\": []}\n  ]\n }\n}", "{\n \"hooks\": {\n  \"Stop\": [\n   {\"hooks\": []},\n   {\n    \"matcher\": \"*\",\n    \"hooks\": [\n     {\n      \"command\": \"x\"\n     }\n    ]\n   }\n  ]\n }\n}"},
		{"CRLF", "{\r\n  \"hooks\": {\r\n    \"Stop\": [ ]\r\n  }\r\n}\r\n", "{\r\n  \"hooks\": {\r\n    \"Stop\": [\r\n      {\r\n        \"matcher\": \"*\",\r\n        \"hooks\": [\r\n          {\r\n            \"command\": \"x\"\r\n          }\r\n        ]\r\n      }\r\n     ]\r\n  }\r\n}\r\n"},
	} {
		got, _, err := Append([]byte(tt.src), []string{"hooks", "Stop"}, []byte(value))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s\n(%v)", tt.name, got, tt.want, err)
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	for src, want := range map[string]string{
		`[]`:                           "1:1: not a JSON object",
		`{"hooks":[]}`:                 `1:10: the value of "hooks" is no object`,
		`{"hooks":{"Stop":{}}}`:        `1:18: the value of "Stop" is no array`,
		`{"hooks":null}`:               `1:10: the value of "hooks" is no object`,
		`{"hooks":{"a":1,"a":2}}`:      `1:17: the key "a" is there twice`,
		"{\"hooks\":{},\n\"hooks\":1}": `2:1: the key "hooks" is there twice`,
	} {
		if _, _, err := Append([]byte(src), []string{"hooks", "Stop"}, []byte("1")); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
	if _, _, err := Append(nil, []string{"a"}, []byte("{")); err == nil {
		t.Error("a value that is not JSON")
	}
}

// nested generates a file with members and elements at two depths, tidy and wild.
func nested(t *rapid.T) string {
	gap := extras()
	elements := rapid.Map(rapid.SliceOfN(values(), 0, 3), func(v []string) string { return strings.Join(v, ",") })
	list := func() string {
		text := elements.Draw(t, "elements")
		if text != "" && rapid.Bool().Draw(t, "comma") {
			text += gap.Draw(t, "before comma") + ","
		}
		return "[" + gap.Draw(t, "in") + text + gap.Draw(t, "out") + "]"
	}
	object := func(names []string, value func(name string) string) string {
		var b strings.Builder
		b.WriteString("{")
		for i, name := range names {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString(gap.Draw(t, "extra") + `"` + name + `"` + gap.Draw(t, "colon") + ":" + gap.Draw(t, "value") + value(name) + gap.Draw(t, "after"))
		}
		if len(names) > 0 && rapid.Bool().Draw(t, "trailing comma") {
			b.WriteString(",")
		}
		return b.String() + gap.Draw(t, "close") + "}"
	}
	some := func(names ...string) []string {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, len(names), rapid.ID[string]).Draw(t, "names")
	}
	return gap.Draw(t, "head") + object(some("a", "hooks", "z"), func(name string) string {
		if name != "hooks" {
			return values().Draw(t, "v")
		}
		return object(some("Stop", "b", "PreToolUse"), func(string) string { return list() })
	}) + gap.Draw(t, "tail")
}

var events = []string{"Stop", "PreToolUse", "New"}

// Whatever is appended, and to whatever, taking it out in the other order gives the same bytes.
func TestTakingOutUndoesAppend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(nested(t))
		checkAppend(t, src, rapid.SliceOfN(rapid.SampledFrom(events), 1, 4).Draw(t, "events"))
	})
}

func checkAppend(t failer, src []byte, to []string) {
	type step struct {
		path []string
		made int
	}
	var steps []step
	out := src
	for _, event := range to {
		path := []string{"hooks", event}
		before, err := Elements(out, path)
		if err != nil {
			t.Fatalf("elements of %q: %v", out, err)
		}
		next, made, err := Append(out, path, []byte(ours))
		if err != nil {
			t.Fatalf("append to %q: %v", out, err)
		}
		after, err := Elements(next, path)
		if err != nil || len(after) != len(before)+1 || !sameJSON(after[len(before)], []byte(ours)) {
			t.Fatalf("append to %q gave %q: %q, %v", out, next, after, err)
		}
		for i := range before {
			if !bytes.Equal(before[i], after[i]) {
				t.Fatalf("append to %q gave %q: element %d is another", out, next, i)
			}
		}
		if again, err := SetElement(next, path, len(before), []byte(ours)); err != nil || !bytes.Equal(again, next) {
			t.Fatalf("set again in %q gave %q (%v)", next, again, err)
		}
		steps, out = append(steps, step{path, made}), next
	}
	for i := len(steps) - 1; i >= 0; i-- {
		var err error
		if s := steps[i]; s.made > 0 {
			out, err = RemoveAt(out, s.path[:len(s.path)-s.made+1])
		} else {
			var have [][]byte
			if have, err = Elements(out, s.path); err == nil {
				out, err = RemoveElement(out, s.path, len(have)-1)
			}
		}
		if err != nil {
			t.Fatalf("take out of %q: %v", out, err)
		}
	}
	if !bytes.Equal(out, src) {
		t.Fatalf("%q became %q", src, out)
	}
}

// Any element can go without touching what the others mean.
func TestRemoveElementKeepsTheOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(nested(t))
		path := []string{"hooks", rapid.SampledFrom(events).Draw(t, "event")}
		have, err := Elements(src, path)
		if err != nil || len(have) == 0 {
			return
		}
		gone := rapid.IntRange(0, len(have)-1).Draw(t, "gone")
		got, err := RemoveElement(src, path, gone)
		if err != nil {
			t.Fatalf("remove %d from %q: %v", gone, src, err)
		}
		want := decode(t, src)
		list := want["hooks"].(map[string]any)[path[1]].([]any)
		want["hooks"].(map[string]any)[path[1]] = append(append([]any{}, list[:gone]...), list[gone+1:]...)
		if !reflect.DeepEqual(want, decode(t, got)) {
			t.Fatalf("remove %d from %q gave %q", gone, src, got)
		}
	})
}

func TestHollow(t *testing.T) {
	const src = `{"a":{ },"b":[
	],"c":{"d":[ /* c */ ]},"e":1}`
	for _, tt := range []struct {
		path string
		want bool
	}{{"a", true}, {"b", true}, {"c", false}, {"c/d", false}, {"e", false}, {"none", false}, {"a/none", false}} {
		if got := Hollow([]byte(src), strings.Split(tt.path, "/")); got != tt.want {
			t.Errorf("%s: %v", tt.path, got)
		}
	}
}

func FuzzAppend(f *testing.F) {
	for _, s := range []string{"", "{}", `{"hooks":{}}`, "{\"hooks\":{\"Stop\":[ ],}, // c\r\n}", "\xef\xbb\xbf{\"hooks\":{\"Stop\":[1,\n// x\n]}}", `{"hooks":{"a":1}}`, "{\n  \"hooks\": {\n  }}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if _, err := hujson.Parse(src); err != nil {
			return
		}
		for _, event := range events {
			if _, _, err := Append(src, []string{"hooks", event}, []byte("1")); err != nil {
				return
			}
		}
		checkAppend(t, src, events)
	})
}

// The line that a list opens in may begin behind a break that went into the list before it.
func TestListsThatShareALine(t *testing.T) {
	const src = "{\"hooks\":{\"a\":\n[ ],\"b\":[ ]}}"
	for _, order := range [][]string{{"a", "b"}, {"b", "a"}} {
		out := []byte(src)
		for _, name := range order {
			var err error
			if out, _, err = Append(out, []string{"hooks", name}, []byte(`{"x":1}`)); err != nil {
				t.Fatal(err)
			}
		}
		back, err := RemoveElements(out, func(value []byte) bool { return bytes.Contains(value, []byte(`"x"`)) })
		if err != nil || string(back) != src {
			t.Errorf("%v: %q became %q (%v)", order, out, back, err)
		}
	}
}
