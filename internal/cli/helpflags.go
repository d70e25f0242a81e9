package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/boathook/boathook/internal/duration"
)

// flagLines are a command's own flags with their meanings, as lines of a help.
func flagLines(cmd *cobra.Command, width int) string {
	var items []item
	widest := 0
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, doc := valueName(f), flagDoc(f)
		name := "    --" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", --" + f.Name
		}
		if value != "" {
			name += " " + value
		}
		widest = max(widest, columns(name))
		items = append(items, item{indent: 2, name: name, text: doc, under: 8})
	})
	for i := range items {
		items[i].hang = 2 + widest + 3
	}
	var b strings.Builder
	writeItems(&b, items, width)
	return b.String()
}

// valueName is what stands for a flag's value: the name in its description, else one for the flag; empty where the flag
// takes none.
func valueName(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	switch {
	case f.Value.Type() == "bool" && !strings.Contains(f.Usage, "`"):
		return ""
	case strings.Contains(f.Usage, "`"):
		return name
	}
	if named, ok := valueNames()[f.Name]; ok {
		return named
	}
	switch f.Value.Type() {
	case "int":
		return "N"
	case durationType:
		return "TIME"
	}
	return strings.ToUpper(f.Name)
}

// valueNames are those of flags that are not called as their value is.
func valueNames() map[string]string {
	return map[string]string{
		"config": "PATH", "data": "DIR", "since": "WHEN", "until": "WHEN", "before": "WHEN", "for": "TIME", "grep": "TEXT",
	}
}

func flagDoc(f *pflag.Flag) string {
	_, doc := pflag.UnquoteUsage(f)
	switch {
	case f.Name == "help":
		return "show this help"
	case strings.Contains(doc, "(default"):
		return doc
	}
	switch f.DefValue {
	case "", "false", "0", "[]", "0s":
		return doc
	}
	return doc + " (default " + f.DefValue + ")"
}

// durationType is the type of the flags that take a length of time.
const durationType = "duration"

// durationValue is a flag that takes a length of time as all of them do.
type durationValue time.Duration

// durationFlag adds one.
func durationFlag(cmd *cobra.Command, d *time.Duration, name string, usual time.Duration, doc string) {
	*d = usual
	cmd.Flags().Var((*durationValue)(d), name, doc)
}

func (v *durationValue) Set(text string) error {
	d, ok := duration.Parse(text)
	if !ok {
		return usage("%q is no time", text)
	}
	*v = durationValue(d)
	return nil
}

func (v *durationValue) Type() string { return durationType }

func (v *durationValue) String() string { return duration.Typed(time.Duration(*v)) }
