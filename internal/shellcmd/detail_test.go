package shellcmd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

func named(t *testing.T, r Result, name string) word.Command {
	t.Helper()
	for _, c := range r.Commands {
		if c.Name() == name {
			return c
		}
	}
	t.Fatalf("there is no %s in %s", name, lines(r))
	return word.Command{}
}

func TestDirectories(t *testing.T) {
	for text, want := range map[string]string{
		"x":                             "/home/dev/shop",
		"cd src && x":                   "/home/dev/shop/src",
		"cd; x":                         "/home/dev",
		"cd /tmp || exit; x":            "/tmp",
		"(cd /tmp); x":                  "/home/dev/shop",
		"cd /tmp; cd -; x":              "/home/dev/shop",
		"pushd /tmp; popd; x":           "/home/dev/shop",
		"pushd /tmp; x":                 "/tmp",
		"cd \"$(get)\"; x":              word.Unknown,
		"cd \"$D/a\"; x":                word.Unknown + "/a",
		"bash -c 'cd ..; x'":            "/home/dev",
		"env -C /etc x":                 "/etc",
		"f() { cd /opt; }; f; x":        "/opt",
		"cd /a | cat; x":                "/home/dev/shop",
		"cd /a & x":                     "/home/dev/shop",
		"cd ../..; x":                   "/home",
		"d=/srv; cd $d/www; x":          "/srv/www",
		"if true; then cd /opt; fi; x":  "/opt",
		"for d in a; do cd $d; done; x": "/home/dev/shop/a",
		"cd /nowhere || x":              "/home/dev/shop",
		"cd -- /tmp; x":                 "/tmp",
		"cd -P /tmp; x":                 "/tmp",
		"eval 'cd /tmp'; x":             "/tmp",
	} {
		if got := named(t, parse(text), "x").Dir.Text; got != want {
			t.Errorf("%q: in %q, want %q", text, got, want)
		}
	}
}

