package forget

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// aside are the folders and files of the data directory whose contents are of single events: one that holds something of what goes is
// removed.
func aside() []string {
	return []string{filepath.Join("spool", "bad"), "pending", "recall"}
}

// refused are rows that the memory's store did not take, a line each.
const refused = "memory-bad.jsonl"

// files removes what was put aside of it.
func (f *Forgetting) files() (removed int, err error) {
	marks := f.marks()
	for _, dir := range aside() {
		root := filepath.Join(f.o.Worker.DataDir, dir)
		werr := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case !d.Type().IsRegular():
				return nil
			}
			found, err := grep(path, marks)
			if err != nil || len(found) == 0 && !holds([]byte(filepath.Base(path)), marks) {
				return err
			}
			removed++
			return os.Remove(path)
		})
		err = errors.Join(err, werr)
	}
	n, rerr := f.refusedRows(marks)
	return removed + n, errors.Join(err, rerr)
}

// refusedRows takes the lines of what goes out of the file of refused rows.
func (f *Forgetting) refusedRows(marks [][]byte) (removed int, err error) {
	path := filepath.Join(f.o.Worker.DataDir, refused)
	text, err := ownfile.Read(path, "", 1<<30)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var kept []byte
	for line := range bytes.Lines(text) {
		if holds(line, marks) {
			removed++
			continue
		}
		kept = append(kept, line...)
	}
	if removed == 0 {
		return 0, nil
	}
	file, err := ownfile.Open(path, os.O_WRONLY)
	if err != nil {
		return 0, err
	}
	_, err = file.Write(kept)
	return removed, errors.Join(err, file.Truncate(int64(len(kept))), file.Close())
}

// marks are what shows that a file is about what goes: the samples, and the ids of whole sessions.
func (f *Forgetting) marks() (out [][]byte) {
	for _, s := range f.samples {
		out = append(out, formsOf(s)...)
	}
	if !f.byRow() && f.o.Selection.Since.IsZero() && f.o.Selection.Until.IsZero() {
		for id := range f.report.sessions {
			if _, own := memory.SplitSessionID(id); len(own) >= minMark {
				out = append(out, []byte(own))
			}
		}
	}
	return out
}

// minMark is how long an id is that nothing else is called.
const minMark = 8

// prove searches for the samples in the memory store, and then, byte by byte, in every file of the data directory. What other sessions
// say as well is not looked for: it was not to go.
func (f *Forgetting) prove(ctx context.Context) error {
	r := &f.report
	r.Searched, r.Elsewhere, r.Remains = len(f.samples), 0, nil
	var left []string
	for _, s := range f.samples {
		n, err := f.o.Store.Occurs(ctx, s)
		if err != nil {
			return failed("search the memory for what is gone", err)
		}
		others := 0
		if n > 0 {
			if others, err = f.others(ctx, s); err != nil {
				return err
			}
		}
		switch {
		case n == 0:
			left = append(left, s)
		case others > 0:
			r.Elsewhere++
		default:
			r.Remains = append(r.Remains, "the memory store")
		}
	}
	left, err := f.unsaid(ctx, left)
	if err != nil {
		return err
	}
	var forms [][]byte
	for _, s := range left {
		forms = append(forms, formsOf(s)...)
	}
	if err := f.search(ctx, forms); err != nil {
		return err
	}
	slices.Sort(r.Remains)
	r.Remains = slices.Compact(r.Remains)
	r.Absent = len(r.Remains) == 0
	return f.agents(ctx, forms)
}

// others counts rows that say a text and were not to go.
func (f *Forgetting) others(ctx context.Context, text string) (n int, err error) {
	gone := f.o.Selection
	for at := memory.Page(""); ; {
		list, next, err := f.o.Store.Entries(ctx, memory.Filter{AllProjects: true}, at, perPage)
		if err != nil {
			return n, failed("read the other sessions", err)
		}
		for _, e := range list {
			if contains(e, text) && gone.Text == "" {
				n++
			}
		}
		if at = next; at == "" || n > 0 {
			return n, nil
		}
	}
}

// unsaid are the samples that no event says any more: others may, of sessions that stay.
func (f *Forgetting) unsaid(ctx context.Context, samples []string) ([]string, error) {
	s, err := store.OpenReadOnly(ctx, worker.StorePath(f.o.Worker.DataDir))
	if errors.Is(err, fs.ErrNotExist) {
		return samples, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }() // it was only read
	forms := make([][][]byte, len(samples))
	for i, text := range samples {
		forms[i] = formsOf(text)
	}
	said := make([]bool, len(samples))
	err = s.Each(ctx, store.Filter{}, func(_ int64, line []byte) error {
		for i := range samples {
			if !said[i] && holds(line, forms[i]) {
				said[i] = true
			}
		}
		return ctx.Err()
	})
	var left []string
	for i, text := range samples {
		if said[i] {
			f.report.Elsewhere++
			continue
		}
		left = append(left, text)
	}
	return left, err
}

// search looks through every file of the data directory.
func (f *Forgetting) search(ctx context.Context, forms [][]byte) error {
	if len(forms) == 0 {
		return nil
	}
	root := f.o.Worker.DataDir
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // it is gone meanwhile
			return nil
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() && rel == "install" { // backups of agents' settings, for the undo
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		found, err := grep(path, forms)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && len(found) > 0 {
			f.report.Remains = append(f.report.Remains, path)
		}
		return err
	})
}

// agents names the records of the agents' own in which it still stands.
func (f *Forgetting) agents(ctx context.Context, forms [][]byte) error {
	if f.o.Transcripts == nil {
		return nil
	}
	var agents []string
	ids := forms
	for id := range f.report.sessions {
		agent, own := memory.SplitSessionID(id)
		if !slices.Contains(agents, agent) {
			agents = append(agents, agent)
		}
		if !f.byRow() && len(own) >= minMark {
			ids = append(ids, []byte(own))
		}
	}
	f.report.Transcripts = nil
	for _, path := range f.o.Transcripts(ctx, agents) {
		named := slices.ContainsFunc(ids[len(forms):], func(id []byte) bool { return strings.Contains(path, string(id)) })
		found, err := grep(path, ids)
		if err == nil && (named || len(found) > 0) {
			f.report.Transcripts = append(f.report.Transcripts, path)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// grep finds texts in a file, and stops with the first one.
func grep(path string, forms [][]byte) (found []byte, err error) {
	most := 0
	for _, form := range forms {
		most = max(most, len(form))
	}
	if most == 0 {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	r := bufio.NewReaderSize(f, 64<<10)
	buf := make([]byte, 0, 1<<20+most)
	for {
		n, err := io.ReadFull(r, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		for _, form := range forms {
			if bytes.Contains(buf, form) {
				return form, nil
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = nil
			}
			return nil, err
		}
		keep := min(most-1, len(buf))
		copy(buf, buf[len(buf)-keep:])
		buf = buf[:keep]
	}
}
