package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/doctor"
	"github.com/boathook/boathook/internal/memory/eval"
)

// step says how far something is, without a bar: on a terminal in one line, elsewhere in a line now and then.
func (b *bar) step(format string, done, all int) {
	at := b.env.Now()
	every := lineEvery
	if b.env.IsTerminal {
		every = barEvery
	}
	if b.quiet || at.Sub(b.told) < every {
		return
	}
	b.told = at
	text := fmt.Sprintf(format, done, all)
	if !b.env.IsTerminal {
		fmt.Fprintln(b.env.Stderr, text)
		return
	}
	b.shown = true
	fmt.Fprint(b.env.Stderr, "\r"+text+"\x1b[K")
}

// evalColumns is what the whole table takes; a narrower terminal gets the figures that are looked at first.
const evalColumns = 92

// evalTables prints a report for people.
func (e *Env) evalTables(store string, r eval.Report) error {
	head := fmt.Sprintf("%s of %s, %s, on %s, by words alone", doctor.Count(int64(r.Turns), "turn"), doctor.Count(int64(r.Sessions), "session"),
		doctor.Count(int64(r.All.Questions), "question"), store)
	rows := [][]string{{"", "questions", "turn @1", "@5", "@10", "@20", "session @1", "@5", "@10", "@20", "MRR"}, evalRow("all", r.All)}
	if r.Korean.Questions > 0 {
		rows = append(rows, evalRow("with Korean", r.Korean))
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
		rows = append(rows, evalRow(kind, r.Kinds[kind]))
	}
	if width := e.columns(); width > 0 && width < evalColumns {
		rows[0][4], rows[0][7] = "turn @10", "session @5"
		for i, row := range rows {
			rows[i] = []string{row[0], row[4], row[7], row[10]}
		}
	}
	return errors.Join(e.sentence(head, 0), e.rows(rows),
		e.sentence(fmt.Sprintf("A question took %.1f ms (p50), %.1f ms (p95), %.1f ms (p99).", r.Latency.P50, r.Latency.P95, r.Latency.P99), 0))
}

func evalRow(name string, s eval.Scores) []string {
	row := []string{name, fmt.Sprint(s.Questions)}
	for _, x := range []float64{s.Turn.At1, s.Turn.At5, s.Turn.At10, s.Turn.At20, s.Session.At1, s.Session.At5, s.Session.At10, s.Session.At20, s.MRR} {
		row = append(row, fmt.Sprintf("%.3f", x))
	}
	return row
}

// writeFiles writes the generated corpus for others to read. It takes nobody's file.
func (o *memoryEval) writeFiles(env *Env, turns []eval.Turn, questions []eval.Question) error {
	dir := env.absolute(o.write)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return exitWith(exitFailed, err)
	}
	first, second := filepath.Join(dir, "turns.jsonl"), filepath.Join(dir, "questions.jsonl")
	if err := errors.Join(writeJSONL(first, turns), writeJSONL(second, questions)); err != nil {
		return exitWith(exitFailed, err)
	}
	return env.sentence(fmt.Sprintf("Wrote %s to %s, and %s to %s.", doctor.Count(int64(len(turns)), "turn"), plain(first),
		doctor.Count(int64(len(questions)), "question"), plain(second)), 0)
}

func writeJSONL[T any](path string, all []T) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	e := json.NewEncoder(f)
	e.SetEscapeHTML(false)
	for _, one := range all {
		if err := e.Encode(one); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}
