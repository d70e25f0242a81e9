package terms

func (s *stemmer) step1a() {
	n := len(s.w)
	switch {
	case s.has("sses"):
		s.replace(4, "ss")
	case s.has("ied"), s.has("ies"):
		if n > 4 {
			s.replace(3, "i")
		} else {
			s.replace(3, "ie")
		}
	case s.has("us"), s.has("ss"):
	case s.has("s"):
		if s.vowelBefore(2) {
			s.replace(1, "")
		}
	}
}

func (s *stemmer) step1b() {
	for _, e := range []string{"eedly", "eed"} {
		if s.has(e) {
			if s.in1(len(e)) {
				s.replace(len(e), "ee")
			}
			return
		}
	}
	for _, e := range []string{"ingly", "edly", "ing", "ed"} {
		if !s.has(e) {
			continue
		}
		if s.vowelBefore(len(e)) {
			s.replace(len(e), "")
			s.mend()
		}
		return
	}
}

// mend makes a word of what step 1b has left.
func (s *stemmer) mend() {
	n := len(s.w)
	switch {
	case s.has("at"), s.has("bl"), s.has("iz"):
		s.replace(0, "e")
	case n >= 2 && s.w[n-1] == s.w[n-2] && isDouble(s.w[n-1]):
		s.replace(1, "")
	case s.short():
		s.replace(0, "e")
	}
}

func isDouble(c byte) bool {
	switch c {
	case 'b', 'd', 'f', 'g', 'm', 'n', 'p', 'r', 't':
		return true
	}
	return false
}

func (s *stemmer) step1c() {
	n := len(s.w)
	if n > 2 && (s.w[n-1] == 'y' || s.w[n-1] == 'Y') && !isVowel(s.w[n-2]) {
		s.w[n-1] = 'i'
	}
}

// endings are those of a step with what replaces them, the longest first.
var (
	endings2 = [...][2]string{
		{"ational", "ate"}, {"fulness", "ful"}, {"iveness", "ive"}, {"ization", "ize"}, {"ousness", "ous"},
		{"biliti", "ble"}, {"lessli", "less"}, {"tional", "tion"},
		{"alism", "al"}, {"aliti", "al"}, {"ation", "ate"}, {"entli", "ent"}, {"fulli", "ful"}, {"iviti", "ive"}, {"ousli", "ous"},
		{"abli", "able"}, {"alli", "al"}, {"anci", "ance"}, {"ator", "ate"}, {"enci", "ence"}, {"izer", "ize"},
		{"bli", "ble"}, {"ogi", "og"}, {"li", ""},
	}
	endings3 = [...][2]string{
		{"ational", "ate"}, {"tional", "tion"}, {"alize", "al"}, {"ative", ""}, {"icate", "ic"}, {"iciti", "ic"},
		{"ical", "ic"}, {"ness", ""}, {"ful", ""},
	}
	endings4 = [...]string{
		"ement", "able", "ance", "ence", "ible", "ment", "ant", "ate", "ent", "ion", "ism", "iti", "ive", "ize", "ous", "al", "er", "ic",
	}
)

func (s *stemmer) step2() {
	for _, e := range endings2 {
		if !s.has(e[0]) {
			continue
		}
		n := len(e[0])
		if !s.in1(n) {
			return
		}
		before := byte(0)
		if len(s.w) > n {
			before = s.w[len(s.w)-n-1]
		}
		switch e[0] {
		case "ogi":
			if before != 'l' {
				return
			}
		case "li":
			if !endsBeforeLi(before) {
				return
			}
		}
		s.replace(n, e[1])
		return
	}
}

func endsBeforeLi(c byte) bool {
	switch c {
	case 'c', 'd', 'e', 'g', 'h', 'k', 'm', 'n', 'r', 't':
		return true
	}
	return false
}

func (s *stemmer) step3() {
	for _, e := range endings3 {
		if !s.has(e[0]) {
			continue
		}
		n := len(e[0])
		if s.in1(n) && (e[0] != "ative" || s.in2(n)) {
			s.replace(n, e[1])
		}
		return
	}
}

func (s *stemmer) step4() {
	for _, e := range endings4 {
		if !s.has(e) {
			continue
		}
		n := len(e)
		if !s.in2(n) {
			return
		}
		if e == "ion" && (len(s.w) == n || s.w[len(s.w)-n-1] != 's' && s.w[len(s.w)-n-1] != 't') {
			return
		}
		s.replace(n, "")
		return
	}
}

func (s *stemmer) step5() {
	n := len(s.w)
	if n == 0 {
		return
	}
	switch s.w[n-1] {
	case 'e':
		if s.in2(1) || s.in1(1) && !s.shortSyllable(n-1) {
			s.replace(1, "")
		}
	case 'l':
		if s.in2(1) && n > 1 && s.w[n-2] == 'l' {
			s.replace(1, "")
		}
	}
}
