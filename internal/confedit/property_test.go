package confedit

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

const key = "boathook"

// extras generates what may stand between tokens.
func extras() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"", " ", "  ", "\t", "\n", "\r\n", "\r", "\n  ", "\n\t", "// c\n", "// c \r\n", "// c\r\r\n", "/* c */", "/* \n */", "/**/", "// \"{[\n", "/*//*/",
	})
	return rapid.Map(rapid.SliceOfN(piece, 0, 3), func(p []string) string { return strings.Join(p, "") })
}

func values() *rapid.Generator[string] {
	leaf := rapid.SampledFrom([]string{"1", "-2.5e3", "true", "null", `""`, `"a,}"`, `"\\\""`, `"// no"`, `"é\ud800"`})
	return rapid.OneOf(leaf, rapid.Map(rapid.SliceOfN(leaf, 0, 2), func(v []string) string { return "[" + strings.Join(v, ", ") + "]" }),
		rapid.Map(leaf, func(v string) string { return "{\n  \"boathook\": " + v + ", // in\n}" }))
}

// files generates JSONC objects, tidy ones and wild ones.
func files(t *rapid.T) string {
	gap := extras()
	var b strings.Builder
	if rapid.Bool().Draw(t, "mark") {
		b.WriteString("\xef\xbb\xbf")
	}
	b.WriteString(gap.Draw(t, "before") + "{")
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c d", "", `e\"`, "hooks"}), 0, 4, rapid.ID[string]).Draw(t, "names")
	for i, name := range names {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(gap.Draw(t, "extra") + `"` + name + `"` + gap.Draw(t, "colon") + ":" + gap.Draw(t, "value") + values().Draw(t, "v") + gap.Draw(t, "after"))
	}
	if len(names) > 0 && rapid.Bool().Draw(t, "trailing comma") {
		b.WriteString(",")
	}
	b.WriteString(gap.Draw(t, "close") + "}" + gap.Draw(t, "end"))
	return b.String()
}

func TestRemoveUndoesSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(files(t))
		checkInverse(t, src)
	})
}

type failer interface{ Fatalf(string, ...any) }

// checkInverse checks the bargain on an object without our key.
func checkInverse(t failer, src []byte) {
	set, err := SetMember(src, key, []byte(ours))
	if err != nil {
		t.Fatalf("set in %q: %v", src, err)
	}
	if got, err := Member(set, key); err != nil || !sameJSON(got, []byte(ours)) {
		t.Fatalf("set in %q gave %q: member %q, %v", src, set, got, err)
	}
	if again, err := SetMember(set, key, []byte(ours)); err != nil || !bytes.Equal(again, set) {
		t.Fatalf("set again in %q gave %q, not %q (%v)", src, again, set, err)
	}
	back, err := RemoveMember(set, key)
	if err != nil || !bytes.Equal(back, src) {
		t.Fatalf("remove from %q gave %q, not %q (%v)", set, back, src, err)
	}
	checkOthers(t, src, set)
}

// checkOthers checks that every other member kept its bytes and its order.
func checkOthers(t failer, src, set []byte) {
	names, _ := Names(src)
	after, _ := Names(set)
	if !reflect.DeepEqual(append(names, key), after) {
		t.Fatalf("names of %q: %q, then %q", src, names, after)
	}
	for _, n := range names {
		a, _ := Member(src, n)
		b, _ := Member(set, n)
		if !bytes.Equal(a, b) {
			t.Fatalf("member %q of %q was %q, is %q", n, src, a, b)
		}
	}
}

// Any member, wherever a user put it, can be removed without touching what the others mean.
func TestRemoveKeepsTheOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(files(t))
		names, _ := Names(src)
		if len(names) == 0 {
			return
		}
		gone := rapid.SampledFrom(names).Draw(t, "gone")
		got, err := RemoveMember(src, gone)
		if err != nil {
			t.Fatalf("remove %q from %q: %v", gone, src, err)
		}
		want := decode(t, src)
		delete(want, gone)
		if !reflect.DeepEqual(want, decode(t, got)) {
			t.Fatalf("remove %q from %q gave %q", gone, src, got)
		}
		if c, d := bytes.Count(src, []byte("c */")), bytes.Count(got, []byte("c */")); d > c {
			t.Fatalf("comments of %q: %d, of %q: %d", src, c, got, d)
		}
	})
}

func decode(t failer, src []byte) map[string]any {
	_, body := splitMark(src)
	std, err := hujson.Standardize(append(bytes.Clone(body), '\n'))
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(std, &out); err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	return out
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func FuzzSetRemove(f *testing.F) {
	for _, s := range []string{"{}", "{\"a\":1,}", "{ // c\r\n}", "\xef\xbb\xbf{\"a\":{},\n// x\n}", "{\"boathook\":1}", "[1]", "{/**/}", "{\n}", "/"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got, err := Member(src, key)
		if _, body := splitMark(src); err != nil || blank(body) {
			return
		}
		if got == nil {
			checkInverse(t, src)
			return
		}
		without, err := RemoveMember(src, key)
		if err != nil {
			t.Fatalf("remove from %q: %v", src, err)
		}
		checkInverse(t, without)
	})
}
