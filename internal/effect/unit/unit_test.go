package unit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

func TestOptions(t *testing.T) {
	const valued = "o output n name exec"
	for _, tt := range []struct {
		args     []string
		flags    map[string][]string
		operands []string
	}{
		{[]string{"a", "-r", "b"}, map[string][]string{"r": {""}}, []string{"a", "b"}},
		{[]string{"-rf", "--", "-x"}, map[string][]string{"r": {""}, "f": {""}}, []string{"-x"}},
		{[]string{"-ofile", "-o", "x"}, map[string][]string{"o": {"file", "x"}}, nil},
		{[]string{"-vo", "x", "y"}, map[string][]string{"v": {""}, "o": {"x"}}, []string{"y"}},
		{[]string{"--output=x", "--output", "y", "--other", "z"}, map[string][]string{"output": {"x", "y"}, "other": {""}}, []string{"z"}},
		{[]string{"-name", "x", "-exec"}, map[string][]string{"name": {"x"}, "e": {"", ""}, "x": {""}, "c": {""}}, nil},
		{[]string{"-", ""}, nil, []string{"-", ""}},
		{[]string{"-o"}, nil, nil},
		{[]string{"-é\xff"}, map[string][]string{"é": {""}, "\xff": {""}}, nil},
	} {
		o := Options(word.Lits(tt.args...), valued)
		var flags map[string][]string
		for n, v := range o.Flags {
			if flags == nil {
				flags = map[string][]string{}
			}
			flags[n] = word.Texts(v)
		}
		if diff := cmp.Diff(tt.flags, flags); diff != "" {
			t.Errorf("%q: %s", tt.args, diff)
		}
		if diff := cmp.Diff(tt.operands, texts(o.Operands)); diff != "" {
			t.Errorf("%q: %s", tt.args, diff)
		}
	}
}

func texts(args []word.Arg) []string {
	if len(args) == 0 {
		return nil
	}
	return word.Texts(args)
}

func FuzzOptions(f *testing.F) {
	f.Add("-abc", "--x=y", "-o", "o x")
	f.Add("--", "-\xff", "", " ")
	f.Fuzz(func(_ *testing.T, a, b, c, valued string) {
		o := Options(word.Lits(a, b, c), valued)
		o.Has("a", "")
		o.Value("o", "output")
	})
}
