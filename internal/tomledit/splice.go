package tomledit

import (
	"slices"
	"strings"
)

// set writes a text where the file has a place for it: over the value that is there, into the table's header or inline
// table, else as a table of its own at the end.
func set(data []byte, items []item, path []string, value string) []byte {
	last := len(path) - 1
	for _, it := range items {
		if !it.header && slices.Equal(it.path, path) {
			return splice(data, it.from, it.to, quote(value))
		}
	}
	eol := lineEnd(data)
	for _, it := range items {
		if it.header && !it.list && slices.Equal(it.path, path[:last]) {
			line := bare(path[last]) + " = " + quote(value) + eol
			if data[it.end-1] != '\n' {
				line = eol + strings.TrimSuffix(line, eol)
			}
			return splice(data, it.end, it.end, line)
		}
	}
	for n := last; n > 0; n-- {
		for _, it := range items {
			if it.table && slices.Equal(it.path, path[:n]) {
				return intoInline(data, it, path[n:], value)
			}
		}
	}
	return appendTable(data, path, value, eol)
}

// intoInline adds a member at the end of an inline table.
func intoInline(data []byte, it item, names []string, value string) []byte {
	member := quote(value)
	for _, name := range slices.Backward(names[1:]) {
		member = "{ " + bare(name) + " = " + member + " }"
	}
	member = bare(names[0]) + " = " + member
	inner := string(data[it.from+1 : it.to-1])
	end := it.from + 1 + len(strings.TrimRight(inner, " \t\r\n"))
	switch text := strings.TrimSpace(inner); {
	case text == "":
		return splice(data, it.from, it.to, "{ "+member+" }")
	case strings.HasSuffix(text, ","):
		return splice(data, end, end, " "+member)
	}
	return splice(data, end, end, ", "+member)
}

func appendTable(data []byte, path []string, value, eol string) []byte {
	last := len(path) - 1
	var names []string
	for _, name := range path[:last] {
		names = append(names, bare(name))
	}
	text := "[" + strings.Join(names, ".") + "]" + eol + bare(path[last]) + " = " + quote(value) + eol
	if len(data) > 0 && string(data) != mark {
		text = eol + text
		if data[len(data)-1] != '\n' {
			text = eol + text
		}
	}
	return splice(data, len(data), len(data), text)
}

// remove takes a value out. whole says that the table that it was in went too.
func remove(data []byte, items []item, path []string) (out []byte, whole bool, err error) {
	i := slices.IndexFunc(items, func(it item) bool { return !it.header && slices.Equal(it.path, path) })
	if i < 0 {
		return nil, false, ErrShape
	}
	it := items[i]
	if it.depth > 0 {
		return removeMember(data, items, i, path)
	}
	up := path[:len(path)-1]
	h := slices.IndexFunc(items, func(it item) bool { return it.header && slices.Equal(it.path, up) })
	others := slices.ContainsFunc(items, func(o item) bool {
		return len(o.path) > len(up) && slices.Equal(o.path[:len(up)], up) && !slices.Equal(o.path, path)
	})
	if h < 0 || others {
		return splice(data, it.start, it.end, ""), false, nil
	}
	out = splice(data, it.start, it.end, "")
	start := items[h].start
	if eol := lineEnd(data); strings.HasSuffix(string(data[:start]), eol+eol) {
		start -= len(eol) // the blank line before it
	}
	return splice(out, start, items[h].end, ""), true, nil
}

// removeMember takes a member out of an inline table, with one comma, and that table too where nothing else is in it.
func removeMember(data []byte, items []item, i int, path []string) ([]byte, bool, error) {
	it := items[i]
	n := slices.IndexFunc(items, func(o item) bool { return o.table && o.from < it.start && it.end < o.to && o.depth == it.depth-1 })
	if n < 0 {
		return nil, false, ErrShape
	}
	around := items[n]
	left, right := string(data[around.from+1:it.start]), string(data[it.end:around.to-1])
	switch {
	case strings.TrimSpace(left) == "" && strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(right), ",")) == "" &&
		slices.Equal(around.path, path[:len(path)-1]):
		if around.depth == 0 {
			return splice(data, around.start, around.end, ""), true, nil
		}
		out, _, err := removeMember(data, items, n, around.path)
		return out, true, err
	case strings.HasSuffix(strings.TrimSpace(left), ","):
		return splice(data, around.from+1+strings.LastIndex(left, ","), it.end, ""), false, nil
	}
	end := it.end
	if comma := strings.IndexByte(right, ','); comma >= 0 {
		end += comma + 1
		for end < around.to-1 && (data[end] == ' ' || data[end] == '\t') {
			end++
		}
	}
	return splice(data, it.start, end, ""), false, nil
}

func splice(data []byte, from, to int, text string) []byte {
	return slices.Concat(data[:from], []byte(text), data[to:])
}

// lineEnd is that of the file's first line.
func lineEnd(data []byte) string {
	if i := strings.IndexByte(string(data), '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// bare is a name as it is written, quoted where it has to be.
func bare(name string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	if name != "" && strings.Trim(name, plain) == "" {
		return name
	}
	return quote(name)
}

// quote is a basic text of TOML.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			const hex = "0123456789abcdef"
			b.WriteString(`\u00` + string(hex[r>>4]) + string(hex[r&15]))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
