package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/install"
)

// changeOptions are what install and uninstall share.
type changeOptions struct{ dryRun, yes, json, diff bool }

// common adds the flags; whole is whose text --diff shows.
func (o *changeOptions) common(cmd *cobra.Command, whole string) {
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show the changes and make none")
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "don't ask")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "show "+whole+" whole, not their names alone")
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON")
}

// changer shows a plan, asks, and makes the changes.
type changer struct {
	env        *Env
	o          changeOptions
	verb, done string
	plan       func() (*install.Plan, error)
	apply      func(*install.Plan) (*install.Plan, error)
	after      func(*install.Plan) []string
	nothing    string
}

// maxRounds is how often a plan is made again because something changed meanwhile.
const maxRounds = 5

func (c changer) run() error { return c.o.fail(c.env, c.changes()) }

// fail prints an error as JSON too, where JSON was asked for and the plan hasn't said it.
func (o changeOptions) fail(env *Env, err error) error {
	var said *partial
	if err == nil || !o.json || errors.As(err, &said) {
		return err
	}
	doc, failed := json.Marshal(struct {
		Error string `json:"error"`
		Code  int    `json:"exit_code"`
	}{err.Error(), codeOf(err)})
	if failed == nil {
		fmt.Fprintf(env.Stdout, "%s\n", plainJSON(doc))
	}
	return err
}

// partial is an error that came with a plan: some places could not be changed.
type partial struct{ error }

func (c changer) failures(p *install.Plan) error {
	if len(p.Failures) == 0 {
		return nil
	}
	rest := "the rest was done"
	if p.Empty() {
		rest = "nothing was changed"
	}
	return exitWith(exitFailed, &partial{fmt.Errorf("%s: %s; %s", c.verb, strings.Join(p.Failures, "; "), rest)})
}

func (c changer) changes() error {
	p, err := c.plan()
	for range maxRounds {
		if err != nil {
			return planError(err)
		}
		if p.Empty() {
			if len(p.Failures) > 0 {
				c.nothing = "nothing was changed"
			}
			return c.say(p, false, c.nothing)
		}
		if c.o.dryRun {
			return c.say(p, false, "nothing was changed: this was a dry run")
		}
		if !c.o.json {
			c.show(p)
		}
		if err := c.consent(p); err != nil {
			return err
		}
		applied, failed := c.apply(p)
		if !errors.Is(failed, install.ErrChanged) {
			if failed != nil {
				return planError(failed)
			}
			return c.report(applied)
		}
		p, err = c.plan()
	}
	return exitWith(exitFailed, fmt.Errorf("%s: %w; run it again when nothing writes to these files", c.verb, install.ErrChanged))
}

// planError gives an error the exit code that it stands for.
func planError(err error) error {
	var refused *install.Refused
	switch {
	case errors.As(err, &refused) && refused.Usage:
		return exitWith(exitUsage, err)
	case errors.As(err, &refused):
		return exitWith(exitRefused, err)
	}
	return exitWith(exitFailed, err)
}

func (c changer) show(p *install.Plan) {
	out := c.env.Stdout
	for _, line := range p.Lines(c.o.diff) {
		fmt.Fprintln(out, c.paint(plain(line)))
	}
	for _, v := range p.Imported {
		fmt.Fprintf(out, "takes over %s = %s, from %s\n", plain(v.Key), plain(v.Value), plain(v.Source))
	}
	for _, n := range slices.Concat(p.Notes, p.Consent) {
		fmt.Fprintln(out, "note: "+plain(n))
	}
	for _, f := range p.Failures {
		fmt.Fprintln(out, "can't: "+plain(f))
	}
}

// paint colours the lines of a diff.
func (c changer) paint(line string) string {
	text := strings.TrimPrefix(line, "    ")
	if !c.env.colour() || text == line {
		return line
	}
	switch {
	case strings.HasPrefix(text, "+"):
		return "\x1b[32m" + line + "\x1b[0m"
	case strings.HasPrefix(text, "-"):
		return "\x1b[31m" + line + "\x1b[0m"
	}
	return "\x1b[2m" + line + "\x1b[0m"
}

// consent asks the user, or refuses where nobody can be asked.
func (c changer) consent(p *install.Plan) error {
	if c.o.yes {
		return nil
	}
	if len(p.Consent) > 0 {
		return exitWith(exitRefused, fmt.Errorf("%s: %s; pass --yes if you want it all the same", c.verb, strings.Join(p.Consent, "; ")))
	}
	if c.o.json || !canAsk(c.env) {
		return exitWith(exitRefused, fmt.Errorf("%s: there is no terminal to ask on; look at the changes with --dry-run, then pass --yes", c.verb))
	}
	fmt.Fprint(c.env.Stdout, "\nMake these changes? [y/N] ")
	answer, _ := bufio.NewReader(c.env.Stdin).ReadString('\n') // no answer is no
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errDeclined()
}

// canAsk tells whether somebody sees the question and can answer it.
func canAsk(env *Env) bool {
	if f, ok := env.Stdin.(*os.File); ok {
		if _, isTerminal := terminal(f); !isTerminal {
			return false
		}
	}
	return env.IsTerminal
}

func (c changer) report(p *install.Plan) error {
	if c.o.json {
		return c.say(p, true, "")
	}
	fmt.Fprintf(c.env.Stdout, "\n%s.\n", c.done)
	for _, line := range c.after(p) {
		fmt.Fprintln(c.env.Stdout, "  "+plain(line))
	}
	return c.failures(p)
}

// say ends a run that only tells: as JSON, or the plan and one sentence.
func (c changer) say(p *install.Plan, applied bool, sentence string) error {
	if !c.o.json {
		c.show(p)
		if _, err := fmt.Fprintln(c.env.Stdout, sentence); err != nil {
			return err
		}
		return c.failures(p)
	}
	failed := c.failures(p)
	text, code := "", 0
	if failed != nil {
		text, code = failed.Error(), codeOf(failed)
	}
	doc, err := json.Marshal(struct {
		Applied bool          `json:"applied"`
		Plan    *install.Plan `json:"plan"`
		Error   string        `json:"error,omitempty"`
		Code    int           `json:"exit_code,omitempty"`
	}{applied, p, text, code})
	if err != nil {
		return fmt.Errorf("print plan: %w", err)
	}
	if _, err = fmt.Fprintf(c.env.Stdout, "%s\n", plainJSON(doc)); err != nil {
		return err
	}
	return failed
}
