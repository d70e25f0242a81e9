package inline

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// unescape reads the escapes that nearly all languages share. raw keeps them, apart from a quote's.
func unescape(s string, raw bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if raw {
			if s[i] != '\\' && s[i] != '\'' && s[i] != '"' {
				b.WriteByte('\\')
			}
			b.WriteByte(s[i])
			continue
		}
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'a', 'b', 'f', 'v':
			b.WriteByte(' ')
		case 'e':
			b.WriteByte(0x1b)
		case '\n':
		case 'x':
			i += code(&b, s[i+1:], 16, 2)
		case 'u':
			i += code(&b, s[i+1:], 16, 4)
		case 'U':
			i += code(&b, s[i+1:], 16, 8)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			i += code(&b, s[i:], 8, 3) - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// code writes the character of a number in a text and gives the number's length.
func code(b *strings.Builder, s string, base, most int) int {
	if strings.HasPrefix(s, "{") {
		if end := strings.IndexByte(s, '}'); end > 1 && end < 9 {
			if v, err := strconv.ParseUint(s[1:end], base, 32); err == nil {
				b.WriteRune(rune(v))
			}
			return end + 1
		}
	}
	n := 0
	for n < len(s) && n < most {
		ch := s[n] | 0x20
		if (s[n] < '0' || s[n] > '9' || int(s[n]-'0') >= base) && (base != 16 || ch < 'a' || ch > 'f') {
			break
		}
		n++
	}
	if v, err := strconv.ParseUint(s[:n], base, 32); err == nil {
		if most == 2 || base == 8 {
			b.WriteByte(byte(v))
		} else {
			b.WriteRune(rune(v))
		}
	}
	return n
}

// reverse turns a text around.
func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// formatPercent fills %s and %d.
func formatPercent(f string, v value) value {
	args := []value{v}
	if v.kind == 'l' {
		args = v.list
	}
	var b strings.Builder
	for i := 0; i < len(f); i++ {
		if f[i] != '%' || i+1 == len(f) {
			b.WriteByte(f[i])
			continue
		}
		i++
		switch {
		case f[i] == '%':
			b.WriteByte('%')
		case (f[i] == 's' || f[i] == 'd' || f[i] == 'r') && len(args) > 0:
			b.WriteString(args[0].str())
			args = args[1:]
		default:
			b.WriteString(word.Unknown)
			for i < len(f)-1 && (f[i] < 'a' || f[i] > 'z') {
				i++
			}
		}
	}
	return textValue(b.String())
}

// formatBraces fills {} and {0}; names are not known.
func formatBraces(f string, c call) value {
	var b strings.Builder
	next := 0
	for i := 0; i < len(f); i++ {
		if f[i] != '{' {
			b.WriteByte(f[i])
			continue
		}
		end := strings.IndexByte(f[i:], '}')
		if end < 0 {
			return value{}
		}
		name, _, _ := strings.Cut(f[i+1:i+end], ":")
		n, ok := integer(name)
		if name == "" {
			n, ok = next, true
			next++
		}
		v := value{}
		if ok {
			v = c.arg(n)
		} else {
			v = c.key(name)
		}
		b.WriteString(v.str())
		i += end
	}
	return textValue(b.String())
}

// repeat is a text many times.
func repeat(v, n value) value {
	k, ok := integer(n.str())
	if v.kind != 't' || !ok || k < 0 || k*len(v.text) > maxText {
		return value{}
	}
	return textValue(strings.Repeat(v.text, k))
}

// decodeBase64 decodes a known text.
func decodeBase64(v value) value {
	if !v.known() {
		return value{}
	}
	s := strings.NewReplacer("\n", "", " ", "", "-", "+", "_", "/").Replace(v.text)
	out, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		if out, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "=")); err != nil {
			return value{}
		}
	}
	return textValue(string(out))
}

// decodeHex decodes a known text.
func decodeHex(v value) value {
	if !v.known() {
		return value{}
	}
	out, err := hex.DecodeString(strings.NewReplacer(" ", "", "\n", "", `\x`, "").Replace(v.text))
	if err != nil {
		return value{}
	}
	return textValue(string(out))
}

// rot13 turns letters by half the alphabet.
func rot13(v value) value {
	if v.kind != 't' {
		return value{}
	}
	return textValue(strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return 'a' + (c-'a'+13)%26
		case c >= 'A' && c <= 'Z':
			return 'A' + (c-'A'+13)%26
		}
		return c
	}, v.text))
}

// character is that of a number, or of several.
func character(vs ...value) value {
	var b strings.Builder
	for _, v := range vs {
		n, ok := integer(v.str())
		if !ok {
			return value{}
		}
		b.WriteRune(rune(n))
	}
	return textValue(b.String())
}

