package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/doctor"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/version"
)

// doctorOptions are doctor's flags.
type doctorOptions struct {
	json, fix, dryRun, offline, full bool
	config                           string
	agents                           []string
}

func newDoctor(env *Env) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what keeps it from working, and how to mend that",
		Long: `Look at everything that boathook needs: the program that the hooks call, the agents and their versions, the hooks as they
are written there, what switches them off, the config and where each setting comes from, the data directory, the waiting
events, the worker, the store, the OTLP endpoint, the guard, the clock. Each line is

  ok      as it should be
  info    good to know
  warn    something to look at
  FAIL    something that keeps boathook from its work, with what cures it (→)

It works before an install too, and then says what one would meet. It only reads, but for --fix, which mends what is
safe: modes of boathook's own files, its own entries that are missing or were edited (edited files are kept in the
backups), a worker that is stuck, what killed processes left. Other people's files, settings and switches it leaves to
you. Of hooks in a project it believes only what install wrote there. To know versions it starts the program that hooks
call, where install wrote that, and the agents.

The endpoint gets a request without any span, sent as the worker would ('boathook telemetry test' sends a span), the
guard a connection and no question; --offline leaves both out. Secrets
are never shown. Each look is bounded, so that a disk or a server that hangs does not hang this.

The exit code is 0 when nothing fails (warnings may be there), 1 when something does.`,
		Example: `  boathook doctor
  boathook doctor --fix --dry-run          what it would mend
  boathook doctor --json | jq -r '.checks[] | select(.status == "fail") | .cure'
  boathook doctor --agent gemini --offline`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.dryRun && !o.fix {
				return usage("--dry-run goes with --fix")
			}
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return runDoctor(ctx, env, o)
		},
	}
	o.flags(cmd)
	return cmd
}

func (o *doctorOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print one JSON object: checks with stable ids, and every setting")
	f.BoolVar(&o.fix, "fix", false, "mend what is safe to mend, then look again")
	f.BoolVar(&o.dryRun, "dry-run", false, "with --fix: say what would be done and do nothing")
	f.BoolVar(&o.offline, "offline", false, "ask no server")
	f.BoolVar(&o.full, "full", false, "look through the whole store, however large it is")
	f.StringSliceVar(&o.agents, "agent", nil, "only this `AGENT`: "+strings.Join(agentNames(), ", "))
	f.StringVar(&o.config, "config", "", configUsage)
	complete(cmd, "agent", install.Agents())
	_ = cmd.MarkFlagFilename("config", "toml")
}

