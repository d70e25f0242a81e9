package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// interpreter says how a language's program takes code.
type interpreter struct {
	lang string
	form
	// code are the options whose value is code; all of them are read, in their order.
	code string
	// noInput says that the standard input is no code.
	noInput bool
	// inPlace is the option that has the operands rewritten.
	inPlace string
	// last says that the code option ends the options: python -c.
	last bool
}

// interpreterOf is the program by its name without a version.
func interpreterOf(name string) (interpreter, bool) {
	base := strings.TrimRight(name, "0123456789.-")
	if base == "" || len(name) > 1 && len(base) == 1 {
		return interpreter{}, false
	}
	switch base {
	case "python", "pypy", "pythonw", "python3-dbg", "ipython", "bpython", "micropython", "graalpy", "py", "sage":
		return interpreter{lang: "python", form: form{short: "c:W:X:m:Q:", long: "check-hash-based-pycs"}, code: "c", last: true}, true
	case "perl":
		return interpreter{lang: "perl", form: form{short: "e:E:I:M:m:F:C?D?i?l#0#V?x?d?"}, code: "e E", inPlace: "i"}, true
	case "ruby", "jruby", "truffleruby", "mruby":
		return interpreter{lang: "ruby", form: form{short: "e:r:I:C:E:F:K?W?i?x?0#T?", long: "encoding external-encoding internal-encoding"}, code: "e", inPlace: "i"}, true
	case "node", "nodejs", "tsx", "ts-node", "iojs", "esno", "zx":
		return interpreter{lang: "node", form: form{
			short: "e:p:r:C:O:P:T:", long: "eval print require import loader experimental-loader conditions input-type env-file title cwd project compiler-options",
		}, code: "e p eval print"}, true
	case "bun":
		return interpreter{lang: "node", form: form{short: "e:p:r:c:", long: "eval print preload cwd config env-file"}, code: "e p eval print", noInput: true}, true
	case "php", "php-cgi", "hhvm":
		return interpreter{lang: "php", form: form{short: "r:B:R:E:d:c:f:F:z:t:S:", long: "run process-begin process-code process-end define php-ini file"}, code: "r B R E run process-begin process-code process-end"}, true
	case "lua", "luajit", "texlua":
		return interpreter{lang: "lua", form: form{short: "e:l:j:O?"}, code: "e"}, true
	case "awk", "gawk", "mawk", "nawk", "goawk", "original-awk":
		return interpreter{lang: "awk", form: form{short: "F:v:f:e:E:i:l:W:", long: "source file exec field-separator assign include load"}, code: "e source", noInput: true, inPlace: ""}, true
	case "sed", "gsed", "ssed":
		return interpreter{lang: "sed", form: form{short: "e:f:l:i?", long: "expression file line-length in-place?"}, code: "e expression", noInput: true}, true
	}
	return rarer(base)
}

// rarer are languages that are seldom used in a command.
func rarer(base string) (interpreter, bool) {
	switch base {
	case "osascript":
		return interpreter{lang: "osascript", form: form{short: "e:l:s:"}, code: "e"}, true
	case "tclsh", "wish", "expect", "jimsh":
		return interpreter{lang: "tcl", form: form{short: "c:f:"}, code: "c"}, true
	case "R", "Rscript", "rscript", "littler":
		return interpreter{lang: "r", form: form{short: "e:f:g:d:", long: "file gui debugger encoding"}, code: "e"}, true
	case "julia":
		return interpreter{lang: "julia", form: form{short: "e:E:L:C:t:p:J:H:O?g?", long: "eval print load threads procs sysimage project?"}, code: "e E eval print"}, true
	case "elixir":
		return interpreter{lang: "elixir", form: form{short: "e:r:S:", long: "eval rpc-eval name sname cookie"}, code: "e eval"}, true
	case "erl":
		return interpreter{lang: "erlang", form: form{short: "", long: "eval s run boot sname name pa pz", single: true}, code: "eval", noInput: true}, true
	case "sbcl", "clisp", "ecl", "ccl":
		return interpreter{lang: "lisp", form: form{short: "x:", long: "eval load script"}, code: "eval x"}, true
	case "bb", "babashka", "lein":
		return interpreter{lang: "clojure", form: form{short: "e:f:", long: "eval"}, code: "e eval", noInput: true}, true
	case "gnuplot", "octave", "octave-cli", "maxima", "matlab", "gp", "scilab":
		return interpreter{lang: "math", form: form{short: "e:r:", long: "eval batch-string exec-path"}, code: "e r eval batch-string"}, true
	case "jshell", "runghc", "runhaskell", "m4", "tcc":
		return interpreter{lang: base, form: form{short: "e:I:D:R:"}, code: "e"}, true
	case "gcc", "cc", "clang", "g++", "c++", "clang++":
		return interpreter{lang: "compiled", form: form{short: "o:I:L:l:D:x:O?W?f?m?", permute: true}, code: ""}, true
	case "groovy":
		return interpreter{lang: "groovy", form: form{short: "e:p?i?c:", long: "classpath"}, code: "e"}, true
	case "scala", "swift", "ghc", "racket", "ocaml", "guile", "clojure", "clj", "nim", "crystal":
		return interpreter{lang: base, form: form{short: "e:c:"}, code: "e c", noInput: true}, true
	}
	return interpreter{}, false
}

