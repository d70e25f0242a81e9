package confedit

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const ours = `{"Stop":[1,{"a":"b"}]}`

func TestSetMember(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"empty file", "", "{\n  \"k\": 1\n}\n"},
		{"empty object", "{}", "{\n  \"k\": 1\n}"},
		{"two spaces", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"k\": 1\n}\n"},
		{"tabs, no final newline", "{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"k\": 1\n}"},
		{"CRLF", "{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"k\": 1\r\n}\r\n"},
		{"trailing comma", "{\n  \"a\": 1,\n}", "{\n  \"a\": 1,\n  \"k\": 1,\n}"},
		{"one line", `{"a":1,"b":2}`, `{"a":1,"b":2,"k":1}`},
		{"one line with spaces", `{ "a": 1, "b": 2 }`, `{ "a": 1, "b": 2, "k": 1 }`},
		{"line comment", "{\n  \"a\": 1 // one\n}", "{\n  \"a\": 1, // one\n  \"k\": 1\n}"},
		{"comment alone", "{\n  // nothing yet\n}", "{\n  // nothing yet\n  \"k\": 1\n}"},
		{"comments around", "// top\n{\n  /* a */ \"a\": 1\n} // end", "// top\n{\n  /* a */ \"a\": 1,\n  \"k\": 1\n} // end"},
		{"byte order mark", "\xef\xbb\xbf{}", "\xef\xbb\xbf{\n  \"k\": 1\n}"},
		{"there already", "{\n  \"k\": [\n    2\n  ], // mine\n  \"a\": 1\n}", "{\n  \"k\": 1, // mine\n  \"a\": 1\n}"},
		{"there by an escape", `{"\u006b":2}`, `{"\u006b":1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := SetMember([]byte(tt.src), "k", []byte("1"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSetMemberLaysTheValueOut(t *testing.T) {
	got, err := SetMember([]byte("{\r\n\t\"a\": 1\r\n}"), "k", []byte(ours))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll("{\n\t\"a\": 1,\n\t\"k\": {\n\t\t\"Stop\": [\n\t\t\t1,\n\t\t\t{\n\t\t\t\t\"a\": \"b\"\n\t\t\t}\n\t\t]\n\t}\n}", "\n", "\r\n")
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	verbatim := "{ \"x\":\n1 }"
	got, err = SetRaw([]byte("{}"), "k", []byte(verbatim))
	if err != nil || string(got) != "{\n  \"k\": "+verbatim+"\n}" {
		t.Errorf("%q, %v", got, err)
	}
}

// What a user does to the file after SetMember must not make RemoveMember take more than the member.
func TestRemoveMemberAfterEdits(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"member added behind", "{\n  \"a\": 1,\n  \"k\": 1,\n  \"b\": 2\n}", "{\n  \"a\": 1,\n  \"b\": 2\n}"},
		{"moved to the front", "{\n  \"k\": 1,\n  \"a\": 1\n}", "{\n  \"a\": 1\n}"},
		{"comment behind", "{\"a\": 1, \"k\": 1 // ours\n}", "{\"a\": 1 // ours\n}"},
		{"comment before", "{\n  \"a\": 1,\n  // ours\n  \"k\": 1\n}", "{\n  \"a\": 1\n  // ours\n}"},
		{"brace behind a line comment", "{\"a\": 1, // x\n\"k\": 1}", "{\"a\": 1 // x\n}"},
		{"name behind a line comment", "{\"a\": 1, // x\n\"k\": 1, \"b\": 2}", "{\"a\": 1, // x\n \"b\": 2}"},
		{"comment before the comma", "{\"k\": 1 /* x */ , \"b\": 2}", "{ /* x */  \"b\": 2}"},
		{"line comment before the comma", "{\"k\": 1 // x\n, \"b\": 2}", "{ // x\n \"b\": 2}"},
		{"alone with a trailing comma", "{\"k\": 1,}", "{}"},
		{"not there", "{\"a\": 1}", "{\"a\": 1}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := RemoveMember([]byte(tt.src), "k")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestErrorsSayWhere(t *testing.T) {
	tests := []struct {
		name, src    string
		line, column int
	}{
		{"no value", "{\n  \"a\": \n}", 3, 1},
		{"garbage behind", "{}\nx", 2, 1},
		{"array", "\n [1]", 2, 2},
		{"twice", "{\"a\":1,\n \"\\u0061\":2}", 2, 2},
		{"unfinished", "{\"a\"", 1, 5},
		{"deep", "{\"a\":\n" + strings.Repeat("[", 100_000), 2, 1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := SetMember([]byte(tt.src), "k", []byte("1"))
			var at *SyntaxError
			if !errors.As(err, &at) {
				t.Fatalf("%v", err)
			}
			if at.Line != tt.line || at.Column != tt.column {
				t.Errorf("%v, want %d:%d", err, tt.line, tt.column)
			}
			if _, err := RemoveMember([]byte(tt.src), "k"); err == nil {
				t.Error("RemoveMember took it")
			}
		})
	}
}

func TestValueMustBeJSON(t *testing.T) {
	if _, err := SetMember([]byte("{}"), "k", []byte("{,}")); err == nil {
		t.Error("no error")
	}
}

func TestMemberAndNames(t *testing.T) {
	src := []byte("\xef\xbb\xbf{ // c\n\"a\": [1, 2],\n\"b\\n\": null,}")
	got, err := Member(src, "a")
	if err != nil || string(got) != "[1, 2]" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := Member(src, "z"); err != nil || got != nil {
		t.Errorf("%q, %v", got, err)
	}
	names, err := Names(src)
	if diff := cmp.Diff([]string{"a", "b\n"}, names); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestElements(t *testing.T) {
	nested := "{\"a\": [1, [1, 2 /* two */], {\"b\": [1]}]}"
	got, err := RemoveElements([]byte(nested), func(v []byte) bool { return string(v) == "1" })
	if want := "{\"a\": [ [ 2 /* two */], {\"b\": []}]}"; err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
}

// An absent or blank file has no member to take out.
func TestBlankHasNoMembers(t *testing.T) {
	for _, src := range []string{"", " \r\n\t", "\xef\xbb\xbf\n"} {
		if got, err := RemoveMember([]byte(src), "a"); err != nil || string(got) != src {
			t.Errorf("%q, %v", got, err)
		}
		if got, err := RemoveElements([]byte(src), func([]byte) bool { return true }); err != nil || string(got) != src {
			t.Errorf("%q, %v", got, err)
		}
	}
}

func TestPlain(t *testing.T) {
	got, err := Plain([]byte("\xef\xbb\xbf{ // c\n \"a\": [1,],}"))
	if err != nil || !sameJSON(got, []byte(`{"a":[1]}`)) {
		t.Errorf("%q, %v", got, err)
	}
}
