package lenient

import "bytes"

// Find lists the texts of every member of the given names, however deep and however broken the text around them is: a
// string that is followed by a colon is taken for a key wherever it stands. It is for payloads that cannot be trusted to
// have the shape that they should have.
func Find(text []byte, keys []string) []string {
	f := finder{text: text, found: map[int]bool{}, left: maxScan + 4*len(text)}
	for i := 0; i < len(text); {
		next := bytes.IndexAny(text[i:], "\":")
		if next < 0 {
			break
		}
		i += next
		if text[i] == ':' {
			i++
			continue
		}
		end := stringEnd(text, i)
		if isOne(unquote(text[i:end]), keys) {
			f.key(end)
		}
		i = end
	}
	f.named(keys)
	return f.out
}

// maxScan is how many bytes of values are looked at at least. Values within values count each time: what is beyond the bound, in a
// text made of nothing else, is found by the names within it.
const maxScan = 16 << 20

// finder gathers texts.
type finder struct {
	text  []byte
	out   []string
	found map[int]bool // where values start
	left  int
}

// key takes what stands behind a key that ends at i.
func (f *finder) key(i int) {
	start := valueBehind(f.text, i)
	if start == 0 || f.found[start] || f.left <= 0 && (f.text[start] == '{' || f.text[start] == '[') {
		return
	}
	end := valueEnd(f.text, start)
	if end <= start {
		return
	}
	f.found[start] = true
	f.left -= end - start
	f.out = append(f.out, Value{f.text[start:end]}.Text())
}

// named adds the members whose names stand as they are, wherever they stand: a quote that is none of a string's, in a comment, must not
// make of a name a string's text. In a sound text there are no more of them.
func (f *finder) named(keys []string) {
	for _, key := range keys {
		name := []byte(`"` + key + `"`)
		for i := 0; ; {
			next := bytes.Index(f.text[i:], name)
			if next < 0 {
				break
			}
			i += next + len(name)
			f.key(i)
		}
	}
}

// valueBehind is where the value of the key that ends at i starts; 0 where it is no key, or has none. There may be comments.
func valueBehind(text []byte, i int) int {
	at := skipComments(text, i)
	if at >= len(text) || text[at] != ':' {
		return 0
	}
	if start := skipComments(text, at+1); start < len(text) {
		return start
	}
	return 0
}

// maxComment bounds one comment: what is longer is none, so that a text of nothing but their beginnings costs no more than others.
const maxComment = 4 << 10

// skipComments moves over blanks and the comments of JSON with comments.
func skipComments(b []byte, i int) int {
	for {
		i = skipSpace(b, i)
		if i+2 > len(b) || b[i] != '/' || b[i+1] != '*' && b[i+1] != '/' {
			return i
		}
		end := "*/"
		if b[i+1] == '/' {
			end = "\n"
		}
		n := bytes.Index(b[i+2:min(len(b), i+2+maxComment)], []byte(end))
		if n < 0 {
			return i
		}
		i += 2 + n + len(end)
	}
}

func isOne(s string, of []string) bool {
	for _, o := range of {
		if s == o {
			return true
		}
	}
	return false
}