func runDoctor(ctx context.Context, env *Env, o doctorOptions) error {
	agents, err := knownAgents(o.agents)
	if err != nil {
		return err
	}
	world := doctor.Env{
		Install: installEnv(env), Dir: env.Dir, Config: env.absolute(o.config), Agents: agents, Offline: o.offline, Full: o.full, Now: env.Now,
	}
	report := doctor.Run(ctx, world)
	var mended []doctor.Mended
	if o.fix {
		mended = doctor.Mend(ctx, world, report, o.dryRun)
		if !o.dryRun && len(mended) > 0 {
			report = doctor.Run(ctx, world)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	p := doctorPrinter{env: env, o: o, report: report, mended: mended}
	if o.json {
		err = p.json()
	} else {
		err = p.text()
	}
	if err == nil && report.Worst() == doctor.Fail {
		return exitWith(exitFailed, nil)
	}
	return err
}

// knownAgents gives agents their own ids.
func knownAgents(labels []string) ([]string, error) {
	var out []string
	for _, label := range labels {
		id, known := install.Agent(label)
		if !known {
			return nil, usage("unknown agent %q; there are %s", label, strings.Join(install.Agents(), ", "))
		}
		out = append(out, id)
	}
	return out, nil
}

// doctorPrinter shows a report.
type doctorPrinter struct {
	env    *Env
	o      doctorOptions
	report *doctor.Report
	mended []doctor.Mended
}

func (p doctorPrinter) json() error {
	out := struct {
		OK      bool             `json:"ok"`
		Version string           `json:"version"`
		DryRun  bool             `json:"dry_run,omitempty"`
		Fixed   []doctor.Mended  `json:"fixed,omitempty"`
		Config  string           `json:"config"`
		DataDir string           `json:"data_dir"`
		Checks  []doctor.Finding `json:"checks"`
		Values  []config.Value   `json:"settings"`
	}{
		p.report.Worst() != doctor.Fail, version.String(), p.o.dryRun, p.mended, p.report.Config, p.report.DataDir, p.report.Findings, p.report.Settings,
	}
	doc, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("print report: %w", err)
	}
	_, err = fmt.Fprintf(p.env.Stdout, "%s\n", plainJSON(doc))
	return err
}

// titleWidth is that of the longest title; where less than leastBeside is left beside it, the text goes below.
const (
	titleWidth  = 22
	leastBeside = 40
)

func (p doctorPrinter) text() error {
	for _, f := range p.report.Findings {
		if err := p.finding(f); err != nil {
			return err
		}
	}
	if err := p.settings(); err != nil {
		return err
	}
	if err := p.fixes(); err != nil {
		return err
	}
	return p.env.sentence(p.summary(), 0)
}

func (p doctorPrinter) finding(f doctor.Finding) error {
	word, colour := string(f.Status), map[doctor.Status]string{doctor.OK: green, doctor.Warn: yellow, doctor.Fail: red, doctor.Info: dim}[f.Status]
	if f.Status == doctor.Fail {
		word = "FAIL"
	}
	hang := 5 + titleWidth + 1
	label := p.paint(colour, fill(word, 4)) + " " + fill(shorten(f.Title, titleWidth), titleWidth) + " "
	width := p.env.columns()
	if width > 0 && width-hang < leastBeside {
		if _, err := fmt.Fprintln(p.env.Stdout, strings.TrimRight(label, " ")); err != nil {
			return err
		}
		hang = 5
		label = strings.Repeat(" ", hang)
	}
	if err := p.env.hanging(label, plain(f.Text), hang, width); err != nil || f.Cure == "" {
		return err
	}
	return p.env.hanging(strings.Repeat(" ", hang)+"→ ", gluedCommand(plain(f.Cure)), hang+2, width)
}

func (p doctorPrinter) paint(code, s string) string {
	if !p.env.colour() {
		return s
	}
	return code + s + reset
}

// settings shows those that are not the default.
func (p doctorPrinter) settings() error {
	first := true
	for _, v := range p.report.Changed {
		if first {
			fmt.Fprintln(p.env.Stdout)
			if err := p.env.sentence("Settings that are not the default ('boathook help config' explains them):", 0); err != nil {
				return err
			}
			first = false
		}
		if err := p.env.hanging("  ", plain(v.Key+" = "+v.Value+"  ("+v.Source+")"), 6, p.env.columns()); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(p.env.Stdout)
	return err
}

func (p doctorPrinter) fixes() error {
	for _, m := range p.mended {
		word := "fixed: "
		switch {
		case p.o.dryRun:
			word = "would: "
		case m.Error != "":
			word = "not fixed: "
		}
		text := plain(m.What)
		if m.Error != "" {
			text += ": " + plain(m.Error)
		}
		if err := p.env.hanging(word, text, len(word), p.env.columns()); err != nil {
			return err
		}
	}
	return nil
}

func (p doctorPrinter) summary() string {
	var failed, warned, fixable int
	for _, f := range p.report.Findings {
		switch f.Status {
		case doctor.Fail:
			failed++
		case doctor.Warn:
			warned++
		}
		if f.Fixable && (f.Status == doctor.Fail || f.Status == doctor.Warn) {
			fixable++
		}
	}
	text := "nothing fails"
	if failed > 0 {
		text = fmt.Sprintf("%d things fail", failed)
		if failed == 1 {
			text = "1 thing fails"
		}
	}
	if warned == 1 {
		text += ", 1 warning"
	} else if warned > 1 {
		text += fmt.Sprintf(", %d warnings", warned)
	}
	if fixable > 0 && (!p.o.fix || p.o.dryRun) {
		text += fmt.Sprintf("; 'boathook doctor --fix' mends %d of that", fixable)
	}
	return text
}
