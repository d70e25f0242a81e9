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
	// network itself, packed that it was made to fit elsewhere.
	secret, env, file, fetched, packed bool
}

func (o *source) join(b source) {
	o.secret, o.env, o.file = o.secret || b.secret, o.env || b.env, o.file || b.file
	o.fetched, o.packed = o.fetched || b.fetched, o.packed || b.packed
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
	u := unit.Unit{Command: c, I: i, All: s.All, Machine: s.Machine, Text: s.Text}
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
	o.fetched, o.packed = fetches(c), packs(name)
	o.file = o.file || dumps(name, u.Args())
	return o
}

// packs tells programs that make of files what fits into one word or stream.
func packs(name string) bool {
	switch name {
	case "base64", "base32", "basenc", "xxd", "od", "hexdump", "gzip", "bzip2", "xz", "zstd", "tar", "zip", "openssl", "gpg", "uuencode":
		return true
	}
	return false
}

// dumps tells programs that print all of a store.
func dumps(name string, args []word.Arg) bool {
	switch name {
	case "pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump", "mongodump", "mongoexport":
		return true
	case "docker", "podman":
		return len(args) > 0 && (args[0].Text == "save" || args[0].Text == "export")
	}
	return false
}

// word is where the unknown parts of a word come from: commands, or variables that hold secrets by their names.
func (s *scan) word(a word.Arg) source {
	o := s.origin(a.By)
	if a.Known() {
		return o
	}
	o.secret = o.secret || s.variable(a) != ""
	if len(a.By) == 0 {
		// The words of xargs and of read come from a pipe. Only a secret counts there: lists of names are everyday.
		o.secret = o.secret || s.origin(s.feeders()).secret
	}
	return o
}

// feeders are the commands whose output becomes words of this one: of xargs, or of read in a loop.
func (s *scan) feeders() []int {
	var xargs, loop bool
	for _, v := range s.Via {
		xargs = xargs || v.Kind == "wrapper" && (v.Detail == "xargs" || v.Detail == "parallel")
		loop = loop || v.Kind == "loop"
	}
	if loop {
		return s.Stdin.From
	}
	if !xargs {
		return nil
	}
	for i := s.I - 1; i >= 0 && i >= s.I-8 && i < len(s.All); i-- {
		if c := s.All[i]; c.Piped && len(c.Via) < len(s.Via) {
			return []int{i}
		}
	}
	return nil
}

// variable is the first variable in a word that holds a secret by its name, as the text has it; empty for none.
func (s *scan) variable(a word.Arg) string {
	from, to := a.Source[0], a.Source[1]
	if to <= from || from < 0 || to > len(s.Text) || to-from > 1<<16 {
		return ""
	}
	src := s.Text[from:to]
	single, double := false, false // quotes
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\' && !single:
			i++
		case c == '\'' && !double:
			single = !single
		case c == '"' && !single:
			double = !double
		case c == '$' && !single && i+1 < len(src):
			at := i + 1
			brace := src[at] == '{'
			if brace {
				at++
			}
			end := at
			for end < len(src) && (src[end] == '_' || '0' <= src[end] && src[end] <= '9' || 'a' <= src[end]|0x20 && src[end]|0x20 <= 'z') {
				end++
			}
			if brace && (strings.HasPrefix(src[end:], ":+") || strings.HasPrefix(src[end:], "+")) {
				continue // only whether it is set
			}
			if secret.Name(src[at:end]) {
				return src[at:end]
			}
		}
	}
	return ""
}

// stdin is where the command's input comes from: commands, a file.
func (s *scan) stdin() (o source, given bool) {
	for _, r := range s.Redirects {
		if r.Op == "<" && (r.FD == "" || r.FD == "0") {
			given = true
			if path, _ := s.locate(r.Target); path != "" {
				_, hidden := secret.Path(path, s.home())
				o.join(source{file: true, secret: hidden})
			}
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
