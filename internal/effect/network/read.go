package network

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/secret"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// reader is a family of programs whose output has what is in the files that they are given.
type reader struct {
	names string
	// valued are the options with a value, files those of them whose value is a file.
	valued, files string
	// skip are operands that are no file: grep's pattern, unless one of the options instead is there.
	skip    int
	instead string
	// deep says that a directory's files are read too, where one of these options is there (empty: always); last that the last
	// operand is where it goes.
	deep    bool
	deepIf  string
	last    bool
	copying bool
	// first says that only the first operand is a file.
	first bool
	// quiet are options with which nothing is printed.
	quiet string
}

// readers are static data: nothing is built at start-up.
var readers = [...]reader{
	{names: "cat bat batcat less more most tac nl rev head tail strings xxd hexdump hd base64 base32 base58 basenc fold fmt pr iconv expand unexpand " +
		"zcat bzcat xzcat zless view pygmentize highlight glow ccat type Get-Content gc uuencode ascii85 hexyl", valued: "n c lines bytes N L s w width l e t r range p j q language"},
	{names: "column", valued: "s o c l N R H W output-separator separator"},
	{names: "od", valued: "A j N t w S"},
	{names: "sort gsort uniq cut paste join comm shuf tr look split csplit", valued: "d f c b k t o delimiter fields key field-separator n s"},
	{names: "grep egrep fgrep ggrep zgrep rgrep rg ag ack ugrep Select-String sls", valued: "A B C m e f g t T regexp file include exclude exclude-dir max-count context glob type color colour Path Pattern",
		files: "Path", skip: 1, instead: "e regexp f file Pattern", deep: true, deepIf: "r R recursive dereference-recursive", quiet: "q quiet silent c count l files-with-matches L files-without-match"},
	{names: "awk gawk mawk nawk", valued: "F v f assign field-separator file i include", skip: 1, instead: "f file"},
	{names: "sed gsed", valued: "e f expression file l", skip: 1, instead: "e expression f file", quiet: "i in-place"},
	{names: "perl ruby", valued: "e E I M m", skip: 1, instead: "e E", quiet: "i"},
	{names: "jq gojq jaq yq xq tomlq dasel fx", valued: "arg argjson f from-file slurpfile rawfile indent p o input-format output-format", skip: 1, instead: "f from-file"},
	{names: "diff colordiff cmp sdiff vimdiff delta difft", valued: "U C W I label exclude x", deep: true, deepIf: "r recursive"},
	{names: "date", valued: "f file d date r", files: "f file", skip: 99},
	{names: "file", valued: "f files-from m magic-file", files: "f files-from", skip: 99},
	{names: "logger wall qrencode", valued: "f file t tag p priority o output r read-from", files: "f file r read-from"},
	{names: "pax cpio", valued: "f s x", deep: true, copying: true},
	{names: "cp gcp install ditto Copy-Item", valued: "t target-directory S suffix m mode o owner g group", deep: true, deepIf: "r R a recursive archive Recurse", last: true, copying: true},
	{names: "tar gtar bsdtar", valued: "f file C directory X exclude exclude-from T files-from", deep: true, copying: true},
	{names: "zip 7z 7za 7zz rar", valued: "x i P p", deep: true, skip: 1, copying: true},
	{names: "gzip bzip2 xz zstd lz4 pigz", valued: "S suffix", copying: true},
	{names: "openssl", valued: "in out inkey passin passout pubin k pass", files: "in inkey", skip: 99},
	{names: "gpg gpg2", valued: "o output r recipient u local-user passphrase", copying: true},
	{names: "dd gdd", skip: 99},
	{names: "sqlite3 duckdb sqlite-utils litecli", valued: "cmd init separator c", first: true},
	{names: "xclip xsel wl-copy", valued: "selection sel i o", files: "i"},
	{names: "pbcopy clip wl-copy"},
	{names: "ccrypt age", valued: "o output r recipient i identity", copying: true},
	{names: "php python python3 node", skip: 99},
}

