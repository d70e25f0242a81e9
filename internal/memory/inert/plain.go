package inert

import "strings"

// plain is a line without what a Markdown or a markup reader would act on: fences, headings, quotes and list marks at its beginning,
// images, tags, comments. What is code stays as it is read.
func plain(line string) string {
	line = heading(line)
	line = runs(line, '`', '\'')
	line = runs(line, '~', '-')
	line = strings.ReplaceAll(tags(line), "![", "! [")
	if strings.Contains(line, "](") {
		line = strings.NewReplacer("](javascript:", "] (javascript:", "](data:", "] (data:", "](vbscript:", "] (vbscript:", "](file:", "] (file:").Replace(line)
	}
	return line
}

// heading takes the marks of a heading and of a quotation off.
func heading(line string) string {
	for {
		rest := strings.TrimLeft(line, " ")
		switch {
		case strings.HasPrefix(rest, "> "):
			line = rest[2:]
			continue
		case strings.HasPrefix(rest, "#"):
			if marks := strings.TrimLeft(rest, "#"); len(rest)-len(marks) <= 6 && strings.HasPrefix(marks, " ") {
				line = marks
				continue
			}
		}
		return line
	}
}

// runs writes runs of three and more of a character with another: they open and close fences.
func runs(line string, of, with byte) string {
	three := strings.Repeat(string(of), 3)
	if !strings.Contains(line, three) {
		return line
	}
	b := []byte(line)
	for i := 0; i < len(b); {
		j := i
		for j < len(b) && b[j] == of {
			j++
		}
		if j-i >= 3 {
			for ; i < j; i++ {
				b[i] = with
			}
		}
		i = max(i+1, j)
	}
	return string(b)
}

// tags writes the brackets of what is a tag, and no comparison, redirection or type's parameter, as others that look alike.
func tags(line string) string {
	if !strings.ContainsRune(line, '<') && !strings.Contains(line, "&lt;") && !strings.Contains(line, "&#") {
		return line
	}
	line = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&LT;", "<", "&GT;", ">", "&#60;", "<", "&#62;", ">", "&#x3c;", "<", "&#x3C;", "<", "&#x3e;", ">", "&#x3E;", ">").Replace(line)
	var out strings.Builder
	for i := 0; i < len(line); {
		if line[i] != '<' {
			out.WriteByte(line[i])
			i++
			continue
		}
		n := tag(line[i:], i > 0 && (word(line[i-1]) || line[i-1] == '<'))
		if n == 0 {
			out.WriteByte('<')
			i++
			continue
		}
		inner := strings.TrimSuffix(line[i+1:i+n], ">")
		out.WriteString("‹" + tags(inner))
		if strings.HasSuffix(line[i:i+n], ">") {
			out.WriteString("›")
		}
		i += n
	}
	return out.String()
}

func word(c byte) bool {
	return c == '_' || c == ')' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// tag is the length of the tag that a text begins with, zero where it is none: neither List<String> has one nor sort <in >out.
func tag(s string, behindWord bool) int {
	if len(s) < 2 {
		return 0
	}
	opens := letter(s[1])
	switch {
	case opens && behindWord:
		return 0
	case opens, (s[1] == '?' || s[1] == '|') && len(s) > 2 && letter(s[2]):
	case s[1] == '/' && len(s) > 2 && letter(s[2]):
	case strings.HasPrefix(s, "<!--"), strings.HasPrefix(s, "<!["), s[1] == '!' && len(s) > 2 && letter(s[2]):
	default:
		return 0
	}
	end := strings.IndexByte(s[1:], '>')
	switch {
	case end < 0 && opens && !telling(s[1:]):
		return 0 // <file reads one
	case end < 0:
		return 1
	case opens && !element(s[1:1+end]) && !telling(s[1:]):
		return 0
	}
	return end + 2
}

// element tells whether what stands between brackets is a name, alone, closed in itself or with attributes.
func element(inner string) bool {
	n := 0
	for n < len(inner) && (letter(inner[n]) || inner[n] >= '0' && inner[n] <= '9' || strings.IndexByte("-_:.", inner[n]) >= 0) {
		n++
	}
	rest := inner[n:]
	return rest == "" || rest == "/" || rest == " /" || rest[0] == ' ' && strings.Contains(rest, "=")
}

// telling tells whether a name is one that a chat's structure is made of.
func telling(s string) bool {
	n := 0
	for n < len(s) && (letter(s[n]) || s[n] == '_' || s[n] == '-') {
		n++
	}
	switch strings.ToLower(s[:n]) {
	case "system", "assistant", "user", "human", "developer", "tool", "instructions", "instruction", "prompt", "important", "context", "hook_context",
		"system-reminder", "script", "iframe", "img", "style", "object", "embed":
		return true
	}
	return false
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
