package redact

import "sync"

// field says where a text comes from, which decides what is looked for in it.
type field struct {
	shell bool // commands or program text: command-line and KEY=value secrets count
	ident bool // an identifier: only secrets that name themselves count
	hint  hint // personal numbers that the key announces
}

// What the scan does at a byte.
const (
	skip = iota
	digitByte
	letterByte
	separator
	percent
	dash
	backslash
	escape
	tilde
	tagEnd
	underscore
	hangul
	atSign
)

var actions = sync.OnceValue(func() *[256]uint8 {
	var t [256]uint8
	for b := range 256 {
		switch {
		case isDigit(byte(b)):
			t[b] = digitByte
		case isLetter(byte(b)):
			t[b] = letterByte
		}
	}
	t[':'], t['='], t['%'], t['-'], t['\\'], t[0x1b] = separator, separator, percent, dash, backslash, escape
	t['~'], t['>'], t['_'], t['@'] = tilde, tagEnd, underscore, atSign
	t[0xeb], t[0xec], t[0xed] = hangul, hangul, hangul // the first bytes of the words in koreanSecret
	return &t
})

// scanner walks one text. done is the end of the last hit: matchers that look
// back never look behind it. The rest remembers what was seen, so that looking
// from many places doesn't cost the same again.
type scanner struct {
	s string
	field
	rules *[256][]tokenRule
	sets  charsets
	hits  []span
	done  int
	steps int

	near                        int // where judging a value stops, see keyValue
	runs                        [6]lastRun
	bare                        [4]lastRun
	noJWT                       int
	pemEnds, pemBegins, sshEnds nextOf
	authority                   authority
	cmd                         commandLine
}

// find returns the secrets in s as sorted, disjoint spans.
func (r *Redactor) find(s string, f field, w *work) []span {
	s = uncut(s)
	view, folds := unfold(s)
	sc := scanner{s: view, field: f, rules: rulesByByte(), sets: sets(), near: len(view)}
	sc.run()
	hits := sc.hits
	if r != nil && !f.ident {
		hits = r.findPatterns(view, hits)
		sc.steps += len(view) * len(r.patterns)
	}
	if w != nil {
		w.steps += sc.steps + len(s)/2 + stringSteps
	}
	if folds != nil {
		for i := range hits {
			hits[i].start, hits[i].end = folds.source(hits[i].start), folds.source(hits[i].end)
		}
	}
	return r.settle(s, hits)
}

func (r *Redactor) findPatterns(s string, hits []span) []span {
	for _, p := range r.patterns {
		for _, m := range p.re.FindAllStringIndex(s, -1) {
			hits = append(hits, span{m[0], m[1], p.typ})
		}
	}
	return hits
}

// run visits each place where a secret can start. Words are entered at their
// first letter only, which is what keeps hashes and identifiers out.
func (sc *scanner) run() {
	act := actions()
	for i := 0; i < len(sc.s); {
		a := act[sc.s[i]]
		if a == skip {
			i++
			continue
		}
		sc.steps++
		hit, next := sc.at(a, i)
		if hit.typ == "" {
			i = max(next, i+1)
			continue
		}
		sc.hits = append(sc.hits, hit)
		sc.steps += hitSteps
		if hit.typ == "aws_access_key" {
			sc.pairedSecret(hit.end)
		}
		sc.done = max(sc.done, hit.end)
		i = max(hit.end, i+1)
	}
}

// at looks at one place: a hit, or where to go on.
func (sc *scanner) at(action uint8, i int) (hit span, next int) {
	switch action {
	case letterByte:
		return sc.wordAt(i)
	case digitByte:
		return sc.numberAt(i)
	case separator:
		return sc.separatorAt(i)
	case dash:
		return sc.dashAt(i), i + 1
	case percent:
		return sc.percentAt(i)
	case backslash:
		return sc.escapeAt(i)
	case escape: // a colour code: its last letter is no part of the next word
		end := i + 1
		for end < len(sc.s) && end < i+12 && !isLetter(sc.s[end]) {
			end++
		}
		return span{}, end + 1
	case tilde:
		return sc.azureAt(i), i + 1
	case tagEnd:
		return sc.elementAt(i), i + 1
	case underscore:
		hit, _ = sc.gluedAt(i)
		return hit, i + 1
	case hangul:
		return sc.koreanSecret(i)
	case atSign:
		return sc.oraclePassword(i), i + 1
	}
	return span{}, i + 1
}

func (sc *scanner) dashAt(i int) span {
	if i+1 < len(sc.s) && sc.s[i+1] == '-' {
		if hit, ok := sc.pem(i); ok {
			return hit
		}
	}
	if hit, ok := sc.gluedAt(i); ok {
		return hit
	}
	return sc.flagAt(i)
}

// wordAt tries what a word can start, else steps over the word.
func (sc *scanner) wordAt(i int) (span, int) {
	if hit, ok := sc.named(i); ok {
		return hit, 0
	}
	switch sc.s[i] {
	case 'B', 'b':
		if hit, ok := sc.bareScheme(i); ok {
			return hit, 0
		}
	case 'h', 'd':
		if hit, ok := webhook(sc.s, i); ok {
			return hit, 0
		}
	case 'P':
		if hit, ok := sc.pem(i); ok {
			return hit, 0
		}
	}
	hit, end := sc.inWord(i)
	if hit.typ == "" && sc.shell && end < len(sc.s) && isBlank(sc.s[end]) && tellingWord(sc.s[i:end]) {
		hit = sc.spacedSecret(i, end)
	}
	return hit, end
}

// percentAt reads URL-encoded separators, and steps over other encoded bytes.
func (sc *scanner) percentAt(i int) (span, int) {
	s := sc.s
	if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
		return span{}, i + 1
	}
	if s[i+1] == '3' && (s[i+2]|0x20 == 'd' || s[i+2]|0x20 == 'a') {
		return sc.keyValue(i, i+3), i + 3
	}
	return span{}, i + 3
}

// separatorAt handles ':' and '=': URLs and named values.
func (sc *scanner) separatorAt(i int) (span, int) {
	if sc.s[i] == ':' {
		if authority, ok := urlAuthority(sc.s, i); ok {
			return sc.urlPassword(i, authority), i + 1
		}
		if hit, ok := telegram(sc.s, i, sc.done); ok {
			return hit, 0
		}
	}
	if !sc.ident {
		if hit := sc.keyValue(i, i+1); hit.typ != "" {
			return hit, 0
		}
	}
	return sc.quotedPrintable(i)
}
