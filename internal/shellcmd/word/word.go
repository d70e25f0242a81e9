// Package word is what a command is once the shell has read it: arguments with what is known of them, where its input
// comes from, where it runs and how it was reached. All is plain data.
package word

import "strings"

// Unknown stands in a text for a part that only a run would tell. Text that holds the character itself counts as unknown there.
const Unknown = "\uFFFC"

// Arg is one word of a command after all expansions.
type Arg struct {
	// Text is the word, with Unknown for what is not known.
	Text string `json:"text"`
	// Glob says that a pattern character in it is active: it may stand for any number of paths.
	Glob bool `json:"glob,omitempty"`
	// Many says that an unknown part of it may be several words, or none.
	Many bool `json:"many,omitempty"`
	// By are the commands whose output is in it, or in the file of which it is the path (<(…), a file that the same text has
	// made), by their places in the result.
	By []int `json:"by,omitempty"`
	// From and To are its bytes in the text that was judged, where it stands there; To is 0 where it does not.
	From int `json:"-"`
	To   int `json:"-"`
	// Source are the bytes of the word in the text that was judged which the shell has made this of, perhaps with others; {0,0} where
	// it does not stand there.
	Source [2]int `json:"-"`
}

// Known tells whether all of the word is known.
func (a Arg) Known() bool { return !a.Many && !strings.Contains(a.Text, Unknown) }

// Lit is a known word that does not stand in the text.
func Lit(text string) Arg { return Arg{Text: text} }

// Lits are such words.
func Lits(texts ...string) []Arg {
	out := make([]Arg, len(texts))
	for i, s := range texts {
		out[i] = Lit(s)
	}
	return out
}

// Texts are the words without what else is known of them.
func Texts(args []Arg) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a.Text
	}
	return out
}

// Data is text that flows: a command's input or output.
type Data struct {
	// Given says that there is any: a command without input of its own reads the terminal.
	Given bool `json:"given,omitempty"`
	// Text is what is known of it, with Unknown for the rest.
	Text string `json:"text,omitempty"`
	// From are the commands that write it, by their places in the result, nearest last.
	From []int `json:"from,omitempty"`
}

// Known tells whether there is data and all of it is known.
func (d Data) Known() bool { return d.Given && !strings.Contains(d.Text, Unknown) }

// Redirect is one redirection of a file. Here-documents are in a command's Stdin.
type Redirect struct {
	// Op is < > >> >| <> &> &>> (>& with a file is &>).
	Op     string `json:"op"`
	FD     string `json:"fd,omitempty"`
	Target Arg    `json:"target"`
}

// Assign is one variable that is set for a command alone, or by it (export X=…).
type Assign struct {
	Name  string `json:"name"`
	Value Arg    `json:"value"`
}

// Via is one step of how a command was reached.
type Via struct {
	// Kind is subshell, substitution, process, pipe, function, alias, trap, eval, source, branch, loop, background, wrapper, shell,
	// code, here-document, file.
	Kind string `json:"kind"`
	// Detail is what stood there: the wrapper's or function's name, the interpreter.
	Detail string `json:"detail,omitempty"`
}

// Command is one simple command that may run, or one operation of inline code.
type Command struct {
	Argv []Arg `json:"argv"`
	// Op is empty for a program that is run. Otherwise code does this itself, and Argv are its operands: delete (with
	// Recursive), write, overwrite, append, read, move, copy, chmod, chown, mkdir, send, fetch, connect, kill.
	Op        string     `json:"op,omitempty"`
	Recursive bool       `json:"recursive,omitempty"`
	Assigns   []Assign   `json:"assigns,omitempty"`
	Redirects []Redirect `json:"redirects,omitempty"`
	Stdin     Data       `json:"stdin,omitzero"`
	// Piped says that its output goes into another command.
	Piped bool `json:"piped,omitempty"`
	// Dir is the working directory; relative or empty where the start's is not known.
	Dir Arg `json:"dir"`
	// User is who runs it where that is another than the agent's (sudo: root); Host where it runs elsewhere (ssh, a container).
	User string `json:"user,omitempty"`
	Host string `json:"host,omitempty"`
	Via  []Via  `json:"via,omitempty"`
	// Maybe says that it need not run: a branch, a loop, an && that may fail.
	Maybe bool `json:"maybe,omitempty"`
	// From and To are its bytes in the text that was judged, where it stands there as it is; To is 0 where it does not.
	From int `json:"-"`
	To   int `json:"-"`
}

// Name is the program's name without its directories, as far as known; empty for an Op.
func (c Command) Name() string {
	if c.Op != "" || len(c.Argv) == 0 {
		return ""
	}
	name := c.Argv[0].Text
	return name[strings.LastIndexByte(name, '/')+1:]
}

// Inner is what a wrapper or code runs in turn: another command, or text for a shell or an interpreter.
type Inner struct {
	// Argv is a command, or with Op the operands of an operation, as in Command.
	Argv      []Arg
	Op        string
	Recursive bool
	// Text is code in Lang: sh bash zsh dash ksh fish powershell cmd are shells; python perl ruby node php awk lua sed … are not.
	// Args are then its own arguments, from $0 or argv[0] on.
	Text *Data
	Lang string
	Args []Arg
	// What changes for it; zero values change nothing.
	Assigns []Assign
	Dir     *Arg
	User    string
	Host    string
	// Mounts are the directories of this machine that are seen where Host is.
	Mounts []Mount
	Stdin  *Data
	Via    Via
	// Maybe as in Command: find -exec runs nothing where nothing is found.
	Maybe bool
}

// Mount is a directory of this machine that is seen at another path, in a container.
type Mount struct {
	Source, Target string
}