func TestUnsure(t *testing.T) {
	for text, want := range map[string]string{
		"ls":                                  "",
		"$X a":                                "command",
		"\"$(get)\" a":                        "command",
		"bash -c \"$X\"":                      "code",
		"eval \"$X\"":                         "code",
		"eval \"$(get)\"":                     "code",
		"get | sh":                            "code",
		"bash <(get)":                         "code",
		"get > x; sh x":                       "code",
		"source x":                            "",
		"bash x.sh a":                         "",
		"eval \"$(ssh-agent -s)\"":            "",
		"eval \"$(brew shellenv)\"":           "",
		"eval \"$(direnv hook zsh)\"":         "",
		"source <(kubectl completion bash)":   "",
		"bash -c \"cd $D && make\"":           "",
		"ssh h \"cd $D && ls\"":               "",
		"bash -c \"a $(git rev-parse HEAD)\"": "",
		"bash -c \"a $(get)\"":                "code",
		"a )":                                 "parse",
		"/bin/??":                             "command",
		strings.Repeat("(", 100000):           "limit",
		"echo {1..99999}":                     "limit",
		"for i in $(seq 3); do a $i; done":    "",
		"a \"$X\" *.txt ${Y:-z} $(b)":         "",
		"export A=$(b); c=$A; [ -n \"$c\" ] && d": "",
		"enable -f ./x.so x":                      "code",
	} {
		r := parse(text)
		if want == "" {
			if len(r.Unsure) > 0 {
				t.Errorf("%.60q: %v", text, r.Unsure)
			}
			continue
		}
		ok := false
		for _, u := range r.Unsure {
			ok = ok || u.Kind == want
		}
		if !ok {
			t.Errorf("%.60q: %v, want %s", text, r.Unsure, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	text := "cd x && rm -rf 'a b' \"$y\" $z; (echo {a,b})"
	r := parse(text)
	var got []string
	for _, c := range r.Commands {
		got = append(got, text[c.From:c.To])
		for _, a := range c.Argv {
			if a.To > 0 {
				got = append(got, text[a.From:a.To])
			}
		}
	}
	want := []string{"cd x", "cd", "x", "rm -rf 'a b' \"$y\" $z", "rm", "-rf", "'a b'", "echo {a,b}", "echo"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestFlows(t *testing.T) {
	r := parse("a <in >out 2>>err | true; a2 | b; c <<E &>all\nx $Y\nE\nd <<< z; (e; f) > g; h >&2")
	a, b, c, d := named(t, r, "a"), named(t, r, "b"), named(t, r, "c"), named(t, r, "d")
	if !a.Piped || b.Piped {
		t.Errorf("piped: a %v, b %v", a.Piped, b.Piped)
	}
	if d := cmp.Diff([]word.Redirect{{Op: "<", Target: a.Redirects[0].Target}, {Op: ">", Target: a.Redirects[1].Target}, {Op: ">>", FD: "2", Target: a.Redirects[2].Target}}, a.Redirects); d != "" {
		t.Error(d)
	}
	if len(b.Stdin.From) == 0 || r.Commands[b.Stdin.From[0]].Name() != "a2" {
		t.Errorf("b reads %+v", b.Stdin)
	}
	if c.Stdin.Text != "x "+word.Unknown+"\n" || c.Redirects[0].Op != "&>" {
		t.Errorf("c is %+v", c)
	}
	if d.Stdin.Text != "z\n" {
		t.Errorf("d reads %q", d.Stdin.Text)
	}
	group := false
	for _, c := range r.Commands {
		group = group || len(c.Argv) == 0 && len(c.Redirects) == 1 && c.Redirects[0].Target.Text == "g"
	}
	if !group {
		t.Error("the group's redirection is lost")
	}
}

func TestEnvironment(t *testing.T) {
	r := parse("export A=1; B=2 a; b; sudo -u bob C=3 c")
	assigns := func(name string) (out []string) {
		for _, v := range named(t, r, name).Assigns {
			out = append(out, v.Name+"="+v.Value.Text)
		}
		return out
	}
	if d := cmp.Diff([]string{"B=2"}, assigns("a")); d != "" {
		t.Errorf("a: %s", d)
	}
	if d := cmp.Diff([]string{"A=1"}, assigns("b")); d != "" {
		t.Errorf("b: %s", d)
	}
	if c := named(t, r, "c"); c.User != "bob" {
		t.Errorf("c is run by %q", c.User)
	}
}

func TestVia(t *testing.T) {
	for text, want := range map[string]string{
		"x":                      "",
		"(x)":                    "subshell",
		"$(x)":                   "substitution",
		"a <(x)":                 "process",
		"x | a":                  "pipe",
		"f() { x; }; f":          "function f",
		"eval x":                 "eval",
		"trap x EXIT":            "trap EXIT",
		"if a; then x; fi":       "branch",
		"for i in 1; do x; done": "loop",
		"x & ":                   "background",
		"nice x":                 "wrapper nice",
		"bash -c x":              "shell bash",
		"echo x > y; sh y":       "file y",
		"echo x > y; . ./y":      "source ./y",
		"command x":              "wrapper command",
		"alias z=x\nz":           "alias z",
	} {
		c := named(t, parse(text), "x")
		var got []string
		for _, v := range c.Via {
			got = append(got, strings.TrimSpace(v.Kind+" "+v.Detail))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: via %q, want %q", text, strings.Join(got, ", "), want)
		}
	}
}

// TestForkBomb: a function that runs itself is listed with its own name, and among its via.
func TestForkBomb(t *testing.T) {
	for _, c := range parse(":(){ :|:& };:").Commands {
		for _, v := range c.Via {
			if v.Kind == "function" && v.Detail == ":" {
				return
			}
		}
	}
	t.Error("no command is reached through the function")
}

func TestMaybe(t *testing.T) {
	for text, want := range map[string]bool{
		"x": false, "a && x": true, "a || x": true, "true && x": false, "if a; then x; fi": true, "while a; do x; done": true, "for i in *; do x; done": true,
		"for i in a; do x; done": false, "case $1 in a) x;; esac": true, "find . -exec x \\;": true, "a; x": false, "(x)": false, "false || x": false,
	} {
		if got := named(t, parse(text), "x").Maybe; got != want {
			t.Errorf("%q: maybe is %v", text, got)
		}
	}
}
