package redact

import "strings"

// hint is the set of personal numbers that a key or the words before announce.
// Bare digits are taken for some of them only with a hint.
type hint uint8

const (
	hintResident hint = 1 << iota
	hintBusiness
)

func hintsOf(text string) (h hint) {
	text = strings.ToLower(text)
	for _, w := range [...]string{"주민", "외국인등록", "rrn", "resident", "jumin", "ssn"} {
		if strings.Contains(text, w) {
			h |= hintResident
		}
	}
	for _, w := range [...]string{"사업자", "business", "biz", "brn"} {
		if strings.Contains(text, w) {
			h |= hintBusiness
		}
	}
	return h
}

// groups are runs of digits with a separator between each two: a blank, a dot, a
// dash or a dash with blanks.
type groups struct {
	start, end [6]int
	sep        [6]byte // before the group
	n          int
}

// digitsAt reads the digits that start at i. Only what passes the numeric checks
// of its kind is a hit.
func (sc *scanner) digitsAt(i int) (span, int) {
	s := sc.s
	g := readGroups(s, i)
	sc.steps += g.n * groupSteps
	first := g.end[0]
	if first < len(s) && isAlnum(s[first]) {
		return sc.wordAfterDigits(i, first) // a hash, a version, an identifier
	}
	if sc.ident || i > 1 && s[i-1] == '.' && isDigit(s[i-2]) {
		return span{}, first
	}
	glued := i > 1 && s[i-1] == '-' && isAlnum(s[i-2])
	for k := g.n; k > 1; k-- {
		end := g.end[k-1]
		if !clearEnd(s, end) {
			continue
		}
		if typ := sc.groupedType(g, k, glued); typ != "" {
			return span{i, end, typ}, 0
		}
	}
	if first+1 < len(s) && s[first] == '.' && isDigit(s[first+1]) {
		if end := zeroFraction(s, first); end == first || i > 0 && s[i-1] == '.' {
			return span{}, first
		}
	}
	if first < len(s) && s[first] == '-' && first+1 < len(s) && isAlnum(s[first+1]) || first-i < 10 || first-i > 19 {
		return span{}, first
	}
	if typ := sc.bareType(s[i:first], i, glued); typ != "" {
		return span{i, first, typ}, 0
	}
	return span{}, first
}

func readGroups(s string, i int) (g groups) {
	for g.n < len(g.start) {
		end := i
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		g.start[g.n], g.end[g.n] = i, end
		g.n++
		next, sep := groupSeparator(s, end)
		if next == end || g.n == len(g.start) {
			break
		}
		g.sep[g.n] = sep
		i = next
	}
	return g
}

// groupSeparator returns where the group after i starts, or i.
func groupSeparator(s string, i int) (next int, sep byte) {
	at := i
	for at < len(s) && at-i < 2 && s[at] == ' ' {
		at++
	}
	sep = ' '
	if at < len(s) && (s[at] == '-' || s[at] == '.' && at == i) {
		sep = s[at]
		at++
		if at < len(s) && s[at] == ' ' && sep == '-' {
			at++
		}
	}
	if at == i || at >= len(s) || !isDigit(s[at]) {
		return i, 0
	}
	return at, sep
}

// zeroFraction is the end of a fraction of zeros at i, as tables write whole
// numbers, or i.
func zeroFraction(s string, i int) int {
	end := i + 1
	for end < len(s) && s[end] == '0' {
		end++
	}
	if end == i+1 || end < len(s) && (isAlnum(s[end]) || s[end] == '.') {
		return i
	}
	return end
}

// clearEnd says that nothing continues a number that ends here.
func clearEnd(s string, end int) bool {
	if end >= len(s) {
		return true
	}
	if isAlnum(s[end]) || s[end] == '_' {
		return false
	}
	return s[end] != '-' && s[end] != '.' || end+1 >= len(s) || !isAlnum(s[end+1])
}

