package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
)

// report prints what became of the cases, and writes the JUnit report.
func (o *policyTest) report(env *Env, results []caseResult, wrong int, told error) error {
	switch o.junit {
	case "":
	case "-":
		return junit(env.Stdout, results, wrong)
	default:
		if err := writeJUnit(env.absolute(o.junit), results, wrong); err != nil {
			return exitWith(exitFailed, fmt.Errorf("write the report: %w", err))
		}
	}
	switch {
	case o.tap:
		return tap(env.Stdout, results)
	case o.asJSON:
		return env.printJSON(map[string]any{"cases": len(results), "failed": wrong, "results": results}, told)
	}
	for _, r := range results {
		if r.Wrong == "" {
			continue
		}
		_, err := fmt.Fprintf(env.Stdout, "%s  %s\n    %s\n    → %s\n", plain(r.At), shorten(plain(r.Name), 200), plain(r.Wrong), plain(r.Cure))
		if err != nil {
			return err
		}
	}
	text := fmt.Sprintf("%s hold.", count(len(results), "case"))
	if wrong > 0 {
		text = fmt.Sprintf("%d of %s fail.", wrong, count(len(results), "case"))
	}
	_, err := fmt.Fprintln(env.Stdout, text)
	return err
}

func tap(w io.Writer, results []caseResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 13\n1..%d\n", len(results))
	for i, r := range results {
		name := strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(plain(r.Suite + ": " + r.Name))
		if r.Wrong == "" {
			fmt.Fprintf(&b, "ok %d - %s\n", i+1, name)
			continue
		}
		fmt.Fprintf(&b, "not ok %d - %s\n  ---\n  at: %q\n  message: %q\n  cure: %q\n  ...\n", i+1, name, plain(r.At), plain(r.Wrong), plain(r.Cure))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeJUnit(path string, results []caseResult, wrong int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = junit(f, results, wrong)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// junit writes the form that continuous integration reads: a test suite for each source, a test case for each case. The text is
// written here, since encoding/xml would come in for this alone.
func junit(w io.Writer, results []caseResult, wrong int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"boathook policy\" tests=\"%d\" failures=\"%d\">\n", len(results), wrong)
	for from := 0; from < len(results); {
		to := from
		failures := 0
		for ; to < len(results) && results[to].Suite == results[from].Suite; to++ {
			if results[to].Wrong != "" {
				failures++
			}
		}
		fmt.Fprintf(&b, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\">\n", xmlText(results[from].Suite), to-from, failures)
		for _, r := range results[from:to] {
			fmt.Fprintf(&b, "    <testcase classname=\"%s\" name=\"%s\"", xmlText(r.Suite), xmlText(r.Name))
			if r.Wrong == "" {
				b.WriteString("/>\n")
				continue
			}
			fmt.Fprintf(&b, ">\n      <failure message=\"%s\">%s\n%s</failure>\n    </testcase>\n", xmlText(r.Wrong), xmlText(r.At), xmlText(r.Cure))
		}
		b.WriteString("  </testsuite>\n")
		from = to
	}
	b.WriteString("</testsuites>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// xmlText is a text as XML has it, in an attribute or outside. XML 1.0 has no form for most controls: they are shown as plain shows
// them.
func xmlText(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || r == 0xfffe || r == 0xffff {
			return '?'
		}
		return r
	}, plain(s))
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(s)
}
