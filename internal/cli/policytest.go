package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/callspec"
	fsplace "github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

// policyTest is `boathook policy test`.
type policyTest struct {
	policyOptions
	junit       string
	tap, asJSON bool
}

// The machine of cases: the same everywhere, with nothing on its disk.
const (
	caseHome    = "/home/dev"
	caseProject = "/home/dev/shop"
)

func newPolicyTest(env *Env) *cobra.Command {
	var o policyTest
	cmd := &cobra.Command{
		Use:   "test [FILE | DIR]...",
		Short: "Run the examples of all rules, and cases of your own",
		Long: `Run the examples of the built-in rules and of the policies in force here, of the project's also before it is trusted; and
cases of your own: the files and the *.jsonl of the directories that are named, else those in .boathook/policy-tests of this
project and in policy-tests beside the config.

A case is a JSON object on a line: "command", or "tool" and "input"; "expect" (allow, warn, rewrite, ask, deny); and as far
as it matters "cwd", "agent", the "rule" that decides, an "effect" that is seen, "why". A line that begins with # is none.

Cases are about a machine that is the same everywhere: the home /home/dev, the project shop in it, where calls run, and
nothing on the disk, so that git ignores nothing. The exit code is 1 where one does not hold.`,
		Example: `  boathook policy test
  boathook policy test cases.jsonl --policy new.toml
  boathook policy test --junit report.xml
  boathook policy test --tap | tee report.tap`,
		ValidArgsFunction: completeFiles("jsonl"),
		RunE:              func(_ *cobra.Command, args []string) error { return env.failJSON(o.asJSON, o.run(env, args)) },
	}
	o.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.junit, "junit", "", "write a JUnit report into this `FILE`, too; - is stdout")
	f.BoolVar(&o.tap, "tap", false, "print TAP, the Test Anything Protocol")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("tap", "json")
	_ = cmd.MarkFlagFilename("junit", "xml") // it is there
	return cmd
}

// policyCase is one case, from whichever source.
type policyCase struct {
	callspec.Call
	Name   string        `json:"name,omitempty"`
	Expect policy.Action `json:"expect"`
	Rule   string        `json:"rule,omitempty"`
	Effect policy.Kind   `json:"effect,omitempty"`
	Why    string        `json:"why,omitempty"`

	at, suite string
	set       *policy.Set
}

// caseResult is what became of one.
type caseResult struct {
	At     string        `json:"at"`
	Suite  string        `json:"suite"`
	Name   string        `json:"name"`
	Expect policy.Action `json:"expect"`
	Got    policy.Action `json:"got"`
	Rule   string        `json:"rule,omitempty"`
	// Wrong says what does not hold, Cure what can be done; both are empty where all does.
	Wrong string `json:"wrong,omitempty"`
	Cure  string `json:"cure,omitempty"`
}

func (o *policyTest) run(env *Env, args []string) error {
	if o.junit == "-" && (o.tap || o.asJSON) {
		return usage("--junit - and --%s would both print on stdout", map[bool]string{true: "tap", false: "json"}[o.tap])
	}
	p, err := o.load(env)
	if err != nil {
		return err
	}
	here := p.asTrusted(projectOf(env.Dir))
	p.tellProblems(here)
	cases, err := o.cases(env, p, here, args)
	if err != nil {
		return err
	}
	results := make([]caseResult, len(cases))
	wrong := 0
	for i, c := range cases {
		if results[i] = c.try(cmp.Or(o.file, p.settings.Policy.File), env.Now()); results[i].Wrong != "" {
			wrong++
		}
	}
	var failed error
	if wrong > 0 || here.Broken {
		failed = exitWith(exitFailed, nil)
	}
	return errors.Join(o.report(env, results, wrong, failed), failed)
}

// cases are all that are to be tried.
func (o *policyTest) cases(env *Env, p *policies, here inForce, args []string) ([]policyCase, error) {
	var out []policyCase
	for _, pack := range policy.Packs() {
		set := policy.Combine(policy.File{Layer: policy.UserLayer, Packs: []string{"default", pack.Name}})
		for i := range pack.Rules {
			out = append(out, examples(&pack.Rules[i], "pack "+pack.Name, pack.Name, set)...)
		}
	}
	for _, t := range here.Files {
		f, _, _ := policy.Parse(t.Path, t.Text, t.Layer)
		for i := range f.Rules {
			out = append(out, examples(&f.Rules[i], t.Path, fmt.Sprintf("%s:%d", t.Path, f.Rules[i].Line), here.Set)...)
		}
	}
	files, err := o.files(env, p, args)
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		own, err := readCases(path, here.Set)
		if err != nil {
			return nil, err
		}
		out = append(out, own...)
	}
	return out, nil
}

func examples(r *policy.Rule, suite, at string, set *policy.Set) []policyCase {
	var out []policyCase
	for _, e := range r.Examples {
		c := policyCase{
			Call:   callspec.Call{Command: e.Command, Tool: e.Tool, CWD: e.CWD, Agent: e.Agent},
			Expect: e.Expect, at: at, suite: suite + ", " + r.ID, set: set,
		}
		if e.Line > 0 && r.Pack == "" {
			c.at = at[:strings.LastIndexByte(at, ':')+1] + fmt.Sprint(e.Line)
		}
		if e.Input != "" {
			c.Input = json.RawMessage(e.Input)
		}
		out = append(out, c)
	}
	return out
}

