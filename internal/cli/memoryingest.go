package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/memory/ingest"
)

// importAgent is the agent of what was imported and names none.
const importAgent = ingest.Agent

// memoryIngest is `boathook memory ingest`.
type memoryIngest struct {
	memoryPast
	format       string
	dryRun, json bool
}

func newMemoryIngest(env *Env) *cobra.Command {
	var o memoryIngest
	cmd := &cobra.Command{
		Use:   "ingest [FILE|-]",
		Short: "Write messages and tool calls of any source to memory",
		Long: `Read lines of JSON, from a file or from standard input, and write them to memory, masked. A line (here each takes two) is one
message:

  {"session":"s1","project":"shop","id":"1","role":"user",
   "ts":"2026-01-31T14:30:00Z","text":"why does it fail?"}

or one call of a tool (a line of a tool that has neither tool nor command is what it said, and a message):

  {"session":"s1","project":"shop","id":"2","role":"tool","ts":"…",
   "tool":"bash","command":"make","status":"error","text":"…"}

session, role (user, assistant, tool, system) and ts are needed, and text but for a call. project is a directory, or any name.
A line that comes again with its id changes nothing. Of a call these are known besides: call_id, host_tool, kind, paths, args,
result, error, duration_ms; of a message: model, tokens_input, tokens_output, tokens_total; of both: agent, and source, who told it
first (hook, transcript or import).

What is older than memory.retention allows is removed again within an hour, here as elsewhere.

A line that can't be read is named, with the file, its number and the member, and the others are written; the exit code is 1
then. 'boathook memory export' writes this form.`,
		Example: `  boathook memory ingest --format jsonl old.jsonl
  jq -c '…' chats.json | boathook memory ingest --format jsonl --project . -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			name := "-"
			if len(args) > 0 {
				name = args[0]
			}
			return env.failJSON(o.json, memoryFailed(o.run(ctx, env, name)))
		},
	}
	o.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "jsonl", "the form of the lines: jsonl")
	f.StringVar(&o.project, "project", "", "the project in `DIR` is that of lines which name none")
	f.BoolVar(&o.dryRun, "dry-run", false, "read the lines, and write nothing")
	f.BoolVar(&o.json, "json", false, "print JSON")
	complete(cmd, "format", []string{"jsonl"})
	_ = cmd.MarkFlagDirname("project") // it is there
	return cmd
}

func (o *memoryIngest) run(ctx context.Context, env *Env, name string) error {
	if o.format != "jsonl" {
		return usage("--format must be jsonl, not %q", o.format)
	}
	in := env.Stdin
	if name != "-" {
		f, err := os.Open(env.absolute(name))
		if err != nil {
			return exitWith(exitFailed, err)
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	} else {
		name = "stdin"
	}
	w, err := o.openOrNone(ctx, env, o.dryRun)
	if err != nil {
		return err
	}
	defer w.close()
	options := ingest.Options{Store: w.store, Forgotten: w.forgotten, Name: name, DryRun: o.dryRun}
	if options.Intake, err = memoryIntake(env, w.dir, w.settings); err != nil {
		return err
	}
	if o.project != "" {
		if options.Project, err = w.projectKey(env, o.project); err != nil {
			return err
		}
	}
	report, err := ingest.Read(ctx, in, options)
	if err == nil && report.Bad > 0 {
		err = exitWith(exitFailed, nil)
	}
	if o.json {
		return env.printJSON(report, err)
	}
	for _, text := range report.Problems {
		env.warn(text)
	}
	if more := report.Bad - len(report.Problems); more > 0 {
		env.warn(fmt.Sprintf("%d more lines could not be read", more))
	}
	if perr := env.sentence(ingested(report, o.dryRun), 0); perr != nil {
		return perr
	}
	return err
}

// ingested says what came of it.
func ingested(r ingest.Report, dryRun bool) string {
	text := fmt.Sprintf("read %s: %s and %s", count(r.Lines, "line"), count(r.Messages, "message"), count(r.ToolCalls, "tool call"))
	if !dryRun {
		text += fmt.Sprintf("; %s new, %d learned something, %d were known", areNew(r.New), r.Changed, r.Known)
	}
	for _, n := range []struct {
		n    int
		text string
	}{{r.Left, "excluded or empty"}, {r.Forgotten, "stay forgotten"}, {r.Bad, "could not be read"}} {
		if n.n > 0 {
			text += fmt.Sprintf("; %d %s", n.n, n.text)
		}
	}
	if dryRun {
		text += ". Nothing was written: this was a dry run"
	}
	return text
}

func areNew(n int) string {
	if n == 1 {
		return "1 row is"
	}
	return fmt.Sprintf("%d rows are", n)
}
