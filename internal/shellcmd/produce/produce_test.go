package produce

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// cmd is a command of words; ¿ stands for what is not known.
func cmd(in string, words ...string) word.Command {
	c := word.Command{Dir: word.Lit("/home/dev/shop")}
	for _, w := range words {
		c.Argv = append(c.Argv, word.Lit(strings.ReplaceAll(w, "¿", word.Unknown)))
	}
	if in != "" {
		c.Stdin = word.Data{Given: true, Text: strings.ReplaceAll(in, "¿", word.Unknown)}
	}
	return c
}

func TestOutput(t *testing.T) {
	for _, tt := range []struct {
		in    string
		words []string
		want  string
	}{
		{"", []string{"echo", "a", "b"}, "a b\n"},
		{"", []string{"echo", "-n", "a"}, "a"},
		{"", []string{"echo", "-e", `r\x6d\t\0101\n`}, "rm\tA\n\n"},
		{"", []string{"echo", "-ne", `a\c`, "b"}, "a"},
		{"", []string{"echo", "-x"}, "-x\n"},
		{"", []string{"echo", "¿"}, "¿\n"},
		{"", []string{"printf", "%s-%s\n", "a", "b", "c"}, "a-b\nc-\n"},
		{"", []string{"printf", `\162\155 %s`, "x"}, "rm x"},
		{"", []string{"printf", "%b", `r\155`}, "rm"},
		{"", []string{"printf", "%q", "a b"}, `a\ b`},
		{"", []string{"printf", "%d %x %05d|%-4s|%.2s", "10", "255", "42", "a", "xyz"}, "10 ff 00042|a   |xy"},
		{"", []string{"printf", "%c%c", "rx", "my"}, "rm"},
		{"", []string{"printf", "--", "%s", "-rf"}, "-rf"},
		{"", []string{"printf", `\\x72`}, `\x72`},
		{"", []string{"printf", `\x72\x6d`}, "rm"},
		{"", []string{"printf", "100%%\n"}, "100%\n"},
		{"x\n", []string{"cat"}, "x\n"},
		{"x\n", []string{"cat", "-"}, "x\n"},
		{"x\n", []string{"cat", "f", "-"}, "¿x\n"},
		{"a\nb\n", []string{"tac"}, "b\na\n"},
		{"/ fr- mr\n", []string{"rev"}, "rm -rf /\n"},
		{"sn -sg /\n", []string{"tr", "a-z", "n-za-m"}, "fa -ft /\n"},
		{"rXmX\n", []string{"tr", "-d", "X"}, "rm\n"},
		{"RM\n", []string{"tr", "[:upper:]", "[:lower:]"}, "rm\n"},
		{"rrmm\n", []string{"tr", "-s", "a-z"}, "rm\n"},
		{"a_b", []string{"tr", "_", "\\n"}, "a\nb"},
		{"a:b:c\n", []string{"cut", "-d:", "-f2-"}, "b:c\n"},
		{"abcdef\n", []string{"cut", "-c", "2,4-5"}, "bde\n"},
		{"a\nb\nc\n", []string{"head", "-n", "2"}, "a\nb\n"},
		{"a\nb\nc\n", []string{"tail", "-1"}, "c\n"},
		{"a\nb\nc\n", []string{"tail", "-n", "+2"}, "b\nc\n"},
		{"abc", []string{"head", "-c", "2"}, "ab"},
		{"rX -rf\n", []string{"sed", "s/X/m/"}, "rm -rf\n"},
		{"aa\n", []string{"sed", "-e", "s/a/b/g"}, "bb\n"},
		{"x\n", []string{"sed", "s/^/rm /;s|$| /|"}, "rm x /\n"},
		{"x\n", []string{"sed", "s/x.*/y/"}, "y\n"},
		{"cm0gLXJmIC8=\n", []string{"base64", "-d"}, "rm -rf /"},
		{"cm0gLXJmIC8", []string{"base64", "--decode"}, "rm -rf /"},
		{"rm -rf /", []string{"base64"}, "cm0gLXJmIC8=\n"},
		{"726d202d7266", []string{"xxd", "-r", "-p"}, "rm -rf"},
		{"rm", []string{"xxd", "-p"}, "726d\n"},
		{"OJWSALLSMYQC6===", []string{"base32", "-d"}, "rm -rf /"},
		{"cm0gLXJmIC8=", []string{"openssl", "enc", "-base64", "-d"}, "rm -rf /"},
		{"cm0gLXJmIC8=", []string{"openssl", "base64", "-d", "-A"}, "rm -rf /"},
		{"", []string{"seq", "3"}, "1\n2\n3\n"},
		{"", []string{"seq", "-s", " ", "2", "4"}, "2 3 4\n"},
		{"", []string{"basename", "/a/b.sh", ".sh"}, "b\n"},
		{"", []string{"dirname", "/a/b"}, "/a\n"},
		{"", []string{"dirname", "a"}, ".\n"},
		{"", []string{"realpath", "../x"}, "/home/dev/x\n"},
		{"", []string{"pwd"}, "/home/dev/shop\n"},
		{"", []string{"which", "rm"}, "¿/rm\n"},
		{"", []string{"command", "-v", "rm"}, "¿/rm\n"},
		{"", []string{"mktemp", "-d"}, "/tmp/¿\n"},
		{"", []string{"mktemp", "/tmp/x.XXXXXX"}, "/tmp/x.¿\n"},
		{"", []string{"git", "rev-parse", "HEAD"}, "¿\n"},
		{"a b c\n", []string{"awk", "{print $2}"}, "b\n"},
		{"x\n", []string{"awk", `BEGIN{print "rm -rf /"}`}, "rm -rf /\n"},
		{"a\nb\n", []string{"paste", "-sd", " "}, "a b\n"},
		{"b\na\nb\n", []string{"sort", "-u"}, "a\nb\n"},
		{"x\n", []string{"tee", "f"}, "x\n"},
		{"a\nb\nc\n", []string{"sed", "-n", "2p"}, "b\n"},
		{"a\nb\nc\n", []string{"sed", "1d;$d"}, "b\n"},
		{"a\nb\nc\n", []string{"sed", "2,$d"}, "a\n"},
		{"a\nb\nc\n", []string{"sed", "/b/!d"}, "b\n"},
		{"rm+\n", []string{"sed", `s/\(.*\)+/\1 &/`}, "rm rm+\n"},
		{"rm+\n", []string{"sed", "-E", `s/(.*)[+]/\1/`}, "rm\n"},
		{"sn\n", []string{"sed", "y/sn/rm/"}, "rm\n"},
		{"a\n", []string{"sed", "-e", "s/a/b/", "-e", "s/b/c/"}, "¿"},
		{"a\n", []string{"sed", "s/a/b/e"}, "¿"},
		{"a\nb\n", []string{"grep", "-v", "^a$"}, "b\n"},
		{"a+\nab\n", []string{"grep", "a+"}, "a+\n"},
		{"a\nb\n", []string{"awk", "NR > 1"}, "b\n"},
		{"a x\nb y\n", []string{"awk", "NR==2 {print $2}"}, "y\n"},
		{"", []string{"awk", `BEGIN { printf "rm" }`}, "rm"},
		{"", []string{"expr", "xrm", ":", `x\(.*\)`}, "rm\n"},
		{"a\n", []string{"cat", "-n"}, "¿"},
		{"ab\ncd\n", []string{"grep", "c"}, "cd\n"},
		{"abcd\n", []string{"fold", "-w2"}, "ab\ncd\n"},
	} {
		t.Run(strings.Join(tt.words, " "), func(t *testing.T) {
			out, ok := Output(cmd(tt.in, tt.words...))
			if !ok {
				t.Fatal("not known")
			}
			if diff := cmp.Diff(tt.want, strings.ReplaceAll(out.Text, word.Unknown, "¿")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOutputNotKnown(t *testing.T) {
	for _, name := range []string{"rm", "make", "curl", "./x"} {
		if out, ok := Output(cmd("", name, "x")); ok {
			t.Errorf("%s: %q", name, out.Text)
		}
	}
}
