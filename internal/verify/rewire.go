package verify

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/foreign"
	"github.com/boathook/boathook/internal/shellquote"
)

// wiring is what an installed command line runs and reads.
type wiring struct {
	// command is the line with the temporary config in place of the baked one.
	command         string
	program, config string
}

var errForeign = errors.New("it is not as boathook writes it")

// rewire puts a temporary config into an installed command line. Where the config is in a script (Antigravity's command runs
// one, Cline's hook is one) a copy of that, changed in this one place, is what runs then.
func rewire(agent string, h agentrun.Hook, dir, config string) (wiring, error) {
	switch agent {
	case "antigravity":
		script, rest, ok := shellquote.First(h.Command)
		if !ok {
			return wiring{}, errForeign
		}
		w, name, err := copied(script, dir, config)
		w.command = shellquote.Word(name) + rest
		return w, err
	case "cline":
		w, name, err := copied(h.Command, dir, config)
		w.command = name
		return w, err
	}
	script, wrap := shellquote.Unwrap(h.Command)
	line, baked, ok := swap(script, config)
	program := startedBy(script)
	if !ok || program == "" {
		return wiring{}, errForeign
	}
	return wiring{command: wrap(line), program: program, config: baked}, nil
}

// copied makes a copy of a script with another config.
func copied(script, dir, config string) (w wiring, name string, err error) {
	text, err := foreign.Read(script)
	if err != nil {
		return w, "", fmt.Errorf("the script that it runs can't be read: %w", err)
	}
	info, err := os.Stat(script)
	if err != nil {
		return w, "", fmt.Errorf("the script that it runs can't be read: %w", err)
	}
	changed, baked, ok := swap(string(text), config)
	if !ok {
		return w, "", fmt.Errorf("%s: %w", script, errForeign)
	}
	w = wiring{config: baked, program: programOf(string(text))}
	name = filepath.Join(dir, filepath.Base(script))
	if err := os.WriteFile(name, []byte(changed), 0o700); err != nil {
		return w, "", fmt.Errorf("copy script: %w", err)
	}
	// The mode is the original's: one that can't be run must not run here either.
	if err := os.Chmod(name, info.Mode().Perm()); err != nil {
		return w, "", fmt.Errorf("copy script: %w", err)
	}
	return w, name, nil
}

const configFlag = " --config "

// swap replaces the word behind the last --config.
func swap(text, config string) (out, baked string, ok bool) {
	at := strings.LastIndex(text, configFlag)
	if at < 0 {
		return "", "", false
	}
	head, tail := text[:at+len(configFlag)], text[at+len(configFlag):]
	baked, rest, ok := shellquote.First(tail)
	if !ok {
		return "", "", false
	}
	if name, cut := strings.CutSuffix(baked, ")"); cut && tail[len(tail)-len(rest)-1] == ')' { // the end of $( … )
		baked, rest = name, ")"+rest
	}
	return head + shellquote.Quote(config) + rest, baked, true
}

// programOf is the program that a script names, or that it starts.
func programOf(script string) string {
	for line := range strings.Lines(script) {
		if word, ok := strings.CutPrefix(line, "program="); ok {
			program, _, _ := shellquote.First(word)
			return program
		}
	}
	return startedBy(script)
}

// startedBy is the program that a command line starts as a hook: the word behind the last && or ; before its arguments.
func startedBy(script string) string {
	for _, before := range []string{" && ", "; "} {
		at := strings.Index(script, before)
		for at >= 0 {
			program, rest, ok := shellquote.First(script[at+len(before):])
			if ok && strings.HasPrefix(rest, " hook --agent ") {
				return program
			}
			next := strings.Index(script[at+1:], before)
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	return ""
}

// words splits a command line as a program does that runs it without a shell.
func words(line string) []string {
	var out []string
	for {
		line = strings.TrimLeft(line, " \t\n")
		word, rest, ok := shellquote.First(line)
		if !ok || rest == line { // it ends, or is no plain command line
			return out
		}
		out = append(out, word)
		line = rest
	}
}
