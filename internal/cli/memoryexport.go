package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/audit"
	"github.com/boathook/boathook/internal/memory/ingest"
	"github.com/boathook/boathook/internal/redact"
)

// memoryExport is `boathook memory export`.
type memoryExport struct {
	memoryPast
	format, out, role, tool, status, tag string
}

func newMemoryExport(env *Env) *cobra.Command {
	var o memoryExport
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write what memory knows to a file that only you can read",
		Long: `Write messages and tool calls, session by session, to standard output or to a file (0600). They are masked once more.

jsonl is the form that 'boathook memory ingest' reads: into the same memory it changes nothing, into another it brings the same
rows. markdown is for people. Without --project, --session or --all-projects it is the project of this directory.`,
		Example: `  boathook memory export --format markdown --session claude/0f3c9a7e
  boathook memory export --all-projects --since 30d --out memory.jsonl`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return memoryFailed(o.run(ctx, env))
		},
	}
	o.flags(cmd)
	o.choices(cmd, "what is")
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "jsonl", "jsonl or markdown")
	f.StringVarP(&o.out, "out", "o", "", "write to `FILE`, instead of standard output")
	f.StringVar(&o.role, "role", "", "only messages of this role: user, assistant, system; or tool")
	f.StringVar(&o.tool, "tool", "", "only calls of this tool")
	f.StringVar(&o.status, "status", "", "only calls that ended so: success, error, blocked")
	f.StringVar(&o.tag, "tag", "", "only what is about this: git, docker, go, test, …")
	complete(cmd, "format", []string{"jsonl", "markdown"})
	complete(cmd, "role", ingest.Roles())
	complete(cmd, "status", []string{memory.StatusSuccess, memory.StatusError, memory.StatusBlocked})
	complete(cmd, "tool", nil)
	complete(cmd, "tag", nil)
	_ = cmd.MarkFlagFilename("out") // it is there
	return cmd
}

func (o *memoryExport) run(ctx context.Context, env *Env) (err error) {
	if o.format != "jsonl" && o.format != "markdown" {
		return usage("--format must be jsonl or markdown, not %q", o.format)
	}
	if err := env.refuseAgents("memory export"); err != nil {
		return err
	}
	if o.project == "" && o.session == "" && !o.allProjects {
		o.project = "."
	}
	w, err := o.open(ctx, env, true)
	if noMemory(err) {
		return exitWith(exitFailed, errors.New("there is no memory yet: 'boathook memory enable' begins one, 'boathook memory backfill' fills it"))
	}
	if err != nil {
		return err
	}
	defer w.close()
	f, err := o.filter(ctx, env, w)
	if err != nil {
		return err
	}
	f.Role, f.Tool, f.Status, f.Tag = o.role, o.tool, o.status, o.tag
	rows, err := w.count(ctx, f)
	if err != nil {
		return err
	}
	if err := w.audit(env, audit.Entry{Action: audit.Export, Filter: &f, Count: rows}); err != nil {
		return err
	}
	out, done, err := o.target(env)
	if err != nil {
		return err
	}
	n, err := w.export(ctx, f, o.format, out)
	err = errors.Join(err, done(err == nil))
	if err == nil && o.out != "" {
		err = env.sentence(fmt.Sprintf("wrote %s to %s", count(n, "row"), plain(o.out)), 0)
	}
	return err
}

// target is where it goes. A file appears under its name once it is whole.
func (o *memoryExport) target(env *Env) (io.Writer, func(ok bool) error, error) {
	if o.out == "" || o.out == "-" {
		return env.Stdout, func(bool) error { return nil }, nil
	}
	path := env.absolute(o.out)
	tmp, err := os.CreateTemp(filepath.Dir(path), ".boathook-export-*") // 0600
	if err != nil {
		return nil, nil, exitWith(exitFailed, err)
	}
	return tmp, func(ok bool) error {
		err := tmp.Close()
		if ok && err == nil {
			if err = os.Rename(tmp.Name(), path); err == nil {
				return nil
			}
		}
		return errors.Join(err, os.Remove(tmp.Name()))
	}, nil
}

