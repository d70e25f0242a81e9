package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// contents notes what programs do that write into files, and tells whether this is one.
func (s *sheet) contents(name string, args []word.Arg) bool {
	switch name {
	case "tee", "gtee", "sponge":
		s.tee(args)
	case "dd", "gdd", "dcfldd":
		s.dd(args)
	case "truncate", "gtruncate", "fallocate":
		o := unit.Options(args, "s size r reference l length o offset")
		s.paths(o.Operands, change{kind: policy.Overwrite, verb: "truncate"})
	case "split", "csplit":
		o := unit.Options(args, "a b C l n t suffix-length bytes lines number separator filter additional-suffix f prefix")
		if len(o.Operands) > 1 {
			s.path(o.Operands[1], change{kind: policy.Write})
		}
	case "sed", "gsed", "perl", "ruby", "awk", "gawk":
		s.inPlace(name, args)
	case "patch":
		s.patch(args)
	case "xxd", "uudecode":
		if o := unit.Options(args, "c cols g l len o offset s seek n"); o.Has("r", "revert") && len(o.Operands) > 1 {
			s.path(o.Operands[1], change{kind: policy.Overwrite})
		}
	case "apply_patch", "applypatch":
		for _, a := range args {
			s.applied(a.Text)
		}
		s.applied(s.Stdin.Text)
	case "ed", "ex", "red", "vi", "vim", "nvim", "nano", "pico", "emacs", "micro", "sd", "rpl", "dos2unix", "unix2dos":
		s.edit(name, args)
	case "yq", "dasel", "crudini", "prettier", "biome":
		s.edited(name, args)
	case "curl", "wget", "aria2c", "sort", "gsort", "gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "rustc", "go", "openssl", "gpg":
		s.output(name, args)
	default:
		return false
	}
	return true
}

func (s *sheet) tee(args []word.Arg) {
	o := unit.Options(args, "")
	c := change{kind: policy.Overwrite}
	if o.Has("a") || long(o, "append") {
		c = change{kind: policy.Write, verb: "append"}
	}
	s.paths(o.Operands, c)
}

func (s *sheet) dd(args []word.Arg) {
	for _, a := range args {
		to, ok := strings.CutPrefix(a.Text, "of=")
		if !ok {
			continue
		}
		if spot := s.path(word.Arg{Text: to, Glob: a.Glob, Many: a.Many}, change{kind: policy.Overwrite, verb: "dd"}); spot.Dynamic && spot.Where == policy.System {
			s.put(policy.Effect{Kind: policy.Device, Verb: "write", Target: spot.Path, Flags: []string{"dynamic"}})
		}
	}
}

// inPlace is sed and the languages that have its option -i. What their code does otherwise are operations of their own.
func (s *sheet) inPlace(name string, args []word.Arg) {
	valued, script := "e expression f file l line-length", true
	switch name {
	case "perl", "ruby":
		valued, script = "e E I M m", true
	case "awk", "gawk":
		valued, script = "f file v assign F field-separator i include", true
	}
	on := false
	for _, a := range args {
		if a.Text == "--" || len(a.Text) > 0 && a.Text[0] != '-' && name == "perl" {
			break
		}
		if a.Text == "--in-place" || strings.HasPrefix(a.Text, "--in-place=") || strings.HasPrefix(a.Text, "-i") && !strings.HasSuffix(name, "awk") ||
			bundled(a.Text) && strings.ContainsRune(beforeValue(name, a.Text), 'i') {
			on = true
		}
	}
	o := unit.Options(args, valued)
	if v, there := o.Value("i", "include"); there && strings.HasSuffix(name, "awk") {
		on = v.Text == "inplace"
	}
	if !on {
		return
	}
	operands := o.Operands
	if len(operands) > 0 && operands[0].Text == "" { // macOS: sed -i ''
		operands = operands[1:]
	}
	if o.Has("e", "E", "expression", "f", "file") {
		script = false
	}
	if script && len(operands) > 0 {
		operands = operands[1:]
	}
	s.paths(operands, change{kind: policy.Overwrite, verb: "edit"})
}

// bundled tells whether a word is several one-letter options.
func bundled(text string) bool { return len(text) > 2 && text[0] == '-' && text[1] != '-' }

