package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// sed finds the commands e and w, and their flags of s.
func (r *reader) sed(code string) {
	s := &sedReader{r: r, s: code}
	for s.i < len(s.s) {
		if *r.budget--; *r.budget < 0 {
			r.unsure = true
			return
		}
		s.command()
	}
}

// sedReader walks through a script of sed.
type sedReader struct {
	r *reader
	s string
	i int
}

// command reads one command with its addresses.
func (s *sedReader) command() {
	ch := s.s[s.i]
	s.i++
	switch {
	case ch == '/':
		s.upTo('/')
		for s.i < len(s.s) && (s.s[s.i] == 'I' || s.s[s.i] == 'M') {
			s.i++
		}
	case (ch == '\\' || ch == 'y' || ch == 's') && s.i < len(s.s):
		sep := s.s[s.i]
		if ch == 's' {
			s.i--
			s.substitute()
			break
		}
		s.i++
		s.upTo(sep)
		if ch == 'y' {
			s.upTo(sep)
		}
	case ch == '#':
		s.line()
	case strings.IndexByte("ewWrR", ch) >= 0:
		s.file(ch, strings.TrimSpace(s.line()))
	case ch == 'a' || ch == 'i' || ch == 'c':
		for strings.HasSuffix(strings.TrimRight(s.line(), " "), `\`) && s.i < len(s.s) {
			continue
		}
	case strings.IndexByte("btT:", ch) >= 0:
		for s.i < len(s.s) && s.s[s.i] != '\n' && s.s[s.i] != ';' && s.s[s.i] != '}' {
			s.i++
		}
	}
}

// file keeps what a command does that has the rest of the line as its command or file.
func (s *sedReader) file(ch byte, t string) {
	switch {
	case ch == 'e' && t == "":
		// The pattern space is run, which is input.
		s.r.shell(textValue(word.Unknown))
	case ch == 'e':
		s.r.shell(textValue(t))
	case ch == 'w' || ch == 'W':
		s.write(t)
	case t != "" && t != "/dev/stdin":
		s.r.op("read", false, textValue(t))
	}
}

// line takes the rest of the line.
func (s *sedReader) line() string {
	t, _, _ := strings.Cut(s.s[s.i:], "\n")
	s.i = min(len(s.s), s.i+len(t)+1)
	return t
}

// upTo goes past the next separator that is not escaped, nor in brackets.
func (s *sedReader) upTo(sep byte) {
	for s.i < len(s.s) {
		switch {
		case s.s[s.i] == '\\':
			s.i++
		case s.s[s.i] == sep:
			s.i++
			return
		}
		s.i++
	}
}

// substitute reads s/a/b/flags.
func (s *sedReader) substitute() {
	sep := s.s[s.i+1]
	s.i += 2
	s.upTo(sep)
	from := s.i
	s.upTo(sep)
	by := strings.TrimSuffix(s.s[min(from, len(s.s)):min(s.i, len(s.s))], string(sep))
	for s.i < len(s.s) && strings.IndexByte("gpiImM0123456789ew", s.s[s.i]) >= 0 {
		switch s.s[s.i] {
		case 'e':
			// What comes of it is run: the replacement, if it is all of the line.
			by = strings.NewReplacer(`\n`, "\n", "&", word.Unknown, `\1`, word.Unknown, `\2`, word.Unknown, `\`, "").Replace(by)
			s.r.shell(textValue(by + word.Unknown))
		case 'w':
			s.i++
			s.write(s.line())
			return
		}
		s.i++
	}
}

// write keeps a file that is written.
func (s *sedReader) write(t string) {
	t = strings.TrimSpace(t)
	if t == "" || strings.HasPrefix(t, "/dev/std") {
		return
	}
	s.r.op("overwrite", false, textValue(t))
}
