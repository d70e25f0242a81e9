// Package terms turns text into what it is found by, the same for both stores and for questions.
//
// A term is a stemmed English word, two neighbouring syllables of a Korean word or its first one, two neighbouring characters of
// Chinese, Japanese or Thai, another word in lower case, a number, a version, or a whole identifier, flag or path with what
// joined its parts taken out: http_server, http-server and HttpServer are all httpserver, beside http and server.
//
// The alphabet: a term has 1 to MaxLength bytes of UTF-8, of ASCII nothing but a-z and 0-9, beyond it letters, digits and combining
// marks in lower case, and Joint. So it has no blank, quote, backslash, colon, asterisk, control character or '·'. The
// tokenizer ascii of SQLite's FTS5 takes each as one token, with "12·" in front too ('·' counts as a letter there; unicode61 would split at it,
// and at letters younger than Unicode 6.1), and PostgreSQL's array_to_tsvector as one lexeme.
package terms

// Version is that of the terms' form: an index of another version has to be made anew.
const Version = 1

const (
	// MaxLength is how many bytes a term has at most: of a longer word its beginning is taken, a longer identifier isn't kept whole.
	MaxLength = 64
	// MaxTerms is how many terms a text gives at most.
	MaxTerms = 16_384
	// MaxQuery is how many a question has at most.
	MaxQuery = 128
	// Joint stands in a term where a dot stood in a version (1ˑ2ˑ3) or dashes before a flag (ˑdryrun). It is a letter.
	Joint = 'ˑ'

	// Of a question, so many bytes at the beginning and at the end are read.
	questionHead, questionTail = 16 << 10, 8 << 10
	// Of its terms so many are the first ones, where it has too many: the others are the last ones.
	queryHead = 80
)

// Of are the terms of a text, in their order, with repeats, without the words that nearly every text has.
func Of(text string) []string {
	s := scanner{limit: MaxTerms}
	s.text(text)
	return s.terms()
}

// Query are the terms of a question, each once, without words that only make it a question, and without particles and
// endings of Korean. It is empty where nothing is left to ask for: "continue", "thanks".
func Query(text string) []string {
	s := scanner{limit: MaxTerms, query: true}
	if len(text) > questionHead+questionTail {
		s.text(text[:questionHead])
		s.text(text[len(text)-questionTail:])
	} else {
		s.text(text)
	}
	if !s.asks {
		return nil
	}
	all := s.terms()
	seen := make(map[string]bool, len(all))
	out := all[:0]
	for _, t := range all {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	if len(out) > MaxQuery {
		out = append(out[:queryHead:queryHead], out[len(out)-(MaxQuery-queryHead):]...)
	}
	return out
}
