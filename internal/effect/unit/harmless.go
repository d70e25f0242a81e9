package unit

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// Program is the name of the program that runs, as one writes it: without its directories and .exe, in lower case on Windows; empty
// for an operation of code and where it is not known.
func (u Unit) Program() string {
	name := u.Name()
	if i := strings.LastIndexByte(name, '\\'); i >= 0 {
		name = name[i+1:]
	}
	if n := len(name) - 4; n > 0 && strings.EqualFold(name[n:], ".exe") {
		name = name[:n]
	}
	if u.Machine != nil && u.Machine.OS == "windows" {
		name = strings.ToLower(name)
	}
	if strings.Contains(name, word.Unknown) {
		return ""
	}
	return name
}

// Args are the words after the program's name.
func (u Unit) Args() []word.Arg {
	if len(u.Argv) < 2 {
		return nil
	}
	return u.Argv[1:]
}

// Help tells whether words ask a program only how it is used.
func Help(args []word.Arg) bool {
	for _, a := range args {
		switch a.Text {
		case "--help":
			return true
		case "--":
			return false
		}
	}
	return len(args) == 1 && args[0].Text == "-h"
}
