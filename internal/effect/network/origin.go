package network

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/secret"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// maxOrigins bounds how many commands are followed to where data comes from.
const maxOrigins = 64

// source is what is known of where data comes from.
type source struct {
	// secret, env and file say that it holds, or may hold, a secret, variables, a file's content; fetched that it comes from the
	// network itself.
	secret, env, file, fetched bool
}

func (o *source) join(b source) {
	o.secret, o.env, o.file, o.fetched = o.secret || b.secret, o.env || b.env, o.file || b.file, o.fetched || b.fetched
}

// flags are as policy.Effect has them.
func (o source) flags() []string {
	var out []string
	for _, f := range [...]struct {
		on   bool
		name string
	}{{o.secret, "secret"}, {o.env, "env"}, {o.file, "file"}} {
		if f.on {
			out = append(out, f.name)
		}
	}
	return out
}

// origin follows commands back to what their output holds.
func (s *scan) origin(from []int) source {
	var o source
	seen := make([]int, 0, 8)
	queue := slices.Clone(from)
	for len(queue) > 0 && len(seen) < maxOrigins {
		i := queue[0]
		queue = queue[1:]
		if i < 0 || i >= len(s.All) || i == s.I || slices.Contains(seen, i) {
			continue
		}
		seen = append(seen, i)
		c := s.All[i]
		o.join(s.printed(i))
		queue = append(queue, c.Stdin.From...)
		for _, a := range c.Argv {
			queue = append(queue, a.By...)
			if len(queue) > 4*maxOrigins {
				break
			}
		}
	}
	return o
}

// printed is what one command puts into its output.
func (s *scan) printed(i int) source {
	c := s.All[i]
	u := unit.Unit{Command: c, I: i, All: s.All, Machine: s.Machine}
	t := &scan{Unit: u, probe: true}
	name := u.Program()
	t.redirects()
	if c.Op != "" {
		t.operation()
	} else if len(c.Argv) > 0 {
		t.reads(name, u.Args())
		t.prints(name, u.Args())
	}
	var o source
	for _, e := range t.out {
		switch {
		case e.Kind == policy.ReadSecret && e.Verb == "environment":
			o.env, o.secret = true, true
		case e.Kind == policy.ReadSecret:
			o.secret = true
		case e.Kind == policy.Read:
			o.file = true
		}
	}
	o.fetched = fetches(c)
	return o
}

// word is where the unknown parts of a word come from.
func (s *scan) word(a word.Arg) source {
	return s.origin(a.By)
}

// stdin is where the command's input comes from: commands, a file.
func (s *scan) stdin() (o source, given bool) {
	for _, r := range s.Redirects {
		if r.Op == "<" && (r.FD == "" || r.FD == "0") {
			given = true
			_, hidden := s.secretPath(r.Target)
			o.join(source{file: true, secret: hidden})
		}
	}
	if s.Stdin.Given {
		given = true
		o.join(s.origin(s.Stdin.From))
	}
	return o, given
}

// secretPath tells whether a word leads to a secret.
func (s *scan) secretPath(a word.Arg) (verb string, ok bool) {
	path, _ := s.locate(a)
	return secret.Path(path, s.home())
}

// locate is the path of a word, with links followed, and its place.
func (s *scan) locate(a word.Arg) (string, policy.Where) {
	if s.Machine == nil {
		return a.Text, ""
	}
	m := s.Machine
	if s.Host != "" {
		blind := *m
		blind.Facts = nil
		m = &blind
	}
	spot := m.Place(a, s.Dir, place.Follow)
	if spot.Stream {
		return "", spot.Where
	}
	if _, ok := secret.Path(spot.Path, m.Home); ok || spot.Real == "" {
		return spot.Path, spot.Where
	}
	return spot.Real, spot.Where
}

func (s *scan) home() string {
	if s.Machine == nil {
		return ""
	}
	return s.Machine.Home
}

// known tells whether a text holds nothing that only a run would tell.
func known(text string) bool { return !strings.Contains(text, word.Unknown) }
