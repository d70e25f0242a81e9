package inert

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// disguised tells whether a line is an order that is written so that only a model reads it: encoded, escaped, in leetspeak, backwards,
// or in a language of which no more than this is known.
func disguised(line string) bool {
	low := strings.ToLower(line)
	if backwards(low) || foreign(low) {
		return true
	}
	if plain := unescaped(line); plain != line && orders(plain) {
		return true
	}
	if plain := unleeted(low); plain != low && setsAside(split(fold(plain))) {
		return true
	}
	if plain := undotted(low); plain != low && orders(plain) {
		return true
	}
	return encoded(line)
}

func orders(text string) bool {
	f := fold(text)
	return structure(f) || imitates(f) || ordered(f)
}

// Encoded texts have so many characters at least; so many of them are looked at in a line.
const (
	minEncoded = 24
	maxEncoded = 8
)

// encoded looks at what may be base64 or hexadecimal. What comes out is only compared.
func encoded(line string) bool {
	if len(line) < minEncoded {
		return false
	}
	n := 0
	for run := range strings.FieldsFuncSeq(line, func(r rune) bool {
		return r > 'z' || !letter(byte(r)) && (r < '0' || r > '9') && !strings.ContainsRune("+/-_", r)
	}) {
		if len(run) < minEncoded {
			continue
		}
		if n++; n > maxEncoded {
			return false
		}
		std := strings.NewReplacer("-", "+", "_", "/").Replace(run)
		if text, err := base64.RawStdEncoding.DecodeString(std[:len(std)-max(0, len(std)%4-len(std)%4/2*2)]); err == nil && reads(text) && orders(string(text)) {
			return true
		}
		if text, err := hex.DecodeString(run[:len(run)/2*2]); err == nil && reads(text) && orders(string(text)) {
			return true
		}
	}
	return false
}

// reads tells whether bytes are a text with more than one word.
func reads(text []byte) bool {
	return utf8.Valid(text) && strings.ContainsRune(string(text), ' ') && !strings.ContainsFunc(string(text), func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r'
	})
}

// unescaped is a line whose escapes, of URLs, of markup and of programs, are read.
func unescaped(line string) string {
	if strings.Contains(line, "%") {
		if text, err := url.PathUnescape(line); err == nil {
			line = text
		}
	}
	if strings.Contains(line, "&#") {
		line = html.UnescapeString(line)
	}
	for _, escape := range [...]struct {
		begin  string
		digits int
	}{{`\u`, 4}, {`\x`, 2}} {
		for from := 0; ; {
			at := strings.Index(line[from:], escape.begin)
			if at < 0 || from+at+2+escape.digits > len(line) {
				break
			}
			at += from
			from = at + 1
			if n, err := strconv.ParseUint(line[at+2:at+2+escape.digits], 16, 16); err == nil {
				line = line[:at] + string(rune(n)) + line[at+2+escape.digits:]
			}
		}
	}
	return line
}

// unleeted is a line whose digits and signs in words are the letters that they look like.
func unleeted(low string) string {
	if !strings.ContainsAny(low, "013457@!$") {
		return low
	}
	var out strings.Builder
	for word := range strings.FieldsSeq(low) {
		if strings.IndexFunc(word, unicode.IsLetter) >= 0 && len(word) < longestVerb {
			word = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "!", "i", "$", "s").Replace(word)
		}
		out.WriteString(word + " ")
	}
	return out.String()
}

// undotted joins letters that a sign stands between, each by each: i.g.n.o.r.e.
func undotted(low string) string {
	var out strings.Builder
	changed := false
	for word := range strings.FieldsSeq(low) {
		for _, sign := range [...]string{".", "-", "_", "*", "|"} {
			n := strings.Count(word, sign)
			if n < 4 || len(word) > 2*(n+1) {
				continue
			}
			if joined := strings.ReplaceAll(word, sign, ""); len(joined) > n-1 {
				word, changed = joined, true
				break
			}
		}
		out.WriteString(word + " ")
	}
	if !changed {
		return low
	}
	return out.String()
}

// backwards are the words of an order from their ends, and by the cipher that everybody knows.
func backwards(low string) bool {
	return strings.Contains(low, "snoitcurtsni") || strings.Contains(low, "vafgehpgvba")
}

// foreign are the verb and what is set aside by it, in further languages.
func foreign(low string) bool {
	known := [...][2]string{
		{"abaikan", "instruksi"}, {"abaikan", "arahan"}, {"yok say", "talimat"}, {"görmezden gel", "talimat"}, {"bỏ qua", "hướng dẫn"}, {"bỏ qua", "chỉ thị"}, {"تجاهل", "تعليمات"},
		{"تجاهل", "أوامر"}, {"نادیده", "دستور"}, {"अनदेखा", "निर्देश"}, {"नज़रअंदाज़", "निर्देश"}, {"ละเว้น", "คำสั่ง"}, {"เพิกเฉย", "คำสั่ง"}, {"התעלם", "הוראות"}, {"ігноруй", "інструкці"},
		{"zignoruj", "instrukcj"}, {"pomiń", "instrukcj"}, {"ignorera", "instrukt"}, {"αγνόησε", "οδηγίες"}, {"উপেক্ষা", "নির্দেশ"}, {"nezohledňuj", "pokyny"}, {"ignoruj", "pokyny"},
		{"unohda", "ohjeet"}, {"hagyd figyelmen kívül", "utasítás"}, {"ignoră", "instrucțiuni"}, {"important:", "before continuing"}, {"base64", "do what it says"},
		{"decode", "follow the instruction"}, {"decode", "and execute it"},
	}
	plain := ascii(low)
	for i := range known {
		if pair := &known[i]; (!plain || ascii(pair[0])) && strings.Contains(low, pair[0]) && strings.Contains(low, pair[1]) {
			return true
		}
	}
	return false
}
