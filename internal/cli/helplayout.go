package cli

import (
	"strings"
)

const (
	// helpColumns is how wide help gets at most, on a wide terminal and in a pipe.
	helpColumns = 100
	// leastText is how narrow a text beside its name may get: where less is left it stands below.
	leastText = 32
)

// helpWidth is the width that help is laid out for.
func (e *Env) helpWidth() int {
	if width := e.columns(); width > 0 {
		return min(width, helpColumns)
	}
	return helpColumns
}

// item is an indented line of a help: a name and a text in a column of its own, or a line without columns.
type item struct {
	indent     int
	name, text string
	// hang is where the text begins; under is how far in it stands where it stands below the name, 0 for as usual.
	hang, under int
	// command says that the name is one for a shell.
	command bool
}

// layout breaks a help anew at a width: lines at the margin are paragraphs, indented ones stay lines, which have their
// further lines below their text. A line that begins where the text above it does goes on with it.
func layout(text string, width int) string { return layoutLines(text, width, false) }

// layoutCommands does the same for examples.
func layoutCommands(text string, width int) string { return layoutLines(text, width, true) }

func layoutLines(text string, width int, commands bool) string {
	var b strings.Builder
	var paragraph []string
	var items []item
	flush := func() {
		writeLines(&b, wrapText(strings.Join(paragraph, " "), width), paragraph != nil)
		writeItems(&b, items, width)
		paragraph, items = nil, nil
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		line = strings.ReplaceAll(line, "\t", "    ")
		it := itemOf(line, commands || strings.Contains(line, "boathook "))
		switch last := len(items) - 1; {
		case strings.TrimSpace(line) == "":
			flush()
			b.WriteByte('\n')
		case it.indent == 0:
			if items != nil {
				flush()
			}
			paragraph = append(paragraph, line)
		case last >= 0 && it.indent == items[last].hang && items[last].text != "":
			items[last].text += " " + strings.TrimSpace(line)
		default:
			if paragraph != nil {
				flush()
			}
			items = append(items, it)
		}
	}
	flush()
	return b.String()
}

func writeLines(b *strings.Builder, lines []string, any bool) {
	for _, line := range lines {
		if any {
			b.WriteString(line + "\n")
		}
	}
}

// itemOf takes a line apart at the first gap of two spaces.
func itemOf(line string, command bool) item {
	body := strings.TrimLeft(line, " ")
	it := item{indent: len(line) - len(body), name: body, command: command}
	at := strings.Index(body, "  ")
	if command { // not in its quotes
		at = -1
		for words, n := shellWords(body), 0; len(words) > 1 && at < 0; words = words[1:] {
			if n += len(words[0]) + 1; words[1] == "" {
				at = n - 1
			}
		}
	}
	if at >= 0 {
		it.name, it.text = body[:at], strings.TrimLeft(body[at:], " ")
		it.hang = columns(line) - columns(it.text)
	}
	return it
}

// writeItems writes lines one below the other. Those that share a column of texts keep it, or none of them does.
func writeItems(b *strings.Builder, items []item, width int) {
	for len(items) > 0 {
		n := 1
		hang := items[0].hang
		for n < len(items) && items[n].indent == items[0].indent && (items[n].text == "" || hang == 0 || items[n].hang == hang) {
			hang = max(hang, items[n].hang)
			n++
		}
		below := false
		for _, it := range items[:n] {
			end := it.hang + columns(it.text)
			below = below || it.text != "" && end > width && width-it.hang < leastText
		}
		for _, it := range items[:n] {
			it.write(b, width, below)
		}
		items = items[n:]
	}
}

func (it item) write(b *strings.Builder, width int, below bool) {
	lead := strings.Repeat(" ", it.indent)
	switch {
	case it.text == "" || below:
		for i, line := range it.breakName(width - it.indent) {
			b.WriteString(lead + strings.Repeat(" ", 4*min(i, 1)) + line + "\n")
		}
		if below && it.text != "" {
			hang := it.indent + max(it.under, 4)
			for _, line := range wrapText(it.text, width-hang) {
				b.WriteString(strings.Repeat(" ", hang) + line + "\n")
			}
		}
	default:
		lead += fill(it.name, it.hang-it.indent)
		for _, line := range wrapText(it.text, width-it.hang) {
			b.WriteString(lead + line + "\n")
			lead = strings.Repeat(" ", it.hang)
		}
	}
}

// breakName breaks a name that is too long. A command stays one that a shell takes.
func (it item) breakName(width int) []string {
	if columns(it.name) <= width {
		return []string{it.name}
	}
	if !it.command {
		return wrapHanging(it.name, width, 4)
	}
	var out []string
	line, room := "", width
	for _, word := range commandParts(it.name) {
		if line != "" && columns(line)+1+columns(word)+2 > room {
			if !strings.HasSuffix(line, "|") {
				line += ` \`
			}
			out = append(out, line)
			line, room = "", width-4
		}
		line = strings.TrimLeft(line+" "+word, " ")
	}
	return append(out, line)
}

// wrapHanging wraps a text whose further lines are to be indented.
func wrapHanging(s string, width, hang int) []string {
	first := wrap(s, width)[0]
	rest := strings.TrimLeft(s[len(first):], " ")
	if rest == "" {
		return []string{first}
	}
	return append([]string{first}, wrap(rest, max(width-hang, 1))...)
}

// commandParts are the words of a command line, a flag with its short value, and what stands before a | with that.
func commandParts(s string) []string {
	var out []string
	for _, word := range shellWords(s) {
		last := len(out) - 1
		value := last >= 0 && strings.HasPrefix(out[last], "-") && !strings.Contains(out[last], " ") && strings.IndexAny(word, `-'"`) != 0
		if value || last >= 0 && word == "|" {
			out[last] += " " + word
		} else {
			out = append(out, word)
		}
	}
	return out
}

// shellWords takes a command line apart at spaces outside quotes.
func shellWords(s string) []string {
	var out []string
	var quote byte
	start := 0
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ' ':
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[start:])
}
