// Package inline reads code in other languages (python -c, perl -e, node -e, awk) to the extent of calls that delete, write, read,
// run or connect.
package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// Bounds of what is read of one code; beyond them the answer is unsure.
const (
	maxCode   = 1 << 20
	maxTokens = 1 << 17
	maxDepth  = 100
	maxText   = 1 << 14
	maxInner  = 256
)

// Env is what is known of the environment in which code runs.
type Env struct {
	// Var gives a variable of the environment; nil knows none.
	Var func(name string) (string, bool)
	// Dir is the working directory, empty where not known.
	Dir string
}

// Read gives what code does and runs, and tells whether something in it can hide more: code made at run time, a command that is
// not known. args are the code's own arguments.
func Read(lang, code string, args []word.Arg) (inner []word.Inner, unsure bool) {
	return ReadIn(Env{}, lang, code, args)
}

// ReadIn is Read where something is known of the environment.
func ReadIn(env Env, lang, code string, args []word.Arg) (inner []word.Inner, unsure bool) {
	if strings.TrimSpace(code) == "" {
		return nil, false
	}
	if code == word.Unknown || len(code) > maxCode {
		return nil, true
	}
	r := &reader{env: env, lang: lang, args: args, vars: map[string]value{}, budget: new(int), dir: new(*word.Arg)}
	*r.budget = maxTokens
	r.read(code)
	return r.out, r.unsure
}

// reader walks through one code.
type reader struct {
	env    Env
	lang   string
	syn    *syntax
	args   []word.Arg
	toks   []token
	i      int
	vars   map[string]value
	out    []word.Inner
	unsure bool
	depth  int
	// dir is where code has gone to, of all codes in codes; nil where it has not.
	dir **word.Arg
	// block is what a block of Ruby gets: the elements of what its method goes through.
	block value
	// budget is the number of tokens that may still be read, of all codes in codes.
	budget *int
}

// read reads code of the reader's language.
func (r *reader) read(code string) {
	switch r.lang {
	case "sed":
		r.sed(code)
		return
	case "awk":
		r.awk(code)
		return
	case "tcl":
		r.tcl(code)
		return
	case "osascript":
		r.applescript(code)
		return
	case "compiled":
		r.unsure = r.unsure || deletesHome(code)
		return
	}
	r.syn = syntaxOf(r.lang)
	if r.syn == nil {
		r.unsure = suspicious(code)
		return
	}
	toks, ok := lex(r.syn, code)
	*r.budget -= len(toks)
	if !ok || *r.budget < 0 {
		r.unsure = r.unsure || *r.budget < 0 || suspicious(code)
	}
	if *r.budget < 0 {
		return
	}
	r.toks, r.i = toks, 0
	r.program()
	r.overlooked(toks, code)
}

// nested reads code in code: eval of a literal, what stands in a string.
func (r *reader) nested(lang, code string) {
	if r.depth > 8 || strings.TrimSpace(code) == "" {
		r.unsure = r.unsure || r.depth > 8
		return
	}
	sub := &reader{env: r.env, lang: lang, args: r.args, vars: r.vars, depth: r.depth + 1, budget: r.budget, dir: r.dir}
	if lang != r.lang {
		sub.vars = map[string]value{}
	}
	sub.read(code)
	for _, in := range sub.out {
		r.emit(in)
	}
	r.unsure = r.unsure || sub.unsure
}

// emit keeps what code does, up to a bound.
func (r *reader) emit(in word.Inner) {
	if len(r.out) >= maxInner {
		r.unsure = true
		return
	}
	in.Via = word.Via{Kind: "code", Detail: r.lang}
	if in.Dir == nil && *r.dir != nil {
		in.Dir = *r.dir
	}
	r.out = append(r.out, in)
}

// suspicious tells whether code that is not understood has a word in it of those that run or delete.
func suspicious(code string) bool {
	low := strings.ToLower(code)
	for _, w := range []string{
		"system", "exec", "spawn", "popen", "unlink", "remove", "rmtree", "rmdir", "delete", "eval", "rm_r", "rmsync", "shell", "subprocess", "`", "run(",
		"cmd(", "cmd \"", "write18", "run-program", "open3", ".!", "command",
	} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}
