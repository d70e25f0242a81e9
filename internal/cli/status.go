package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/doctor"
	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/status"
)

func newStatus(env *Env) *cobra.Command {
	var asJSON, watch bool
	var configPath string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show on one screen what is installed, flowing and failing",
		Long: `Show on one screen what is installed, whether it is switched off, what came from each agent today and in the last hour,
what was decided, what waits to be stored and to be sent, how the guard does, and what fails. It asks no server and
changes nothing; 'boathook doctor' looks deeper and says what cures.

The exit code is 0 whatever it shows, and 1 where the data can't be read.`,
		Example: `  boathook status
  boathook status --watch
  boathook status --json | jq '.sinks[] | {name, behind_events, error}'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			world := doctor.Env{Install: installEnv(env), Dir: env.Dir, Config: env.absolute(configPath), Now: env.Now}
			if configPath != "" { // what can't be read would be shown as something else
				if _, err := env.settings(configPath); err != nil {
					return env.failJSON(asJSON, err)
				}
			}
			if watch {
				return env.failJSON(asJSON, watchStatus(ctx, env, world, asJSON))
			}
			return env.failJSON(asJSON, showStatus(ctx, env, world, asJSON))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVarP(&watch, "watch", "w", false, "show it again every two seconds until interrupted")
	cmd.Flags().StringVar(&configPath, "config", "", configUsage)
	_ = cmd.MarkFlagFilename("config", "toml") // it is there
	return cmd
}

// watchEvery is how often --watch looks.
const watchEvery = 2 * time.Second

func watchStatus(ctx context.Context, env *Env, world doctor.Env, asJSON bool) error {
	for {
		if env.IsTerminal && !asJSON {
			fmt.Fprint(env.Stdout, "\x1b[H\x1b[2J")
		}
		if err := showStatus(ctx, env, world, asJSON); err != nil {
			return err
		}
		if pause(ctx, watchEvery) != nil {
			return nil // interrupted, as it is meant to end
		}
	}
}

func showStatus(ctx context.Context, env *Env, world doctor.Env, asJSON bool) error {
	s, err := status.Gather(ctx, world)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		err = exitWith(exitFailed, fmt.Errorf("read data: %w", err))
	}
	switch {
	case s == nil:
		return err
	case asJSON:
		return env.printJSON(struct {
			*status.Status
			failure
		}{s, failed(err)}, err)
	}
	return errors.Join(err, statusPrinter{env: env, s: s, now: env.Now()}.print())
}

// statusPrinter prints rows of a label and a text.
type statusPrinter struct {
	env *Env
	s   *status.Status
	now time.Time
}

// labelWidth is that of the longest label, and two spaces.
const labelWidth = 13

func (p statusPrinter) row(label, text string) error {
	return p.painted("", label, text)
}

func (p statusPrinter) painted(code, label, text string) error {
	head := fill(plain(label), labelWidth)
	if code != "" && p.env.colour() {
		head = code + head + reset
	}
	return p.env.hanging(head, plain(text), labelWidth, p.env.columns())
}

func (p statusPrinter) print() error {
	for _, part := range []func() error{p.head, p.agents, p.queue, p.sinks, p.policy, p.memory, p.rest, p.problems} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (p statusPrinter) head() error {
	s := p.s
	if err := p.row("boathook", s.Version+dataText(s)); err != nil {
		return err
	}
	if len(s.Installed) == 0 {
		if err := p.row("installed", "no hooks: 'boathook install' puts them in place"); err != nil {
			return err
		}
	}
	for _, in := range s.Installed {
		text := fmt.Sprintf("%s, %d events, in %s", in.Agent, in.Events, in.Dir)
		if !in.Since.IsZero() {
			text += ", since " + in.Since.In(p.now.Location()).Format(time.DateOnly)
		}
		if err := p.row("installed", text); err != nil {
			return err
		}
	}
	if s.Off == "" {
		return nil
	}
	text := s.Off + ": hooks neither judge nor record"
	if s.OffEnds != "" {
		text += "; " + s.OffEnds
	}
	return p.painted(yellow, "OFF", text)
}

func dataText(s *status.Status) string {
	if s.DataDir == "" {
		return ""
	}
	return ", data in " + s.DataDir
}

func (p statusPrinter) agents() error {
	if len(p.s.Agents) == 0 {
		return p.row("events", "none yet")
	}
	for _, a := range p.s.Agents {
		text := fmt.Sprintf("%d today, %d in the last hour, the last %s", a.Today, a.Hour, duration.Ago(p.now, a.Last))
		if err := p.row(a.Agent, text); err != nil {
			return err
		}
	}
	var parts []string
	for _, action := range slices.Sorted(maps.Keys(p.s.Decisions)) {
		parts = append(parts, fmt.Sprintf("%d %s", p.s.Decisions[action], action))
	}
	if len(parts) == 0 {
		parts = []string{"nobody was asked"}
	}
	return p.row("today", strings.Join(parts, ", "))
}

func (p statusPrinter) queue() error {
	text := "nothing"
	if n := p.s.Waiting; n.Events > 0 {
		text = fmt.Sprintf("%s, %s, the oldest %s", doctor.Count(int64(n.Events), "event"), doctor.Size(n.Bytes), duration.Ago(p.now, n.Oldest))
	}
	if err := p.row("waiting", text); err != nil {
		return err
	}
	if p.s.Worker.Running {
		return p.row("worker", fmt.Sprintf("runs (process %d)", p.s.Worker.PID))
	}
	return p.row("worker", "none runs; a hook starts one")
}

func (p statusPrinter) sinks() error {
	if len(p.s.Sinks) == 0 {
		if p.s.Unusable != "" {
			return p.painted(yellow, "telemetry", "an endpoint is set and can't be used: nothing is sent")
		}
		return p.row("telemetry", "no endpoint is set: nothing is sent")
	}
	for _, k := range p.s.Sinks {
		code := ""
		if k.Failing() {
			code, k.Error = yellow, "" // the problems have it
		}
		if err := p.painted(code, k.Name, "to "+k.Endpoint+": "+k.Text(p.now)); err != nil {
			return err
		}
	}
	return nil
}

// policy is one row: what the local guard goes by.
func (p statusPrinter) policy() error {
	l := p.s.Policy
	if l == nil {
		return nil
	}
	from := count(len(l.Packs), "pack")
	for _, f := range l.Files {
		from += ", the " + f.Layer + "'s file"
	}
	text := fmt.Sprintf("%s: %s of %s", l.Mode, count(l.Rules, "rule"), from)
	if l.Broken {
		text += "; a file is broken, and counts for nothing"
	}
	for _, part := range []struct {
		n    int
		what string
	}{{l.Shadow, "in the shadow"}, {l.Off, "off"}, {l.Expired, "expired"}} {
		if part.n > 0 {
			text += fmt.Sprintf("; %d %s", part.n, part.what)
		}
	}
	if l.Untrusted != "" {
		text += "; the project's is not trusted"
	}
	code := ""
	if l.Mode != "enforce" {
		code = yellow
	}
	return p.painted(code, "policy", text+" (digest "+l.Digest+")")
}

// memory is one row: whether it is on, how far it is, and what it did today.
func (p statusPrinter) memory() error {
	m := p.s.Memory
	if m == nil {
		return nil
	}
	code := ""
	if m.Tries > 0 {
		code = yellow
	}
	return p.painted(code, "memory", m.Text())
}

func (p statusPrinter) rest() error {
	if p.s.Guard == nil {
		if err := p.row("guard", "no remote guard is set"); err != nil {
			return err
		}
	}
	if g := p.s.Guard; g != nil {
		text := g.Endpoint + ", nothing was asked yet"
		if g.Asked > 0 {
			text = fmt.Sprintf("%s, median %.0f ms, 95%% within %.0f ms of %.0f, %d of %d without a verdict", g.Endpoint, g.P50, g.P95, g.Budget, g.Failed, g.Asked)
		}
		if err := p.row("guard", text); err != nil {
			return err
		}
	}
	if len(p.s.Hooks) > 0 {
		names := make([]string, len(p.s.Hooks))
		for i, h := range p.s.Hooks {
			names[i] = h.Name
			if h.Fail == "closed" {
				names[i] += " (closed)"
			}
		}
		if err := p.row("your hooks", strings.Join(names, ", ")); err != nil {
			return err
		}
	}
	if st := p.s.Store; st != nil {
		text := fmt.Sprintf("%s, %s", doctor.Size(st.Bytes), doctor.Count(st.Events, "event"))
		if !st.Oldest.IsZero() {
			text += " since " + st.Oldest.In(p.now.Location()).Format(time.DateOnly)
		}
		if err := p.row("store", text+"; contents are kept "+kept(st.Body)+", the rest "+kept(st.Metadata)); err != nil {
			return err
		}
	}
	l := p.s.Lost
	if l.Quarantined+l.Dropped+l.NotKept+l.Capped == 0 {
		return nil
	}
	text := fmt.Sprintf("%d put aside, %d dropped, %d not written since the store was made", l.Quarantined, l.Dropped, l.NotKept)
	if l.Capped > 0 {
		text += fmt.Sprintf("; %d removed because it was full, %d of them unsent", l.Capped, l.Unsent)
	}
	return p.painted(yellow, "lost", text)
}

func (p statusPrinter) problems() error {
	if len(p.s.Problems) == 0 {
		return nil
	}
	for _, text := range p.s.Problems {
		if err := p.painted(red, "problem", text); err != nil {
			return err
		}
	}
	return p.row("", "→ boathook doctor says what cures")
}

// kept is how many days something is kept.
func kept(days int) string { return doctor.Kept(time.Duration(days) * 24 * time.Hour) }