// beforeValue is the part of bundled options before the first that takes a value.
func beforeValue(name, text string) string {
	valued := "eEFlMmI" // perl, ruby
	if strings.HasSuffix(name, "sed") {
		valued = "efl"
	}
	if i := strings.IndexAny(text, valued); i >= 0 {
		return text[:i]
	}
	return text
}

// gitApply is a patch that git applies somewhere else than where the command runs: in which files only the patch tells.
func (s *sheet) gitApply(args []word.Arg) {
	o := unit.Options(args, "C c git-dir work-tree directory p")
	if verb := textOf(o.Operands, 0); verb != "apply" && verb != "am" || o.Has("check", "stat", "numstat", "summary") {
		return
	}
	at, ok := o.Value("directory")
	if c, there := o.Value("C", "work-tree"); there && strings.ContainsAny(c.Text, "/~.") {
		if at.Text = strings.TrimSuffix(c.Text+"/"+at.Text, "/"); !ok {
			at, ok = c, true
		}
	}
	if ok { // any file of it
		at.Text = strings.TrimSuffix(at.Text, "/") + "/" + word.Unknown
		s.path(at, change{kind: policy.Overwrite, verb: "patch"})
	}
}

func (s *sheet) patch(args []word.Arg) {
	o := unit.Options(args, "i input d directory o output p strip F fuzz r reject-file b z B Y D V")
	if o.Has("dry-run") {
		return
	}
	at, c := word.Lit("."), change{kind: policy.Overwrite, verb: "patch"}
	if d, ok := o.Value("d", "directory"); ok {
		at = d
		if !s.Stdin.Known() {
			s.path(word.Arg{Text: strings.TrimSuffix(d.Text, "/") + "/" + word.Unknown}, c)
		}
	}
	if len(o.Operands) > 0 {
		at = o.Operands[0]
	}
	if out, ok := o.Value("o", "output"); ok {
		at = out
	}
	s.path(at, c)
	for line := range strings.Lines(s.Stdin.Text) { // what the patch itself names
		name, ok := strings.CutPrefix(line, "+++ ")
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(strings.TrimRight(name, "\r\n"), "\t")
		if v, ok := o.Value("p", "strip"); ok && v.Text != "0" {
			if _, rest, cut := strings.Cut(name, "/"); cut {
				name = rest
			}
		}
		if name != "" && len(o.Operands) == 0 {
			s.path(word.Lit(name), c)
		}
	}
}

// edit is an editor: it may write what it opens.
func (s *sheet) edit(name string, args []word.Arg) {
	valued := "c cmd S u i T w t eval load"
	if strings.HasSuffix(name, "ed") {
		valued = "p"
	}
	o := unit.Options(args, valued)
	operands := o.Operands
	if name == "sd" || name == "rpl" {
		operands = operands[min(2, len(operands)):]
	}
	if o.Has("R") {
		return
	}
	s.paths(operands, change{kind: policy.Overwrite, verb: "edit"})
}

// edited are programs that write into their operands where an option says so.
func (s *sheet) edited(name string, args []word.Arg) {
	o := unit.Options(args, "f file r read w write config p parser")
	switch {
	case name == "yq" && o.Has("i", "inplace", "in-place"), name == "crudini" && o.Has("set", "del", "merge"):
		s.paths(o.Operands, change{kind: policy.Overwrite, verb: "edit"})
	case name == "dasel" && textOf(o.Operands, 0) == "put":
		if f, ok := o.Value("f", "file"); ok {
			s.path(f, change{kind: policy.Overwrite, verb: "edit"})
		}
	case name == "prettier" || name == "biome":
		for i, a := range args {
			if a.Text == "--write" || a.Text == "-w" {
				rest := append(append([]word.Arg{}, args[:i]...), args[i+1:]...)
				s.paths(unit.Options(rest, formatValued).Operands, change{kind: policy.Overwrite, verb: "edit"})
				return
			}
		}
	}
}

// formatValued are the options of formatters that have a value.
const formatValued = "config parser loglevel log-level ignore-path config-path cache-location cache-strategy plugin plugin-search-dir end-of-line " +
	"print-width tab-width trailing-comma prose-wrap arrow-parens quote-props stdin-filepath config-precedence vcs-root diagnostic-level max-diagnostics " +
	"reporter files-max-size colors indent-style indent-width line-width only skip"