// bytesOf is the text of a list of numbers.
func bytesOf(v value) value {
	if v.kind != 'l' {
		if v.kind == 't' {
			return v
		}
		return value{}
	}
	return character(v.list...)
}

// joinTexts puts a list together.
func joinTexts(list value, sep string) value {
	if list.kind == 't' {
		// The characters of a text.
		return textValue(strings.Join(strings.Split(list.text, ""), sep))
	}
	if list.kind != 'l' {
		return value{}
	}
	out := make([]string, 0, len(list.list))
	n := 0
	for _, v := range list.list {
		s := v.str()
		if n += len(s) + len(sep); n > maxText {
			return value{}
		}
		out = append(out, s)
	}
	return textValue(strings.Join(out, sep))
}

// textMethod knows what methods of texts and lists give, in whatever language.
func textMethod(c call) (value, bool) {
	v := c.recv
	if v.kind == 'l' {
		return listMethod(c)
	}
	if v.kind != 't' {
		return value{}, false
	}
	first := c.arg(0)
	switch c.name {
	case "decode":
		return decodeAs(v, first.text), true
	case "encode", "toString", "to_s", "to_str", "valueOf", "toLocaleString", "dup", "freeze", "b":
		return v, true
	case "strip", "trim", "chomp", "rstrip", "lstrip", "trimEnd", "trimStart":
		return textValue(strings.TrimSpace(v.text)), len(c.args) == 0
	case "lower", "toLowerCase", "downcase":
		return textValue(strings.ToLower(v.text)), true
	case "upper", "toUpperCase", "upcase":
		return textValue(strings.ToUpper(v.text)), true
	case "reverse":
		return textValue(reverse(v.text)), true
	case "replace", "gsub", "replaceAll", "sub":
		a, b := c.arg(0), c.arg(1)
		if a.kind != 't' || b.kind != 't' || a.text == "" || len(v.text)*(len(b.text)+1) > maxText {
			return value{}, true
		}
		return textValue(strings.ReplaceAll(v.text, a.text, b.text)), true
	case "format":
		return formatBraces(v.text, c), true
	case "join":
		return joinTexts(first, v.text), len(c.args) == 1
	case "concat":
		for _, a := range c.args {
			v = concat(v, a)
		}
		return v, true
	case "repeat":
		return repeat(v, first), true
	case "split":
		return splitText(v.text, first), true
	case "shellsplit":
		return shellSplit(v), true
	}
	return value{}, false
}

// decodeAs decodes a text by a codec's name; what is a character set leaves it as it is.
func decodeAs(v value, codec string) value {
	switch codec {
	case "hex", "hex_codec":
		return decodeHex(v)
	case "base64":
		return decodeBase64(v)
	case "rot13", "rot_13":
		return rot13(v)
	}
	return v
}

// listMethod knows what methods of lists give.
func listMethod(c call) (value, bool) {
	v := c.recv
	switch c.name {
	case "join":
		sep := ""
		if a := c.arg(0); a.kind == 't' {
			sep = a.text
		}
		return joinTexts(v, sep), true
	case "reverse":
		out := value{kind: 'l'}
		for i := len(v.list) - 1; i >= 0; i-- {
			out.list = append(out.list, v.list[i])
		}
		return out, true
	}
	return value{}, false
}

// splitText splits a text by another, or by blanks, or into characters.
func splitText(s string, by value) value {
	var parts []string
	switch {
	case by.absent() || by.text == " ":
		parts = strings.Fields(s)
	case by.kind != 't':
		return value{}
	default:
		parts = strings.Split(s, by.text)
	}
	out := value{kind: 'l'}
	for i, p := range parts {
		if i == 1<<10 {
			return value{}
		}
		out.list = append(out.list, textValue(p))
	}
	return out
}

// shellSplit splits as a shell would, without expansions.
func shellSplit(v value) value {
	if v.kind != 't' {
		return value{}
	}
	out := value{kind: 'l'}
	var b strings.Builder
	in, quote := false, byte(0)
	for i := 0; i < len(v.text); i++ {
		ch := v.text[i]
		switch {
		case quote != 0 && ch == quote:
			quote = 0
		case quote == 0 && (ch == '\'' || ch == '"'):
			quote, in = ch, true
		case ch == '\\' && quote != '\'' && i+1 < len(v.text):
			i++
			b.WriteByte(v.text[i])
			in = true
		case quote == 0 && (ch == ' ' || ch == '\t' || ch == '\n'):
			if in {
				out.list = append(out.list, textValue(b.String()))
				b.Reset()
			}
			in = false
		default:
			b.WriteByte(ch)
			in = true
		}
	}
	if in {
		out.list = append(out.list, textValue(b.String()))
	}
	return out
}