// groupedType judges the first k groups.
func (sc *scanner) groupedType(g groups, k int, glued bool) string {
	s := sc.s
	var size [6]int
	digits := make([]byte, 0, 24)
	dashes, blanks, dots := true, false, false
	for j := range k {
		size[j] = g.end[j] - g.start[j]
		if len(digits)+size[j] > cap(digits) {
			return ""
		}
		digits = append(digits, s[g.start[j]:g.end[j]]...)
		if j > 0 {
			dashes = dashes && g.sep[j] == '-'
			blanks, dots = blanks || g.sep[j] == ' ', dots || g.sep[j] == '.'
		}
	}
	num, shape := string(digits), [5]int(size[:5])
	plus := g.start[0] > 0 && s[g.start[0]-1] == '+'
	switch {
	case k == 2 && shape[0] == 6 && shape[1] == 7 && !glued && residentDate(num):
		if dashes || sc.hinted(g.start[0], hintResident) || blanks && plainResident(num) && lonely(s, g.start[0], g.end[1]) {
			return "kr_rrn"
		}
	case k == 2 && shape[0] == 3 && shape[1] == 8 && mobilePrefix(num) && (dashes || !dots && lonely(s, g.start[0], g.end[1])):
		return "kr_mobile"
	case k == 3 && shape[0] == 3 && (shape[1] == 3 || shape[1] == 4) && shape[2] == 4 && mobilePrefix(num):
		return "kr_mobile"
	case k == 4 && plus && shape[0] == 2 && shape[1] == 2 && (shape[2] == 3 || shape[2] == 4) && shape[3] == 4 && mobilePrefix("0"+num[2:]) && num[:2] == "82":
		return "kr_mobile"
	case k == 3 && shape[0] == 3 && shape[1] == 2 && shape[2] == 5 && dashes && !glued && businessNumber(num):
		return "kr_business"
	case cardShape(shape, k) && !glued && (!dots || k == 4 && (g.start[0] == 0 || s[g.start[0]-1] != '.')) && cardNumber(num):
		return "card"
	}
	return ""
}

// lonely says that no other number stands beside: a table is full of pairs.
func lonely(s string, start, end int) bool {
	for start > 0 && (s[start-1] == ' ' || s[start-1] == '\t') {
		start--
	}
	for end < len(s) && (s[end] == ' ' || s[end] == '\t') {
		end++
	}
	return (start == 0 || !isAlnum(s[start-1]) && s[start-1] != '.' && s[start-1] != ',') &&
		(end == len(s) || !isAlnum(s[end]) && s[end] != ',' && s[end] != '.')
}

func cardShape(shape [5]int, k int) bool {
	switch {
	case k == 4:
		return shape == [5]int{4, 4, 4, 4}
	case k == 5:
		return shape == [5]int{4, 4, 4, 4, 3}
	case k == 3:
		return shape == [5]int{4, 6, 5} || shape == [5]int{4, 6, 4}
	}
	return false
}

// bareType judges one run of digits.
func (sc *scanner) bareType(num string, i int, glued bool) string {
	hinted := func(want hint) bool { return sc.hinted(i, want) }
	if len(num) == 12 && i > 0 && sc.s[i-1] == '+' && num[:2] == "82" && mobilePrefix("0"+num[2:]) {
		return "kr_mobile"
	}
	return bareNumber(num, glued, hinted)
}

// hinted says that the key or the words before i announce a kind of number.
func (sc *scanner) hinted(i int, want hint) bool {
	return (sc.hint|hintsOf(sc.s[max(0, i-40):i]))&want != 0
}

// bareNumber is shared by runs of digits in text and by JSON numbers.
func bareNumber(num string, glued bool, hinted func(hint) bool) string {
	switch n := len(num); {
	case n == 10 && !glued && businessNumber(num) && hinted(hintBusiness):
		return "kr_business"
	case n == 10 || n == 11:
		if mobilePrefix(num) && (n == 11 || num[:3] != "010") && strings.Trim(num, "01") != "" {
			return "kr_mobile"
		}
	case n == 13 && !glued && residentDate(num) && (plainResident(num) || hinted(hintResident)):
		return "kr_rrn"
	case n >= 13 && cardNumber(num):
		return "card"
	}
	return ""
}
