package shellcmd

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/wincmd"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

// read runs a text in this shell.
func (w *shell) read(text string) status {
	if !w.bud.spend(len(text)) || w.bud.depth > maxDepth {
		w.bud.over = true
		return anyStatus
	}
	if strings.HasPrefix(text, "\uFEFF") {
		text = text[3:]
		if w.base >= 0 {
			w.base += 3
		}
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, word.Unknown)
		w.base = -1
	}
	text, returns := withoutReturns(text)
	f, hashes, err := parseHashes(text, w.lang)
	hashes = hashes || returns
	if err == nil {
		old, src := w.hashes, w.src
		w.hashes, w.src = hashes, text
		w.bud.depth++
		st := w.stmts(f.Stmts)
		w.bud.depth--
		w.hashes, w.src = old, src
		return st
	}
	if errors.Is(err, errDeep) {
		w.bud.over = true
	} else {
		w.unsure("parse", text, -1)
	}
	w.salvage(text)
	return anyStatus
}

// parseAny reads a text as the dialect that is wanted, and where it is none of it as one of the others.
func parseAny(text string, l lang, more ...syntax.ParserOption) (*syntax.File, error) {
	order := [...]syntax.LangVariant{syntax.LangBash, syntax.LangZsh, syntax.LangPOSIX, syntax.LangMirBSDKorn}
	if l.zsh {
		order[0], order[1] = order[1], order[0]
	}
	if l.posix {
		order[0], order[2] = order[2], order[0]
	}
	var first error
	for _, v := range order {
		f, err := syntax.NewParser(append(more, syntax.Variant(v))...).Parse(&guard{r: strings.NewReader(text)}, "")
		if err == nil {
			return f, nil
		}
		if errors.Is(err, errDeep) {
			return nil, errDeep
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

type deepError struct{}

func (deepError) Error() string { return "nested too deep" }

var errDeep deepError

// guard gives the parser its text, and ends it where the parser calls itself too deep: its stack would else be as deep as the text.
type guard struct {
	r    io.Reader
	read int
}

// maxFrames is how deep the parser may be in itself.
const maxFrames = 4000

func (g *guard) Read(p []byte) (int, error) {
	if g.read > 1024 {
		var pc [1]uintptr
		if runtime.Callers(maxFrames, pc[:]) > 0 {
			return 0, errDeep
		}
	}
	n, err := g.r.Read(p)
	g.read += n
	return n, err
}

// maxSalvage is how many parts of a text that does not parse are looked at.
const maxSalvage = 500

// salvage runs what of a text parses: its lines, and their parts, each as if it stood alone.
func (w *shell) salvage(text string) {
	w.base = -1
	n := 0
	w.perhaps(func() {
		for line := range strings.SplitSeq(text, "\n") {
			for len(line) > 0 {
				i := strings.IndexAny(line, ";&|()`{}")
				part := line
				if line = ""; i >= 0 {
					part, line = part[:i], part[i+1:]
				}
				if strings.TrimSpace(part) == "" {
					continue
				}
				if n++; n > maxSalvage || !w.bud.step() {
					return
				}
				if f, err := parseAny(part, w.lang); err == nil {
					w.stmts(f.Stmts)
				}
			}
		}
	})
}

// windows lists the commands of a text for PowerShell or cmd.
func (w *shell) windows(dialect, text string) {
	if dialect == "pwsh" {
		dialect = "powershell"
	}
	cmds, unsure := wincmd.Split(dialect, text)
	places := make([]int, len(cmds))
	dir := ""
	for i, c := range cmds {
		if dir != "" && c.Dir.Text == "" {
			c.Dir = word.Lit(dir)
		}
		dir = windowsDir(c, dir)
		places[i] = len(w.r.Commands)
		from := make([]int, len(c.Stdin.From))
		for j, f := range c.Stdin.From {
			from[j] = places[f]
		}
		c.Stdin.From = from
		if c.Op != "" || len(c.Argv) == 0 {
			w.emit(c)
			continue
		}
		in := invocation{Command: c}
		w.program(&in)
	}
	if unsure {
		w.unsure("code", text, -1)
	}
}