// files are those that were named, else those in the usual places.
func (o *policyTest) files(env *Env, p *policies, args []string) ([]string, error) {
	named := len(args) > 0
	if !named {
		args = []string{filepath.Join(projectOf(env.Dir), ".boathook", "policy-tests")}
		if p.settings.Path != "" {
			args = append(args, filepath.Join(filepath.Dir(p.settings.Path), "policy-tests"))
		}
	}
	var out []string
	for _, arg := range args {
		path := env.absolute(arg)
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && !named:
			continue
		case err != nil:
			return nil, exitWith(exitFailed, fmt.Errorf("read cases: %w", err))
		case !info.IsDir():
			out = append(out, path)
			continue
		}
		below, err := filepath.Glob(filepath.Join(path, "*.jsonl"))
		if err != nil {
			return nil, exitWith(exitFailed, fmt.Errorf("read cases of %s: %w", path, err))
		}
		out = append(out, below...)
	}
	return out, nil
}

// readCases reads a file of cases. One that is no case is an error: it would test nothing.
func readCases(path string, set *policy.Set) ([]policyCase, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, exitWith(exitFailed, fmt.Errorf("read cases: %w", err))
	}
	var out []policyCase
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		c := policyCase{at: fmt.Sprintf("%s:%d", path, n), suite: path, set: set}
		in := json.NewDecoder(bytes.NewReader(line))
		in.DisallowUnknownFields()
		err := in.Decode(&c)
		switch {
		case err != nil:
		case c.Command == "" && c.Tool == "":
			err = errors.New(`it has neither "command" nor "tool"`)
		case !slices.Contains(actions(), c.Expect):
			err = fmt.Errorf(`"expect" is %q, and should be one of %v`, c.Expect, actions())
		}
		if err != nil {
			return nil, exitWith(exitFailed, fmt.Errorf("%s: no case: %w", c.at, err))
		}
		out = append(out, c)
	}
	return out, nil
}

func actions() []policy.Action {
	return []policy.Action{policy.Allow, policy.Warn, policy.Rewrite, policy.Ask, policy.Deny}
}

// try judges one case. own is the policy in which a person would write.
func (c policyCase) try(own string, now time.Time) caseResult {
	c.Project = cmp.Or(c.Project, caseProject)
	switch {
	case c.CWD == "":
		c.CWD = c.Project
	case strings.HasPrefix(c.CWD, "~"):
		c.CWD = caseHome + c.CWD[1:]
	case !strings.HasPrefix(c.CWD, "/") && !filepath.IsAbs(c.CWD):
		c.CWD = c.Project + "/" + c.CWD
	}
	c.Agent = cmp.Or(c.Agent, "claude")
	call := judge.Read(c.Event(), &fsplace.Machine{
		OS: "linux", Home: caseHome, Dir: c.CWD, Project: c.Project,
		Guard:  []string{caseHome + "/.config/boathook", caseHome + "/.local/share/boathook", caseHome + "/.local/bin/boathook"},
		Agents: []string{caseHome + "/.gemini/extensions/boathook"},
	})
	call.Time = now
	v := c.set.Judge(call)
	r := caseResult{At: c.at, Suite: c.suite, Name: c.name(), Expect: c.Expect, Got: v.Action, Rule: v.Rule}
	seen := slices.ContainsFunc(call.Effects, func(e policy.Effect) bool { return e.Kind == c.Effect })
	switch {
	case v.Action != c.Expect:
		r.Wrong, r.Cure = "expected "+string(c.Expect)+", got "+gotText(v), c.cure(v, own)
	case c.Rule != "" && v.Rule != c.Rule:
		r.Wrong, r.Cure = "expected the rule "+c.Rule+", got "+gotText(v), "see 'boathook policy explain' for which rules speak of it"
	case c.Effect != "" && !seen:
		r.Wrong, r.Cure = "expected the effect "+string(c.Effect)+", and it is not seen", "see 'boathook policy explain' for what is"
	}
	return r
}

func (c policyCase) name() string {
	name := cmp.Or(c.Name, c.Command)
	if name == "" {
		name = c.Tool + " " + string(c.Input)
	}
	return name
}

func gotText(v policy.Verdict) string {
	if v.Rule == "" {
		return string(v.Action) + ": no rule speaks of it"
	}
	return string(v.Action) + " by " + ruleName(v.Rule, v.Pack, v.Layer) + ": " + v.Reason
}

// cure says what makes a case hold.
func (c policyCase) cure(v policy.Verdict, own string) string {
	if v.Rule == "" {
		return "add a rule that speaks of it to " + own + ", or change what the case expects"
	}
	action := strconv.Quote(string(c.Expect))
	if c.Expect == policy.Allow {
		action = `"off"`
	}
	return changeText(v.Rule, v.Pack, v.Layer, own, own, action) + "; or change what the case expects"
}
