package lenient

import "bytes"

// Find lists the texts of every member of the given names, however deep and however broken the text around them is: a
// string that is followed by a colon is taken for a key wherever it stands. It is for payloads that cannot be trusted to
// have the shape that they should have.
func Find(text []byte, keys []string) []string {
	var out []string
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
		at := skipSpace(text, end)
		if at < len(text) && text[at] == ':' && isOne(unquote(text[i:end]), keys) {
			start := skipSpace(text, at+1)
			if stop := valueEnd(text, start); stop > start {
				out = append(out, Value{text[start:stop]}.Text())
			}
		}
		i = end
	}
	return out
}

func isOne(s string, of []string) bool {
	for _, o := range of {
		if s == o {
			return true
		}
	}
	return false
}
