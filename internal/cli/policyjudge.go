package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/callspec"
	"github.com/boathook/boathook/internal/judge"
	rerun "github.com/boathook/boathook/internal/replay"
	"github.com/boathook/boathook/policy"
)

// policyJudge is `boathook policy judge`.
type policyJudge struct {
	policyOptions
	cwd, agent, home string
	effects          bool
}

func newPolicyJudge(env *Env) *cobra.Command {
	var o policyJudge
	cmd := &cobra.Command{
		Use:   "judge",
		Short: "Judge calls from stdin, one JSON object a line",
		Long: `Read calls on stdin, one JSON object on each line, and print what the policy decides of each, in their order, each as soon
as it is there. Nothing is run, recorded or asked, no file that a call names is looked at and no project's policy, so that the
answers are the same on every machine with the same policy.

A line has "command", or "tool" and "input"; beside them, as far as they matter, "id" (any JSON value), "cwd", "project"
and "agent". An answer has

  id         that of the line
  decision   allow, ask or deny
  action     the rule's, where it is another: warn, rewrite
  rule       the rule that decided; empty where none did
  commands   the arguments of each command that may run, with U+FFFC for what only a run would tell
  dynamic    whether something of it only a run would tell

What is no call gets {"line":N,"error":"…"}, and the exit code is then 1.`,
		Example: `  echo '{"id":1,"command":"git push --force"}' | boathook policy judge
  boathook policy judge --cwd /home/dev/shop --home /home/dev < calls.jsonl | jq -r 'select(.decision=="deny").id'
  boathook policy judge --effects --policy new.toml < calls.jsonl`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return o.run(env) },
	}
	o.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.cwd, "cwd", "", "the `DIR` in which a call runs whose line does not say it (default: here)")
	f.StringVar(&o.agent, "agent", "", "whose call it is where its line does not say it: "+strings.Join(agentNames(), ", "))
	f.StringVar(&o.home, "home", "", "the user's home, a `DIR` (default: yours)")
	f.BoolVar(&o.effects, "effects", false, "print the effects of each call, too")
	_ = cmd.MarkFlagDirname("cwd") // these are there
	_ = cmd.MarkFlagDirname("home")
	complete(cmd, "agent", agentNames())
	return cmd
}

// judgedLine is the answer to one line.
type judgedLine struct {
	ID       json.RawMessage `json:"id,omitempty"`
	Decision canon.Action    `json:"decision"`
	Action   policy.Action   `json:"action,omitempty"`
	Rule     string          `json:"rule"`
	Commands [][]string      `json:"commands"`
	Dynamic  bool            `json:"dynamic"`
	Effects  []policy.Effect `json:"effects,omitempty"`
}

type badLine struct {
	ID    json.RawMessage `json:"id,omitempty"`
	Line  int             `json:"line"`
	Error string          `json:"error"`
}

func (o *policyJudge) run(env *Env) error {
	p, err := o.load(env)
	if err != nil {
		return err
	}
	p.projects = false // a project's policy is on the disk
	p.tellProblems(p.of(""))
	if o.cwd == "" {
		o.cwd = env.Dir
	}
	o.cwd = env.absolute(o.cwd)
	if o.home != "" {
		p.home = env.absolute(o.home)
	}
	if env.Typed {
		env.warn("reading calls from stdin, one JSON object a line; end with Ctrl-D")
	}
	bad, err := eachLine(env.Stdin, env.Stdout, func(n int, line []byte) ([]byte, bool) {
		return o.line(p, n, line)
	})
	switch {
	case err != nil:
		return err
	case bad > 0:
		return exitWith(exitFailed, fmt.Errorf("judge calls: %s could not be read", count(bad, "line")))
	}
	return nil
}

