package redact

import (
	"strings"
	"sync"
)

// maxPhrase bounds a password of several words. It is less than what is judged of a value, which so holds the whole of it.
const maxPhrase = 128

// proseWords are what texts for people hold and passphrases don't. The small ones a passphrase may hold that is no plain words.
var proseWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`enter please password passwords passphrase passcode passwd secret secrets token tokens key keys api wrong invalid
		incorrect required forgot forgotten reset new old confirm confirmation current change missing least most characters chars
		same match matches mismatch field value values hash hashed hashing type user username name email login log sign account set unset plain
		text length long short weak strong strength expired optional default example placeholder random generated generate manager
		store string valid must should cannot can't don't doesn't isn't supported available encrypted minimum maximum min max between contain
		contains failed error code hint help show hide server client database admin see via letters digits numbers

		passwort passwörter kennwort passe contraseña contrasena senha wachtwoord lösenord hasło heslo jelszó salasana parola sandi`) {
		m[w] = true
	}
	for _, w := range strings.Fields("the your you is are be a an for to of and or not with in at no this that it if by on as was will can has have may from when only") {
		m[w] = false
	}
	return m
})

// passphrase judges a quoted value of several words. Plain words have to be more than a label or a sentence of program text.
func passphrase(p pair, v string) bool {
	if p.class != keySecret || len(v) > maxPhrase || v[0] == ' ' || strings.ContainsAny(v, "\n\r{}<>") || breakAt(v) >= 0 || strings.Contains(v, `\u`) || bareQuote(v) {
		return false
	}
	words, plain, prose := 0, true, false
	for w := range strings.FieldsSeq(v) {
		if w[0] == '$' || w[0] == '%' {
			return false // of a template
		}
		words++
		k := kindsOf(w)
		plain = plain && !(k.digit && k.letter() && !typeRoot(strings.ToLower(w)) || k.lower && kindsOf(w[1:]).upper)
		hard, listed := proseWords()[strings.ToLower(strings.Trim(w, ".,;:!?'\"()"))]
		if hard {
			return false
		}
		if !k.letter() && !k.digit {
			if w[0] >= 0x80 {
				return false // other alphabets have labels of their own
			}
			prose = true
		}
		prose = prose || listed
	}
	if words < 2 || !plain {
		return words >= 2
	}
	if prose && !(p.colon && p.keyQuoted) {
		return false
	}
	return !isUpper(v[0]) || strings.IndexByte(".?", v[len(v)-1]) < 0
}

// assignment is the quote round the whole of NAME=value where an option takes such a pair: docker run -e "NAME=two words".
func (sc *scanner) assignment(p *pair) string {
	at := p.keyStart
	if p.colon || p.spaced || p.keyQuoted || at <= sc.done || !isQuote(sc.s[at-1]) || !envName(p.key) {
		return ""
	}
	quote := at - 1
	for quote > sc.done && sc.s[quote-1] == '\\' {
		quote--
	}
	before := sc.s[max(sc.done, quote-len("--build-arg ")):quote]
	for _, option := range [...]string{" -e ", " -e", "--env ", "--env=", "--build-arg ", "--build-arg="} {
		if strings.HasSuffix(before, option) {
			return sc.s[quote:at]
		}
	}
	return ""
}

// cutPhrase is the end of a quoted value of several words whose quote is not closed in its line, in text that has its line
// breaks escaped: other names and values follow.
func (sc *scanner) cutPhrase(p pair) int {
	if !p.quoted || p.class != keySecret {
		return p.end
	}
	v := sc.s[p.start:p.end]
	n := breakAt(v)
	if n < 0 || !strings.ContainsAny(v[n:], "=:") || strings.HasPrefix(v, "-----") {
		return p.end
	}
	if n == 0 && sc.s[p.start-1] != ']' || n > 0 && !kindsOf(v[:n]).space { // a mark stands before it
		return p.end
	}
	return p.start + n
}

// breakAt is where the first escaped line break of v starts, or -1.
func breakAt(v string) int {
	for from := 0; ; {
		n := strings.IndexByte(v[from:], '\\')
		if n < 0 {
			return -1
		}
		at := from + n
		for from = at; from < len(v) && v[from] == '\\'; {
			from++
		}
		if from < len(v) && (v[from] == 'n' || v[from] == 'r') {
			return at
		}
	}
}

// bareQuote says that v holds a double quote that nothing escapes: its own began elsewhere.
func bareQuote(v string) bool {
	for i := 0; i < len(v); i++ {
		if v[i] == '"' && (i == 0 || v[i-1] != '\\') {
			return true
		}
	}
	return false
}