// reads finds the secrets in what a program reads.
func (s *scan) reads(name string, args []word.Arg) {
	switch name {
	case "", "echo", "printf":
		return
	case "source", ".":
		if len(args) == 0 {
			return
		}
		if verb, _ := s.secretPath(args[0]); verb == "env-file" && !s.tells() {
			s.readAs(args[0], false, "sourced")
		} else {
			s.readAs(args[0], false)
		}
		return
	case "git":
		s.gitReads(args)
		return
	case "gh", "glab":
		o := unit.Options(args, "F body-file input field f notes-file R repo t title b body l label a assignee H X")
		for _, n := range [...]string{"F", "body-file", "input", "notes-file"} {
			for _, v := range o.Flags[n] {
				v.Text = v.Text[strings.IndexByte(v.Text, '@')+1:]
				s.readAs(v, false, "copied")
			}
		}
	case "xargs", "gxargs":
		o := unit.Options(args, "a arg-file I n P L d s E")
		for _, v := range append(o.Flags["a"], o.Flags["arg-file"]...) {
			s.readAs(v, false)
		}
		return
	case "docker", "podman":
		if len(args) > 1 && args[0].Text == "cp" {
			s.readAs(args[1], true, "copied")
		}
		return
	}
	for i := range readers {
		r := &readers[i]
		if !word.Listed(r.names, name) {
			continue
		}
		s.readsBy(r, name, args)
		return
	}
	s.readsUnasked(name, args)
}

// ddReads is the file that dd takes.
func (s *scan) ddReads(args []word.Arg) {
	for _, a := range args {
		if from, ok := strings.CutPrefix(a.Text, "if="); ok {
			s.readAs(word.Arg{Text: from, By: a.By}, false)
		}
	}
}

// readsBy notes the files that a program of a family is given.
func (s *scan) readsBy(r *reader, name string, args []word.Arg) {
	args, reads := s.plain(r, name, args)
	if !reads {
		return
	}
	o := unit.Options(args, r.valued)
	if r.quiet != "" && anyOf(o, r.quiet) {
		return
	}
	for n := range strings.FieldsSeq(r.files) {
		for _, v := range o.Flags[n] {
			s.readAs(v, false)
		}
	}
	if strings.HasSuffix(name, "dd") {
		s.ddReads(args)
		return
	}
	named := !s.probe && namesOnly(name, o) || s.staysEnv(name, o)
	operands := r.operands(o)
	deep := r.deep && (r.deepIf == "" || anyOf(o, r.deepIf) || name == "rgrep" || name == "rg" || name == "ag" || name == "ack" || name == "ditto")
	var flags []string
	if r.copying {
		flags = []string{"copied"}
	}
	for _, a := range operands {
		if verb, _ := s.secretPath(a); named && verb == "env-file" {
			continue
		}
		s.readAs(a, deep, flags...)
	}
}

// plain are the arguments of programs with ways of their own as others have them; ok says that files are read at all.
func (s *scan) plain(r *reader, name string, args []word.Arg) (out []word.Arg, ok bool) {
	switch name {
	case "openssl":
		return single(args), !usesKey(args)
	case "jq", "gojq", "jaq":
		return s.withoutArgs(args), true
	case "tar", "gtar", "bsdtar":
		args = dashed(args)
		if o := unit.Options(args, r.valued); o.Has("x", "t", "extract", "list", "get") {
			return nil, false
		}
		return within(args), true
	}
	return args, true
}

// staysEnv tells of a copy of a .env that is one as well.
func (s *scan) staysEnv(name string, o unit.Opts) bool {
	n := len(o.Operands)
	if name != "cp" || n < 2 {
		return false
	}
	verb, _ := s.secretPath(o.Operands[n-1])
	return verb == "env-file"
}

// usesKey tells openssl's commands that work with a key and show nothing of it, or only its public half.
func usesKey(args []word.Arg) bool {
	if len(args) == 0 {
		return false
	}
	o := unit.Options(single(args[1:]), "in out inkey passin passout")
	if o.Has("text") {
		return false
	}
	switch args[0].Text {
	case "rsa", "ec", "dsa", "pkey":
		return o.Has("pubout", "noout")
	case "pkcs12":
		return o.Has("export")
	case "req", "x509", "ca", "dgst", "cms", "smime", "verify", "s_server", "s_client":
		return true
	}
	return false
}

// withoutArgs are jq's arguments without the variables that it is given, --arg name value; it reads those that are files.
func (s *scan) withoutArgs(args []word.Arg) []word.Arg {
	var out []word.Arg
	for i := 0; i < len(args); i++ {
		switch args[i].Text {
		case "--arg", "--argjson":
			i += 2
		case "--rawfile", "--slurpfile":
			if i += 2; i < len(args) {
				s.readAs(args[i], false)
			}
		case "--args", "--jsonargs":
			return out
		default:
			out = append(out, args[i])
		}
	}
	return out
}