// line judges one line, and tells whether it is a call.
func (o *policyJudge) line(p *policies, n int, line []byte) ([]byte, bool) {
	var in struct {
		ID json.RawMessage `json:"id"`
		callspec.Call
	}
	err := json.Unmarshal(line, &in)
	if err == nil && in.Command == "" && in.Tool == "" && in.Input == nil {
		err = errors.New(`it has neither "command" nor "tool"`)
	}
	if err != nil {
		return jsonLine(badLine{ID: in.ID, Line: n, Error: err.Error()}), false
	}
	if in.CWD == "" {
		in.CWD = o.cwd
	}
	if in.Agent == "" {
		in.Agent = o.agent
	}
	if in.Project == "" {
		in.Project = in.CWD
	}
	m := p.machine(in.CWD, in.Project)
	m.Guard = slices.DeleteFunc(m.Guard, func(path string) bool { return path == p.env.Exe }) // where this program lies is no part of an answer
	c := judge.Read(in.Event(), m)
	v := p.set("").Judge(c)
	out := judgedLine{ID: in.ID, Decision: rerun.Decision(v.Action), Rule: v.Rule, Commands: [][]string{}, Dynamic: isDynamic(c)}
	if string(out.Decision) != string(v.Action) {
		out.Action = v.Action
	}
	for _, cmd := range c.Commands {
		out.Commands = append(out.Commands, cmd.Argv)
	}
	if o.effects {
		out.Effects = c.Effects
	}
	return jsonLine(out), true
}

// isDynamic tells whether something of a call only a run would tell.
func isDynamic(c policy.Call) bool {
	return slices.ContainsFunc(c.Commands, func(c policy.Command) bool { return c.Dynamic }) ||
		slices.ContainsFunc(c.Effects, func(e policy.Effect) bool { return e.Kind == policy.Dynamic })
}

// jsonLine is a value as one line of harmless JSON. What is given here always marshals.
func jsonLine(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return append(plainJSON(bytes.TrimRight(b.Bytes(), "\n")), '\n')
}

// maxLine bounds a line of stdin.
const maxLine = 64 << 20

// task is one line on its way through the workers.
type task struct {
	n    int
	in   []byte
	out  []byte
	good bool
	done chan struct{}
}

// eachLine answers every line that is not empty, several at a time, in their order, and counts those that f calls bad. An answer
// waits for no line that has not come yet.
func eachLine(in io.Reader, w io.Writer, f func(n int, line []byte) ([]byte, bool)) (bad int, err error) {
	workers := max(runtime.GOMAXPROCS(0), 1)
	work, order := make(chan *task, 64), make(chan *task, 64)
	stop := make(chan struct{})
	defer close(stop)
	for range workers {
		go func() {
			for t := range work {
				t.out, t.good = f(t.n, t.in)
				close(t.done)
			}
		}()
	}
	var readErr error
	go func() {
		defer close(order)
		defer close(work)
		readErr = readLines(in, func(n int, line []byte) bool {
			t := &task{n: n, in: line, done: make(chan struct{})}
			select {
			case order <- t:
			case <-stop:
				return false
			}
			work <- t
			return true
		})
	}()
	out := bufio.NewWriterSize(w, 64<<10)
	for t := range order {
		<-t.done
		if !t.good {
			bad++
		}
		if _, err := out.Write(t.out); err != nil {
			return bad, err
		}
		if len(order) == 0 {
			if err := out.Flush(); err != nil {
				return bad, err
			}
		}
	}
	return bad, errors.Join(out.Flush(), readErr)
}

// readLines calls f for every line that is not empty until f has enough.
func readLines(in io.Reader, f func(n int, line []byte) bool) error {
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 64<<10), maxLine)
	for n := 1; s.Scan(); n++ {
		line := bytes.TrimSpace(s.Bytes())
		if len(line) > 0 && !f(n, bytes.Clone(line)) {
			return nil
		}
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return exitWith(exitFailed, fmt.Errorf("read stdin: a line is longer than %d MiB", maxLine>>20))
	}
	if s.Err() != nil {
		return fmt.Errorf("read stdin: %w", s.Err())
	}
	return nil
}