// interpreters unwraps code that stands in arguments or comes on the standard input.
func interpreters(name string, c word.Command) ([]word.Inner, bool, bool) {
	if name == "deno" {
		return deno(c), true, true
	}
	it, ok := interpreterOf(name)
	if !ok {
		return nil, false, false
	}
	if it.lang == "python" && len(c.Argv) > 1 && name == "sage" {
		it.short, it.code = "c:", "c"
	}
	args := c.Argv[1:]
	if it.lang == "node" {
		args = splitNode(args)
	}
	o := it.read(args)
	if o.has("V", "version", "help") && len(o.rest) == 0 || it.lang == "python" && o.has("m") {
		return module(o), true, true
	}
	var out []word.Inner
	if code, found := it.codeOf(&o); found {
		in := text(it.lang, code)
		in.Args = append(word.Lits("-c"), o.rest...)
		out = append(out, in)
	} else if !it.noInput && (len(o.rest) == 0 || o.rest[0].Text == "-" || isInput(o.rest[0])) && !o.has("f", "file") {
		out = append(out, input(it.lang, c)...)
		for i := range out {
			out[i].Args = o.rest
		}
		o.rest = nil
	}
	if it.inPlace != "" && o.has(it.inPlace) && len(o.rest) > 0 {
		out = append(out, word.Inner{Op: "overwrite", Argv: o.rest})
	}
	return out, true, true
}

// read reads the options; python's end with -c and -m.
func (it interpreter) read(args []word.Arg) options {
	if !it.last {
		f := it.form
		f.permute = it.lang == "sed"
		return parse(args, f)
	}
	for i, a := range args {
		t := a.Text
		if len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.ContainsAny(t[1:], "cm") {
			// The letters before take no value in any cluster that is in use.
			j := strings.IndexAny(t, "cm")
			if strings.ContainsAny(t[:j], "WXQ") {
				continue
			}
			end := i + 1
			if j == len(t)-1 {
				end++
			}
			end = min(end, len(args))
			o := parse(args[:end], it.form)
			o.rest = append(o.rest, args[end:]...)
			return o
		}
		if len(t) == 0 || t[0] != '-' || t == "-" {
			if i > 0 && (args[i-1].Text == "-W" || args[i-1].Text == "-X") {
				continue
			}
			break
		}
	}
	return parse(args, it.form)
}

// codeOf joins the code of all options; for awk and sed the first operand is code where no option is.
func (it interpreter) codeOf(o *options) (word.Arg, bool) {
	names := strings.Fields(it.code)
	codes := o.values(names...)
	if len(codes) == 0 && (it.lang == "awk" || it.lang == "sed") && len(o.rest) > 0 && !o.has("f", "file", "E", "exec") {
		codes, o.rest = o.rest[:1], o.rest[1:]
	}
	if len(codes) == 0 {
		return word.Arg{}, false
	}
	out := codes[0]
	for _, a := range codes[1:] {
		out.Text += "\n" + a.Text
		out.Many = out.Many || a.Many
	}
	return out, true
}

// splitNode splits -pe, which node knows beside its long options.
func splitNode(args []word.Arg) []word.Arg {
	for i, a := range args {
		if a.Text == "-pe" || a.Text == "-ep" {
			out := append(clip(args[:i]), word.Lit("-e"))
			return append(out, args[i+1:]...)
		}
		if !strings.HasPrefix(a.Text, "-") {
			break
		}
	}
	return args
}

// module is what python -m runs beyond itself.
func module(o options) []word.Inner {
	m, ok := o.value("m")
	if !ok {
		return nil
	}
	switch m.Text {
	case "timeit":
		t := parse(o.rest, form{short: "n:r:s:u:", long: "number repeat setup unit"})
		var out []word.Inner
		for _, a := range append(t.values("s", "setup"), t.rest...) {
			out = append(out, text("python", a))
		}
		return out
	case "coverage", "cProfile", "profile", "trace", "pdb", "runpy":
		return nil
	}
	return nil
}

// deno's code is that of eval, or of run with the standard input.
func deno(c word.Command) []word.Inner {
	args := c.Argv[1:]
	if len(args) == 0 {
		return input("node", c)
	}
	o := parse(args[1:], form{short: "c:", long: "ext config import-map env-file cert location seed", permute: true})
	switch {
	case args[0].Text == "eval" && len(o.rest) > 0:
		in := text("node", o.rest[0])
		in.Args = o.rest[1:]
		return []word.Inner{in}
	case args[0].Text == "run" && len(o.rest) > 0 && o.rest[0].Text == "-":
		return input("node", c)
	}
	return nil
}