// output notes the file that an option names for what a program makes.
func (s *sheet) output(name string, args []word.Arg) {
	for _, p := range outputs {
		if p.program != name {
			continue
		}
		var o unit.Opts
		if wordOptions(name) {
			o = unit.Options(twoDashes(args), p.valued)
		} else {
			o = unit.Options(args, p.valued)
		}
		for i, n := range strings.Fields(p.names) {
			for _, v := range o.Flags[n] {
				if v.Text != "" && v.Text != "-" {
					c := change{kind: policy.Overwrite}
					if i > 0 && strings.HasPrefix(n, "output-dir") || n == "P" || n == "d" {
						c.verb = "into"
					}
					s.path(v, c)
				}
			}
		}
		s.downloads(name, o)
		return
	}
}

// downloads notes the files that are named as what is loaded is: wget URL, curl -O URL.
func (s *sheet) downloads(name string, o unit.Opts) {
	switch {
	case name == "curl" && o.Has("O", "remote-name", "remote-name-all", "J"):
	case name == "wget" && !o.Has("O", "output-document", "P", "directory-prefix", "spider"):
	default:
		return
	}
	for _, a := range o.Operands {
		_, rest, ok := strings.Cut(a.Text, "://")
		if !ok {
			rest = a.Text
		}
		rest, _, _ = strings.Cut(rest, "?")
		if i := strings.LastIndexByte(rest, '/'); i >= 0 && i+1 < len(rest) {
			s.path(word.Lit(rest[i+1:]), change{kind: policy.Overwrite})
		}
	}
}

// wordOptions tells programs whose options of one dash are words: go test -count=1 has no -o.
func wordOptions(name string) bool {
	switch name {
	case "go", "gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "openssl":
		return true
	}
	return false
}

// twoDashes gives such options a second dash, and -o its value, as gcc -ofile has it.
func twoDashes(args []word.Arg) []word.Arg {
	out := make([]word.Arg, 0, len(args)+1)
	for _, a := range args {
		t := a.Text
		switch {
		case len(t) < 2 || t[0] != '-' || t[1] == '-':
			out = append(out, a)
			continue
		case t[1] == 'o' && len(t) > 2 && t[2] != '=' && t != "-out":
			out = append(out, word.Lit("--o"))
			a.Text = t[2:]
		default:
			a.Text = "-" + t
		}
		out = append(out, a)
	}
	return out
}

// outputs are the options of programs that name a file to write, and the others that have a value.
var outputs = [...]struct{ program, names, valued string }{
	{"curl", "o output c cookie-jar D dump-header trace trace-ascii stderr output-dir", curlValued},
	{"wget", "O output-document o output-file a append-output P directory-prefix", "O output-document o output-file a append-output P directory-prefix U user-agent e header T t timeout tries post-data post-file"},
	{"aria2c", "o out d dir l log", "o out d dir l log x s j"},
	{"sort", "o output", "o output k key t field-separator T S"},
	{"gsort", "o output", "o output k key t field-separator T S"},
	{"gcc", "o", ccValued}, {"g++", "o", ccValued}, {"cc", "o", ccValued}, {"c++", "o", ccValued}, {"clang", "o", ccValued},
	{"clang++", "o", ccValued}, {"ld", "o", "o L l T e"}, {"rustc", "o out-dir", "o out-dir L l C A W D crate-name crate-type edition emit"},
	{"go", "o", "o tags ldflags gcflags mod p run bench count timeout coverprofile C"},
	{"openssl", "out keyout", "out keyout in inkey key subj days newkey passin passout"},
	{"gpg", "o output", "o output r recipient u local-user"},
}

const (
	curlValued = "o output c cookie-jar D dump-header trace trace-ascii stderr output-dir H header X request d data data-raw data-binary data-urlencode " +
		"F form A user-agent b cookie e referer u user T upload-file x proxy m max-time connect-timeout retry w write-out K config cacert cert key " +
		"resolve r range E C limit-rate interface U proxy-user Q t y Y z P json url"
	ccValued = "o I L l D U include isystem MF MT MQ x std arch target"
)