// operands are those that are files.
func (r *reader) operands(o unit.Opts) []word.Arg {
	operands := o.Operands
	if r.first && len(operands) > 1 {
		operands = operands[:1]
	}
	if skip := r.skip; skip > 0 && (r.instead == "" || !anyOf(o, r.instead)) {
		operands = operands[min(skip, len(operands)):]
	}
	if r.last && !o.Has("t", "target-directory") && len(operands) > 0 {
		operands = operands[:len(operands)-1]
	}
	return operands
}

// dashed gives tar's old bundle of options, tar czf x, its dash.
func dashed(args []word.Arg) []word.Arg {
	if len(args) == 0 || args[0].Text == "" || args[0].Text[0] == '-' {
		return args
	}
	out := append([]word.Arg(nil), args...)
	out[0].Text = "-" + out[0].Text
	return out
}

// within puts the directory that tar's -C names before the operands behind it.
func within(args []word.Arg) []word.Arg {
	dir := ""
	out := make([]word.Arg, 0, len(args))
	for i := 0; i < len(args); i++ {
		a := args[i]
		t := a.Text
		switch {
		case (t == "-C" || t == "--directory" || t == "--cd") && i+1 < len(args):
			i++
			dir = args[i].Text
			continue
		case strings.HasPrefix(t, "-C"):
			dir = t[2:]
			continue
		case strings.HasPrefix(t, "--directory="):
			dir = t[len("--directory="):]
			continue
		case dir != "" && t != "" && t[0] != '-' && t[0] != '/':
			a.Text = strings.TrimRight(dir, "/") + "/" + t
		}
		out = append(out, a)
	}
	return out
}

func (s *scan) read(a word.Arg, deep bool) { s.readAs(a, deep) }

// readAs notes a file whose content a command has then.
func (s *scan) readAs(a word.Arg, deep bool, flags ...string) {
	if a.Text == "" || a.Text == "-" {
		return
	}
	path, where := s.locate(a)
	if path == "" {
		return
	}
	verb, ok := secret.Path(path, s.home())
	if !ok && a.Glob {
		verb, ok = secret.Pattern(path, s.home())
	}
	if !ok && deep {
		verb, ok = secret.Dir(path, s.home())
	}
	if !ok && strings.Contains(a.Text, word.Unknown) && s.listedSecret(a, flags) {
		return
	}
	if !ok {
		if s.probe {
			s.add(policy.Read, "", path)
		}
		return
	}
	if a.Glob {
		flags = append(flags[:len(flags):len(flags)], "glob")
	}
	if verb == "env-file" && !s.probe && s.taken("") {
		flags = append(flags[:len(flags):len(flags)], "sourced")
	}
	s.add(policy.ReadSecret, verb, path, flags...)
	if where == policy.Nowhere && verb != "env-file" && verb != "key-file" && verb != "state-file" {
		where = policy.User // the home is not known, but that it is one
	}
	for i := range s.out {
		if s.out[i].Kind == policy.ReadSecret && s.out[i].Target == path {
			s.out[i].Where = where
		}
	}
}

// gitReads finds secrets that git prints from its history: git show HEAD:.env.
func (s *scan) gitReads(args []word.Arg) {
	if len(args) < 2 {
		return
	}
	switch args[0].Text {
	case "add", "stage", "hash-object":
		for _, a := range unit.Options(args[1:], "t path pathspec-from-file chmod").Operands {
			s.readAs(a, false, "copied")
		}
		return
	case "diff":
		for _, a := range args[1:] {
			if a.Text == "--no-index" {
				for _, f := range unit.Options(args[1:], "U").Operands {
					s.readAs(f, true)
				}
			}
		}
	}
	switch args[0].Text {
	case "show", "cat-file", "diff", "log", "archive", "bundle", "blame", "grep":
	default:
		return
	}
	if s.probe {
		s.add(policy.Read, "", ".")
	}
	if args[0].Text != "show" && args[0].Text != "cat-file" && args[0].Text != "blame" {
		return
	}
	for _, a := range args[1:] {
		if _, file, ok := strings.Cut(a.Text, ":"); ok && file != "" {
			s.readAs(word.Arg{Text: file}, false)
		} else if args[0].Text == "blame" && a.Text != "" && a.Text[0] != '-' {
			s.readAs(a, false)
		}
	}
}

func anyOf(o unit.Opts, names string) bool {
	for n := range strings.FieldsSeq(names) {
		if o.Has(n) {
			return true
		}
	}
	return false
}
