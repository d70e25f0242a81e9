package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/verify"
	"github.com/boathook/boathook/internal/worker"
)

// reportOptions are the flags of report and, in part, of watch.
type reportOptions struct {
	place
	agent, since   string
	json, complete bool
}

func newReport(env *Env) *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Compare what agents sent with what is known of them",
		Long: `Compare what the agents sent, as far as it is stored, with what boathook knows of them:

  events      of those that are registered, which were seen
  arguments   whether --agent and --event of the installed command lines reached the hook
  fields      whether payloads have the fields that were recorded from the agent: a missing field, a new one, a changed
              type; a missing and a new one that always come together are called renamed
  decisions   whether denied calls were left alone: a call that ends after it was denied was run all the same
  answers     whether this program answers in the form that each agent takes

Only names of fields are shown, and only those that look like one. Where privacy is minimal, or the payloads are older
than retention.body_days, there is nothing to compare fields with; the report says how many that were.

The exit code is 1 if anything but a new field was found, and where no event is stored. An event that was not seen is no
fault, since it may not have happened, unless --complete is given.`,
		Example: `  boathook verify report --since 1d
  boathook verify report --agent gemini --complete
  boathook verify report --json | jq '.agents[].findings[]'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return runReport(ctx, env, o)
		},
	}
	agentFlag(cmd, &o.agent)
	f := cmd.Flags()
	f.StringVar(&o.since, "since", "", "only from then on: an age (15m, 1h, 2d) or a time (2026-01-31, 14:30)")
	f.BoolVar(&o.complete, "complete", false, "an expected event that was not seen is a fault")
	f.BoolVar(&o.json, "json", false, "print one JSON object: per agent its events, counts and findings")
	complete(cmd, "since", nil)
	o.flags(cmd)
	return cmd
}

func runReport(ctx context.Context, env *Env, o reportOptions) error {
	hosts, err := chosenHosts(o.agent)
	if err != nil {
		return err
	}
	when, err := parseSpan(env.Now(), o.since, "")
	if err != nil {
		return err
	}
	dir, settings, err := o.find(env)
	if err != nil {
		return err
	}
	if err := (logOptions{data: o.data}).checkData(dir); err != nil {
		return err
	}
	if err := settle(ctx, env, dir, settings); err != nil {
		env.warn(err.Error())
	}
	report := verify.NewReport(hosts, verify.Expect(hosts, env.Home, env.LookupEnv, installedPlaces(env), env.variable("PATH")))
	if err := readReport(ctx, report, worker.StorePath(dir), when.since); err != nil {
		return err
	}
	report.Trim()
	report.Finish()
	return o.finish(env, hosts, report)
}

// A page of the store: so many events, or less where they are large.
const (
	reportRows  = 500
	reportBytes = 8 << 20
)

func readReport(ctx context.Context, report *verify.Report, path string, since time.Time) error {
	s, err := store.OpenReadOnly(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(readEvents(ctx, report, s, since), s.Close())
}

func readEvents(ctx context.Context, report *verify.Report, s *store.Store, since time.Time) (err error) {
	var last int64
	if !since.IsZero() {
		if last, _, err = s.SeqAt(ctx, since); err != nil {
			return err
		}
	}
	for {
		page, err := s.After(ctx, last, reportRows, reportBytes)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, p := range page {
			if last = p.Seq; !p.Damaged && !p.Record.Time.Before(since) {
				report.Add(p)
			}
		}
	}
}

// finish prints the report and says by the exit code how it is.
func (o reportOptions) finish(env *Env, hosts []*host.Host, r *verify.Report) error {
	missing := r.Waiting()
	if o.complete && len(missing) > 0 {
		r.OK = false
	}
	if r.Records() == 0 {
		r.OK = false
	}
	var err error
	if o.json {
		err = printJSON(env, r)
	} else if r.Records() > 0 {
		err = printReport(env, r)
	}
	switch {
	case err != nil:
		return err
	case r.Records() == 0:
		return exitWith(exitFailed, errors.New("no event of "+titles(hosts)+" is stored: there is nothing to report on. Use the agent, or see 'boathook verify selftest'"))
	case o.complete && len(missing) > 0:
		return exitWith(exitFailed, fmt.Errorf("verify: %s not seen", count(len(missing), "expected event")))
	case !r.OK:
		return exitWith(exitFailed, errors.New("verify: the agents are not as they were recorded; 'boathook log --json' has the events"))
	}
	return nil
}

// titles names agents, if they are few.
func titles(hosts []*host.Host) string {
	if len(hosts) > fewAgents {
		return "any agent"
	}
	var out []string
	for _, h := range hosts {
		out = append(out, h.Title)
	}
	return strings.Join(out, " or ")
}

func printReport(env *Env, r *verify.Report) error {
	for i, h := range r.Hosts {
		if i > 0 {
			fmt.Fprintln(env.Stdout)
		}
		if err := printHost(env, h); err != nil {
			return err
		}
	}
	return nil
}

// reportHang is where what is said of an agent begins.
const reportHang = 13

func printHost(env *Env, h *verify.HostReport) error {
	head := h.Title
	if h.HostVersion != "" {
		head += " " + h.HostVersion
	}
	head += " (fields known of " + strings.Replace(h.KeysVersion, "documented", "its documentation", 1) + ")"
	if !h.Installed {
		head += ", not installed"
	}
	if err := env.sentence(head, 2); err != nil {
		return err
	}
	if h.Records == 0 {
		return env.sentence("  nothing stored", 2)
	}
	faults := map[verify.FindingKind]int{}
	for _, f := range h.Findings {
		faults[f.Kind]++
	}
	fields := faults[verify.MissingField] + faults[verify.ChangedType]
	for _, row := range []struct{ label, text string }{
		{"events", eventsText(h)},
		{"arguments", goodOr(faults[verify.LostArgument], "arrived in all of "+count(h.Records, "record"), "lost")},
		{"fields", goodOr(fields, "as known in "+count(h.Judged, "payload"), "changed") + unjudgedText(h.Unjudged)},
		{"decisions", decisionsText(h.Contract)},
		{"answers", goodOr(faults[verify.AnswerChanged], "in the agent's form", "changed")},
	} {
		if err := env.hanging(fill("  "+row.label, reportHang), row.text, reportHang, env.proseWidth()); err != nil {
			return err
		}
	}
	for _, f := range h.Findings {
		if err := printFinding(env, f); err != nil {
			return err
		}
	}
	return nil
}

// proseWidth is how wide sentences get.
func (e *Env) proseWidth() int {
	if width := e.columns(); width > 0 && width < proseColumns {
		return width
	}
	return proseColumns
}

func goodOr(faults int, good, bad string) string {
	if faults == 0 {
		return good
	}
	return bad + ": " + count(faults, "finding") + " below"
}

func eventsText(h *verify.HostReport) string {
	var missing, beside []string
	for _, c := range h.Events {
		switch {
		case c.Expected && c.Count == 0:
			missing = append(missing, plain(c.Event))
		case !c.Expected:
			beside = append(beside, plain(c.Event))
		}
	}
	text := fmt.Sprintf("%d/%d seen, in %s", h.Seen, h.Expected, count(h.Records, "record"))
	if len(missing) > 0 {
		text += "; not seen: " + strings.Join(missing, ", ")
	}
	if len(beside) > 0 {
		text += "; seen and not registered now: " + strings.Join(beside, ", ")
	}
	return text
}

func unjudgedText(unjudged map[string]int) string {
	var b strings.Builder
	for _, why := range slices.Sorted(maps.Keys(unjudged)) {
		fmt.Fprintf(&b, "; %d not compared: %s", unjudged[why], why)
	}
	return b.String()
}

func decisionsText(c verify.Contract) string {
	text := fmt.Sprintf("%d denied", c.Denied)
	switch {
	case c.NotObeyed > 0:
		text += fmt.Sprintf(", of which %d ran all the same", c.NotObeyed)
	case c.Denied > 0:
		text += ", none of which ran"
	}
	return text + fmt.Sprintf("; %d allowed, of which %d were seen to end", c.Allowed, c.Ran)
}

func printFinding(env *Env, f *verify.Finding) error {
	mark := env.coloured(red, "✗")
	if !f.Kind.Fault() {
		mark = "·"
	}
	text := f.Text
	if f.Event != "" {
		text = f.Event + ": " + text
	}
	if f.Renamed != "" {
		text += " (renamed? " + f.Renamed + ")"
	}
	if f.Count > 0 && f.First != nil && f.Last != nil {
		zone := env.Now().Location()
		first, last := f.First.In(zone).Format(time.DateTime), f.Last.In(zone).Format(time.DateTime)
		when := first + " to " + last
		if first == last {
			when = "at " + first
		}
		text += fmt.Sprintf(" – %d×, %s, last in %s", f.Count, when, f.LastID)
	}
	return env.hanging("  "+mark+" ", plain(text), 4, env.proseWidth())
}
