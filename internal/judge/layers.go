package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/version"
	"github.com/boathook/boathook/policy"
)

// Text is one policy file as it was read.
type Text struct {
	Path  string
	Layer policy.Layer
	Text  []byte
	// There says that the file is there, Err why it could not be read or does not count.
	There bool
	Err   error
}

// Layers are the policies in force.
type Layers struct {
	Set *policy.Set
	// Digest names them: equal digests judge equally.
	Digest string
	// Problems are what is wrong with the files. Broken says that a file is there of which nothing may be used: the built-in policy
	// stands in for it.
	Problems []policy.Problem
	Broken   bool
}

// Combine makes the policies in force of the files that were read, in any order. A file that is broken costs its own rules, never the
// built-in ones.
func Combine(texts ...Text) Layers {
	var l Layers
	var files []policy.File
	sum := sha256.New()
	sum.Write([]byte(version.String()))
	for _, t := range texts {
		if t.Err != nil {
			l.Problems = append(l.Problems, policy.Problem{File: t.Path, Text: t.Err.Error(), Cure: "until then its rules do not count"})
			l.Broken = true
			continue
		}
		if !t.There {
			continue
		}
		f, problems, broken := policy.Parse(t.Path, t.Text, t.Layer)
		l.Problems = append(l.Problems, problems...)
		if broken {
			l.Broken = true
			continue
		}
		files = append(files, f)
		sum.Write([]byte("\x00" + string(t.Layer) + "\x00"))
		sum.Write(t.Text)
	}
	l.Set = policy.Combine(files...)
	l.Digest = hex.EncodeToString(sum.Sum(nil)[:8])
	return l
}

// ProblemText is a problem as a record and a person have it.
func ProblemText(p policy.Problem) string {
	at := p.File
	if p.Line > 0 {
		at += ":" + strconv.Itoa(p.Line)
	}
	text := at + ": "
	if p.Key != "" && !strings.HasPrefix(p.Text, p.Key+" ") { // which names it already
		text += p.Key + ": "
	}
	text += p.Text
	if p.Cure != "" {
		text += "; " + p.Cure
	}
	return text
}
