package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// standIn is put for a # that the parser takes for the start of a comment where it is not: within parentheses it forgets that
// "a"#b is one word.
const standIn = '\x1a'

// standCR is put for a carriage return within a line: a shell takes it for a character like any other, the parser for a space.
const standCR = '\x19'

// withoutReturns puts stand-ins for carriage returns that do not end a line.
func withoutReturns(text string) (string, bool) {
	if strings.IndexByte(text, '\r') < 0 || strings.IndexByte(text, standCR) >= 0 {
		return text, false
	}
	b := []byte(text)
	any := false
	for i, c := range b {
		if c == '\r' && i+1 < len(b) && b[i+1] != '\n' {
			b[i], any = standCR, true
		}
	}
	return string(b), any
}

// parseHashes parses a text, and once more where it found a comment in the middle of a word. Offsets stay what they are.
func parseHashes(text string, l lang) (f *syntax.File, hashes bool, err error) {
	if !suspicious(text) {
		f, err = parseAny(text, l)
		return f, false, err
	}
	f, err = parseAny(text, l, syntax.KeepComments(true))
	if err != nil {
		return f, false, err
	}
	for range 20 {
		fixed, any := withoutComments(f, text)
		if !any {
			return f, hashes, nil
		}
		again, err := parseAny(fixed, l, syntax.KeepComments(true))
		if err != nil {
			return f, hashes, nil
		}
		f, text, hashes = again, fixed, true
	}
	return f, hashes, nil
}

// suspicious tells whether a text has a # right behind what may be a part of a word.
func suspicious(text string) bool {
	for i := 1; i < len(text); i++ {
		if text[i] == '#' && inWord(text[i-1]) {
			return true
		}
	}
	return false
}

// inWord tells whether a byte before # makes it a part of a word. A parenthesis may be either.
func inWord(c byte) bool { return strings.IndexByte(" \t\r\n;&|(<>", c) < 0 }

func withoutComments(f *syntax.File, text string) (string, bool) {
	var at []int
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			if i := int(c.Hash.Offset()); i > 0 && i < len(text) && text[i] == '#' && inWord(text[i-1]) {
				at = append(at, i)
			}
		}
		return true
	})
	if len(at) == 0 {
		return text, false
	}
	b := []byte(text)
	for _, i := range at {
		b[i] = standIn
	}
	return string(b), true
}

// unhash gives literal text with what stood there.
func (w *shell) unhash(s string) string {
	if !w.hashes || strings.IndexByte(s, standIn) < 0 && strings.IndexByte(s, standCR) < 0 {
		return s
	}
	return strings.NewReplacer(string(rune(standIn)), "#", string(rune(standCR)), "\r").Replace(s)
}