// exportPage is how many rows are read at once.
const exportPage = 500

// count counts the rows that are exported.
func (w *memoryWork) count(ctx context.Context, f memory.Filter) (n int, err error) {
	for at := memory.Page(""); ; {
		list, next, err := w.store.Entries(ctx, f, at, exportPage)
		if n += len(list); err != nil || next == "" {
			return n, err
		}
		at = next
	}
}

// export writes the rows, session by session, the oldest first.
func (w *memoryWork) export(ctx context.Context, f memory.Filter, format string, to io.Writer) (n int, err error) {
	sessions, err := w.sessions(ctx, f)
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriter(to)
	mask, _ := redact.New(redactOf(w.settings.Redact)) // doctor tells of patterns that don't work
	for i := len(sessions) - 1; i >= 0; i-- {
		s := sessions[i]
		of := f
		of.Session = s.ID
		begun := false
		for at := memory.Page(""); ; {
			list, next, err := w.store.Entries(ctx, of, at, exportPage)
			if err != nil {
				return n, err
			}
			for _, e := range list {
				l, ok := ingest.LineOf(e, s.Root)
				if !ok {
					continue
				}
				if format == "markdown" && !begun {
					begun = true
					fmt.Fprintf(out, "# %s\n\n%s\n", maskText(mask, exportHead(s)), maskText(mask, s.Summary))
				}
				if err := writeRow(out, mask, l, format); err != nil {
					return n, err
				}
				n++
			}
			if at = next; at == "" {
				break
			}
		}
	}
	return n, out.Flush()
}

// sessions lists those of a filter, the newest first.
func (w *memoryWork) sessions(ctx context.Context, f memory.Filter) (all []memory.Session, err error) {
	f.Since, f.Until, f.Role, f.Tool, f.Status, f.Tag = time.Time{}, time.Time{}, "", "", "", "" // they choose among rows
	for at := memory.Page(""); ; {
		list, next, err := w.store.Sessions(ctx, f, at, exportPage)
		if err != nil {
			return all, err
		}
		all = append(all, list...)
		if at = next; at == "" {
			return all, nil
		}
	}
}

func exportHead(s memory.Session) string {
	head := s.ID
	if !s.Started.IsZero() {
		head = s.Started.UTC().Format("2006-01-02 15:04") + " " + head
	}
	if s.Root != "" {
		head += " in " + s.Root
	}
	return oneLine(head)
}

func oneLine(s string) string { return strings.Join(strings.Fields(plain(s)), " ") }

func maskText(mask *redact.Redactor, s string) string { return mask.Text(s, false, redact.Counts{}) }

func writeRow(out *bufio.Writer, mask *redact.Redactor, l ingest.Line, format string) error {
	if format == "markdown" {
		_, err := out.WriteString(plainLines(maskText(mask, markdownRow(l))))
		return err
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = out.Write(append(plainJSON(mask.JSON(text, redact.Counts{})), '\n'))
	return err
}

// markdownRow is a row for people. A text is fenced by more backquotes than stand in it.
func markdownRow(l ingest.Line) string {
	head, body := l.Role, l.Text
	if l.Role == memory.RoleTool {
		head = l.Tool
		if l.Status != "" {
			head += ", " + l.Status
		}
		if l.Command != "" {
			body = "$ " + l.Command + "\n" + body
		}
		if l.Error != "" {
			body += "\n" + l.Error
		}
	}
	fence := "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s %s\n\n%s\n", l.TS.UTC().Format("15:04:05"), oneLine(head), fence)
	for line := range strings.Lines(strings.TrimSpace(body)) {
		b.WriteString(plain(strings.TrimRight(line, "\r\n")) + "\n")
	}
	b.WriteString(fence + "\n")
	return b.String()
}
